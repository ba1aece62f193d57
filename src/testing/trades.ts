import { UsageError } from '../model/errors.js';
import type { Trade } from '../model/trade.js';
import { catalogueMarket } from '../venue/catalogue.js';
import { generateTape } from '../venue/synthetic/generate-tape.js';

/** 2026-01-01T00:00:00Z: a round time, at which bars of every length open. */
const START = 1_767_225_600_000;
export const DEFAULT_PAIR = 'USD_BTC_PERP';

/** A trade of which only the price matters; the rest is filled in. */
export type TradeSketch = Pick<Trade, 'price'> & Partial<Trade>;

export interface TradesAtOptions {
  /** Time of the first trade, epoch ms. Default: 2026-01-01T00:00:00Z. */
  readonly from?: number;
  /** From one trade to the next, ms. Default 1000. */
  readonly everyMs?: number;
  /** Of each, base units. Default 1. */
  readonly quantity?: number;
}

/**
 * A trade at each of these prices, one a second, a buyer's and a seller's in turn: a market order finds its other side
 * within two of them.
 *
 * @throws UsageError for what is no price, no quantity or no time, and for one that is earlier than the one before.
 */
export function tradesAt(
  prices: readonly (number | TradeSketch)[],
  { from = START, everyMs = 1_000, quantity = 1 }: TradesAtOptions = {},
): readonly Trade[] {
  const trades = prices.map((each, i) => ({
    id: String(i + 1),
    time: from + i * everyMs,
    quantity,
    isBuyerMaker: i % 2 === 1,
    ...(typeof each === 'number' ? { price: each } : each),
  }));
  checkTrades(trades);
  return trades;
}

export interface SyntheticTradesOptions {
  /** Equal seeds give equal trades. Default 1. */
  readonly seed?: string | number;
  /** One of the markets that `tickwright venue` lists. Default: USD_BTC_PERP. */
  readonly pair?: string;
  /** Time of the market from which trades are taken, epoch ms. Default: 2026-01-01T00:00:00Z. */
  readonly from?: number;
  /** How long it trades, ms. Default: ten minutes, some 2 000 trades. */
  readonly durationMs?: number;
}

/** Trades of a made-up market: bursts, clustered volatility, a spread, both sides. The same that `tickwright demo` shows. */
export function syntheticTrades({
  seed = 1,
  pair = DEFAULT_PAIR,
  from = START,
  durationMs = 600_000,
}: SyntheticTradesOptions = {}): readonly Trade[] {
  return [...generateTape({ market: catalogueMarket(pair), seed, from, durationMs })].flat();
}

/** @throws UsageError for the first trade that could not have been. */
export function checkTrades(trades: readonly Trade[]): void {
  for (const [i, { time, price, quantity }] of trades.entries()) {
    const last = trades[i - 1]?.time ?? Number.NEGATIVE_INFINITY;
    if (!(price > 0 && price < Number.POSITIVE_INFINITY)) throw mistake(i, 'a price above 0', price);
    if (!(quantity > 0 && quantity < Number.POSITIVE_INFINITY))
      throw mistake(i, 'a quantity above 0', quantity);
    if (!Number.isFinite(time)) throw mistake(i, 'a time in epoch ms', time);
    if (time < last) throw mistake(i, `a time at or after that of the trade before it (${last})`, time);
  }
}

function mistake(index: number, expected: string, received: unknown): UsageError {
  return new UsageError(
    'TICKWRIGHT_E_TRADES',
    `trade ${index} must have ${expected}, received ${String(received)}`,
  );
}
