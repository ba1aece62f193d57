import { join } from 'node:path';
import type { Files } from '../ports/files.js';
import { appendLedger, readLedger } from './ledger-file.js';
import type { EquityMetrics } from './metrics.js';
import { deflatedSharpe as deflated } from './statistics/luck.js';
import { variance } from './statistics/moments.js';

/** One run on one data set, as the ledger of trials records it. */
export interface Trial {
  readonly runId: string;
  /**
   * Of a run by all fill models: the run by its headline model alone, which looks at the same. On bars that of one by
   * `queue`, too, which they do not know. Absent where it is the run itself.
   */
  readonly headlineId?: string | undefined;
  /** Hash of the trades. */
  readonly data: string;
  readonly strategy: string;
  /** Daily returns that there were. */
  readonly days: number;
  /** Per day; `null` where there were too few. */
  readonly dailySharpe: number | null;
  /** What was traded, and times of the first and the last print, ms; absent in ledgers of before. */
  readonly pairs?: readonly string[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What the trials on a data set say about one of them. */
export interface TrialVerdict {
  /** Number of different runs on this data so far, this one included. */
  readonly trials: number;
  /** Those among them that have a Sharpe ratio over equally many days; the spread of these measures luck. */
  readonly comparedTrials: number;
  /**
   * Runs on other data of the same pair that overlap in time. They are not counted, though they may have influenced the
   * choice.
   */
  readonly overlappingTrials: number;
  /** Probability of skill, given that many trials; `null` when there is too little data. */
  readonly deflatedSharpe: number | null;
}

/** What a result says of its returns. */
export interface Judged {
  readonly runId: string;
  /** As that of a trial. */
  readonly headlineId?: string | undefined;
  /** Of several on one account `pairs`. */
  readonly pair?: string;
  readonly pairs?: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Of several on one account all names. */
  readonly strategy: string;
  readonly data: { readonly hash: string };
  readonly metrics: Pick<EquityMetrics, 'days' | 'sharpe' | 'skewness' | 'kurtosis'>;
}

export const TRIAL_LEDGER = 'trials.ndjson';
const DAYS_A_YEAR = 365;

export function trialOf({ runId, headlineId, strategy, data, metrics, from, to, ...judged }: Judged): Trial {
  const dailySharpe = metrics.sharpe === null ? null : Number(metrics.sharpe) / Math.sqrt(DAYS_A_YEAR);
  const pairs = judged.pairs ?? (judged.pair === undefined ? undefined : [judged.pair]);
  const ids = headlineId === undefined || headlineId === runId ? { runId } : { runId, headlineId };
  return { ...ids, data: data.hash, strategy, days: metrics.days, dailySharpe, pairs, from, to };
}

/** Both ids of a run: the best run of a search is no further trial when it is repeated with all fill models. */
export function trialIds({ runId, headlineId = runId }: Trial): readonly [runId: string, headlineId: string] {
  return [runId, headlineId];
}

/** Appends a trial to the ledger beside the runs, unless it is there already. Nothing is ever removed. */
export async function addTrial(files: Files, registry: string, trial: Trial): Promise<void> {
  const known = new Set((await readTrials(files, registry)).flatMap(trialIds));
  if (trialIds(trial).some((id) => known.has(id))) return;
  await appendLedger(files, join(registry, TRIAL_LEDGER), [trial]);
}

/** Every trial once, however often it was appended. */
export async function readTrials(files: Files, registry: string): Promise<readonly Trial[]> {
  const byId = new Map<string, Trial>();
  for (const document of await readLedger(files, join(registry, TRIAL_LEDGER))) {
    if (!isTrial(document)) continue;
    const trial = readable(document);
    byId.set(trialIds(trial)[1], trial);
  }
  return [...byId.values()];
}

/**
 * Judges a run among all trials on its data, whatever their results. The spread of Sharpe ratios is taken from the trials
 * over equally many days; with fewer than two of them, it is the one expected of strategies without skill.
 */
export function trialVerdict(result: Judged, trials: readonly Trial[]): TrialVerdict {
  const own = trialOf(result);
  const { skewness, kurtosis } = result.metrics;
  const others = trials.filter((trial) => trial.data === own.data && !isSame(trial, own));
  const all = [own, ...others];
  const sharpes = all.flatMap(({ days, dailySharpe }) =>
    days === own.days && dailySharpe !== null ? [dailySharpe] : [],
  );
  const overlappingTrials = trials.filter((trial) => trial.data !== own.data && overlaps(trial, own)).length;
  const counts = { trials: all.length, comparedTrials: sharpes.length, overlappingTrials };
  if (own.dailySharpe === null || skewness === null || kurtosis === null) {
    return { ...counts, deflatedSharpe: null };
  }
  const sample = {
    sharpe: own.dailySharpe,
    count: own.days,
    skewness: Number(skewness),
    kurtosis: Number(kurtosis),
  };
  const spread = sharpes.length < 2 ? 1 / (own.days - 1) : variance(sharpes);
  return { ...counts, deflatedSharpe: deflated(sample, all.length, spread) };
}

/** As `3 trials`; of what was deflated also how many were compared, where that is not all of them. */
export function trialCount({ trials, comparedTrials, deflatedSharpe }: TrialVerdict): string {
  const counted = `${trials} ${trials === 1 ? 'trial' : 'trials'}`;
  if (deflatedSharpe === null || comparedTrials === trials) return counted;
  const spread = comparedTrials < 2 ? ': they vary as those without skill' : '';
  return `${counted} (${comparedTrials} with a Sharpe over as many days${spread})`;
}

/** As `, and 12 on data that overlaps it`; nothing where there is none. */
export function overlapText({ overlappingTrials: count }: TrialVerdict): string {
  return count === 0 ? '' : `, and ${count} on data that overlaps it`;
}

function isSame(a: Trial, b: Trial): boolean {
  return trialIds(a).some((id) => trialIds(b).includes(id));
}

function overlaps(a: Trial, b: Trial): boolean {
  const { pairs: [...pairs] = [], from = Number.NaN, to = Number.NaN } = b;
  const isShared = a.pairs?.some((pair) => pairs.includes(pair)) === true;
  return isShared && (a.from ?? Number.NaN) <= to && (a.to ?? Number.NaN) >= from;
}

function isTrial(document: unknown): document is Trial {
  const { runId, data } = (document ?? {}) as Partial<Trial>;
  return typeof runId === 'string' && typeof data === 'string';
}

/** A person may have edited the file: a value that is not a number is ignored, and the trial still counts. */
function readable(trial: Trial): Trial {
  const { dailySharpe, pairs } = trial as { readonly dailySharpe?: unknown; readonly pairs?: unknown };
  return {
    ...trial,
    dailySharpe: typeof dailySharpe === 'number' && Number.isFinite(dailySharpe) ? dailySharpe : null,
    pairs: Array.isArray(pairs) ? (pairs as readonly string[]) : undefined,
  };
}
