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

/** A MARKET order that works outside of the core. It lacks the fields of a core order that are not needed for it. */
export class LoneOrder {
  readonly sequence: number;
  readonly intent: number;
  readonly pair: string;
  readonly terms: OrderTerms;
  readonly side: Side;
  /** The edge of the trading band at acceptance. */
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
 * MARKET orders on a tape, of an account that has no other order, working or waiting for its trigger: most orders of a
 * backtest. They follow the core's rules and postings but skip the records by which orders meet each other, without any
 * visible difference. Where the core would do something that this class cannot, a method returns `undefined` and does
 * nothing; the order then joins the core and continues as if it had been there from the start.
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

  /** The order, accepted at `now`; `undefined` where the core has to handle it. */
  accept(intent: number, terms: OrderTerms, now: number): LoneOrder | undefined {
    const { holding } = this;
    const { state, account } = holding;
    const { side, lots, reduceOnly } = terms;
    const { market, mark } = state;
    if (terms.type !== 'market' || terms.timeInForce !== 'IOC' || mark === undefined || !state.isActive)
      return undefined;
    if (holding.firstWorking !== undefined || holding.groups !== undefined) return undefined;
    // A trigger waits in the core, and so must whatever works when it fires.
    if (terms.trigger !== undefined || account.waiting.size > 0) return undefined;
    // Margins are checked after each step, or records are requested later: both need the core.
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

  /** Executes at most `lots` against the street; `undefined` where that needs the core. */
  execute(order: LoneOrder, lots: number, ticks: Ticks, time: number): CoreFill | undefined {
    const { holding } = this;
    const { state, account } = holding;
    const { side, leaves, terms, lastFill } = order;
    // The core cancels the rest of a reduce-only order when the position is closed.
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

  /** Makes it an order of the core that has waited for prints since its acceptance. */
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
