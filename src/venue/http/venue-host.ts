import type { Market } from '../../model/market.js';
import type { Clock } from '../../ports/clock.js';
import type { VenueCore } from '../core/venue-core.js';
import type { MarketDriver } from '../market-driver.js';
import { VenueClock } from '../venue-clock.js';

export interface VenueHostOptions {
  readonly core: VenueCore;
  /** What moves the markets; none for a market that only its clients move. */
  readonly drivers: readonly MarketDriver[];
  readonly clock: Clock;
  /** Venue ms at which it starts; default: the first start of a market, else the system's time. */
  readonly origin?: number | undefined;
  /** Venue ms per real ms; default 1. */
  readonly speed?: number | undefined;
  /** The market cannot keep up with its speed: from now on it goes as fast as it can. Told once. */
  readonly onBehind?: (() => void) | undefined;
}

/** So long may one catching up take, ms: who asks waits for it, and so does Ctrl-C. */
const MOST_MS = 200;
/** Steps between two looks at the time. */
const STEPS = 64;

/** A core, its market drivers and its clock: a venue whose state is always that of now. */
export class VenueHost {
  readonly core: VenueCore;
  readonly markets: ReadonlyMap<string, Market>;
  readonly clock: VenueClock;
  readonly #drivers: readonly MarketDriver[];
  readonly #system: Clock;
  #onBehind: (() => void) | undefined;

  constructor({ core, drivers, clock, origin = originOf(drivers), speed, onBehind }: VenueHostOptions) {
    this.core = core;
    this.#system = clock;
    this.#onBehind = onBehind;
    this.markets = new Map(core.markets.map((market) => [market.pair, market]));
    this.#drivers = drivers;
    this.clock = new VenueClock({ clock, speed, origin, endTime: endOf(drivers) });
  }

  /**
   * Lets everything happen that is due by now, and returns now. The venue's own schedule and several markets move in
   * one order of time, so that what they do to a shared account does not depend on how often somebody looks. What cannot
   * be done in a moment is left out of time: the clock goes on from where the market is.
   */
  catchUp(): number {
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
    return now;
  }

  #stopAt(time: number): number {
    this.clock.goOnFrom(time);
    this.#onBehind?.();
    this.#onBehind = undefined;
    return time;
  }

  /** Everything that was recorded of this market has happened. */
  hasEnded(pair: string): boolean {
    return this.#drivers.some((driver) => driver.pair === pair && driver.done === true);
  }

  /** Venue time of the next thing due, of the venue's own or of a market's. */
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

/** The last end, when every market has one. */
function endOf(drivers: readonly MarketDriver[]): number | undefined {
  if (drivers.length === 0) return undefined;
  let end = Number.NEGATIVE_INFINITY;
  for (const { endTime } of drivers) {
    if (endTime === undefined) return undefined;
    end = Math.max(end, endTime);
  }
  return end;
}
