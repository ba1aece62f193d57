import type { Random } from '../model/random.js';

/** How often something goes wrong in a run. */
export type WeatherKind = 'storm' | 'unsettled' | 'calm';

/** How often faults and incidents occur in a run. */
export interface Weather {
  readonly kind: WeatherKind;
  /** Share of the kinds of single faults that exist, 0 to 1. */
  readonly share: number;
  /** Factor on the probability that each kind has in a storm. */
  readonly strength: number;
  /** Factor on the time between incidents or outages in a storm. */
  readonly gap: number;
}

/** The speed of a daemon and its market; times in ms. */
export interface Pace {
  readonly pollMs: number;
  /** Mean time between two moves of the market. */
  readonly marketMs: number;
  /** `lookMs`: time between two decisions of its strategy. `slow`: factor on the time between changes of its target. */
  readonly lookMs: number;
  readonly slow: number;
}

/** `storm`: everything as often as possible · `mixed`: most daemons poll slowly, and half of the runs are calm */
export type Climate = 'storm' | 'mixed';

export const STORM: Weather = { kind: 'storm', share: 0.4, strength: 1, gap: 1 };
/** Shares of the runs that are storms, and that are calm. */
const STORMS = 0.2;
const CALMS = 0.5;
const UNSETTLED: Weather = { kind: 'unsettled', share: 0.3, strength: 0.5, gap: 2 };
const CALM: Weather = { kind: 'calm', share: 0.2, strength: 0.2, gap: 6 };

const SECOND_MS = 1_000;
/** Ranges of the mixed poll interval, each log-uniform, with the cumulated share of runs up to each range. */
const POLLS: readonly (readonly [upTo: number, lowMs: number, highMs: number])[] = [
  [0.01, 500, 5_000],
  [0.08, 5_000, 15_000],
  [1, 15_000, 60_000],
];

/** Draws a weather: one run in five is a storm, like all runs of the tests; half of the runs are calm. */
export function mixedWeather(random: Random): Weather {
  const at = random.next();
  return at < STORMS ? STORM : at < 1 - CALMS ? UNSETTLED : CALM;
}

export function mixedPace(random: Random): Pace {
  const at = random.next();
  const [, low, high] = POLLS.find(([upTo]) => at < upTo) ?? [1, 15_000, 60_000];
  const pollMs = Math.round(logUniform(random, low, high));
  return {
    pollMs,
    marketMs: Math.round(logUniform(random, 2 * SECOND_MS, 60 * SECOND_MS)),
    lookMs: Math.max(SECOND_MS, Math.round(pollMs / 3)),
    slow: Math.max(1, pollMs / (5 * SECOND_MS)) * logUniform(random, 1, 4),
  };
}

/** A description for the page about the runs. */
export const MIXED_CLIMATE =
  'Each run draws its daemon: T_poll log-uniform, 15–60 s in 92 % of the runs, 5–15 s in 7 % and 0.5–5 s in 1 %; ' +
  'one move of the market every 2–60 s on average, log-uniform; a strategy that looks every T_poll / 3 (1 s at least) ' +
  'and changes its mind once a minute to every 48 minutes (storms and quotes far more often). And it draws its weather: ' +
  `in ${100 * STORMS} % of the runs a storm — each kind of fault exists with ${STORM.share}, and strikes 0.2, 2, 10 or 30 % of what it can; crashes up to every 3 minutes, outages up to 12 a day —, ` +
  `in ${Math.round(100 * (1 - STORMS - CALMS))} % unsettled (a kind exists with ${UNSETTLED.share} and strikes ${UNSETTLED.strength} as often, incidents and outages come ${UNSETTLED.gap} times more rarely), ` +
  `in ${100 * CALMS} % calm (${CALM.share}, ${CALM.strength}, ${CALM.gap} times). One run in ten is about something that chance alone would rarely bring together (src/simulation/themes.ts), and polls as that needs. The runs of the tests and of the mutants, and all others in the table, are storms only, with T_poll 1, 5 or 15 s.`;

function logUniform(random: Random, low: number, high: number): number {
  return low * (high / low) ** random.next();
}
