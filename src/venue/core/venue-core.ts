import type { Bar } from '../../model/bar.js';
import type { DecimalSource } from '../../model/decimal.js';
import { InvariantError, UsageError } from '../../model/errors.js';
import type { Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { divCeil, divFloor, type Money, type Rate, rateOf } from '../../model/money.js';
import { Position } from '../../model/position.js';
import type { Trade } from '../../model/trade.js';
import type { Touch } from '../liquidity.js';
import type { Account, CompletedPosition, CoreFill, CoreOrder, Holding } from './account.js';
import type { Candle, CandleQuery } from './candles.js';
import { fillsOf, listCompletedPositions } from './completed-positions.js';
import type {
  BulkPlacement,
  Cancellation,
  Change,
  CloseRequest,
  Placement,
  PlaceRequest,
} from './commands.js';
import { type DoneHandler, Events, type FillHandler, type TradeHandler, type Unsubscribe } from './events.js';
import { fundingOf } from './funding.js';
import { Ledger } from './ledger.js';
import { pairMargin, standing } from './margin.js';
import { LoneOrders } from './lone-orders.js';
import { fundMargin, drawMargin, setLeverage } from './leverage.js';
import { marginRules, marginScale, marginScales } from './margin-rates.js';
import { MarketState } from './market-state.js';
import { type FillIds, Matcher } from './matcher.js';
import { OrderDesk } from './order-desk.js';
import { type PositionFacts, positionFacts } from './position-facts.js';
import { type Depth, depthOf, type TickerFacts, tickerOf } from './public-data.js';
import {
  DEFAULT_LIMIT,
  listFills,
  listOrders,
  listTriggers,
  type OrderQueryState,
  type RecordQuery,
  type WireBalance,
  wireBalance,
} from './queries.js';
import { Risk } from './risk.js';
import { settleFunding } from './risk-postings.js';
import { usdPriceOf } from './usd-price.js';
import { assertTradable, discountOf, precisionsOf, type VenueCoreOptions } from './venue-options.js';
import { Wallet } from './wallet.js';

const BOOK_TRADES = 100_000;
const HISTORY = 10_000;

/**
 * The simulated venue without clock and wire: accounts, order books and money. Pure and synchronous: every command has
 * its `now` (venue ms, never going back), and on return all of its consequences have taken place.
 */
export class VenueCore {
  readonly markets: readonly Market[];
  /** Deposits and withdrawals. */
  readonly wallet: Wallet;
  /** Fee discount for holders of a special commission asset, a fraction. */
  readonly commissionDiscount: number;
  readonly #matchers = new Map<string, Matcher>();
  readonly #tapes: Matcher[] = [];
  readonly #ledger: Ledger;
  readonly #events = new Events();
  readonly #desk: OrderDesk;
  readonly #fillIds: FillIds = { next: 1 };
  /** `undefined` when no market has index prices, until `checkMargin` is first called. */
  #risk: Risk | undefined;

  constructor(options: VenueCoreOptions) {
    this.markets = options.markets.map(({ market }) => market);
    const precisions = precisionsOf(this.markets, options);
    this.#ledger = new Ledger({
      precisions,
      scales: marginScales(this.markets),
      historyLimit: options.historyLimit ?? HISTORY,
      discount: discountOf(options),
    });
    this.#ledger.fundInsurance(options.insurance ?? {});
    this.commissionDiscount = Number(options.commissionDiscount?.rate ?? 0);
    this.wallet = new Wallet({
      ledger: this.#ledger,
      assets: options.assets ?? [],
      available: (account, asset) => this.available(account, asset),
      usdPrice: ({ key }) => this.usdPrice(key),
      assertIdle: () => this.#events.assertIdle(),
    });
    this.#desk = new OrderDesk({
      matchers: this.#matchers,
      ledger: this.#ledger,
      firstOrderId: options.firstOrderId ?? 1,
    });
    const indexed = new Map<string, Matcher>();
    const windows = { market: 10_000, other: 1_000, ...options.takerWindows };
    for (const { market, tape, prices, band, firstTradeId, keepTrades } of options.markets) {
      assertTradable(market, precisions);
      if (this.#matchers.has(market.pair)) {
        throw new UsageError(
          'TICKWRIGHT_E_MARKET',
          `a pair must be listed once, received ${market.pair} twice`,
        );
      }
      const scale = marginScale(this.markets.filter(({ quote }) => quote === market.quote));
      const state = new MarketState(market, marginRules(market, scale), {
        band: band === undefined ? market.pricing.bandDeviation : rateOf(band),
        keepTrades: keepTrades ?? (tape === undefined ? BOOK_TRADES : Number.POSITIVE_INFINITY),
      });
      const matcher = new Matcher(state, {
        ledger: this.#ledger,
        events: this.#events,
        firstTradeId: firstTradeId ?? 1,
        fillIds: this.#fillIds,
        windows,
        tape: tape === undefined ? undefined : (sink) => tape(market, sink),
        forget: (order) => {
          this.#desk.forget(order);
          this.#risk?.orderDone(order);
        },
      });
      this.#matchers.set(market.pair, matcher);
      if (matcher.isTape) this.#tapes.push(matcher);
      // An option is listed but never traded.
      if (prices === 'index' && market.contract !== 'option') indexed.set(market.pair, matcher);
    }
    if (indexed.size > 0) this.#risk = this.#newRisk(indexed);
  }

  /** First the venue's own accounts (street, fees, insurance, provider, outside), then customers. */
  get accounts(): readonly Account[] {
    return this.#ledger.accounts;
  }

  /** Trades without margin and fees; the counterparty of every fill against a tape. */
  get street(): Account {
    return this.#ledger.street;
  }

  account(name: string): Account | undefined {
    return this.#ledger.account(name);
  }

  /**
   * Opens a customer's account. A venue that lists no assets accepts any.
   *
   * @throws UsageError when the name is taken, or a deposit is of an unknown asset or not an amount of at least 0.
   */
  openAccount(name: string, deposits: Readonly<Record<string, DecimalSource>>): Account {
    if (this.wallet.assets.length > 0) {
      for (const asset of Object.keys(deposits)) this.wallet.known(asset);
    }
    return this.#ledger.openCustomer(name, deposits);
  }

  /** @throws UsageError when an amount is not one of its asset of at least 0 */
  fundInsurance(deposits: Readonly<Record<string, DecimalSource>>): void {
    this.#events.assertIdle();
    this.#ledger.fundInsurance(deposits);
  }

  /** Prices and public records of one market. @throws UsageError for an unknown pair */
  market(pair: string): MarketState {
    return this.matcher(pair).state;
  }

  /**
   * The matcher of one market. Hot paths give prints directly to its `printScalars`.
   *
   * @throws UsageError for an unknown pair
   */
  matcher(pair: string): Matcher {
    const matcher = this.#matchers.get(pair);
    if (matcher === undefined) throw new UsageError('TICKWRIGHT_E_PAIR', `no such market: ${pair}`);
    return matcher;
  }

  place(account: Account, request: PlaceRequest, now: number): Placement {
    this.#begin(now);
    return this.#desk.place(account, request, now);
  }

  /** Places 1 to 50 orders on one market, none of them reduce-only: all are accepted, or none is. */
  placeMany(account: Account, requests: readonly PlaceRequest[], now: number): BulkPlacement {
    this.#begin(now);
    return this.#desk.placeMany(account, requests, now);
  }

  /** Places a reduce-only order against the position, by default of its whole size. Refused without a position. */
  close(account: Account, request: CloseRequest, now: number): Placement {
    this.#begin(now);
    return this.#desk.close(account, request, now);
  }

  /** Refused when the account has no such order or trigger, or when it is done. */
  cancel(account: Account, orderId: string, now: number): Cancellation {
    this.#begin(now);
    return this.#desk.cancel(account, orderId, now);
  }

  /**
   * Returns the canceled orders. Ids that are unknown or done are skipped. Without ids, all working orders are canceled,
   * oldest first, and waiting triggers stay.
   */
  cancelMany(account: Account, orderIds: readonly string[] | undefined, now: number): readonly CoreOrder[] {
    this.#events.assertIdle();
    this.advance(now);
    return this.#desk.cancelMany(account, orderIds, now);
  }

  /**
   * Gives one recorded print of a tape market; prints must come in (time, id) order. @throws UsageError for an unknown
   * pair
   */
  print(pair: string, { id, time, price, quantity, isBuyerMaker }: Trade): void {
    this.#events.assertIdle();
    this.#risk?.beforePrints(time);
    this.matcher(pair).print(id, time, price, quantity, isBuyerMaker);
    this.#desk.settle(time);
  }

  /**
   * Venue ms of the next event that the venue brings about by itself: prices, funding, ends of windows; Infinity for
   * none.
   */
  get nextTime(): number {
    return this.#risk?.nextTime ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Handles what comes before the prints and requests of `now`: everything due earlier, then prices, funding,
   * liquidations and triggers of `now` (`money.md` §11). Prints and commands call it themselves; readers must call it
   * first.
   */
  update(now: number): void {
    this.#events.assertIdle();
    this.#risk?.beforePrints(now);
  }

  /**
   * Handles everything due by `now`, ends of windows included. All prints up to and including `now` must have been given.
   */
  advance(now: number): void {
    this.#begin(now);
    for (const matcher of this.#tapes) matcher.advance(now);
  }

  /** Ends what waits for prints of tapes at `now`, because none will come after it. All prints must have been given. */
  endTapes(now: number): void {
    this.advance(now);
    for (const matcher of this.#tapes) matcher.endWindows(now);
    this.#desk.settle(now);
  }

  /** Sets the mark from `now` on; `undefined`: back to the last trade. An index update sets it again. */
  setMark(pair: string, ticks: Ticks | undefined, now: number): void {
    this.#begin(now);
    const matcher = this.matcher(pair);
    matcher.advance(now);
    matcher.state.setMark(ticks);
    this.#risk?.remark(pair);
    this.#desk.onPrices(now);
  }

  /**
   * Sets the index from the market's next index update on, or at once where there is no price yet; `undefined`: back to
   * the market's own, else the last print. On a market without index prices it sets the mark.
   */
  setIndex(pair: string, ticks: Ticks | undefined, now: number): void {
    if (this.market(pair).prices === undefined) {
      this.setMark(pair, ticks, now);
      return;
    }
    this.#begin(now);
    this.#risk?.giveIndex(pair, ticks);
    this.#desk.settle(now);
  }

  /** Like `setIndex`, for the market's own driver: an index that was set from outside counts before it. */
  tellIndex(pair: string, ticks: Ticks, now: number): void {
    if (this.market(pair).prices === undefined) {
      this.setMark(pair, ticks, now);
      return;
    }
    this.#begin(now);
    this.#risk?.tellIndex(pair, ticks);
    this.#desk.settle(now);
  }

  /**
   * Sets other filters, fees and rules of a market from `now` on, on the same grids. @throws UsageError for an unknown
   * pair
   */
  turnMarket(market: Market, now: number): void {
    this.#begin(now);
    const matcher = this.matcher(market.pair);
    matcher.advance(now);
    matcher.state.turn(market);
    // Working orders reserve their fee too, and the new fee rate may need finer units than any rate of the asset before.
    const states = [...this.#matchers.values()].map(({ state }) => state);
    const ofAsset = states.filter((state) => state.market.quote === market.quote);
    const scale = marginScale(ofAsset.map((state) => state.market));
    for (const state of ofAsset) state.rules = marginRules(state.market, scale);
    this.#ledger.rescale(market.quote, scale);
  }

  /**
   * Fires the triggers of a market that its last price reaches. `print` does it by itself; whoever gives prints to the
   * matcher directly must do it after each one that may reach a trigger. @throws UsageError for an unknown pair
   */
  fireTriggers(pair: string, now: number): void {
    this.#begin(now);
    this.matcher(pair).updateTriggers();
    this.#desk.settle(now);
  }

  /** Exchanges funding at a given rate; positive: longs pay. @throws UsageError for an unknown pair */
  payFunding(pair: string, rate: Rate, now: number): void {
    this.#begin(now);
    const { state } = this.matcher(pair);
    const payments = this.#ledger.accounts
      .map((account) => account.holdings.get(pair))
      .filter((holding) => holding !== undefined)
      .map((holding) => ({ holding, amount: fundingOf(holding, rate) }));
    settleFunding(this.#ledger, state.market.quote, payments);
    this.#risk?.remark(pair);
    this.#desk.settle(now);
  }

  /**
   * Liquidates positions of an account that are below the maintenance margin at the present marks. For markets without
   * index prices, where the venue does not check by itself. @throws UsageError for an unknown pair
   */
  checkMargin(account: Account, pair: string, now: number): void {
    this.#begin(now);
    this.#risk ??= this.#newRisk(new Map());
    this.#risk.touch(this.#ledger.holding(account, this.market(pair)));
    this.#desk.settle(now);
  }

  /** Whether a slice of a liquidation waits for prints. Then `checkMargin` must be called again after each change. */
  get isLiquidating(): boolean {
    return this.#risk?.isLiquidating ?? false;
  }

  /** The market takes orders now. @throws UsageError for an unknown pair */
  isActive(pair: string): boolean {
    return this.market(pair).isActive;
  }

  /**
   * Halts a market or reopens it; working and waiting orders stay. @throws UsageError for an unknown pair or an option
   */
  setActive(pair: string, isActive: boolean): void {
    this.#events.assertIdle();
    const state = this.market(pair);
    if (isActive && state.market.contract === 'option') {
      throw new UsageError('TICKWRIGHT_E_MARKET', `${pair}: an option is listed only, it must stay inactive`);
    }
    state.isActive = isActive;
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
    return this.#desk.order(account, orderId);
  }

  /** Waiting triggers, and those that were refused when they fired, with a `message`; newest first. */
  triggers(account: Account, query?: RecordQuery): CoreOrder[] {
    return listTriggers(account, query);
  }

  orders(account: Account, state: OrderQueryState, query?: RecordQuery): CoreOrder[] {
    return listOrders(account, state, query);
  }

  fills(account: Account, query?: RecordQuery): CoreFill[] {
    return listFills(account, query);
  }

  /** Realised P&L, fees and funding count since the position was last flat. */
  position(account: Account, pair: string): Position {
    return Position.of(this.#ledger.holding(account, this.market(pair)));
  }

  /** @throws UsageError for an unknown pair, InvariantError for a market that is not a tape */
  loneOrders(account: Account, pair: string): LoneOrders {
    const matcher = this.matcher(pair);
    if (!matcher.isTape)
      throw new InvariantError(`${pair} must be a tape market to have orders that are alone`);
    return new LoneOrders(this.#ledger.holding(account, matcher.state), {
      matcher,
      ledger: this.#ledger,
      desk: this.#desk,
      fillIds: this.#fillIds,
    });
  }

  /** What an account has on a pair; created at the first call. @throws UsageError for an unknown pair */
  holding(account: Account, pair: string): Holding {
    return this.#ledger.holding(account, this.market(pair));
  }

  /** All fields of the Position record. */
  positionFacts(account: Account, pair: string): PositionFacts {
    return positionFacts(this.#ledger.holding(account, this.market(pair)));
  }

  /** Positions that were closed, newest first. */
  completedPositions(account: Account, query?: RecordQuery): CompletedPosition[] {
    return listCompletedPositions(account, query);
  }

  /** The fills of a completed position, newest first, as far as the account's history still has them. */
  fillsOf(account: Account, position: CompletedPosition): CoreFill[] {
    return fillsOf(account, position);
  }

  /** POST /leverage: above 0 isolated at that leverage, 0 cross. @throws UsageError for an unknown pair */
  setLeverage(account: Account, pair: string, leverage: DecimalSource, now: number): Change {
    const holding = this.#commanded(account, pair, now);
    return this.#changed(holding, setLeverage(holding, leverage), now);
  }

  /** POST /fund: cash into the margin of an isolated position; quote units. @throws UsageError for an unknown pair */
  fund(account: Account, pair: string, amount: DecimalSource, now: number): Change {
    const holding = this.#commanded(account, pair, now);
    return this.#changed(holding, fundMargin(holding, amount), now);
  }

  /** POST /draw: margin of an isolated position back into the cash. @throws UsageError for an unknown pair */
  draw(account: Account, pair: string, amount: DecimalSource, now: number): Change {
    const holding = this.#commanded(account, pair, now);
    return this.#changed(holding, drawMargin(holding, amount), now);
  }

  /** Margin of one pair, rounded up to a unit: im(N) of the position, and Λ, which its working orders reserve. */
  margin(account: Account, pair: string): { readonly position: Money; readonly reserved: Money } {
    const holding = this.#ledger.holding(account, this.market(pair));
    const { initial, reserved } = pairMargin(holding);
    const { scale } = holding.state.rules;
    return { position: divCeil(initial, scale), reserved: divCeil(reserved, scale) };
  }

  /** Balances of every asset that the account ever had. */
  balances(account: Account): WireBalance[] {
    return [...account.balances.values()].filter(({ isOpened }) => isOpened).map(wireBalance);
  }

  /** A of `money.md` §3, rounded down to a unit. */
  available(account: Account, asset: string): Money {
    const { available, scale } = standing(this.#ledger.cash(account, asset));
    return divFloor(available, scale);
  }

  /** USD for one unit of an asset. */
  usdPrice(asset: string): number {
    return usdPriceOf(asset, this.wallet.assets, this.#matchers.values());
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

  /** Debts of customers that the insurance fund could not pay, units. */
  badDebt(asset: string): Money {
    return this.#ledger.badDebt(asset);
  }

  /** The holding that a command acts on, after everything due before the command. */
  #commanded(account: Account, pair: string, now: number): Holding {
    this.#begin(now);
    const matcher = this.matcher(pair);
    matcher.advance(now);
    return this.#ledger.holding(account, matcher.state);
  }

  /** Checks the groups whose margin a command has changed. */
  #changed(holding: Holding, change: Change, now: number): Change {
    if (change.kind === 'done' && this.#risk !== undefined) {
      this.#risk.touch(holding);
      this.#desk.settle(now);
    }
    return change;
  }

  #newRisk(markets: ReadonlyMap<string, Matcher>): Risk {
    const matcherOf = (pair: string) => this.matcher(pair);
    return new Risk({ ledger: this.#ledger, desk: this.#desk, markets, matcherOf });
  }

  /** Every command comes after everything that is due by its time. */
  #begin(now: number): void {
    this.#events.assertIdle();
    this.#risk?.beforeRequests(now);
  }
}

export type { Cancellation, PlaceRequest, Placement } from './commands.js';
export type { TakerWindows, VenueCoreOptions, VenueMarket } from './venue-options.js';
export type { PositionFacts } from './position-facts.js';
export type { Depth, DepthLevel, TickerFacts } from './public-data.js';
export type { OrderQueryState, RecordQuery, WireBalance } from './queries.js';
