import { Decimal } from '../../../src/model/decimal.js';

/**
 * The venue's rules a second time, as the money rules read, slowly: one list of orders, sorted for each match; money in
 * decimals of a dollar, everything summed up anew whenever it is asked for. Shares no code with the core but Decimal.
 */

export interface NaiveMarket {
  readonly tick: Decimal;
  readonly step: Decimal;
  readonly interestMax: number;
  readonly maker: Decimal;
  readonly taker: Decimal;
  readonly initial: Decimal;
  readonly slope: Decimal;
}

export interface NaiveOrder {
  readonly id: number;
  readonly account: string;
  readonly pair: string;
  readonly buy: boolean;
  /** Ticks; of a market order the edge of the band. */
  readonly limit: number;
  readonly lots: number;
  readonly reduceOnly: boolean;
  left: number;
  status: 'active' | 'completed' | 'canceled';
  reason: string;
}

export interface NaiveAsk {
  readonly account: string;
  readonly pair: string;
  readonly buy: boolean;
  /** `undefined`: a market order. */
  readonly ticks: number | undefined;
  readonly lots: number;
  readonly tif: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
}

interface Position {
  s: number;
  k: Decimal;
}

const ZERO = new Decimal(0);

export class NaiveVenue {
  readonly markets: Record<string, NaiveMarket>;
  readonly cash: Record<string, Decimal> = { street: ZERO, fees: ZERO, insurance: ZERO };
  readonly positions: Record<string, Record<string, Position>> = {};
  readonly marks: Record<string, number | undefined> = {};
  readonly setMarks: Record<string, number | undefined> = {};
  orders: NaiveOrder[] = [];
  /** One line for each trade, cancellation and completion, in order. */
  log: string[] = [];
  #nextId = 1;
  readonly #nextTrade: Record<string, number> = {};

  constructor(markets: Record<string, NaiveMarket>) {
    this.markets = markets;
    this.positions['street'] = {};
  }

  open(name: string, deposit: string): void {
    this.cash[name] = new Decimal(deposit);
    this.positions[name] = {};
  }

  position(account: string, pair: string): Position {
    const all = this.positions[account] as Record<string, Position>;
    all[pair] ??= { s: 0, k: ZERO };
    return all[pair];
  }

  value(pair: string, lots: number, ticks: number): Decimal {
    const { tick, step } = this.#market(pair);
    return step.times(lots).times(tick.times(ticks));
  }

  working(account: string, pair: string, buy: boolean): NaiveOrder[] {
    return this.orders.filter(
      (o) =>
        o.status === 'active' && o.account === account && o.pair === pair && o.buy === buy && !o.reduceOnly,
    );
  }

  im(pair: string, x: Decimal): Decimal {
    const { initial, slope } = this.#market(pair);
    return x.times(initial.plus(slope.times(x)));
  }

  /** Sum of quantity × price of orders, best first for closing, after the first `skip` lots. */
  #sum(pair: string, orders: NaiveOrder[], skip: number): Decimal {
    const mark = this.marks[pair] ?? 0;
    // Lot by lot would be simplest; order by order is enough.
    const priced = orders.map((o) => ({
      left: o.left,
      price: o.buy ? o.limit : Math.max(o.limit, mark),
      buy: o.buy,
    }));
    priced.sort((a, b) => (a.buy ? b.price - a.price : a.price - b.price));
    let sum = ZERO;
    let toSkip = skip;
    for (const { left, price } of priced) {
      const opening = Math.max(0, left - toSkip);
      toSkip = Math.max(0, toSkip - left);
      sum = sum.plus(this.value(pair, opening, price));
    }
    return sum;
  }

  reserved(account: string, pair: string, extra?: NaiveOrder): Decimal {
    const { s } = this.position(account, pair);
    const buys = this.working(account, pair, true);
    const sells = this.working(account, pair, false);
    if (extra !== undefined) (extra.buy ? buys : sells).push(extra);
    const size = this.value(pair, Math.abs(s), this.marks[pair] ?? 0);
    const r0 = this.im(pair, size);
    const up = this.im(pair, (s > 0 ? size : ZERO).plus(this.#sum(pair, buys, Math.max(0, -s))));
    const down = this.im(pair, (s < 0 ? size : ZERO).plus(this.#sum(pair, sells, Math.max(0, s))));
    const dearer = Decimal.max(this.#sum(pair, buys, 0), this.#sum(pair, sells, 0));
    return Decimal.max(r0, up, down).minus(r0).plus(this.#market(pair).taker.times(dearer));
  }

  upnl(account: string, pair: string): Decimal {
    const { s, k } = this.position(account, pair);
    return s === 0 ? ZERO : this.value(pair, s, this.marks[pair] as number).minus(k);
  }

  equity(account: string): Decimal {
    let sum = this.cash[account] as Decimal;
    for (const pair of Object.keys(this.markets)) sum = sum.plus(this.upnl(account, pair));
    return sum;
  }

  available(account: string): Decimal {
    let a = this.cash[account] as Decimal;
    let upnl = ZERO;
    for (const pair of Object.keys(this.markets)) {
      const { s } = this.position(account, pair);
      a = a.minus(this.reserved(account, pair));
      a = a.minus(this.im(pair, this.value(pair, Math.abs(s), this.marks[pair] ?? 0)));
      upnl = upnl.plus(this.upnl(account, pair));
    }
    return a.plus(Decimal.min(0, upnl));
  }

  exceedsInterest({ account, pair, buy, lots, reduceOnly }: NaiveAsk): boolean {
    if (account === 'street' || reduceOnly) return false;
    const working = this.working(account, pair, buy).reduce((sum, o) => sum + o.left, lots);
    return (
      Math.abs(this.position(account, pair).s + (buy ? working : -working)) > this.#market(pair).interestMax
    );
  }

  canAfford(ask: NaiveAsk, limit: number): boolean {
    if (ask.account === 'street') return true;
    const { account, pair } = ask;
    const market = this.#market(pair);
    const position = this.position(account, pair);
    const sign = ask.buy ? 1 : -1;
    const order = this.#order(ask, limit, 0);
    const a = this.available(account);
    if (!ask.reduceOnly) {
      const mark = this.marks[pair] ?? limit;
      const loss = this.value(pair, ask.lots, Math.max(0, sign * (limit - mark)));
      const more = this.reserved(account, pair, order).minus(this.reserved(account, pair));
      if (more.plus(loss).gt(a)) return false;
    }
    const closes = position.s * sign < 0 ? Math.min(Math.abs(position.s), ask.lots) : 0;
    const fills = ask.reduceOnly ? closes : ask.lots;
    if (fills === 0) return true;
    const before = { s: position.s, k: position.k, w: this.cash[account] as Decimal, mark: this.marks[pair] };
    this.#book(account, pair, sign * fills, limit, this.#fee(market.taker, this.value(pair, fills, limit)));
    this.marks[pair] ??= limit;
    const equity = this.equity(account);
    const then = this.available(account);
    this.marks[pair] = before.mark;
    position.s = before.s;
    position.k = before.k;
    this.cash[account] = before.w;
    return equity.gte(0) && (fills === closes || then.gte(0));
  }

  place(ask: NaiveAsk): string {
    const { pair, buy } = ask;
    const best = this.#resting(pair, !buy)[0];
    const reference = this.marks[pair] ?? best?.limit;
    const upper = (at: number) => Math.floor((at * 11) / 10);
    const lower = (at: number) => Math.ceil((at * 9) / 10);
    const limit =
      ask.ticks ??
      (reference === undefined ? (buy ? 0 : Infinity) : buy ? upper(reference) : lower(reference));
    if (this.exceedsInterest(ask)) return 'interest';
    const hasPrice = ask.ticks !== undefined || reference !== undefined;
    if (hasPrice && !this.canAfford(ask, limit)) return 'balance';
    const order = this.#order(ask, limit, this.#nextId++);
    this.orders.push(order);
    const { s } = this.position(ask.account, pair);
    const mark = this.marks[pair];
    const trial = this.#trial(order);
    if (ask.ticks === undefined && reference === undefined) this.#end(order, 'no liquidity');
    else if (
      ask.ticks !== undefined &&
      mark !== undefined &&
      (buy ? limit > upper(mark) : limit < lower(mark))
    )
      this.#end(order, 'outside the trading band');
    else if (ask.reduceOnly && (buy ? s >= 0 : s <= 0)) this.#end(order, 'nothing to reduce');
    else if (ask.postOnly && trial.lots > 0) this.#end(order, 'post-only would trade');
    else if (ask.postOnly && trial.self) this.#end(order, 'self-trade');
    else if (ask.tif === 'FOK' && trial.lots < ask.lots) this.#end(order, 'FOK cannot fill');
    else {
      this.#match(order);
      if (order.status === 'active') {
        if (ask.ticks === undefined) this.#end(order, 'no liquidity');
        else if (ask.tif === 'IOC') this.#end(order, 'IOC remainder');
      }
    }
    return 'accepted';
  }

  cancel(id: number): void {
    const order = this.orders.find((o) => o.id === id);
    if (order?.status === 'active') this.#end(order, 'requested');
  }

  setMark(pair: string, ticks: number): void {
    this.setMarks[pair] = ticks;
    this.marks[pair] = ticks;
  }

  #order(ask: NaiveAsk, limit: number, id: number): NaiveOrder {
    const { account, pair, buy, lots, reduceOnly } = ask;
    return {
      id,
      account,
      pair,
      buy,
      limit,
      lots,
      reduceOnly,
      left: lots,
      status: 'active',
      reason: '',
    };
  }

  /** One side of the book, first to trade first. */
  #resting(pair: string, buy: boolean, but?: NaiveOrder): NaiveOrder[] {
    return this.orders
      .filter((o) => o.status === 'active' && o.pair === pair && o.buy === buy && o !== but)
      .sort((a, b) => (buy ? b.limit - a.limit : a.limit - b.limit) || a.id - b.id);
  }

  #reaches(order: NaiveOrder, other: NaiveOrder): boolean {
    return order.buy ? other.limit <= order.limit : other.limit >= order.limit;
  }

  /** A lot at a time over copies of the sizes. */
  #trial(order: NaiveOrder): { lots: number; self: boolean } {
    const sizes = new Map<string, number>();
    const size = (account: string) => sizes.get(account) ?? this.position(account, order.pair).s;
    let lots = 0;
    for (const other of this.#resting(order.pair, !order.buy, order)) {
      if (!this.#reaches(order, other)) break;
      if (lots === order.left) break;
      if (sameTrader(other, order)) return { lots, self: lots < order.left };
      for (let lot = 0; lot < other.left && lots < order.left; lot++) {
        if (order.reduceOnly && (order.buy ? size(order.account) >= 0 : size(order.account) <= 0)) break;
        if (other.reduceOnly && (other.buy ? size(other.account) >= 0 : size(other.account) <= 0)) break;
        const sign = order.buy ? 1 : -1;
        const [mine, theirs] = [size(order.account) + sign, size(other.account) - sign];
        sizes.set(order.account, mine);
        sizes.set(other.account, theirs);
        lots++;
      }
    }
    return { lots, self: false };
  }

  #match(order: NaiveOrder): void {
    for (;;) {
      if (order.status !== 'active') return;
      const other = this.#resting(order.pair, !order.buy, order)[0];
      if (other === undefined || !this.#reaches(order, other)) return;
      if (sameTrader(other, order)) {
        this.#end(order, 'self-trade');
        return;
      }
      const most = (o: NaiveOrder) =>
        o.reduceOnly ? Math.min(o.left, Math.abs(this.position(o.account, o.pair).s)) : o.left;
      const lots = Math.min(most(order), most(other));
      const { pair } = order;
      const ticks = other.limit;
      const number = (this.#nextTrade[pair] ?? 0) + 1;
      this.#nextTrade[pair] = number;
      this.log.push(`${pair} trade ${number}: ${order.id} takes ${lots} of ${other.id} at ${ticks}`);
      const before = [order, other].map((o) => this.position(o.account, pair).s);
      const market = this.#market(pair);
      for (const o of [other, order]) {
        o.left -= lots;
        const rate = o === order ? market.taker : market.maker;
        const fee = o.account === 'street' ? ZERO : this.#fee(rate, this.value(pair, lots, ticks));
        this.#book(o.account, pair, o.buy ? lots : -lots, ticks, fee);
        this.cash['fees'] = (this.cash['fees'] as Decimal).plus(fee);
        this.#insure(o.account);
      }
      if (this.setMarks[pair] === undefined) this.marks[pair] = ticks;
      for (const o of [other, order]) if (o.left === 0) this.#end(o, 'filled');
      for (const [at, o] of [
        [1, other],
        [0, order],
      ] as const) {
        const was = Math.sign(before[at] as number);
        const is = Math.sign(this.position(o.account, pair).s);
        if (was === 0 || was === is) continue;
        for (const each of this.orders) {
          if (
            each.status === 'active' &&
            each.account === o.account &&
            each.pair === pair &&
            each.reduceOnly
          ) {
            this.#end(each, 'position closed');
          }
        }
      }
    }
  }

  #end(order: NaiveOrder, reason: string): void {
    order.status = reason === 'filled' ? 'completed' : 'canceled';
    order.reason = reason;
    this.log.push(`${order.id} ${reason} with ${order.left} left`);
  }

  /** Rounded up when paid, rebates down in size, to 10^-8. */
  #fee(rate: Decimal, value: Decimal): Decimal {
    return rate.times(value).toDecimalPlaces(8, rate.gte(0) ? Decimal.ROUND_UP : Decimal.ROUND_DOWN);
  }

  #book(account: string, pair: string, d: number, ticks: number, fee: Decimal): void {
    const position = this.position(account, pair);
    const { s, k } = position;
    const closing = s * d < 0 ? Math.min(Math.abs(d), Math.abs(s)) : 0;
    const signed = Math.sign(d) * closing;
    const out =
      closing === 0
        ? ZERO
        : closing === Math.abs(s)
          ? k
          : k.times(closing).div(Math.abs(s)).toDecimalPlaces(8, Decimal.ROUND_HALF_EVEN);
    const realised = this.value(pair, -signed, ticks).minus(out);
    position.k = k.minus(out).plus(this.value(pair, d - signed, ticks));
    position.s = s + d;
    this.cash[account] = (this.cash[account] as Decimal).plus(realised).minus(fee);
  }

  #insure(account: string): void {
    const cash = this.cash[account] as Decimal;
    if (account === 'street' || !cash.lt(0)) return;
    if (Object.keys(this.markets).some((pair) => this.position(account, pair).s !== 0)) return;
    const paid = Decimal.min(this.cash['insurance'] as Decimal, cash.neg());
    this.cash[account] = cash.plus(paid);
    this.cash['insurance'] = (this.cash['insurance'] as Decimal).minus(paid);
  }

  #market(pair: string): NaiveMarket {
    return this.markets[pair] as NaiveMarket;
  }
}

/** The street is many traders. */
function sameTrader(a: NaiveOrder, b: NaiveOrder): boolean {
  return a.account === b.account && a.account !== 'street';
}
