import type { DecimalSource } from '../../model/decimal.js';
import type { TakerWindows } from '../core/matcher.js';
import { QueueModel } from './queue-model.js';
import {
  type RecordedMarket,
  recordedMarkets,
  type RecordedRules,
  type RecordedVenueOptions,
} from './recorded-market.js';

/** `model`: default `queue`. */
export interface TapeVenueOptions extends RecordedVenueOptions {
  /** Default 10 s for MARKET, 1 s for everything else that takes. */
  readonly takerWindows?: Partial<TakerWindows> | undefined;
  /** Funding rates are recorded: none is worked out, also not before the first of them. Default: as soon as there is one. */
  readonly hasRates?: boolean | undefined;
  /** The trading band as a fraction of the mark; default 0.1. */
  readonly band?: DecimalSource | undefined;
  /**
   * How many done orders and fills the account keeps; default none. They are all reported in any case; a cancel of one
   * that is no longer kept is refused as that of an order that was never there.
   */
  readonly historyLimit?: number | undefined;
}

/** What venues of one account on such markets are made of; the deposit is that of the first. */
export function tapeParts(options: readonly TapeVenueOptions[]): RecordedMarket<QueueModel>[] {
  const { deposit = 0, takerWindows, historyLimit = 0 } = options[0] ?? {};
  const parts = options.map((each) => ({ options: each, rules: rulesOf(each) }));
  return recordedMarkets(deposit, parts, { historyLimit, takerWindows });
}

function rulesOf({ market, slippageTicks = 0, model, band }: TapeVenueOptions) {
  const liquidity: RecordedRules<QueueModel>['liquidity'] = (sink) =>
    new QueueModel({ market, sink, slippageTicks, model });
  return { liquidity, band };
}
