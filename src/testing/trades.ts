import { DAY_MS } from '../model/calendar.js';
import { UsageError } from '../model/errors.js';
import type { Trade } from '../model/trade.js';
import { receivedText } from '../strategy/mistake.js';
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
 * @throws UsageError for what is no price, no quantity or no time, for one that is earlier than the one before, and for a key
 * that no trade has.
 */
export function tradesAt(
  prices: readonly (number | TradeSketch)[],
  options: TradesAtOptions = {},
): readonly Trade[] {
  const { from = START, everyMs = 1_000, quantity = 1 } = optionsOf('tradesAt', options, TRADES_AT_OPTIONS);
  if (!Array.isArray(prices)) throw usage(`prices must be a list, received ${receivedText(prices)}`);
  if (!isTime(from)) throw usage(`from must be a time in whole epoch ms, received ${receivedText(from)}`);
  if (!isTime(everyMs))
    throw usage(`everyMs must be whole ms of 0 or above, received ${receivedText(everyMs)}`);
  if (!isAbove0(quantity))
    throw usage(`quantity must be a number above 0, received ${receivedText(quantity)}`);
  const trades = prices.map((each: unknown, i) => ({
    id: String(i + 1),
    time: from + i * everyMs,
    quantity,
    isBuyerMaker: i % 2 === 1,
    ...(typeof each === 'object' ? sketchOf(each, i) : { price: each as number }),
  }));
  checkTrades(trades);
  return trades;
}

const TRADE_KEYS: readonly string[] = ['id', 'time', 'price', 'quantity', 'isBuyerMaker'];

/** A key by another name, such as the `side` that an order has, would be filled in as if nobody had said anything. */
function sketchOf(given: object | null, index: number): TradeSketch {
  const unknown = Object.keys(given ?? {}).find((key) => !TRADE_KEYS.includes(key));
  if (unknown === undefined) return given as TradeSketch;
  throw usage(`trade ${index} must be of ${TRADE_KEYS.join(', ')}, received ${unknown}`);
}

export interface SyntheticTradesOptions {
  /** Equal seeds give equal trades. Default 1. */
  readonly seed?: string | number;
  /** One of the markets that `tickwright venue` lists. Default: USD_BTC_PERP. */
  readonly pair?: string;
  /** Time of the market from which trades are taken, epoch ms. Default: 2026-01-01T00:00:00Z. */
  readonly from?: number;
  /** How long it trades, ms. Default: ten minutes, some thousands of trades. */
  readonly durationMs?: number;
}

/**
 * Trades of a made-up market: bursts, clustered volatility, a spread, both sides; the kind that `tickwright demo` shows.
 *
 * @throws UsageError for what is no time, no duration or no seed, and for options that there are not.
 */
export function syntheticTrades(options: SyntheticTradesOptions = {}): readonly Trade[] {
  const {
    seed = 1,
    pair = DEFAULT_PAIR,
    from = START,
    durationMs = 600_000,
  } = optionsOf('syntheticTrades', options, SYNTHETIC_OPTIONS);
  if (!Number.isSafeInteger(from) || from < DAY_MS)
    throw usage(`from must be a time in whole epoch ms, received ${receivedText(from)}`);
  if (!Number.isSafeInteger(durationMs) || durationMs < 1 || durationMs > LONGEST_MS)
    throw usage(
      `durationMs must be whole ms from 1 to ${LONGEST_MS}, 31 days, received ${receivedText(durationMs)}`,
    );
  if (typeof seed !== 'string' && !Number.isFinite(seed))
    throw usage(`seed must be a text or a finite number, received ${receivedText(seed)}`);
  return [...generateTape({ market: catalogueMarket(pair), seed, from, durationMs })].flat();
}

const TRADES_AT_OPTIONS = ['from', 'everyMs', 'quantity'] as const;
const SYNTHETIC_OPTIONS = ['seed', 'pair', 'from', 'durationMs'] as const;
/** They are all in memory. */
const LONGEST_MS = 31 * DAY_MS;

/** @throws UsageError for an option that there is not */
export function optionsOf<Options extends object>(
  of: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw usage(`options of ${of} must be an object, received ${receivedText(given)}`);
  const unknown = Object.keys(given).find((name) => !names.some((known) => known === name));
  if (unknown !== undefined)
    throw usage(`options of ${of} must be of ${names.join(', ')}, received ${unknown}`);
  return options;
}

/** So far apart, at most, are two trades: each bar between them is closed, and a second taken for a millisecond is decades. */
const LONGEST_SILENCE_MS = 366 * DAY_MS;

/** @throws UsageError for the first trade that could not have been. */
export function checkTrades(trades: readonly Trade[]): void {
  if (!Array.isArray(trades)) throw usage(`trades must be a list, received ${receivedText(trades)}`);
  const ids = new Set<string>();
  let last: number | undefined;
  // Not by iterator: a hole in the list is no trade either.
  for (let i = 0; i < trades.length; i++) {
    const trade: unknown = trades[i];
    if (typeof trade !== 'object' || trade === null) throw mistake(i, 'be an object', trade);
    const { id, time, price, quantity, isBuyerMaker } = trade as Readonly<Record<keyof Trade, unknown>>;
    if (typeof id !== 'string' || id === '') throw mistake(i, 'have an id, a text', id);
    if (ids.has(id)) throw mistake(i, 'have an id of its own', id);
    ids.add(id);
    if (!isAbove0(price)) throw mistake(i, 'have a price above 0', price);
    if (!isAbove0(quantity)) throw mistake(i, 'have a quantity above 0', quantity);
    if (typeof isBuyerMaker !== 'boolean') throw mistake(i, 'have isBuyerMaker, true or false', isBuyerMaker);
    if (!isTime(time)) throw mistake(i, 'have a time in whole epoch ms', time);
    if (last !== undefined && time < last)
      throw mistake(i, `have a time at or after that of the trade before it (${last})`, time);
    if (last !== undefined && time - last > LONGEST_SILENCE_MS)
      throw mistake(i, `have a time within a year of the trade before it (${last}), in ms`, time);
    last = time;
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isAbove0(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY;
}

function mistake(index: number, must: string, received: unknown): UsageError {
  return usage(`trade ${index} must ${must}, received ${receivedText(received)}`);
}

export function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_TESTING', message);
}
