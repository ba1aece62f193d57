import { sha256 } from '../model/digest.js';
import { marketSpecOf } from '../storage/market-spec.js';
import type { Recording } from '../storage/recording.js';
import { after } from '../venue/core/schedule.js';

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
}

/** What was read of a recording; `from`: time of the first trade or bar, ms, NaN without any. */
export type ReadData = Pick<RunData, 'hash' | 'factsHash'> & { readonly from: number };

export function runData(recording: Recording, { from, ...hashes }: ReadData): RunData {
  const { kind, market, gaps, marketSource, fundingFrom } = recording;
  const isLate =
    kind === 'trades' && fundingFrom !== undefined && after(from, market.funding.intervalMs) < fundingFrom;
  return {
    kind,
    ...hashes,
    marketHash: sha256(JSON.stringify(marketSpecOf(market))),
    gaps: gaps.length,
    gapsHash: sha256(JSON.stringify(gaps.map(({ from, to }) => [from, to]))),
    market: marketSource,
    ...(isLate ? { unfundedUntil: fundingFrom } : {}),
  };
}
