import { Decimal } from '../../../model/decimal.js';
import type { Ticks } from '../../../model/grid.js';
import type { Market } from '../../../model/market.js';
import type { TickerFacts } from '../../core/venue-core.js';
import { rateOnWire, rounded, stepsOnWire } from '../wire-number.js';

/**
 * `dialect.md` §4: Ticker. Open, high, low and close and the volumes are those of the last 24 hours. The mark's high
 * and low are those of the trades, widened to include the mark. A price, quantity or rate that the market does not have
 * (yet) is null, never 0. `funding_rate` is what funding would be if it were due now; longs pay if it is above 0.
 *
 * `volatility`: annualised, as a fraction.
 */
export function tickerRecord(
  market: Market,
  facts: TickerFacts,
  { volatility, now }: { readonly volatility: number; readonly now: number },
) {
  const { day, bid, ask } = facts;
  const mark = priceOf(market, facts.mark);
  // Decimal, because a difference of doubles shows their rounding errors: 60 000.1 − 59 999.9 would not print as 0.2.
  const change = day === undefined ? 0 : new Decimal(day.close).minus(day.open).toNumber();
  return {
    last_price: known(facts.lastPrice),
    prev_last_price: known(facts.previousPrice),
    last_qty: known(facts.lastQuantity),
    open_price: known(day?.open),
    high_price: known(day?.high),
    low_price: known(day?.low),
    close_price: known(day?.close),
    open_price_mark: known(day?.open),
    high_price_mark: known(day === undefined ? mark : Math.max(day.high, mark ?? day.high)),
    low_price_mark: known(day === undefined ? mark : Math.min(day.low, mark ?? day.low)),
    close_price_mark: known(mark),
    price_change: rounded(change),
    price_change_percent: rounded(day === undefined ? 0 : (change / day.open) * 100),
    min_price: known(priceOf(market, facts.minTicks)),
    max_price: known(priceOf(market, facts.maxTicks)),
    mark_price: known(mark),
    index_price: known(priceOf(market, facts.index)),
    fair_price: known(priceOf(market, facts.fair)),
    bid_price: known(priceOf(market, bid?.ticks)),
    bid_qty: bid === undefined ? null : stepsOnWire(market.quantityGrid, bid.lots),
    ask_price: known(priceOf(market, ask?.ticks)),
    ask_qty: ask === undefined ? null : stepsOnWire(market.quantityGrid, ask.lots),
    base_volume: rounded(day?.baseVolume ?? 0),
    quote_volume: rounded(day?.quoteVolume ?? 0),
    volatility: rounded(volatility),
    close_time: now,
    funding_rate: facts.fundingRate === undefined ? null : rateOnWire(facts.fundingRate),
    next_funding_time: facts.nextFundingTime ?? null,
    ...(market.contract === 'option' ? UNPRICED_OPTION : {}),
  };
}

/** Nothing prices options, because they are listed but never traded here. */
const UNPRICED_OPTION = { underlying_price: null, strike: null, black_scholes: null, otm_amount: null };

function known(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value);
}

function priceOf(market: Market, ticks: Ticks | undefined): number | undefined {
  return ticks === undefined ? undefined : stepsOnWire(market.priceGrid, ticks);
}
