import { sha256 } from '../model/digest.js';
import { marketSpecOf } from '../storage/market-spec.js';
import type { Recording } from '../storage/recording/recording.js';

/** What of a recording a result depends on. Hashes are SHA-256, lower-case hex. */
export interface RunData {
  readonly kind: 'trades' | 'bars';
  /** Of the trades or bars that were read. */
  readonly hash: string;
  /** Of what was known besides: tickers, depth, funding, changes of the market. Bars are run without. */
  readonly factsHash: string;
  /** Of the market as of the start: fees, filters, margin, funding rules. */
  readonly marketHash: string;
  /** How many gaps, and a hash of where they are. */
  readonly gaps: number;
  readonly gapsHash: string;
  readonly market: Recording['marketSource'];
  /**
   * When the first recorded funding rate was paid, ms, where some had been due before: it is not known, and none was paid.
   * Absent otherwise.
   */
  readonly unfundedUntil?: number;
  /** How many fundings were due after it, up to the end, without a recorded rate: none was paid. Absent without any. */
  readonly missingRates?: number;
  /**
   * When, ms, up to the end, margin rates were first recorded that are not those of the beginning, by which the run goes
   * to its end. Absent where they stay.
   */
  readonly marginChangedAt?: number;
}

/** What was read of a recording. */
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
