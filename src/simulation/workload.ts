import type { Lots } from '../model/grid.js';
import { seededRandom } from '../model/random.js';

/**
 * What a bot is asked to do in a run:
 *
 * - `flips`: hold another position about once a minute · `storm`: a new mind every second or two, for some minutes an hour
 * - `grid`: five resting orders around the price, moved about once a minute · `quotes`: the same, every few seconds
 * - `idler`: once in an hour
 * - `thrower`: as `flips`, by a program that fails at random moments
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
  /** Largest |position| that is ever wanted. */
  readonly maxLots: Lots;
  /** Share of the targets that are reached by a limit order near the market instead of a market order, 0 to 1. */
  readonly limitShare: number;
  /** How often it is asked for what is wanted, ms; default every second. */
  readonly lookMs?: number | undefined;
  /** All that is wanted is a multiple of so many lots; default 1. */
  readonly sizeStep?: number | undefined;
  /** Everything above takes so many times as long; default 1. */
  readonly slow?: number | undefined;
}

/** What is wanted from `since` (ms) on. */
export interface Desire {
  /** Counts the changes of mind: equal numbers are the same desire. */
  readonly number: number;
  readonly since: number;
  /** Signed. */
  readonly target: Lots;
  /** By a limit order at this share of the price on the passive side; `undefined`: at market. */
  readonly limitOffset: number | undefined;
  /** True where the program that decides throws instead. */
  readonly throws: boolean;
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
/** A storm blows in the first part of each hour, and flips go on after it. */
const STORM_MS = 3 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Share of the decisions of a thrower that throw. */
const THROWS = 0.02;

/**
 * A seeded story of desires as a function of time alone, so that whoever reads it, however often and after whatever
 * crash, is asked for the same.
 */
export class Workload {
  readonly terms: WorkloadTerms;
  #end = Number.POSITIVE_INFINITY;
  #latest: Desire | undefined;

  constructor(terms: WorkloadTerms) {
    this.terms = terms;
  }

  /** From this time on, ms since the epoch, nothing new is wanted. */
  endAt(time: number): void {
    this.#end = time;
  }

  /** What is wanted at this time, ms since the epoch. */
  at(now: number): Desire {
    const time = Math.min(now, this.#end);
    const periodMs = this.#periodMs(time);
    const turn = Math.floor(time / periodMs);
    // Each period has its moment of change somewhere inside; before it the desire of the period before stands.
    const number = time >= changeOf(this.terms, turn, periodMs) ? turn : turn - 1;
    if (this.#latest?.number !== number) this.#latest = desireOf(this.terms, number, periodMs);
    return this.#latest;
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
