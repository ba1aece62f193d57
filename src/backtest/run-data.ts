import { sha256 } from '../model/digest.js';
import { marketSpecOf } from '../storage/market-spec.js';
import type { Recording } from '../storage/recording.js';

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
}

export function runData(recording: Recording, hashes: Pick<RunData, 'hash' | 'factsHash'>): RunData {
  const { kind, market, gaps, marketSource } = recording;
  return {
    kind,
    ...hashes,
    marketHash: sha256(JSON.stringify(marketSpecOf(market))),
    gaps: gaps.length,
    gapsHash: sha256(JSON.stringify(gaps.map(({ from, to }) => [from, to]))),
    market: marketSource,
  };
}
