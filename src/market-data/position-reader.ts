import { InvariantError } from '../model/errors.js';
import type { PositionSnapshot } from '../model/event.js';
import type { Market } from '../model/market.js';
import { positionLots } from '../model/position.js';
import type { Clock } from '../ports/clock.js';
import { type VenueApi, VenueError } from '../ports/venue-api.js';

export interface PositionReaderOptions {
  /** `position` only where it is asked for: it needs an API key. */
  readonly api: Pick<VenueApi, 'clock'> & Partial<Pick<VenueApi, 'position'>>;
  readonly market: Market;
  readonly clock: Clock;
  /** When the newest event of an own order was heard, monotonic ms. */
  readonly ownEventAt?: (() => number) | undefined;
}

export interface AskedPosition {
  readonly position: PositionSnapshot;
  /** Monotonic ms. */
  readonly askedAt: number;
}

/** The venue's view of a position, as of the moment it was asked for: what happened later may be in it or not. */
export class PositionReader {
  readonly #options: PositionReaderOptions;
  #givenAskedAt = Number.NEGATIVE_INFINITY;
  #old = 0;

  constructor(options: PositionReaderOptions) {
    this.#options = options;
  }

  /** Positions that were asked for before something newer was known, and so not given. */
  get old(): number {
    return this.#old;
  }

  /** @throws VenueError when there is no position on the market's grid, or its direction says the opposite. */
  async read(): Promise<AskedPosition> {
    const { api, market, clock } = this.#options;
    if (api.position === undefined) {
      throw new InvariantError('a position must be polled with a key, received an API without one');
    }
    const time = Math.floor(api.clock.now());
    const askedAt = clock.monotonic();
    const { size, direction, averageEntry, liquidationPrice } = await api.position(market.pair);
    const lots = positionLots(market, { size, direction });
    if (lots === undefined) {
      throw new VenueError(
        'malformed',
        `a position of ${market.pair} must be on its lot grid and agree with its direction, received ${size} ${direction ?? ''}`,
      );
    }
    return { position: { time, lots, averageEntry, liquidationPrice }, askedAt };
  }

  /** `undefined` when something newer is known: a position that was given, or an event of an own order. */
  news({ position, askedAt }: AskedPosition): PositionSnapshot | undefined {
    const { ownEventAt } = this.#options;
    if (askedAt < Math.max(this.#givenAskedAt, ownEventAt?.() ?? Number.NEGATIVE_INFINITY)) {
      this.#old++;
      return undefined;
    }
    this.#givenAskedAt = askedAt;
    return position;
  }
}
