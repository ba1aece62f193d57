/**
 * The rules of matching a second time, as `money.md` §4 reads, slowly and without money: one array of orders that is
 * sorted for each trade. Whatever needs a dry run is really run, on a copy of everything. Shares no code with the core.
 */

export interface NaiveAsk {
  readonly account: string;
  readonly buy: boolean;
  /** `undefined`: a market order. */
  readonly ticks: number | undefined;
  readonly lots: number;
  readonly tif: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly hidden: boolean;
  readonly icebergs: number | undefined;
  readonly trigger: { readonly ticks: number; readonly event: 'mark' | 'index' | 'last' } | undefined;
  readonly closeOnTrigger: boolean;
  readonly tag: string | undefined;
}

export interface NaiveOrder extends NaiveAsk {
  readonly id: number;
  left: number;
  limit: number;
  /** What is left of the slice that is shown; all that is left of any other order. */
  shown: number;
  status: 'active' | 'completed' | 'canceled' | 'untriggered';
  reason: string;
  inBook: boolean;
  /** Its place among those of its price. */
  queue: number;
  /** When it began to count as working. */
  entered: number;
  rises: boolean | undefined;
  /** It fired and came to nothing. */
  wasRefused: boolean;
}

interface State {
  orders: NaiveOrder[];
  positions: Record<string, number>;
  last: number | undefined;
  setMark: number | undefined;
  struck: string[];
  due: number[];
  met: number[];
  counter: number;
  trades: number;
}

export class NaiveOrders {
  s: State = {
    orders: [],
    positions: {},
    last: undefined,
    setMark: undefined,
    struck: [],
    due: [],
    met: [],
    counter: 0,
    trades: 0,
  };
  /** One line for each trade and each end, in order. */
  log: string[] = [];
  readonly #interest: number;

  constructor(interest: number) {
    this.#interest = interest;
  }

  size(account: string): number {
    return this.s.positions[account] ?? 0;
  }

  get mark(): number | undefined {
    return this.s.setMark ?? this.s.last;
  }

  order(id: number): NaiveOrder {
    return this.s.orders.find((o) => o.id === id) as NaiveOrder;
  }

  /** Prices as the depth shows them, best first. */
  depth(buy: boolean): [number, number][] {
    const levels = new Map<number, number>();
    for (const o of this.#book(buy)) {
      if (!o.hidden) levels.set(o.limit, (levels.get(o.limit) ?? 0) + Math.min(o.shown, o.left));
    }
    return [...levels];
  }

  /** Ids of waiting triggers and of those refused when they fired. */
  triggers(account: string): number[] {
    return this.s.orders
      .filter((o) => o.account === account && (o.status === 'untriggered' || o.wasRefused))
      .map((o) => o.id);
  }

  /** The rule that refuses it, or `accepted`. All of them or none. */
  place(asks: readonly NaiveAsk[]): string {
    const before = structuredClone(this.s);
    const added: NaiveOrder[] = [];
    for (const ask of asks) {
      const limit = this.#limit(ask);
      const refusal =
        (ask.trigger === undefined && this.#exceedsInterest(ask) ? 'interest' : undefined) ??
        (ask.tag !== undefined && this.#hasEnded(ask.account, ask.tag) ? 'ocoEnded' : undefined);
      if (refusal !== undefined) {
        this.s = before;
        return refusal;
      }
      const order: NaiveOrder = {
        ...ask,
        reduceOnly: ask.reduceOnly || ask.closeOnTrigger,
        id: this.s.orders.length + 1,
        left: ask.lots,
        limit: limit ?? 0,
        shown: ask.lots,
        status: ask.trigger === undefined ? 'active' : 'untriggered',
        reason: '',
        inBook: false,
        queue: 0,
        entered: ++this.s.counter,
        rises: undefined,
        wasRefused: false,
      };
      this.s.orders.push(order);
      added.push(order);
    }
    for (const order of added) if (order.trigger !== undefined) this.#look(order);
    for (const order of added) if (order.status === 'active') this.#arrive(order);
    this.#fireAll();
    return 'accepted';
  }

  close(account: string, ticks: number | undefined): string {
    const size = this.size(account);
    if (size === 0) return 'noPosition';
    return this.place([
      {
        account,
        buy: size < 0,
        ticks,
        lots: Math.abs(size),
        tif: ticks === undefined ? 'IOC' : 'GTC',
        postOnly: false,
        reduceOnly: true,
        hidden: false,
        icebergs: undefined,
        trigger: undefined,
        closeOnTrigger: false,
        tag: undefined,
      },
    ]);
  }

  cancel(id: number): void {
    const order = this.order(id);
    if (order.status === 'active' || order.status === 'untriggered') this.#end(order, 'requested');
  }

  cancelAll(account: string): void {
    for (const o of this.s.orders) {
      if (o.account === account && o.status === 'active') this.#end(o, 'requested');
    }
  }

  moveMark(ticks: number): void {
    this.s.setMark = ticks;
    this.#prices();
    this.#fireAll();
  }

  #limit({ ticks, buy }: NaiveAsk): number | undefined {
    if (ticks !== undefined) return ticks;
    const at = this.mark ?? this.#book(!buy)[0]?.limit;
    if (at === undefined) return undefined;
    return buy ? Math.floor((at * 11) / 10) : Math.ceil((at * 9) / 10);
  }

  #exceedsInterest({ account, buy, lots, reduceOnly, closeOnTrigger }: NaiveAsk): boolean {
    if (account === 'street' || reduceOnly || closeOnTrigger) return false;
    let sum = lots;
    for (const o of this.s.orders) {
      if (o.account === account && o.buy === buy && o.status === 'active' && !o.reduceOnly) sum += o.left;
    }
    return Math.abs(this.size(account) + (buy ? sum : -sum)) > this.#interest;
  }

  #group(account: string, tag: string | undefined): NaiveOrder[] {
    return tag === undefined ? [] : this.s.orders.filter((o) => o.account === account && o.tag === tag);
  }

  #hasEnded(account: string, tag: string): boolean {
    const members = this.#group(account, tag);
    if (this.s.struck.includes(`${account} ${tag}`)) return true;
    return members.length > 0 && members.every((o) => !isAlive(o));
  }

  /** First to trade first. */
  #book(buy: boolean): NaiveOrder[] {
    return this.s.orders
      .filter((o) => o.inBook && o.status === 'active' && o.buy === buy)
      .sort(
        (a, b) =>
          (buy ? b.limit - a.limit : a.limit - b.limit) ||
          Number(a.hidden) - Number(b.hidden) ||
          a.queue - b.queue,
      );
  }

  /** The order enters the market, all checks of the account passed. */
  #arrive(order: NaiveOrder): void {
    const { mark } = this;
    const { buy, limit } = order;
    const size = this.size(order.account);
    if (order.ticks === undefined) {
      if (mark === undefined && this.#book(!buy).length === 0) return this.#end(order, 'no liquidity');
    } else if (
      mark !== undefined &&
      (buy ? limit > Math.floor((mark * 11) / 10) : limit < Math.ceil((mark * 9) / 10))
    ) {
      return this.#end(order, 'outside the trading band');
    }
    if (order.reduceOnly && (buy ? size >= 0 : size <= 0)) return this.#end(order, 'nothing to reduce');
    if (order.postOnly) {
      const { traded, reason } = this.#tryMatch(order);
      if (traded > 0) return this.#end(order, 'post-only would trade');
      if (reason === 'self-trade') return this.#end(order, 'self-trade');
    }
    if (order.tif === 'FOK' && this.#tryMatch(order).traded < order.lots) {
      return this.#end(order, 'FOK cannot fill');
    }
    this.#match(order);
    if (order.status !== 'active') return;
    if (order.ticks === undefined) return this.#end(order, 'no liquidity');
    if (order.tif === 'IOC') return this.#end(order, 'IOC remainder');
    order.inBook = true;
    order.queue = ++this.s.counter;
    order.shown = Math.min(sliceOf(order), order.left);
  }

  /** What would become of it, on a copy. */
  #tryMatch(order: NaiveOrder): { traded: number; reason: string } {
    return this.#onCopy(() => {
      const copy = this.order(order.id);
      this.#match(copy);
      return { traded: order.left - copy.left, reason: copy.reason };
    });
  }

  #onCopy<T>(run: () => T): T {
    const { s, log } = this;
    this.s = structuredClone(s);
    this.log = [];
    const result = run();
    this.s = s;
    this.log = log;
    return result;
  }

  #match(order: NaiveOrder): void {
    for (;;) {
      if (order.status !== 'active') return;
      const maker = this.#book(!order.buy)[0];
      if (maker === undefined || (order.buy ? maker.limit > order.limit : maker.limit < order.limit)) return;
      if (maker.account === order.account && order.account !== 'street') {
        this.#end(order, 'self-trade');
        return;
      }
      const held = (o: NaiveOrder) => (o.reduceOnly ? Math.abs(this.size(o.account)) : o.left);
      const lots = Math.min(order.left, held(order), maker.left, maker.shown, held(maker));
      this.#trade(maker, order, lots);
    }
  }

  #trade(maker: NaiveOrder, taker: NaiveOrder, lots: number): void {
    const before = [maker, taker].map((o) => this.size(o.account));
    this.s.trades++;
    this.log.push(`trade: ${taker.id} takes ${lots} of ${maker.id} at ${maker.limit}`);
    this.s.last = maker.limit;
    this.#prices();
    for (const o of [maker, taker]) {
      o.left -= lots;
      this.s.positions[o.account] = this.size(o.account) + (o.buy ? lots : -lots);
    }
    maker.shown -= lots;
    if (maker.shown === 0 && maker.left > 0) {
      maker.shown = Math.min(sliceOf(maker), maker.left);
      maker.queue = ++this.s.counter;
    }
    for (const o of [maker, taker]) if (o.left === 0) this.#end(o, 'filled');
    for (const o of [maker, taker]) this.#strike(o);
    for (const [at, { account }] of [maker, taker].entries()) {
      const was = Math.sign(before[at] as number);
      if (was !== 0 && Math.sign(this.size(account)) !== was) this.#closed(account);
    }
  }

  /** A fill of a member, or its trigger: the first one takes the others, a completed one the reduce-only ones. */
  #strike(order: NaiveOrder): void {
    if (order.tag === undefined) return;
    const key = `${order.account} ${order.tag}`;
    const isFirst = !this.s.struck.includes(key);
    if (isFirst) this.s.struck.push(key);
    for (const o of this.#group(order.account, order.tag)) {
      if (o === order || !isAlive(o)) continue;
      if (o.reduceOnly ? order.status === 'completed' : isFirst) this.#end(o, 'oco sibling');
    }
  }

  /** The position went to 0 or to the other side. */
  #closed(account: string): void {
    const own = this.s.orders.filter((o) => o.account === account && o.reduceOnly);
    const bound = own.filter(
      (o) => o.status === 'untriggered' && this.#group(account, o.tag).filter(isAlive).length > 1,
    );
    const working = own.filter((o) => o.status === 'active').sort((a, b) => a.entered - b.entered);
    for (const o of [...working, ...bound]) this.#end(o, 'position closed');
  }

  #end(order: NaiveOrder, reason: string): void {
    order.status = reason === 'filled' ? 'completed' : 'canceled';
    order.reason = reason;
    order.inBook = false;
    this.log.push(`${order.id} ${reason} with ${order.left} left`);
  }

  #eventPrice({ trigger }: NaiveOrder): number | undefined {
    return trigger?.event === 'mark' ? this.mark : this.s.last;
  }

  /** Gives a trigger its direction, or makes it due. */
  #look(order: NaiveOrder): void {
    const price = this.#eventPrice(order);
    const at = order.trigger?.ticks as number;
    if (price === undefined || this.s.met.includes(order.id) || this.s.due.includes(order.id)) return;
    if (order.rises === undefined) {
      order.rises = at > price;
      if (at === price) this.s.met.push(order.id);
    } else if (order.rises ? price >= at : price <= at) {
      this.s.met.push(order.id);
    }
  }

  #prices(): void {
    for (const o of this.s.orders) if (o.status === 'untriggered') this.#look(o);
  }

  #fireAll(): void {
    for (;;) {
      this.s.due.push(...this.s.met.sort((a, b) => a - b));
      this.s.met = [];
      const id = this.s.due.shift();
      if (id === undefined) return;
      if (this.order(id).status === 'untriggered') this.#fire(this.order(id));
    }
  }

  #fire(order: NaiveOrder): void {
    if (order.closeOnTrigger) {
      const others = this.s.orders
        .filter((o) => o.account === order.account && o.status === 'active' && o.buy === order.buy)
        .sort((a, b) => a.entered - b.entered);
      for (const o of others) this.#end(o, 'close on trigger');
    }
    order.limit = this.#limit(order) ?? 0;
    if (this.#exceedsInterest(order)) {
      this.#end(order, 'trigger refused');
      order.wasRefused = true;
      return;
    }
    const outcome = this.#onCopy(() => {
      const copy = this.order(order.id);
      this.#strike(copy);
      copy.status = 'active';
      this.#arrive(copy);
      return { ...copy };
    });
    if (outcome.status === 'canceled' && outcome.left === order.lots) {
      this.#end(order, outcome.reason);
      order.wasRefused = true;
      return;
    }
    order.entered = ++this.s.counter;
    this.#strike(order);
    order.status = 'active';
    this.#arrive(order);
  }
}

function isAlive({ status }: NaiveOrder): boolean {
  return status === 'active' || status === 'untriggered';
}

/** On a step of one lot. */
function sliceOf({ icebergs, lots }: NaiveOrder): number {
  return icebergs === undefined ? lots : Math.ceil(lots / icebergs);
}
