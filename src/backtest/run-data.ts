import { sha256 } from '../model/digest.js';
import { marketSpecOf } from '../storage/market-spec.js';
import type { Recording } from '../storage/recording/recording.js';

/** Everything in a recording that a result depends on. Hashes are SHA-256, lower-case hex. */
export interface RunData {
  readonly kind: 'trades' | 'bars';
  /** Hash of the trades or bars that were read. */
  readonly hash: string;
  /** Hash of the other facts: tickers, depth, funding, changes of the market. Runs on bars do not use them. */
  readonly factsHash: string;
  /** Hash of the market as of the start: fees, filters, margin and funding rules. */
  readonly marketHash: string;
  /** Number of gaps, and a hash of their bounds. */
  readonly gaps: number;
  readonly gapsHash: string;
  readonly market: Recording['marketSource'];
  /**
   * Time of the first recorded funding rate, ms, if funding had been due before it: those rates are unknown, and none was
   * paid. Absent otherwise.
   */
  readonly unfundedUntil?: number;
  /** Number of fundings after it, up to the end, that lack a recorded rate: none was paid. Absent when there are none. */
  readonly missingRates?: number;
  /**
   * When, ms, margin rates other than those of the start were first recorded. The run uses the rates of the start up to
   * its end. Absent when they stay the same.
   */
  readonly marginChangedAt?: number;
}

/** The part of a recording that a run has read. */
export type ReadData = Pick<RunData, 'hash' | 'factsHash'> & {
  /** Times of the first and the last trade or bar, ms, NaN without any. */
  readonly from: number;
  readonly to: number;
};

export function runData(recording: Recording, { from, to, ...hashes }: ReadData): RunData {
  const { kind, market, gaps, marketSource, rates, marginChangedAt } = recording;
  const firstRate = kind === 'trades' ? rates.from : undefined;
  const isLate = firstRate !== undefined && rates.dueAfter(from) < firstRate;
  const missing = firstRate === undefined ? 0 : rates.missing(to);
  return {
    kind,
    ...hashes,
    marketHash: sha256(JSON.stringify(marketSpecOf(market))),
    gaps: gaps.length,
    gapsHash: sha256(JSON.stringify(gaps.map(({ from, to }) => [from, to]))),
    market: marketSource,
    ...(isLate ? { unfundedUntil: firstRate } : {}),
    ...(missing > 0 ? { missingRates: missing } : {}),
    ...(marginChangedAt !== undefined && marginChangedAt <= to ? { marginChangedAt } : {}),
  };
}
