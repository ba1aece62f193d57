import type { Bar } from '../../model/bar.js';
import type { DecimalSource } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { divCeil, divFloor, type Money, rateOf } from '../../model/money.js';
import type { Position } from '../../model/position.js';
import type { Trade } from '../../model/trade.js';
import type { Touch } from '../liquidity.js';
import { type Account, type CoreFill, CoreOrder } from './account.js';
import { balanceRefusal, interestRefusal, termsRefusal } from './admission.js';
import type { Candle, CandleQuery } from './candles.js';
import type { Cancellation, Placement, PlaceRequest } from './commands.js';
import { type DoneHandler, Events, type FillHandler, type TradeHandler, type Unsubscribe } from './events.js';
import { Ledger } from './ledger.js';
import { pairMargin, standing } from './margin.js';
import { marginRules, marginScale } from './margin-rates.js';
import { MarketState } from './market-state.js';
import { Matcher } from './matcher.js';
import { OrderIndex } from './order-index.js';
import { type Depth, depthOf, type TickerFacts, tickerOf } from './public-data.js';
import {
  DEFAULT_LIMIT,
  listFills,
  listOrders,
  type OrderQueryState,
  type RecordQuery,
  type WireBalance,
  wireBalance,
} from './queries.js';
import { refusalText } from './refusals.js';
import { assertTradable, precisionsOf, type VenueCoreOptions } from './venue-options.js';

const DEFAULT_BAND = '0.1';
const BOOK_TRADES = 100_000;
const HISTORY = 100_000;

/**
 * The simulated venue without clock and wire: accounts, order books and money. Pure and synchronous: every command
 * brings its `now` (venue ms, never falling), and when it returns everything that follows from it has happened.
 */
export class VenueCore {
  readonly markets: readonly Market[];
  readonly #matchers = new Map<string, Matcher>();
  readonly #tapes: Matcher[] = [];
  readonly #ledger: Ledger;
  readonly #events = new Events();
  /** Every order that is working or still kept, by its number. */
  readonly #orders = new OrderIndex();
  #nextOrderId: number;

  constructor(options: VenueCoreOptions) {
    this.markets = options.markets.map(({ market }) => market);
    this.#nextOrderId = options.firstOrderId ?? 1;
    this.#ledger = new Ledger({
      precisions: precisionsOf(this.markets, options.precisions ?? {}),
      historyLimit: options.historyLimit ?? HISTORY,
      discount: options.commissionDiscount,
    });
    this.#ledger.fundInsurance(options.insurance ?? {});
    const fillIds = { next: 1 };
    const windows = { market: 10_000, other: 1_000, ...options.takerWindows };
    for (const { market, tape, band, firstTradeId, keepTrades } of options.markets) {
      assertTradable(market);
      if (this.#matchers.has(market.pair)) {
        throw new UsageError(
          'TICKWRIGHT_E_MARKET',
          `a pair must be listed once, received ${market.pair} twice`,
        );
      }
      const scale = marginScale(this.markets.filter(({ quote }) => quote === market.quote));
      const state = new MarketState(market, marginRules(market, scale), {
        band: rateOf(band ?? DEFAULT_BAND),
        keepTrades: keepTrades ?? (tape === undefined ? BOOK_TRADES : Number.POSITIVE_INFINITY),
      });
      const matcher = new Matcher(state, {
        ledger: this.#ledger,
        events: this.#events,
        firstTradeId: firstTradeId ?? 1,
        fillIds,
        windows,
        tape: tape === undefined ? undefined : (sink) => tape(market, sink),
        forget: (order) => this.#forget(order),
      });
      this.#matchers.set(market.pair, matcher);
      if (matcher.isTape) this.#tapes.push(matcher);
    }
  }

  /** Customers and, first, the venue's own: street, fees, insurance, provider, outside. */
  get accounts(): readonly Account[] {
    return this.#ledger.accounts;
  }

  /** Places orders without margin and fees; the other side of every fill against a tape. */
  get street(): Account {
    return this.#ledger.street;
  }

  account(name: string): Account | undefined {
    return this.#ledger.account(name);
  }

  /** @throws UsageError when the name is taken or a deposit is no amount of its asset of 0 or above. */
  openAccount(name: string, deposits: Readonly<Record<string, DecimalSource>>): Account {
    return this.#ledger.openCustomer(name, deposits);
  }

  /** Prices and public records of one market. @throws UsageError for an unknown pair */
  market(pair: string): MarketState {
    return this.matcher(pair).state;
  }

  /**
   * The orders of one market. Prints of a hot path go straight to its `printScalars`.
   *
   * @throws UsageError for an unknown pair
   */
  matcher(pair: string): Matcher {
    const matcher = this.#matchers.get(pair);
    if (matcher === undefined) throw new UsageError('TICKWRIGHT_E_PAIR', `no such market: ${pair}`);
    return matcher;
  }

  place(account: Account, { pair, terms, tag, intent }: PlaceRequest, now: number): Placement {
    this.#events.assertIdle();
    const matcher = this.#matchers.get(pair);
    if (matcher === undefined) return { kind: 'refused', reason: refusalText('unknownPair', pair) };
    matcher.advance(now);
    const { state } = matcher;
    const malformed = termsRefusal(state.market, terms);
    if (malformed !== undefined) return { kind: 'refused', reason: malformed };
    const holding = this.#ledger.holding(account, state);
    const limit = terms.ticks ?? matcher.marketLimit(terms.side);
    if (account.isCustomer) {
      const reason =
        interestRefusal(holding, terms) ??
        // A MARKET order where there is no price at all costs nothing: it is cancelled at once.
        (limit === undefined ? undefined : balanceRefusal(holding, terms, limit, this.#ledger));
      if (reason !== undefined) return { kind: 'refused', reason };
    }
    const order = new CoreOrder(this.#nextOrderId++, holding, terms, {
      limitTicks: limit ?? ((terms.side === 'buy' ? 0 : state.market.filters.price.max) as Ticks),
      tag,
      intent,
      now,
      mark: state.mark,
    });
    this.#orders.add(order);
    matcher.enter(order, now);
    return { kind: 'accepted', order };
  }

  /** Refused when the account has no such order, or when it is done. */
  cancel(account: Account, orderId: string, now: number): Cancellation {
    this.#events.assertIdle();
    const found = this.order(account, orderId);
    if (found === undefined) return { kind: 'refused', reason: refusalText('notFound', orderId) };
    const matcher = this.matcher(found.pair);
    matcher.advance(now);
    if (found.status !== 'active') {
      const became = found.status === 'completed' ? 'COMPLETED' : 'CANCELLED';
      return { kind: 'refused', reason: refusalText('done', `${orderId} is ${became}`) };
    }
    matcher.end(found, 'requested', now);
    return { kind: 'canceled', order: found };
  }

  /** The orders cancelled. Ids that are unknown or done are skipped; without ids all working orders go, by age. */
  cancelMany(account: Account, orderIds: readonly string[] | undefined, now: number): readonly CoreOrder[] {
    this.#events.assertIdle();
    this.advance(now);
    const orders =
      orderIds === undefined
        ? listOrders(account, 'active', { limit: Number.POSITIVE_INFINITY }).sort(
            (a, b) => a.sequence - b.sequence,
          )
        : orderIds.map((id) => this.order(account, id)).filter((order) => order !== undefined);
    const canceled: CoreOrder[] = [];
    for (const order of orders) {
      if (order.status !== 'active') continue;
      this.matcher(order.pair).end(order, 'requested', now);
      canceled.push(order);
    }
    return canceled;
  }

  /** One recorded print of a tape market, in (time, id) order. @throws UsageError for an unknown pair */
  print(pair: string, { id, time, price, quantity, isBuyerMaker }: Trade): void {
    this.#events.assertIdle();
    this.matcher(pair).print(id, time, price, quantity, isBuyerMaker);
  }

  /** What is due by `now` on tapes, every print up to and including `now` having been given: the ends of windows. */
  advance(now: number): void {
    for (const matcher of this.#tapes) matcher.advance(now);
  }

  /** The mark from `now` on; `undefined`: the last trade again. */
  setMark(pair: string, ticks: Ticks | undefined, now: number): void {
    this.#events.assertIdle();
    const matcher = this.matcher(pair);
    matcher.advance(now);
    matcher.state.setMark(ticks);
  }

  /** Candles from before the first trade, ascending. */
  recordPast(pair: string, bars: readonly Bar[]): void {
    const { candles } = this.market(pair);
    for (const bar of bars) candles.addBar(bar);
  }

  onFill(handler: FillHandler): Unsubscribe {
    return this.#events.onFill(handler);
  }

  onDone(handler: DoneHandler): Unsubscribe {
    return this.#events.onDone(handler);
  }

  onTrade(handler: TradeHandler): Unsubscribe {
    return this.#events.onTrade(handler);
  }

  /** `undefined` for an unknown, forgotten or foreign order. */
  order(account: Account, orderId: string): CoreOrder | undefined {
    const order = this.#orders.get(Number(orderId));
    return order !== undefined && order.id === orderId && order.account === account ? order : undefined;
  }

  orders(account: Account, state: OrderQueryState, query?: RecordQuery): CoreOrder[] {
    return listOrders(account, state, query);
  }

  fills(account: Account, query?: RecordQuery): CoreFill[] {
    return listFills(account, query);
  }

  /** Realised, fees and funding since the position was last flat. */
  position(account: Account, pair: string): Position {
    const { lots, cost, realised, fees, funding } = this.#ledger.holding(account, this.market(pair));
    return { lots, cost, realised, fees, funding };
  }

  /** Of one pair, rounded up to a unit: im(N) of the position, and Λ, what its working orders reserve. */
  margin(account: Account, pair: string): { readonly position: Money; readonly reserved: Money } {
    const holding = this.#ledger.holding(account, this.market(pair));
    const { initial, reserved } = pairMargin(holding);
    const { scale } = holding.state.rules;
    return { position: divCeil(initial, scale), reserved: divCeil(reserved, scale) };
  }

  balances(account: Account): WireBalance[] {
    return [...account.balances.values()].map(wireBalance);
  }

  /** A of `money.md` §3, rounded down to a unit. */
  available(account: Account, asset: string): Money {
    const { available, scale } = standing(this.#ledger.cash(account, asset));
    return divFloor(available, scale);
  }

  mark(pair: string): Ticks | undefined {
    return this.market(pair).mark;
  }

  touch(pair: string): Touch {
    return this.matcher(pair).touch();
  }

  depth(pair: string, limit?: number): Depth {
    return depthOf(this.matcher(pair), limit);
  }

  /** Public trades, newest first; bounds inclusive; default limit 100. */
  trades(pair: string, query: Omit<RecordQuery, 'pair'> = {}): Trade[] {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, limit = DEFAULT_LIMIT } = query;
    return this.market(pair).trades.newest(limit, from, to);
  }

  candles(pair: string, intervalMs: number, query: CandleQuery): Candle[] {
    return this.market(pair).candles.list(intervalMs, query);
  }

  ticker(pair: string, now: number): TickerFacts {
    return tickerOf(this.matcher(pair), now);
  }

  #forget(order: CoreOrder): void {
    const forgotten = order.account.doneOrders.push(order);
    if (forgotten !== undefined) this.#orders.remove(forgotten);
  }
}

export type { Cancellation, PlaceRequest, Placement } from './commands.js';
export type { TakerWindows, VenueCoreOptions, VenueMarket } from './venue-options.js';
export type { Depth, DepthLevel, TickerFacts } from './public-data.js';
export type { OrderQueryState, RecordQuery, WireBalance } from './queries.js';
