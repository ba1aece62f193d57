/** Parameters of reads in the words of the wire. Times are inclusive venue ms; absent ones are not sent. */
import type { Query } from './endpoint.js';

/** The query set of lists (`dialect.md` §1, Q4). `limit`: default 100 at the venue. */
export interface ListParameters extends Query {
  readonly pair?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly limit?: number | undefined;
}

export interface PairParameter extends Query {
  readonly pair: string;
}

export interface OptionalPair extends Query {
  readonly pair?: string | undefined;
}

export type TradeParameters = ListParameters & PairParameter;

export interface DepthParameters extends PairParameter {
  /** Levels a side; default 40. */
  readonly limit?: number | undefined;
}

export interface CandleParameters extends PairParameter {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Default 250. */
  readonly limit?: number | undefined;
  /** `1m 3m 5m 15m 1h 4h 24h`; default `5m`. */
  readonly interval?: string | undefined;
}

export interface IdParameter extends Query {
  readonly id: string;
}
