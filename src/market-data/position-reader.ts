import { InvariantError } from '../model/errors.js';
import type { PositionSnapshot } from '../model/event.js';
import type { Market } from '../model/market.js';
import { positionLots } from '../model/position.js';
import type { Clock } from '../ports/clock.js';
import { type VenueApi, VenueError } from '../ports/venue-api.js';

export interface PositionReaderOptions {
  /** `position` is needed only where it is polled: it takes an API key. */
  readonly api: Pick<VenueApi, 'clock'> & Partial<Pick<VenueApi, 'position'>>;
  readonly market: Market;
  readonly clock: Clock;
  /** Monotonic ms of the newest report of an own order. */
  readonly ownEventAt?: (() => number) | undefined;
}

export interface AskedPosition {
  readonly position: PositionSnapshot;
  /** Monotonic ms at which its request left. */
  readonly askedAt: number;
}

/** Reads the venue's position. It counts as of its request: fills after that may be included or not. */
export class PositionReader {
  readonly #options: PositionReaderOptions;
  #given: AskedPosition | undefined;
  #old = 0;

  constructor(options: PositionReaderOptions) {
    this.#options = options;
  }

  /** How many positions were dropped because something newer was known than when they were asked for. */
  get old(): number {
    return this.#old;
  }

  /** @throws VenueError when the read fails, the size is off the market's grid or its direction contradicts it. */
  async read(): Promise<AskedPosition> {
    const { api, market, clock } = this.#options;
    if (api.position === undefined) {
      throw new InvariantError('a position must be polled with a key, received an API without one');
    }
    const time = Math.floor(api.clock.now());
    const askedAt = clock.monotonic();
    const { size, direction, averageEntry, liquidationPrice, funding } = await api.position(market.pair);
    const lots = positionLots(market, { size, direction });
    if (lots === undefined) {
      throw new VenueError(
        'malformed',
        `a position of ${market.pair} must be on its lot grid and agree with its direction, received ${size} ${direction ?? ''}`,
      );
    }
    const facts = { time, lots, averageEntry, liquidationPrice };
    return { position: funding === 0 ? facts : { ...facts, funding }, askedAt };
  }

  /** That read, or a later one that was given. */
  newest(asked: AskedPosition): AskedPosition {
    return this.#given !== undefined && this.#given.askedAt > asked.askedAt ? this.#given : asked;
  }

  /** An own order was reported after its request. */
  isOld({ askedAt }: AskedPosition): boolean {
    return askedAt < (this.#options.ownEventAt?.() ?? Number.NEGATIVE_INFINITY);
  }

  /** The position, or `undefined` when it is outdated: a later one was given, or it `isOld`. */
  news(asked: AskedPosition): PositionSnapshot | undefined {
    if (this.newest(asked) !== asked || this.isOld(asked)) {
      this.#old++;
      return undefined;
    }
    this.#given = asked;
    return asked.position;
  }
}
