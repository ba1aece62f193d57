import type { Lots, Ticks } from '../../model/grid.js';
import type { OrderTerms } from '../../model/order.js';
import { opposite } from '../../model/side.js';
import { type Account, CoreOrder, type Holding } from './account.js';
import { admissionRefusal, termsRefusal } from './admission.js';
import type { BulkPlacement, Cancellation, CloseRequest, Placement, PlaceRequest } from './commands.js';
import { sliceOf } from './icebergs.js';
import type { Ledger } from './ledger.js';
import type { Matcher } from './matcher.js';
import { optionsRefusal } from './options.js';
import { OrderIndex } from './order-index.js';
import { listOrders } from './queries.js';
import { refusalText } from './refusals.js';
import { type ForcedFill, NO_OPTIONS, SpecialState } from './special.js';

export interface OrderDeskOptions {
  readonly matchers: ReadonlyMap<string, Matcher>;
  readonly ledger: Ledger;
  readonly firstOrderId: number;
}

const MAX_BULK = 50;

/** Handles the order commands of accounts: admits or refuses them, and does everything that follows from them. */
export class OrderDesk {
  /**
   * Called after every step: a command, and each trigger that fired because of it, before the next one fires. `now` in
   * venue ms.
   */
  afterStep: ((now: number) => void) | undefined = undefined;
  readonly #matchers: ReadonlyMap<string, Matcher>;
  readonly #ledger: Ledger;
  /** All orders that work, wait or are kept in a history, by their numbers. */
  readonly #orders = new OrderIndex();
  /** Markets on which an order ever waited for its trigger. */
  readonly #withTriggers: Matcher[] = [];
  #nextOrderId: number;
  #newestPair = '';
  #newestMatcher: Matcher | undefined = undefined;

  constructor({ matchers, ledger, firstOrderId }: OrderDeskOptions) {
    this.#matchers = matchers;
    this.#ledger = ledger;
    this.#nextOrderId = firstOrderId;
  }

  place(account: Account, request: PlaceRequest, now: number): Placement {
    const matcher = this.#matcher(request.pair);
    if (matcher === undefined) return refused(refusalText('unknownPair', request.pair));
    matcher.advance(now);
    const refusal = requestRefusal(matcher, request);
    if (refusal !== undefined) return refused(refusal);
    return this.#admit(this.#ledger.holding(account, matcher.state), matcher, request, now);
  }

  /** Accepts all or none. Each order is judged as if those before it were working already; then they enter in order. */
  placeMany(account: Account, requests: readonly PlaceRequest[], now: number): BulkPlacement {
    const { matcher, reason } = this.#bulkMarket(requests);
    if (matcher === undefined) return refused(reason);
    matcher.advance(now);
    for (const [at, request] of requests.entries()) {
      const refusal = requestRefusal(matcher, request);
      if (refusal !== undefined) return refused(`${refusal} (order ${at + 1} of ${requests.length})`);
    }
    const holding = this.#ledger.holding(account, matcher.state);
    const first = this.#nextOrderId;
    const orders: CoreOrder[] = [];
    for (const [at, request] of requests.entries()) {
      const limit = request.terms.ticks ?? matcher.marketLimit(request.terms.side);
      const refusal = this.#admissionRefusal(holding, request, limit);
      if (refusal !== undefined) {
        for (const order of orders) if (!isConditional(order)) holding.removeWorking(order);
        this.#nextOrderId = first;
        return refused(`${refusal} (order ${at + 1} of ${requests.length})`);
      }
      const order = this.#create(holding, request, limit, now);
      orders.push(order);
      if (!isConditional(order)) holding.addWorking(order);
    }
    for (const order of orders) {
      this.#register(order);
      if (isConditional(order)) this.#wait(order, matcher);
    }
    for (const order of orders) {
      // An earlier order may have ended a later one of the same oco group.
      if (order.status === 'active') matcher.arrive(order, now);
    }
    this.settle(now);
    return { kind: 'accepted', orders };
  }

  /** Places a reduce-only order against the position at the time of arrival. */
  close(account: Account, { pair, lots, ticks }: CloseRequest, now: number): Placement {
    const matcher = this.#matchers.get(pair);
    if (matcher === undefined) return refused(refusalText('unknownPair', pair));
    matcher.advance(now);
    const { state } = matcher;
    if (!state.isActive) return refused(refusalText('inactive', pair));
    const holding = this.#ledger.holding(account, state);
    if (holding.lots === 0) return refused(refusalText('noPosition', `no position on ${pair}`));
    const terms: OrderTerms = {
      side: holding.lots > 0 ? 'sell' : 'buy',
      type: ticks === undefined ? 'market' : 'limit',
      ticks,
      lots: lots ?? (Math.abs(holding.lots) as Lots),
      timeInForce: ticks === undefined ? 'IOC' : 'GTC',
      postOnly: false,
      reduceOnly: true,
    };
    // The whole position may be outside the quantity bounds of a single order.
    const refusal = termsRefusal(state.market, terms, { anyQuantity: lots === undefined });
    if (refusal !== undefined) return refused(refusal);
    return this.#admit(holding, matcher, { pair, terms }, now);
  }

  /** Also cancels waiting triggers. Refused when the account has no such order of its own, or the order is done. */
  cancel(account: Account, orderId: string, now: number): Cancellation {
    const order = this.order(account, orderId);
    if (order === undefined) return refused(refusalText('notFound', orderId.slice(0, 40)));
    const matcher = this.#matcherOf(order);
    matcher.advance(now);
    if (isAlive(order) && order.isLiquidation) {
      return refused(refusalText('notFound', `${orderId} is a liquidation, no order of this account`));
    }
    if (!isAlive(order)) {
      const became = order.status === 'completed' ? 'COMPLETED' : 'CANCELLED';
      return refused(refusalText('done', `${orderId} is ${became}`));
    }
    matcher.end(order, 'requested', now);
    return { kind: 'canceled', order };
  }

  /**
   * Returns the canceled orders. Ids that are unknown or done are skipped. Without ids, all working orders are canceled,
   * oldest first, and waiting triggers stay.
   */
  cancelMany(account: Account, orderIds: readonly string[] | undefined, now: number): readonly CoreOrder[] {
    const orders =
      orderIds === undefined
        ? listOrders(account, 'active', { limit: Number.POSITIVE_INFINITY }).sort(
            (a, b) => a.sequence - b.sequence,
          )
        : orderIds.map((id) => this.order(account, id)).filter((order) => order !== undefined);
    const canceled: CoreOrder[] = [];
    for (const order of orders) {
      // A liquidation's slice that waits for prints cannot be canceled by the account.
      if (!isAlive(order) || order.isLiquidation) continue;
      this.#matcherOf(order).end(order, 'requested', now);
      canceled.push(order);
    }
    return canceled;
  }

  /** `undefined` for an unknown, forgotten or foreign order. */
  order(account: Account, orderId: string): CoreOrder | undefined {
    const order = this.#orders.get(Number(orderId));
    return order !== undefined && order.id === orderId && order.account === account ? order : undefined;
  }

  /** Reserves the number of an order that is accepted outside of the core. */
  takeSequence(): number {
    return this.#nextOrderId++;
  }

  /** Registers an order that was accepted under such a number. */
  adopt(order: CoreOrder): void {
    this.#register(order);
  }

  /** Keeps a done order as long as it is in its account's history. */
  forget(order: CoreOrder): void {
    const { doneOrders, refusedTriggers } = order.account;
    const stays = order.special?.isFiring === true && order.filled === 0;
    const forgotten = (stays ? refusedTriggers : doneOrders).push(order);
    if (forgotten !== undefined) this.#orders.remove(forgotten);
  }

  /**
   * Sells or buys back up to `lots` of a position at `ticks` or better, immediate or cancel: a slice of a liquidation, to
   * which no rule of arrival applies. `filled` of the returned order tells how much; on a tape it may still wait for
   * prints (`active`).
   */
  liquidate(holding: Holding, lots: Lots, ticks: Ticks, now: number): CoreOrder {
    const order = this.#createForced(holding, { lots, ticks, forced: 'slice', now });
    this.#register(order);
    this.#matcherOf(order).enterForced(order, now);
    return order;
  }

  /**
   * A take-over or a deleverage: `lots` of a position change hands at `ticks` without a fee. `to` must hold the other
   * side, or be an account without limits.
   */
  transfer(
    from: Holding,
    to: Holding,
    facts: { readonly lots: Lots; readonly ticks: Ticks; readonly kind: ForcedFill; readonly now: number },
  ): void {
    const { lots, ticks, kind, now } = facts;
    const side = opposite(from.lots > 0 ? 'sell' : 'buy');
    const maker = this.#createForced(to, { lots, ticks, forced: undefined, now, side });
    const taker = this.#createForced(from, { lots, ticks, forced: kind, now });
    this.#register(maker);
    this.#register(taker);
    this.#matcherOf(taker).transfer(maker, taker, now);
  }

  /**
   * Must be called when prices may have changed: fires all due triggers on all markets, and those that become due by
   * them.
   */
  onPrices(now: number): void {
    for (const matcher of this.#withTriggers) matcher.updateTriggers();
    this.settle(now);
  }

  /** The end of a step: does what follows from it, until nothing more does. */
  settle(now: number): void {
    this.afterStep?.(now);
    while (this.#fireNext(now)) this.afterStep?.(now);
  }

  /** Fires the oldest due trigger of all markets. False when none is due. */
  #fireNext(now: number): boolean {
    let next: CoreOrder | undefined;
    for (const matcher of this.#withTriggers) {
      const due = matcher.dueTrigger;
      if (due !== undefined && (next === undefined || due.sequence < next.sequence)) next = due;
    }
    if (next === undefined) return false;
    this.#matcherOf(next).fire(next, now);
    return true;
  }

  #wait(order: CoreOrder, matcher: Matcher): void {
    if (!this.#withTriggers.includes(matcher)) this.#withTriggers.push(matcher);
    matcher.wait(order);
  }

  #admit(holding: Holding, matcher: Matcher, request: PlaceRequest, now: number): Placement {
    const limit = request.terms.ticks ?? matcher.marketLimit(request.terms.side);
    const refusal = this.#admissionRefusal(holding, request, limit);
    if (refusal !== undefined) return refused(refusal);
    const order = this.#create(holding, request, limit, now);
    this.#register(order);
    if (isConditional(request)) this.#wait(order, matcher);
    else matcher.enter(order, now);
    this.settle(now);
    return { kind: 'accepted', order };
  }

  /** A waiting trigger reserves nothing, so it is checked when it fires. */
  #admissionRefusal(holding: Holding, request: PlaceRequest, limit: Ticks | undefined): string | undefined {
    const { tag } = request;
    const refusal = isConditional(request)
      ? undefined
      : admissionRefusal(holding, request.terms, limit, this.#ledger);
    if (refusal !== undefined || tag === undefined) return refusal;
    return holding.groups?.hasEnded(tag) === true ? refusalText('ocoEnded', tag) : undefined;
  }

  #create(holding: Holding, request: PlaceRequest, limit: Ticks | undefined, now: number): CoreOrder {
    const { options, tag, intent, terms } = request;
    const { market, mark } = holding.state;
    // Without any price in the market, a MARKET order is canceled on arrival.
    const limitTicks = limit ?? (0 as Ticks);
    return new CoreOrder(this.#nextOrderId++, holding, closing(request), {
      limitTicks,
      tag,
      intent,
      now,
      mark,
      special:
        options === undefined && tag === undefined
          ? undefined
          : new SpecialState(options ?? NO_OPTIONS, sliceOf(market, terms.lots, options?.icebergs)),
    });
  }

  #createForced(
    holding: Holding,
    facts: {
      readonly lots: Lots;
      readonly ticks: Ticks;
      readonly forced: ForcedFill | undefined;
      readonly now: number;
      readonly side?: OrderTerms['side'];
    },
  ): CoreOrder {
    const { lots, ticks, forced, now, side = holding.lots > 0 ? 'sell' : 'buy' } = facts;
    const terms: OrderTerms = {
      side,
      type: 'limit',
      ticks,
      lots,
      timeInForce: 'IOC',
      postOnly: false,
      reduceOnly: forced !== undefined,
    };
    return new CoreOrder(this.#nextOrderId++, holding, terms, {
      limitTicks: ticks,
      tag: undefined,
      intent: undefined,
      now,
      mark: holding.state.mark,
      special: new SpecialState(NO_OPTIONS, 0, { forced }),
    });
  }

  #register(order: CoreOrder): void {
    this.#orders.add(order);
    if (order.tag !== undefined) order.holding.oco.join(order, order.tag);
  }

  #bulkMarket(requests: readonly PlaceRequest[]): { matcher: Matcher | undefined; reason: string } {
    const pair = requests[0]?.pair;
    const no = (reason: string) => ({ matcher: undefined, reason });
    if (pair === undefined || requests.length > MAX_BULK) {
      return no(refusalText('bulkSize', `received ${requests.length}`));
    }
    const other = requests.find((request) => request.pair !== pair)?.pair;
    if (other !== undefined) return no(refusalText('bulkPairs', `${pair} and ${other}`));
    const at = requests.findIndex((request) => closing(request).reduceOnly);
    if (at >= 0) return no(refusalText('bulkReduceOnly', `order ${at + 1} of ${requests.length}`));
    return { matcher: this.#matchers.get(pair), reason: refusalText('unknownPair', pair) };
  }

  #matcherOf(order: CoreOrder): Matcher {
    return this.#matcher(order.pair) as Matcher;
  }

  /** A cache, because usually the same pair is asked for again, and the lookup costs more than its use. */
  #matcher(pair: string): Matcher | undefined {
    if (pair !== this.#newestPair) {
      this.#newestPair = pair;
      this.#newestMatcher = this.#matchers.get(pair);
    }
    return this.#newestMatcher;
  }
}

function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason };
}

function requestRefusal({ state }: Matcher, request: PlaceRequest): string | undefined {
  const { market } = state;
  if (!state.isActive) return refusalText('inactive', market.pair);
  if (request.options === undefined) return termsRefusal(market, request.terms);
  const { malformed, filtered } = optionsRefusal(market, request.terms, request.options);
  return malformed ?? termsRefusal(market, request.terms) ?? filtered;
}

/** close_on_trigger implies reduce_only. */
function closing({ terms, options }: PlaceRequest): OrderTerms {
  return options?.closeOnTrigger === true && !terms.reduceOnly ? { ...terms, reduceOnly: true } : terms;
}

function isConditional({ options }: PlaceRequest | CoreOrder): boolean {
  return options?.trigger !== undefined;
}

function isAlive({ status }: CoreOrder): boolean {
  return status === 'active' || status === 'untriggered';
}
