import type { Clock, Timers } from '../ports/clock.js';
import { sleep } from '../ports/clock.js';
import type { VenueClock } from '../ports/venue-api.js';

/** An answer of GET /time. `sentAt`, `receivedAt`: monotonic ms before and after it. */
export interface TimeAnswer {
  /** Venue ms, cut to whole ones. */
  readonly venueTime: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** What the client knows about the venue's clock beyond the port. */
export interface VenueClockEstimate extends VenueClock {
  /** How far the estimate may be from the true time, either way, venue ms; Infinity before the first answer. */
  errorMs(): number;
  /** Venue ms per local ms, by the answers so far. */
  rate(): number;
}

export interface VenueClockOptions {
  readonly mode: 'follow' | 'system';
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ask: () => Promise<TimeAnswer>;
  /** Called when a clock was set or stood still: the estimate moved by `byMs` venue ms; negative: back. */
  readonly onSet?: (byMs: number) => void;
}

/** For a step back of the estimate up to this, venue ms, `now` stands still. A larger one means that a clock was set. */
const LARGEST_HOLD_MS = 2_000;
/** How far ahead a rate from a few answers may lead, own ms. Further ahead, what `now` has said is dropped as wrong. */
const LARGEST_LEAD_MS = 10_000;
/** `sync` asks a second time after this pause, ms, where a first rate needs two answers. */
const FIRST_SPAN_MS = 50;

/**
 * Estimates the venue's clock from GET /time. `follow`: offset and rate are learned, and only a time that an answer has
 * shown counts as reached, because such a clock may stand still. `system`: the rate is 1, and the offset is kept as an
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
    // Results of `now` and `reached` from before the clock was set,
    // or by a wrong answer or rate, are no lower bound any more.
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
      // Before the first answer only our own clock is known. It does not bind later results.
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
      // From the estimate, not from `now`, which may stand still ahead of the estimate for a while.
      return (estimate.at(monotonic) ?? 0) - estimate.errorAt(monotonic);
    },
    answered: () => answered,
    errorMs: () => estimate.errorAt(clock.monotonic()),
    rate: () => estimate.rate(),
    steadyRate: () => estimate.steadyRate(),
  };
}

/** The lower bound for later results: it stays over a small step back, and follows a larger one. */
function held(latest: number, told: number): number {
  return latest - told > LARGEST_HOLD_MS ? told : latest;
}

interface Estimate {
  /** Takes an answer. True when it contradicts those before it: one of the clocks was set, or an answer was wrong. */
  take(answer: TimeAnswer): boolean;
  at(monotonic: number): number | undefined;
  reachedAt(monotonic: number): number;
  errorAt(monotonic: number): number;
  rate(): number;
  steadyRate(): number;
  needsAnother(): boolean;
}

/** The largest drift of two running quartz clocks, ms per ms. */
const DRIFT = 50e-6;

/**
 * Keeps the offset, venue − monotonic ms, as the intersection of the intervals of all answers, widened by drift with age.
 */
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
    // On a contradiction one of the clocks was set: only the new answer counts.
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
/** Over a shorter span, ms, a rate would be mostly rounding error. */
const SHORTEST_SPAN_MS = 20;
/** A rate is steady only over this span, ms: a step of the clock between two answers looks like a rate, too. */
const STEADY_SPAN_MS = 5_000;
/** Answers are cut to whole ms: on average half a ms each, for two answers. */
const ROUNDING_MS = 1;

/**
 * A clock of unknown offset and rate: a line through the oldest and the newest of the answers that agree with one rate. Two
 * answers always agree with some rate. So once a rate has proven steady, the first two answers after a contradiction must
 * agree with it, and only three answers on one line can change it.
 */
class FollowedClock implements Estimate {
  #samples: Sample[] = [];
  #rate = 1;
  #rateError = 1;
  #steadyRate = 1;
  /** Error of `#steadyRate`; Infinity before a rate has proven steady. */
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
    // A contradiction drops the old answers: a line across a step of a clock has a rate that the clock never had, and would
    // lead minutes ahead.
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
    // Never below the newest answer.
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
   * Drops the old samples and starts from this one; from the last three where these lie on one line, since then the venue's
   * clock has changed its rate.
   */
  #beginAnew(sample: Sample, newest: Sample | undefined): void {
    const [first, second] = [this.#dropped, newest];
    const isAlone = this.#samples.length === 1;
    const isLine = isAlone && first !== undefined && second !== undefined && areOnLine(first, second, sample);
    this.#samples = isLine ? [first, second, sample] : [sample];
    this.#first = this.#samples[0];
    this.#dropped = isLine ? undefined : newest;
    // A rate above 1 that only two dropped answers gave must not be kept: it would lead ahead.
    if (this.#steadyError === Number.POSITIVE_INFINITY && this.#rate > 1)
      [this.#rate, this.#rateError] = [1, 1];
  }

  #fitSteady(first: Sample, newest: Sample): void {
    const span = newest.middle - first.middle;
    // Two samples always lie on one line and prove nothing.
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
    // A rate that may be 1 within its error is taken for 1: a rate from answers a moment apart would lead minutes ahead.
    const beside = Math.abs(rate - 1);
    this.#rate = beside <= error ? 1 : rate;
    this.#rateError = beside <= error ? error + beside : error;
    this.#fitSteady(span < STEADY_SPAN_MS ? (this.#first ?? oldest) : oldest, newest);
  }
}

/** The largest error of the rate of a line through two answers. */
function errorOf(rate: number, first: Sample, last: Sample): number {
  return (rate * (first.half + last.half) + ROUNDING_MS) / (last.middle - first.middle);
}

/** True when a clock of one constant rate may have given these answers, in this order. */
function areOnLine(first: Sample, second: Sample, third: Sample): boolean {
  const span = second.middle - first.middle;
  const rate = (second.venueTime - first.venueTime) / span;
  if (!(rate >= 0)) return false;
  const elapsed = third.middle - second.middle;
  const error = errorOf(rate, first, second) * elapsed;
  const slack = rate * (second.half + third.half) + ROUNDING_MS + error;
  return Math.abs(third.venueTime - (second.venueTime + rate * elapsed)) <= slack;
}
