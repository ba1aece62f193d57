import type { Lots, Ticks } from '../../model/grid.js';
import type { OrderTerms } from '../../model/order.js';
import type { Side } from '../../model/side.js';
import { CoreOrder, type Holding } from './account.js';
import { interestRefusal, termsRefusal } from './admission.js';
import { CoreFill } from './core-fill.js';
import { isClearlyAffordable } from './estimate.js';
import { IdTexts } from './id-texts.js';
import type { Ledger } from './ledger.js';
import type { FillIds, Matcher } from './matcher.js';
import type { OrderDesk } from './order-desk.js';

const ORDER_IDS = new IdTexts();

/** A MARKET order that works outside of the core; what an order of the core has that nobody asks of it is missing. */
export class LoneOrder {
  readonly sequence: number;
  readonly intent: number;
  readonly pair: string;
  readonly terms: OrderTerms;
  readonly side: Side;
  /** The edge of the band as it was accepted. */
  readonly limitTicks: Ticks;
  /** Venue ms. */
  readonly acceptedAt: number;
  readonly acceptedMark: Ticks | undefined;
  leaves: Lots;
  lastFill: CoreFill | undefined = undefined;
  /** Decimal. */
  readonly id: string;

  constructor(
    sequence: number,
    intent: number,
    pair: string,
    terms: OrderTerms,
    limitTicks: Ticks,
    now: number,
    mark: Ticks | undefined,
  ) {
    this.sequence = sequence;
    this.intent = intent;
    this.pair = pair;
    this.terms = terms;
    this.side = terms.side;
    this.limitTicks = limitTicks;
    this.acceptedAt = now;
    this.acceptedMark = mark;
    this.leaves = terms.lots;
    this.id = ORDER_IDS.of(sequence);
  }
}

/**
 * MARKET orders of an account that has nothing else working on a tape: the core's own rules and postings, without the
 * records by which orders meet each other. Of such an order nobody can tell the difference, and most orders of a backtest
 * are one. What an order of the core would do that this one cannot is said by `undefined`, and nothing was done: then it
 * joins the core, where it goes on as if it had been there from the beginning.
 */
export class LoneOrders {
  readonly holding: Holding;
  readonly #matcher: Matcher;
  readonly #ledger: Ledger;
  readonly #desk: OrderDesk;
  readonly #fillIds: FillIds;

  constructor(
    holding: Holding,
    parts: {
      readonly matcher: Matcher;
      readonly ledger: Ledger;
      readonly desk: OrderDesk;
      readonly fillIds: FillIds;
    },
  ) {
    this.holding = holding;
    this.#matcher = parts.matcher;
    this.#ledger = parts.ledger;
    this.#desk = parts.desk;
    this.#fillIds = parts.fillIds;
  }

  /** The order, accepted at `now`; `undefined` where the core has to look. */
  accept(intent: number, terms: OrderTerms, now: number): LoneOrder | undefined {
    const { holding } = this;
    const { state, account } = holding;
    const { side, lots, reduceOnly } = terms;
    const { market, mark } = state;
    if (terms.type !== 'market' || terms.timeInForce !== 'IOC' || mark === undefined || !state.isActive)
      return undefined;
    if (holding.firstWorking !== undefined || holding.groups !== undefined) return undefined;
    // Somebody looks at margins after each step, or asks for records later.
    if (this.#ledger.touched !== undefined || account.fills.limit > 0 || account.doneOrders.limit > 0)
      return undefined;
    if (reduceOnly && (side === 'buy' ? holding.lots >= 0 : holding.lots <= 0)) return undefined;
    if (termsRefusal(market, terms) !== undefined || interestRefusal(holding, terms) !== undefined)
      return undefined;
    const limitTicks = this.#matcher.marketLimit(side);
    if (limitTicks === undefined || !isClearlyAffordable(holding, { side, lots, limitTicks }))
      return undefined;
    return new LoneOrder(this.#desk.takeSequence(), intent, market.pair, terms, limitTicks, now, mark);
  }

  /** The street takes the other side of at most `lots` of it; `undefined` where that takes the core. */
  execute(order: LoneOrder, lots: number, ticks: Ticks, time: number): CoreFill | undefined {
    const { holding } = this;
    const { state, account } = holding;
    const { side, leaves, terms, lastFill } = order;
    // The core ends what is left of it when the position is gone.
    if (terms.reduceOnly && Math.abs(holding.lots) < leaves) return undefined;
    const executed = (lots < leaves ? lots : leaves) as Lots;
    const units = state.unitsOf(executed, ticks);
    const fee = this.#ledger.feeUnits(account, state, 'taker', units);
    const realised = this.#ledger.settleUnits(holding, side, executed, ticks, units, fee, time);
    if (Number.isNaN(realised)) return undefined;
    const id = this.#fillIds.next++;
    this.#matcher.settleStreet(side, executed, ticks, time);
    const fill = new CoreFill(order, lastFill, id, time, executed, ticks, 'taker', fee, fee, realised, false);
    order.lastFill = fill;
    order.leaves = (leaves - executed) as Lots;
    account.fills.push(fill);
    return fill;
  }

  /** From now on it is an order of the core, which has waited for prints since it was accepted. */
  join({ sequence, intent, terms, limitTicks, acceptedAt, acceptedMark, leaves, lastFill }: LoneOrder): void {
    const order = new CoreOrder(sequence, this.holding, terms, {
      limitTicks,
      tag: undefined,
      intent,
      now: acceptedAt,
      mark: acceptedMark,
    });
    order.leaves = leaves;
    order.lastFill = lastFill;
    order.lastTicks = lastFill?.ticks;
    if (lastFill !== undefined) order.updatedAt = lastFill.time;
    this.#desk.adopt(order);
    this.#matcher.resume(order);
  }
}
