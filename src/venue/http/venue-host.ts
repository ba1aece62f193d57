import type { Market } from '../../model/market.js';
import type { Clock } from '../../ports/clock.js';
import type { VenueCore } from '../core/venue-core.js';
import type { MarketDriver } from '../market-driver.js';
import { VenueClock } from '../venue-clock.js';

export interface VenueHostOptions {
  readonly core: VenueCore;
  /** What moves the markets; empty if only clients do. */
  readonly drivers: readonly MarketDriver[];
  readonly clock: Clock;
  /** Venue ms at which the clock starts; default: the first start of a market, else the system's time. */
  readonly origin?: number | undefined;
  /** Venue ms per real ms; default 1. */
  readonly speed?: number | undefined;
  /** Called once, when the market first falls behind its speed; from then on it runs as fast as it can. */
  readonly onBehind?: (() => void) | undefined;
  /** Called once, when all markets have ended and the clock stands, with the venue time, ms. */
  readonly onEnd?: ((time: number) => void) | undefined;
}

/** The longest that one call may take to catch up, ms: the caller waits for it, and so does Ctrl-C. */
const MOST_MS = 200;
/** Number of steps between two checks of the time. */
const STEPS = 64;

/** A core, its market drivers and its clock: a venue whose state is always current. */
export class VenueHost {
  readonly core: VenueCore;
  readonly markets: ReadonlyMap<string, Market>;
  readonly clock: VenueClock;
  readonly #drivers: readonly MarketDriver[];
  readonly #system: Clock;
  #onBehind: (() => void) | undefined;
  readonly #onEnd: ((time: number) => void) | undefined;
  #hasEnded = false;

  constructor(options: VenueHostOptions) {
    const { core, drivers, clock, origin = originOf(drivers), speed, onBehind, onEnd } = options;
    this.core = core;
    this.#system = clock;
    this.#onBehind = onBehind;
    this.#onEnd = onEnd;
    this.markets = new Map(core.markets.map((market) => [market.pair, market]));
    this.#drivers = drivers;
    this.clock = new VenueClock({ clock, speed, origin, endTime: endOf(drivers) });
  }

  /**
   * Lets everything happen that is due, and returns the venue time reached, ms. The venue's own schedule and all
   * markets advance in one order of time, so that a shared account does not depend on how often somebody looks. What
   * takes longer than `MOST_MS` is skipped: the clock continues from the time that the market has reached.
   */
  catchUp(): number {
    // Asked before the time, so that everything up to the end has happened when it is told.
    const isOver = !this.#hasEnded && this.clock.stopped;
    const now = this.clock.now();
    const giveUpAt = this.#system.monotonic() + MOST_MS;
    let steps = 0;
    for (let due = this.#nextTime(); due <= now; due = this.#nextTime()) {
      this.core.update(due);
      for (const driver of this.#drivers) if (driver.nextTime <= due) driver.advanceTo(due);
      this.core.advance(due);
      if (++steps % STEPS === 0 && this.#system.monotonic() > giveUpAt) return this.#stopAt(due);
    }
    for (const driver of this.#drivers) driver.advanceTo(now);
    this.core.advance(now);
    if (isOver) {
      this.#hasEnded = true;
      this.core.endTapes(now);
      this.#onEnd?.(now);
    }
    return now;
  }

  #stopAt(time: number): number {
    this.clock.goOnFrom(time);
    this.#onBehind?.();
    this.#onBehind = undefined;
    return time;
  }

  /** Whether everything that was recorded of this market has happened. */
  hasEnded(pair: string): boolean {
    return this.#drivers.some((driver) => driver.pair === pair && driver.done === true);
  }

  /** Venue time of the next event, of the venue itself or of a market. */
  #nextTime(): number {
    let next = this.core.nextTime;
    for (const { nextTime } of this.#drivers) if (nextTime < next) next = nextTime;
    return next;
  }
}

function originOf(drivers: readonly MarketDriver[]): number | undefined {
  const starts = drivers.map(({ startTime }) => startTime).filter((time) => time !== undefined);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** The latest end of all markets; `undefined` if one of them has none. */
function endOf(drivers: readonly MarketDriver[]): number | undefined {
  if (drivers.length === 0) return undefined;
  let end = Number.NEGATIVE_INFINITY;
  for (const { endTime } of drivers) {
    if (endTime === undefined) return undefined;
    end = Math.max(end, endTime);
  }
  return end;
}
