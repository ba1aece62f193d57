import { numberOf, type Lots, type Ticks } from '../../src/model/grid.js';
import type { Market } from '../../src/model/market.js';
import { type OrderTerms, sameTrigger } from '../../src/model/order.js';
import type { Side } from '../../src/model/side.js';
import type { Ticker } from '../../src/model/ticker.js';
import { compareTrades, type Trade } from '../../src/model/trade.js';
import type { FillRecord, OrderRecord, PositionRecord, TradeRecord } from '../../src/model/venue-records.js';
import {
  type CancelAllOutcome,
  type CancelOutcome,
  type LastWord,
  type ListQuery,
  type OrderListState,
  type PlaceOptions,
  type PlaceOutcome,
  type VenueApi,
  type VenueClock,
  VenueError,
} from '../../src/ports/venue-api.js';
import { fillRecordOf, orderRecordOf, positionRecordOf } from './records.js';
import type { VirtualTime } from './virtual-time.js';

export type CallKind =
  | 'time'
  | 'trades'
  | 'ticker'
  | 'position'
  | 'orders'
  | 'order'
  | 'place'
  | 'cancel'
  | 'cancelMany'
  | 'fills'
  | 'other';

/**
 * What goes wrong with one call. Reads know only `fail` and `throttle`. Order writes: `not-sent`; `lost` (no answer, not
 * executed); `unanswered` (executed, no answer); `late` (no answer, executed `lateMs` later); `refuse`;
 * `duplicate` (the way there sends it twice).
 */
export type Fault =
  | 'fail'
  | 'throttle'
  | 'not-sent'
  | 'lost'
  | 'unanswered'
  | 'late'
  | 'refuse'
  | 'duplicate';

export interface Call {
  readonly kind: CallKind;
  readonly at: number;
  readonly query?: ListQuery | undefined;
  /** Of `orders`. */
  readonly list?: OrderListState | undefined;
}

type FakeQuery = ListQuery & { readonly list?: OrderListState };

interface VenueOrder {
  readonly terms: OrderTerms;
  readonly tag: string | undefined;
  /** What reads show, from which venue time on. */
  readonly versions: { readonly since: number; readonly record: OrderRecord }[];
  /** It was refused when it fired, so it stays in the list of triggers. */
  isRefusedTrigger: boolean;
}

interface Print {
  readonly trade: Trade;
  readonly visibleAt: number;
}

/**
 * A venue at the port, in memory and on virtual time: a tape that tests print, orders that rest until tests fill them,
 * and the faults they ask for. It never lies; it only loses, delays and refuses.
 */
export class FakeVenueApi implements VenueApi {
  readonly calls: Call[] = [];
  /** The most calls of a kind that were under way at once. */
  readonly overlap = new Map<CallKind, number>();
  /** Ms from request to answer; the venue acts halfway. */
  latency: (kind: CallKind) => number = () => 0;
  fault: (kind: CallKind) => Fault | undefined = () => undefined;
  /** Reads show order writes this much later, ms. */
  visibilityMs = 0;
  /** The venue's own page size. */
  maxLimit = 1_000;
  lateMs = 10_000;
  /** Order records carry their fills. */
  showsFills = true;
  /** A connection is made for each order, in so many ms; `undefined`: there is one. */
  connectMs: number | undefined;
  /** The receive window of its orders, venue ms. */
  windowMs = 5_000;
  /** A cancel's answer already shows the cancellation. */
  cancelAnswersTruly = false;
  /** What the account held before its first order, base units. */
  positionSize = 0;
  clockFrozenAt: number | undefined;
  readonly clock: VenueClock;
  readonly #time: VirtualTime;
  readonly #origin: number;
  readonly #market: Market;
  readonly #tape: Print[] = [];
  readonly #orders = new Map<string, VenueOrder>();
  readonly #otherFills: { readonly since: number; readonly record: FillRecord }[] = [];
  readonly #flying = new Map<CallKind, number>();
  #answered = Number.NEGATIVE_INFINITY;
  #orderIds = 1_000;
  #fillIds = 1;

  constructor(time: VirtualTime, market: Market, origin = 1_700_000_000_000) {
    this.#time = time;
    this.#market = market;
    this.#origin = origin;
    this.clock = {
      now: () => this.venueTime,
      reached: () => this.venueTime,
      earliest: () => this.venueTime,
      glance: () => ({ now: this.venueTime, reached: this.venueTime }),
      answered: () => this.#answered,
      steadyRate: () => 1,
      sync: async () => {
        await this.#call('time', undefined, () => {
          this.#answered = this.venueTime;
        });
      },
    };
  }

  get venueTime(): number {
    return this.clockFrozenAt ?? this.#origin + Math.floor(this.#time.now);
  }

  // --- what tests do to the venue ---------------------------------------------------------------------------------

  /** Prints a trade, to be seen from `visibleAt` (venue ms) on. */
  print(trade: Trade, visibleAt = trade.time): void {
    const last = this.#tape.at(-1);
    this.#tape.push({ trade, visibleAt });
    if (last !== undefined && compareTrades(last.trade, trade) > 0) {
      this.#tape.sort((a, b) => compareTrades(a.trade, b.trade));
    }
  }

  /** Every order there is, as it really stands. */
  truth(): readonly OrderRecord[] {
    return [...this.#orders.values()].map(newest);
  }

  tagOf(orderId: string): string | undefined {
    return this.#orders.get(orderId)?.tag;
  }

  /** Executes up to `lots` of a resting order; what was executed. */
  fill(
    orderId: string,
    lots: number,
    ticks: Ticks,
    liquidity: 'maker' | 'taker' = 'maker',
    fee = 0.01,
  ): number {
    const order = this.#orders.get(orderId);
    if (order === undefined) throw new Error(`no order ${orderId}`);
    const record = newest(order);
    if (record.status !== 'ACTIVE') return 0;
    const left = Math.round(record.leavesQuantity * this.#market.quantityGrid.scale);
    const executed = Math.min(lots, left);
    const fills: readonly FillRecord[] = [
      ...(record.fills ?? []),
      fillRecordOf({
        id: String(this.#fillIds++),
        pair: this.#market.pair,
        side: record.side,
        isBuyerMaker: (record.side === 'buy') === (liquidity === 'maker'),
        quantity: numberOf(this.#market.quantityGrid, executed),
        price: numberOf(this.#market.priceGrid, ticks),
        netCommission: fee,
        time: this.venueTime,
      }),
    ];
    const done = this.#market.quantityGrid.scale;
    const total = Math.round(record.filledQuantity * done) + executed;
    this.#become(order, {
      ...record,
      fills,
      filledQuantity: total / done,
      leavesQuantity: (left - executed) / done,
      status: left === executed ? 'COMPLETED' : 'ACTIVE',
    });
    return executed;
  }

  /** The venue itself ends an order. */
  end(orderId: string, reason: string, status = 'CANCELLED'): void {
    const order = this.#orders.get(orderId);
    if (order === undefined) throw new Error(`no order ${orderId}`);
    const record = newest(order);
    if (isAlive(record)) this.#become(order, { ...record, status, message: reason });
  }

  /** The price reaches the trigger of a waiting order: it enters the market, or is refused for this reason. */
  fire(orderId: string, refusal?: string): void {
    const order = this.#orders.get(orderId);
    const record = order && newest(order);
    if (order === undefined || record?.status !== 'UNTRIGGERED') throw new Error(`${orderId} does not wait`);
    const became = refusal === undefined ? { status: 'ACTIVE' } : { status: 'CANCELLED', message: refusal };
    if (refusal !== undefined) order.isRefusedTrigger = true;
    this.#become(order, { ...record, ...became });
  }

  /** An order that somebody else places on the account; its id. */
  otherOrder(terms: OrderTerms, tag?: string): string {
    return newest(this.#arrive(terms, tag)).id;
  }

  /** An execution on the account that no order shows: a trade by hand, a liquidation. Its id. */
  otherFill(side: Side, lots: number, ticks: Ticks, liquidation = false): string {
    const record = fillRecordOf({
      id: String(this.#fillIds++),
      pair: this.#market.pair,
      side,
      isBuyerMaker: side === 'sell',
      quantity: numberOf(this.#market.quantityGrid, lots),
      price: numberOf(this.#market.priceGrid, ticks),
      netCommission: 0.01,
      liquidation,
      time: this.venueTime,
    });
    this.#otherFills.push({ since: this.#time.now, record });
    return record.id;
  }

  /** Called when an order arrives, before its answer leaves: a test may fill or end it at once. */
  onArrival: (orderId: string) => void = () => undefined;

  // --- VenueApi ----------------------------------------------------------------------------------------------------

  time(): Promise<number> {
    return this.#call('time', undefined, () => this.venueTime);
  }

  trades(query: ListQuery & { readonly pair: string }): Promise<readonly TradeRecord[]> {
    return this.#call('trades', query, () => {
      const { from = 0, to = Number.POSITIVE_INFINITY, limit = 100 } = query;
      const now = this.venueTime;
      return this.#tape
        .filter(({ trade, visibleAt }) => visibleAt <= now && trade.time >= from && trade.time <= to)
        .slice(-Math.min(limit, this.maxLimit))
        .map(({ trade }) => ({ ...trade, pair: query.pair }));
    });
  }

  ticker(): Promise<Ticker> {
    const none = undefined;
    return this.#call('ticker', undefined, () => ({
      time: this.venueTime,
      lastPrice: this.#tape.at(-1)?.trade.price,
      markPrice: none,
      indexPrice: none,
      bidPrice: none,
      bidQuantity: none,
      askPrice: none,
      askQuantity: none,
    }));
  }

  position(pair: string): Promise<PositionRecord> {
    return this.#call('position', undefined, () =>
      positionRecordOf({
        pair,
        size: this.#held(),
        averageEntry: this.#held() === 0 ? 0 : 100,
        markPrice: 100,
      }),
    );
  }

  orders(state: OrderListState, query: ListQuery = {}): Promise<readonly OrderRecord[]> {
    return this.#call('orders', { ...query, list: state }, () => {
      const { from = 0, to = Number.POSITIVE_INFINITY, limit = 100, pair } = query;
      return [...this.#orders.values()]
        .filter((order) => this.#isIn(order, state))
        .map((order) => this.#visible(order))
        .filter((record) => record !== undefined)
        .filter((record) => record.time >= from && record.time <= to && (pair ?? record.pair) === record.pair)
        .sort((a, b) => b.time - a.time)
        .slice(0, limit)
        .map((record) => this.#shown(record));
    });
  }

  order(id: string): Promise<OrderRecord> {
    return this.#call('order', undefined, () => {
      const order = this.#orders.get(id);
      const record = order === undefined ? undefined : this.#visible(order);
      if (record === undefined) throw new VenueError('refused', 'The order was not found');
      return this.#shown(record);
    });
  }

  async place(
    _market: Market,
    terms: OrderTerms,
    tag: string | undefined,
    options?: PlaceOptions,
    lastWord?: LastWord,
  ): Promise<PlaceOutcome> {
    if (!sameTrigger(terms.trigger, options?.trigger)) throw new Error('the options must say the trigger');
    const request = { bodySha256: '00', validUntil: this.venueTime + this.windowMs };
    let refusal = lastWord?.(request);
    if (refusal === undefined && this.connectMs !== undefined) {
      await this.#time.sleep(this.connectMs);
      refusal = lastWord?.(request);
    }
    if (refusal !== undefined) return { kind: 'not-sent', reason: refusal };
    const fault = this.fault('place');
    return this.#fly('place', undefined, async (half) => {
      if (fault === 'not-sent') return { kind: 'not-sent', reason: 'connection refused' };
      await half();
      if (fault === 'refuse') return { kind: 'refused', reason: 'insufficient balance' };
      if (fault === 'late') {
        void this.#time.sleep(this.lateMs).then(() => this.#arrive(terms, tag));
      }
      if (fault === 'lost' || fault === 'late') return { kind: 'in-doubt', reason: 'timeout' };
      if (fault === 'duplicate') this.#arrive(terms, tag);
      const order = this.#arrive(terms, tag);
      const answer = this.#shown(newest(order));
      await half();
      if (fault === 'unanswered' || fault === 'duplicate') return { kind: 'in-doubt', reason: 'reset' };
      return { kind: 'accepted', order: answer };
    });
  }

  async cancel(orderId: string): Promise<CancelOutcome> {
    const fault = this.fault('cancel');
    return this.#fly('cancel', undefined, async (half) => {
      if (fault === 'not-sent') return { kind: 'unanswered', reason: 'connection refused' };
      await half();
      if (fault === 'lost') return { kind: 'unanswered', reason: 'timeout' };
      const order = this.#orders.get(orderId);
      if (order === undefined || !isAlive(newest(order))) {
        await half();
        return {
          kind: 'refused',
          reason: order === undefined ? 'The order was not found' : 'order already done',
        };
      }
      if (fault === 'refuse') {
        await half();
        return { kind: 'refused', reason: 'system busy' };
      }
      const before = newest(order);
      this.end(orderId, 'canceled by the client');
      const answer = this.#shown(this.cancelAnswersTruly ? newest(order) : before);
      await half();
      if (fault === 'unanswered') return { kind: 'unanswered', reason: 'reset' };
      return { kind: 'answered', order: answer };
    });
  }

  cancelMany(orderIds: readonly [string, ...string[]]): Promise<CancelAllOutcome> {
    const fault = this.fault('cancelMany');
    return this.#fly('cancelMany', undefined, async (half) => {
      await half();
      if (fault === 'lost') return { kind: 'unanswered', reason: 'reset' };
      for (const id of orderIds) if (this.#orders.has(id)) this.end(id, 'canceled by the client');
      await half();
      return fault === 'unanswered'
        ? { kind: 'unanswered', reason: 'reset' }
        : { kind: 'answered', orders: [] };
    });
  }

  markets(): Promise<ReadonlyMap<string, Market>> {
    return this.#call('other', undefined, () => new Map([[this.#market.pair, this.#market]]));
  }

  assets(): Promise<readonly never[]> {
    return this.#call('other', undefined, () => []);
  }

  depth(): Promise<{ readonly bids: readonly never[]; readonly asks: readonly never[] }> {
    return this.#call('other', undefined, () => ({ bids: [], asks: [] }));
  }

  fills(query: ListQuery = {}): Promise<readonly FillRecord[]> {
    return this.#call('fills', query, () => {
      const { from = 0, to = Number.POSITIVE_INFINITY, limit = 100 } = query;
      return this.#seenFills()
        .filter(({ time }) => time >= from && time <= to)
        .sort((a, b) => a.time - b.time)
        .slice(-Math.min(limit, this.maxLimit));
    });
  }

  balances(): Promise<readonly never[]> {
    return this.#call('other', undefined, () => []);
  }

  #isIn(order: VenueOrder, state: OrderListState): boolean {
    const status = this.#visible(order)?.status;
    const isTrigger =
      status === 'UNTRIGGERED' || (order.isRefusedTrigger && newest(order) === this.#visible(order));
    if (state === 'triggers') return isTrigger;
    return !isTrigger && (state === 'all' || (state === 'active' && status === 'ACTIVE'));
  }

  // --- inside ------------------------------------------------------------------------------------------------------

  #arrive(terms: OrderTerms, tag: string | undefined): VenueOrder {
    const id = String(this.#orderIds++);
    const quantity = numberOf(this.#market.quantityGrid, terms.lots);
    const price = terms.ticks === undefined ? 0 : numberOf(this.#market.priceGrid, terms.ticks);
    const { trigger } = terms;
    const order: VenueOrder = { terms, tag, versions: [], isRefusedTrigger: false };
    this.#orders.set(id, order);
    const record = orderRecordOf({
      id,
      pair: this.#market.pair,
      side: terms.side,
      type: terms.type,
      priceOriginal: price,
      price,
      quantity,
      leavesQuantity: quantity,
      time: this.venueTime,
      timeInForce: terms.timeInForce,
      postOnly: terms.postOnly,
      reduceOnly: terms.reduceOnly,
      oco: tag,
      ...(trigger === undefined
        ? {}
        : {
            status: 'UNTRIGGERED',
            triggerPrice: numberOf(this.#market.priceGrid, trigger.ticks),
            triggerEvent: trigger.event,
          }),
    });
    this.#become(order, record);
    this.onArrival(id);
    return order;
  }

  #seenFills(): FillRecord[] {
    const others = this.#otherFills.filter(({ since }) => since + this.visibilityMs <= this.#time.now);
    return [
      ...[...this.#orders.values()].flatMap((order) => this.#visible(order)?.fills ?? []),
      ...others.map(({ record }) => record),
    ];
  }

  /** Base units. */
  #held(): number {
    const { scale } = this.#market.quantityGrid;
    const fills = this.#seenFills();
    // As it was set, on the grid or not.
    if (fills.length === 0) return this.positionSize;
    const lots = fills.reduce(
      (sum, { side, quantity }) => sum + (side === 'buy' ? 1 : -1) * Math.round(quantity * scale),
      Math.round(this.positionSize * scale),
    );
    return lots / scale;
  }

  #become(order: VenueOrder, record: OrderRecord): void {
    order.versions.push({ since: this.#time.now, record: { ...record, time: this.venueTime } });
  }

  #visible(order: VenueOrder): OrderRecord | undefined {
    return order.versions.findLast(({ since }) => since + this.visibilityMs <= this.#time.now)?.record;
  }

  #shown(record: OrderRecord): OrderRecord {
    return this.showsFills ? record : { ...record, fills: undefined };
  }

  /** One read: the request travels, the venue looks, the answer travels. */
  #call<T>(kind: CallKind, query: FakeQuery | undefined, look: () => T): Promise<T> {
    const fault = this.fault(kind);
    return this.#fly(kind, query, async (half) => {
      await half();
      if (fault === 'throttle') throw new VenueError('throttled', 'too many requests', { retryAfterMs: 50 });
      if (fault !== undefined) throw new VenueError('timeout', `${kind} was not answered`);
      const answer = look();
      await half();
      return answer;
    });
  }

  async #fly<T>(
    kind: CallKind,
    asked: FakeQuery | undefined,
    travel: (half: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { list, ...query } = asked ?? {};
    this.calls.push({
      kind,
      at: this.#time.now,
      query: asked && query,
      ...(list === undefined ? {} : { list }),
    });
    const flying = (this.#flying.get(kind) ?? 0) + 1;
    this.#flying.set(kind, flying);
    this.overlap.set(kind, Math.max(this.overlap.get(kind) ?? 0, flying));
    const latency = this.latency(kind);
    try {
      return await travel(() => (latency === 0 ? Promise.resolve() : this.#time.sleep(latency / 2)));
    } finally {
      this.#flying.set(kind, (this.#flying.get(kind) ?? 1) - 1);
    }
  }
}

/** Lots of a printed quantity, for checks. */
export function lotsIn(market: Market, quantity: number): Lots {
  return Math.round(quantity * market.quantityGrid.scale) as Lots;
}

/** At the venue, in the market or waiting for its trigger. */
function isAlive({ status }: OrderRecord): boolean {
  return status === 'ACTIVE' || status === 'UNTRIGGERED';
}

function newest(order: VenueOrder): OrderRecord {
  const version = order.versions.at(-1);
  if (version === undefined) throw new Error('an order has at least one version');
  return version.record;
}
