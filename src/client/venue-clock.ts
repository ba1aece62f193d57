import type { Clock, Timers } from '../ports/clock.js';
import { sleep } from '../ports/clock.js';
import type { VenueClock } from '../ports/venue-api.js';

/** An answer of GET /time, between two moments of the local monotonic clock. */
export interface TimeAnswer {
  /** Venue ms, cut to whole ones. */
  readonly venueTime: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** What the client knows about the venue's clock beyond the port. */
export interface VenueClockEstimate extends VenueClock {
  /** Half the width of what `now()` may be wrong by, venue ms; infinite before the first answer. */
  errorMs(): number;
  /** Venue ms per local ms, by what answers there are. */
  rate(): number;
}

export interface VenueClockOptions {
  readonly mode: 'follow' | 'system';
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ask: () => Promise<TimeAnswer>;
  /** One of the two clocks was set, or stood still: the estimate moved by so many venue ms, back if negative. */
  readonly onSet?: (byMs: number) => void;
}

/** A step back of the estimate up to this is waited out, venue ms; a larger one says that a clock was set. */
const LARGEST_HOLD_MS = 2_000;
/** So far, in our own ms, a rate of a few answers may have led ahead without anybody having set a clock. */
const LARGEST_LEAD_MS = 10_000;
/** Two answers of /time this far apart (ms) give a first rate. */
const FIRST_SPAN_MS = 50;

/**
 * The venue's clock as estimated from GET /time. `follow`: offset and rate are learned and nothing is ever taken for
 * reached but an answer, because such a clock may stand still. `system`: the rate is 1, and the offset is kept as an
 * interval.
 */
export function createVenueClock({ mode, clock, timers, ask, onSet }: VenueClockOptions): VenueClockEstimate {
  const estimate = mode === 'follow' ? new FollowedClock() : new SteadyClock();
  let latestNow = 0;
  let latestReached = 0;
  let answered = Number.NEGATIVE_INFINITY;
  const take = (answer: TimeAnswer) => {
    answered = answer.venueTime;
    const before = estimate.at(clock.monotonic());
    const wasSet = estimate.take(answer);
    const monotonic = clock.monotonic();
    const at = estimate.at(monotonic) ?? latestNow;
    const rate = Math.max(1, estimate.steadyRate());
    const isMisled = latestNow - at > LARGEST_LEAD_MS * rate;
    if (!wasSet && !isMisled) return;
    const byMs = at - (wasSet ? (before ?? at) : latestNow);
    if (Math.abs(byMs) > LARGEST_HOLD_MS * rate) onSet?.(byMs);
    // What was said before the clock was set, or by a wrong answer or rate, binds nobody.
    latestNow = held(latestNow, at);
    latestReached = held(latestReached, Math.floor(estimate.reachedAt(monotonic)));
  };
  return {
    glance() {
      const monotonic = clock.monotonic();
      const at = estimate.at(monotonic);
      const reached = Math.max(latestReached, Math.floor(estimate.reachedAt(monotonic)));
      return { now: at === undefined ? clock.wall() : Math.max(latestNow, at), reached };
    },
    now() {
      const at = estimate.at(clock.monotonic());
      // Without an answer there is only our own clock to go by; it binds nothing that is learned later.
      if (at === undefined) return clock.wall();
      latestNow = Math.max(latestNow, at);
      return latestNow;
    },
    reached() {
      latestReached = Math.max(latestReached, Math.floor(estimate.reachedAt(clock.monotonic())));
      return latestReached;
    },
    async sync() {
      take(await ask());
      if (estimate.needsAnother()) {
        await sleep(timers, FIRST_SPAN_MS);
        take(await ask());
      }
    },
    earliest() {
      const monotonic = clock.monotonic();
      // Not from what `now` says: that may stand still ahead of the estimate for a while.
      return (estimate.at(monotonic) ?? 0) - estimate.errorAt(monotonic);
    },
    answered: () => answered,
    errorMs: () => estimate.errorAt(clock.monotonic()),
    rate: () => estimate.rate(),
    steadyRate: () => estimate.steadyRate(),
  };
}

/** The latest of what was told: it holds still over a small step back, and follows a larger one. */
function held(latest: number, told: number): number {
  return latest - told > LARGEST_HOLD_MS ? told : latest;
}

interface Estimate {
  /** True when the answer contradicts those before it: one of the clocks was set, or an answer was wrong. */
  take(answer: TimeAnswer): boolean;
  at(monotonic: number): number | undefined;
  reachedAt(monotonic: number): number;
  errorAt(monotonic: number): number;
  rate(): number;
  steadyRate(): number;
  needsAnother(): boolean;
}

/** How fast two honest quartz clocks may drift apart. */
const DRIFT = 50e-6;

/** Offset = venue − monotonic, as the intersection of what each answer allows, widened by drift as it ages. */
class SteadyClock implements Estimate {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #takenAt = 0;

  take({ venueTime, sentAt, receivedAt }: TimeAnswer): boolean {
    const widened = DRIFT * Math.max(0, receivedAt - this.#takenAt);
    const low = Math.max(this.#low - widened, venueTime - receivedAt);
    // The answer was cut to whole ms, so the clock may have been up to 1 ms further.
    const high = Math.min(this.#high + widened, venueTime + 1 - sentAt);
    const agrees = low <= high;
    // One of the clocks was set: the new answer is the truth.
    this.#low = agrees ? low : venueTime - receivedAt;
    this.#high = agrees ? high : venueTime + 1 - sentAt;
    this.#takenAt = receivedAt;
    return !agrees;
  }

  at(monotonic: number): number | undefined {
    return this.#isKnown() ? monotonic + (this.#low + this.#high) / 2 : undefined;
  }

  reachedAt(monotonic: number): number {
    return this.#isKnown() ? monotonic + this.#low - DRIFT * (monotonic - this.#takenAt) : 0;
  }

  errorAt(monotonic: number): number {
    if (!this.#isKnown()) return Number.POSITIVE_INFINITY;
    return (this.#high - this.#low) / 2 + DRIFT * (monotonic - this.#takenAt);
  }

  rate(): number {
    return 1;
  }

  steadyRate(): number {
    return 1;
  }

  needsAnother(): boolean {
    return false;
  }

  #isKnown(): boolean {
    return this.#high < Number.POSITIVE_INFINITY;
  }
}

interface Sample {
  readonly venueTime: number;
  /** Middle of the exchange, local monotonic ms, and half its length. */
  readonly middle: number;
  readonly half: number;
}

const MOST_SAMPLES = 32;
/** A rate from a shorter span would be mostly rounding. */
const SHORTEST_SPAN_MS = 20;
/** What a clock that was set, or another one that answers, does between two answers is no rate. */
const STEADY_SPAN_MS = 5_000;
/** Half a millisecond of each answer is cut off. */
const ROUNDING_MS = 1;

/**
 * A clock of unknown offset and rate: a line through the oldest and the newest of the answers that agree with one rate. Any
 * two answers agree with some rate. So once a rate has proven steady, a first pair must agree with it, and it takes three
 * answers on one line to change it.
 */
class FollowedClock implements Estimate {
  #samples: Sample[] = [];
  #rate = 1;
  #rateError = 1;
  #steadyRate = 1;
  /** Infinite before a rate has proven steady. */
  #steadyError = Number.POSITIVE_INFINITY;
  /** The newest sample before the last new start: it may lie on one line with the first two after it. */
  #dropped: Sample | undefined;
  /** The oldest sample since the last new start, also when it is no longer among `#samples`. */
  #first: Sample | undefined;
  #reached = 0;

  take({ venueTime, sentAt, receivedAt }: TimeAnswer): boolean {
    const sample = { venueTime, middle: (sentAt + receivedAt) / 2, half: (receivedAt - sentAt) / 2 };
    const newest = this.#samples.at(-1);
    if (newest !== undefined && sample.middle <= newest.middle) return false;
    // What does not agree begins anew: a line over a step, as one of the clocks stood still or was set, has a rate that
    // never was, and would lead minutes ahead.
    const agrees = newest === undefined || (venueTime >= newest.venueTime && this.#agrees(sample, newest));
    if (agrees) {
      this.#samples = [...this.#samples.slice(-MOST_SAMPLES + 1), sample];
      this.#first ??= sample;
    } else this.#beginAnew(sample, newest);
    this.#reached = agrees ? Math.max(this.#reached, venueTime) : venueTime;
    this.#fit();
    return !agrees;
  }

  at(monotonic: number): number | undefined {
    const newest = this.#samples.at(-1);
    // A failed look at the clock never takes it back behind what it said.
    return newest && newest.venueTime + this.#rate * Math.max(0, monotonic - newest.middle);
  }

  reachedAt(): number {
    return this.#reached;
  }

  errorAt(monotonic: number): number {
    const newest = this.#samples.at(-1);
    if (newest === undefined) return Number.POSITIVE_INFINITY;
    return this.#rate * newest.half + ROUNDING_MS + this.#rateError * Math.max(0, monotonic - newest.middle);
  }

  rate(): number {
    return this.#rate;
  }

  steadyRate(): number {
    return this.#steadyRate;
  }

  needsAnother(): boolean {
    return this.#samples.length === 1;
  }

  #agrees(sample: Sample, newest: Sample): boolean {
    const isPair = this.#samples.length < 2;
    const [rate, error] = isPair ? [this.#steadyRate, this.#steadyError] : [this.#rate, this.#rateError];
    const elapsed = sample.middle - newest.middle;
    const predicted = newest.venueTime + rate * elapsed;
    const slack = rate * (sample.half + newest.half) + ROUNDING_MS + error * elapsed;
    return Math.abs(sample.venueTime - predicted) <= slack;
  }

  /**
   * Drops what was known and starts from this sample; from the last three where they lie on one line, since then the
   * venue's clock runs at another rate now.
   */
  #beginAnew(sample: Sample, newest: Sample | undefined): void {
    const [first, second] = [this.#dropped, newest];
    const isAlone = this.#samples.length === 1;
    const isLine = isAlone && first !== undefined && second !== undefined && areOnLine(first, second, sample);
    this.#samples = isLine ? [first, second, sample] : [sample];
    this.#first = this.#samples[0];
    this.#dropped = isLine ? undefined : newest;
    // A rate that two answers gave is not kept without them where it would lead ahead.
    if (this.#steadyError === Number.POSITIVE_INFINITY && this.#rate > 1)
      [this.#rate, this.#rateError] = [1, 1];
  }

  #fitSteady(first: Sample, newest: Sample): void {
    const span = newest.middle - first.middle;
    // Any two are on one line.
    const isLine = this.#samples.length > 2 && span >= STEADY_SPAN_MS;
    if (!isLine) return;
    this.#steadyRate = (newest.venueTime - first.venueTime) / span;
    this.#steadyError = errorOf(this.#steadyRate, first, newest);
  }

  #fit(): void {
    const oldest = this.#samples[0];
    const newest = this.#samples.at(-1);
    if (oldest === undefined || newest === undefined) return;
    const span = newest.middle - oldest.middle;
    if (span < SHORTEST_SPAN_MS) return;
    const rate = (newest.venueTime - oldest.venueTime) / span;
    const error = errorOf(rate, oldest, newest);
    // What may be an honest clock is one: a rate from answers a blink apart would lead it minutes ahead.
    const beside = Math.abs(rate - 1);
    this.#rate = beside <= error ? 1 : rate;
    this.#rateError = beside <= error ? error + beside : error;
    this.#fitSteady(span < STEADY_SPAN_MS ? (this.#first ?? oldest) : oldest, newest);
  }
}

/** What the rate of a line through two answers may be wrong by. */
function errorOf(rate: number, first: Sample, last: Sample): number {
  return (rate * (first.half + last.half) + ROUNDING_MS) / (last.middle - first.middle);
}

/** Whether a clock with some rate may have given these answers, in this order. */
function areOnLine(first: Sample, second: Sample, third: Sample): boolean {
  const span = second.middle - first.middle;
  const rate = (second.venueTime - first.venueTime) / span;
  if (!(rate >= 0)) return false;
  const elapsed = third.middle - second.middle;
  const error = errorOf(rate, first, second) * elapsed;
  const slack = rate * (second.half + third.half) + ROUNDING_MS + error;
  return Math.abs(third.venueTime - (second.venueTime + rate * elapsed)) <= slack;
}
