import type { Lots } from '../model/grid.js';
import { seededRandom } from '../model/random.js';

/**
 * What a bot is asked to do in a run:
 *
 * - `flips`: change its position about once a minute · `storm`: every second or two, for some minutes of each hour
 * - `grid`: keep five resting orders around the price, moved about once a minute · `quotes`: moved every few seconds
 * - `idler`: change its position once an hour
 * - `thrower`: like `flips`, with a strategy that throws at random times
 */
export type WorkloadKind = 'flips' | 'grid' | 'quotes' | 'storm' | 'idler' | 'thrower';

export const WORKLOAD_KINDS: readonly WorkloadKind[] = [
  'flips',
  'grid',
  'quotes',
  'storm',
  'idler',
  'thrower',
];

export interface WorkloadTerms {
  readonly kind: WorkloadKind;
  readonly seed: string;
  /** The largest |position| that is ever wanted. */
  readonly maxLots: Lots;
  /** Share of the targets that use a limit order near the market instead of a market order, 0 to 1. */
  readonly limitShare: number;
  /** How often the strategy decides, ms; default every second. */
  readonly lookMs?: number | undefined;
  /** All sizes are multiples of this many lots; default 1. */
  readonly sizeStep?: number | undefined;
  /** Factor on the periods of the kind; default 1. */
  readonly slow?: number | undefined;
}

/** What is wanted from `since` (ms) on. */
export interface Desire {
  /** Number of the period; equal numbers mean the same desire. */
  readonly number: number;
  readonly since: number;
  /** The wanted position, signed. */
  readonly target: Lots;
  /** Distance of the limit price on the passive side, as a fraction of the price; `undefined`: a market order. */
  readonly limitOffset: number | undefined;
  /** Whether the strategy throws instead of deciding. */
  readonly throws: boolean;
}

/** Where a stop is wanted, if the program uses any. Equal objects mean the same desire. */
export interface DesiredStop {
  /** Distance from the last price when it is first wanted, as a fraction of it. */
  readonly away: number;
  /** Desires change no more. */
  readonly isLast: boolean;
}

const MINUTE_MS = 60_000;
const PERIOD_MS: Readonly<Record<WorkloadKind, number>> = {
  flips: MINUTE_MS,
  grid: MINUTE_MS,
  quotes: 8_000,
  storm: 1_500,
  idler: 60 * MINUTE_MS,
  thrower: MINUTE_MS,
};
/** A storm covers the first part of each hour; afterwards it behaves like `flips`. */
const STORM_MS = 3 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** A stop is moved once in so many ms, to a distance between these two. */
const STOP_MOVES_MS = 90_000;
const NEAREST_STOP = 0.0003;
const FARTHEST_STOP = 0.004;
/** So far that no trade hits it: nothing new is to happen then. */
const LAST_STOP: DesiredStop = { away: 0.05, isLast: true };
/** Share of a thrower's decisions that throw. */
const THROWS = 0.02;

/**
 * A seeded sequence of desires as a function of time alone: a program gets the same ones however often it asks, and
 * after any crash.
 */
export class Workload {
  readonly terms: WorkloadTerms;
  #end = Number.POSITIVE_INFINITY;
  #latest: Desire | undefined;
  #stop: DesiredStop = LAST_STOP;
  #stopMove: number | undefined;

  constructor(terms: WorkloadTerms) {
    this.terms = terms;
  }

  /** Ends changes of the desire at this time, ms since the epoch. */
  endAt(time: number): void {
    this.#end = time;
  }

  /** The desire at this time, ms since the epoch. */
  at(now: number): Desire {
    const time = Math.min(now, this.#end);
    const periodMs = this.#periodMs(time);
    const turn = Math.floor(time / periodMs);
    // The desire of each period begins at a random time within it; before that, the desire of the period before holds.
    const number = time >= changeOf(this.terms, turn, periodMs) ? turn : turn - 1;
    if (this.#latest?.number !== number) this.#latest = desireOf(this.terms, number, periodMs);
    return this.#latest;
  }

  /** The stop at this time, ms since the epoch. */
  stopAt(now: number): DesiredStop {
    if (now >= this.#end) return LAST_STOP;
    const move = Math.floor(now / STOP_MOVES_MS);
    if (move === this.#stopMove) return this.#stop;
    this.#stopMove = move;
    const far = seededRandom(`${this.terms.seed}/stop/${move}`).next() ** 2;
    this.#stop = { away: NEAREST_STOP + (FARTHEST_STOP - NEAREST_STOP) * far, isLast: false };
    return this.#stop;
  }

  #periodMs(time: number): number {
    const { kind, slow = 1 } = this.terms;
    const isLull = kind === 'storm' && time % HOUR_MS >= STORM_MS;
    return Math.round(slow * (isLull ? MINUTE_MS : PERIOD_MS[kind]));
  }
}

function changeOf({ seed }: WorkloadTerms, turn: number, periodMs: number): number {
  return (turn + seededRandom(`${seed}/change/${periodMs}/${turn}`).next()) * periodMs;
}

function desireOf(terms: WorkloadTerms, number: number, periodMs: number): Desire {
  const { kind, seed, maxLots, limitShare, sizeStep = 1 } = terms;
  const random = seededRandom(`${seed}/desire/${periodMs}/${number}`);
  const size = sizeStep * random.integer(1, Math.floor(maxLots / sizeStep));
  const way = random.next();
  const target = (way < 0.2 ? 0 : way < 0.6 ? size : -size) as Lots;
  const isLimit = random.next() < limitShare;
  const limitOffset = isLimit ? 0.0002 * random.next() : undefined;
  return {
    number,
    since: changeOf(terms, number, periodMs),
    target,
    limitOffset,
    throws: kind === 'thrower' && random.next() < THROWS,
  };
}
