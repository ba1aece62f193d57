import type { Lots, Ticks } from '../../model/grid.js';
import type { Rate } from '../../model/money.js';
import type { CoreOrder } from './account.js';
import type { BookSide } from './book.js';
import type { Candle } from './candles.js';
import { fundingRate } from './funding.js';
import type { MarketState } from './market-state.js';
import type { Matcher } from './matcher.js';
import { after } from './schedule.js';

export interface DepthLevel {
  readonly ticks: Ticks;
  readonly lots: Lots;
}

/** Best first. */
export interface Depth {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

/** Data of a market for /ticker. Prices in quote units; `undefined` when there is none yet. */
export interface TickerFacts {
  readonly lastPrice: number | undefined;
  readonly previousPrice: number | undefined;
  /** Base units. */
  readonly lastQuantity: number | undefined;
  readonly mark: Ticks | undefined;
  /** Without index prices, the last trade. */
  readonly index: Ticks | undefined;
  /** `undefined` while a side of the book shows less than fair_qty, and without index prices. */
  readonly fair: Ticks | undefined;
  /** The funding rate if funding were due now; positive when longs pay. `undefined` without funding. */
  readonly fundingRate: Rate | undefined;
  /** Venue ms. */
  readonly nextFundingTime: number | undefined;
  /** Lower and upper end of the trading band at present. */
  readonly minTicks: Ticks | undefined;
  readonly maxTicks: Ticks | undefined;
  readonly bid: DepthLevel | undefined;
  readonly ask: DepthLevel | undefined;
  /** The last 24 hours, to the minute. */
  readonly day: Candle | undefined;
}

const DAY_MS = 86_400_000;
const DEFAULT_LEVELS = 40;

export function depthOf(matcher: Matcher, limit = DEFAULT_LEVELS): Depth {
  return {
    bids: levels(matcher.book.bids, matcher.streetLevel('buy'), limit, (a, b) => a > b),
    asks: levels(matcher.book.asks, matcher.streetLevel('sell'), limit, (a, b) => a < b),
  };
}

export function tickerOf(matcher: Matcher, now: number): TickerFacts {
  const { state } = matcher;
  const { mark } = state;
  const { bids, asks } = depthOf(matcher, 1);
  return {
    lastPrice: known(state.lastPrice),
    previousPrice: known(state.previousPrice),
    lastQuantity: known(state.lastQuantity),
    mark,
    index: state.index,
    fair: state.prices?.fair,
    ...fundingFacts(state, now),
    minTicks: mark === undefined ? undefined : state.lowerEdge(mark),
    maxTicks: mark === undefined ? undefined : state.upperEdge(mark),
    bid: bids[0],
    ask: asks[0],
    day: state.candles.since(now - DAY_MS),
  };
}

function fundingFacts({ market, prices }: MarketState, now: number) {
  if (prices === undefined || market.contract !== 'linear') {
    return { fundingRate: undefined, nextFundingTime: undefined };
  }
  return {
    fundingRate: fundingRate(market.funding, prices.premiums),
    nextFundingTime: after(now, market.funding.intervalMs),
  };
}

/** The levels of the accounts' orders, and among them the level of a tape's street. */
function levels(
  side: BookSide<CoreOrder>,
  street: DepthLevel | undefined,
  limit: number,
  isBetter: (a: number, b: number) => boolean,
): DepthLevel[] {
  const found: DepthLevel[] = [];
  let pending = street;
  for (let rank = 0; found.length < limit; rank++) {
    const level = side.level(rank);
    if (pending !== undefined && (level === undefined || isBetter(pending.ticks, level.ticks))) {
      found.push(pending);
      pending = undefined;
      if (found.length === limit) break;
    }
    if (level === undefined) break;
    // All orders of this level are hidden.
    if (level.lots === 0) continue;
    const shared = pending?.ticks === level.ticks ? pending.lots : 0;
    if (shared > 0) pending = undefined;
    const lots = (level.lots + shared) as Lots;
    // All that stands there may be hidden.
    if (lots > 0) found.push({ ticks: level.ticks as Ticks, lots });
  }
  return found;
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
