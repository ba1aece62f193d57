import { InvariantError } from '../../model/errors.js';
import { type Lots, type Ticks, wholeSteps } from '../../model/grid.js';
import { opposite, type Side } from '../../model/side.js';
import type { LiquidityOrder, TapeLiquidity, TapePrints, TapeSink, Touch } from '../liquidity.js';
import { type CancelReason, CoreOrder, type DoneReason, type Holding } from './account.js';
import { isMarketable, reasonAtArrival } from './arrival.js';
import { Book } from './book.js';
import { dryRun } from './dry-run.js';
import type { Events } from './events.js';
import { Fills } from './fills.js';
import { IdTexts } from './id-texts.js';
import type { Ledger } from './ledger.js';
import type { MarketState } from './market-state.js';
import type { OcoGroup } from './oco-groups.js';
import { Triggers } from './triggers.js';
import type { TakerWindows } from './venue-options.js';

export type { TakerWindows } from './venue-options.js';

/** Source of fill ids on tapes, where fills are not public trades: unique among all tape markets of a venue. */
export interface FillIds {
  next: number;
}

const TRADE_IDS = new IdTexts();

const NO_ROWS: TapePrints = {
  time: new Float64Array(0),
  price: new Float64Array(0),
  quantity: new Float64Array(0),
  isBuyerMaker: new Uint8Array(0),
};

export interface MatcherOptions {
  readonly ledger: Ledger;
  readonly events: Events;
  readonly firstTradeId: number;
  readonly fillIds: FillIds;
  readonly windows: TakerWindows;
  readonly tape: ((sink: TapeSink) => TapeLiquidity) | undefined;
  /** Called once for each order that is done, after all of its records are written. */
  readonly forget: (order: CoreOrder) => void;
}

/**
 * Matches the orders of one market by price, then time; a trade takes place at the resting order's price. On a tape, the
 * accounts' orders first meet each other, and the recorded prints decide about the rest.
 */
export class Matcher implements TapeSink {
  readonly state: MarketState;
  readonly book = new Book<CoreOrder>();
  /**
   * A price strictly between these two, quote units, reaches no waiting trigger. Without triggers every price is; while the
   * direction of one is undecided none is.
   */
  triggerAbove = Number.NEGATIVE_INFINITY;
  triggerBelow = Number.POSITIVE_INFINITY;
  hasTriggers = false;
  readonly #options: MatcherOptions;
  readonly #ledger: Ledger;
  readonly #events: Events;
  readonly #fills: Fills;
  readonly #liquidity: TapeLiquidity | undefined;
  /** Created for the first order with a trigger. */
  #triggers: Triggers | undefined = undefined;
  #rows: TapePrints = NO_ROWS;
  readonly #street: Holding;
  #nextTradeId: number;

  constructor(state: MarketState, options: MatcherOptions) {
    this.state = state;
    this.#options = options;
    this.#ledger = options.ledger;
    this.#events = options.events;
    this.#fills = new Fills(state, options.ledger, options.events);
    this.#street = options.ledger.holding(options.ledger.street, state);
    this.#nextTradeId = options.firstTradeId;
    this.#liquidity = options.tape?.(this);
  }

  get isTape(): boolean {
    return this.#liquidity !== undefined;
  }

  /** The level at which the depth shows the street of a tape; at least one step when nothing tells the quantity. */
  streetLevel(side: Side): { readonly ticks: Ticks; readonly lots: Lots } | undefined {
    const touch = this.#liquidity?.touch();
    const ticks = side === 'buy' ? touch?.bid : touch?.ask;
    if (ticks === undefined) return undefined;
    return { ticks, lots: this.#liquidity?.displayed?.(side) ?? this.state.market.filters.quantity.step };
  }

  /** Best prices that are shown: of the book, on a tape the better of the clients' and the estimate. */
  touch(): Touch {
    const bid = this.book.bids.bestDisplayed?.ticks as Ticks | undefined;
    const ask = this.book.asks.bestDisplayed?.ticks as Ticks | undefined;
    const street = this.#liquidity?.touch();
    if (street === undefined) return { bid, ask };
    return { bid: better(bid, street.bid, Math.max), ask: better(ask, street.ask, Math.min) };
  }

  /**
   * The worst price at which a MARKET order may execute: the edge of the band around the mark or, before the first trade,
   * around the best price that it would meet. `undefined` when there is no price at all.
   */
  marketLimit(side: Side): Ticks | undefined {
    const reference = this.state.mark ?? this.#firstPrice(side);
    if (reference === undefined) return undefined;
    const { price } = this.state.market.filters;
    return side === 'buy'
      ? (Math.min(this.state.upperEdge(reference), price.max) as Ticks)
      : (Math.max(this.state.lowerEdge(reference), price.min) as Ticks);
  }

  /** Lets an accepted order enter. On return it is working or done. */
  enter(order: CoreOrder, now: number): void {
    order.holding.addWorking(order);
    this.arrive(order, now);
  }

  /** Like `enter`, for an order that counts as working already. */
  arrive(order: CoreOrder, now: number): void {
    // The touch of the street is estimated only if it can decide: a MARKET order needs none once there is a mark.
    const needsTouch = order.terms.type !== 'market' || this.state.mark === undefined;
    const touch = needsTouch ? this.#liquidity?.touch(now) : undefined;
    const reason = reasonAtArrival(order, this.book, touch);
    if (reason !== undefined) {
      this.end(order, reason, now);
      return;
    }
    const { terms } = order;
    if (terms.timeInForce === 'FOK' && dryRun(this.book, order).lots < order.leaves) {
      // On a tape, prints may still fill it. Until then it must not take a part of other clients' orders.
      if (this.#liquidity === undefined) this.end(order, 'FOK cannot fill', now);
      else this.#take(order, now, this.#liquidity);
      return;
    }
    this.#match(order, now, true);
    if (order.status !== 'active') return;
    if (this.#liquidity === undefined) {
      if (terms.type === 'market') this.end(order, 'no liquidity', now);
      else if (terms.timeInForce === 'IOC') this.end(order, 'IOC remainder', now);
      else this.#addToBook(order);
    } else if (terms.type === 'market' || terms.timeInForce !== 'GTC' || isMarketable(order, touch)) {
      this.#take(order, now, this.#liquidity);
    } else {
      this.#rest(order, now, this.#liquidity);
    }
  }

  /** Takes an accepted order with a trigger: it waits, or is due at once. */
  wait(order: CoreOrder): void {
    this.#triggers ??= new Triggers(this, this.#ledger);
    this.#triggers.wait(order);
  }

  heed(above: number, below: number): void {
    if (above === this.triggerAbove && below === this.triggerBelow) return;
    this.triggerAbove = above;
    this.triggerBelow = below;
    this.hasTriggers = above !== Number.NEGATIVE_INFINITY || below !== Number.POSITIVE_INFINITY;
    // A tick more: a mark that follows the prints is the last one, rounded to the tick.
    const tick = this.state.priceOf(this.state.market.filters.price.tickSize);
    this.#liquidity?.heed?.(above + tick, below - tick);
  }

  /** Must be called when mark, index or last price may have changed: triggers that they reach become due. */
  updateTriggers(): void {
    this.#triggers?.update();
  }

  /** The trigger that fires next; `undefined` when none is due. */
  get dueTrigger(): CoreOrder | undefined {
    return this.#triggers?.next;
  }

  /** Fires a trigger that is due. */
  fire(order: CoreOrder, now: number): void {
    this.#triggers?.fire(order, now);
  }

  /**
   * A slice of a liquidation enters: no rule of arrival applies, and on a book the rest that does not fill at once ends.
   */
  enterForced(order: CoreOrder, now: number): void {
    order.holding.addWorking(order);
    this.#match(order, now, true);
    if (order.status !== 'active') return;
    if (this.#liquidity === undefined) this.end(order, 'IOC remainder', now);
    else this.#take(order, now, this.#liquidity);
  }

  /** Takes over a MARKET order that waited outside of the core, as if it had waited here since its acceptance. */
  resume(order: CoreOrder): void {
    order.holding.addWorking(order);
    this.#take(order, order.acceptedAt, this.#tape());
  }

  /** How long a MARKET order waits for prints, ms. */
  get marketWindow(): number {
    return this.#options.windows.market;
  }

  /** Books the street's side of an execution against it. `side`: that of the order. */
  settleStreet(side: Side, lots: Lots, ticks: Ticks, time: number): void {
    this.#fills.settleStreet(this.#street, opposite(side), lots, ticks, time);
  }

  /** Lets two orders of the venue's own making trade with each other only. */
  transfer(maker: CoreOrder, taker: CoreOrder, now: number): void {
    maker.holding.addWorking(maker);
    taker.holding.addWorking(taker);
    this.#trade(maker, taker, taker.leaves, now);
  }

  /** Why an order whose oco group has been struck would be canceled unfilled on entering; `undefined`: it would not. */
  foresee(order: CoreOrder, now: number): CancelReason | undefined {
    const { terms } = order;
    const street = this.#liquidity?.touch(now);
    const reason = reasonAtArrival(order, this.book, street, true);
    if (reason !== undefined || terms.postOnly) return reason;
    const { lots, stopsAt } = dryRun(this.book, order, true);
    const isBook = this.#liquidity === undefined;
    if (isBook && terms.timeInForce === 'FOK' && lots < order.leaves) return 'FOK cannot fill';
    if (lots > 0) return undefined;
    if (stopsAt !== undefined && !isBehind(stopsAt, order.side, street)) return 'self-trade';
    if (!isBook) return undefined;
    if (terms.type === 'market') return 'no liquidity';
    return terms.timeInForce === 'IOC' ? 'IOC remainder' : undefined;
  }

  /** A member of an oco group filled, or its trigger fired and it was accepted: ends the other members. */
  strike(order: CoreOrder, group: OcoGroup<CoreOrder>, now: number): void {
    order.holding.oco.strike(order, group, (sibling) => this.end(sibling, 'oco sibling', now));
  }

  /** Ends an order that works or waits, with all that it has left. */
  end(order: CoreOrder, reason: DoneReason, now: number): void {
    if (order.status === 'untriggered') {
      this.#triggers?.remove(order);
    } else {
      order.holding.removeWorking(order);
      this.book.side(order.side).remove(order);
      this.#liquidity?.remove(order);
      order.isTaking = false;
    }
    const group = order.special?.group;
    if (group !== undefined) order.holding.oco.leave(order, group);
    order.status = reason === 'filled' ? 'completed' : 'canceled';
    order.doneReason = reason;
    order.updatedAt = now;
    this.#options.forget(order);
    this.#events.done(order, reason);
  }

  /** The next deadline of waiting takers on a tape; Infinity when none waits. */
  get nextDeadline(): number {
    return this.#liquidity?.nextDeadline ?? Number.POSITIVE_INFINITY;
  }

  /** Handles everything on a tape that is due by `now`. All prints up to and including `now` must have been given. */
  advance(now: number): void {
    if (this.#liquidity !== undefined && this.#liquidity.nextDeadline <= now) this.#liquidity.advance(now);
  }

  /** Ends the windows of waiting takers on a tape at `now`, because no print will come after it. */
  endWindows(now: number): void {
    this.#liquidity?.endWindows?.(now);
  }

  /** Publishes a recorded print. Must not be called for a book market. */
  print(id: string, time: number, price: number, quantity: number, isBuyerMaker: boolean): void {
    // Whatever was due before this print precedes it in all records.
    if (this.#tape().nextDeadline < time) this.#tape().advance(time - 1);
    this.state.record(id, time, price, quantity, isBuyerMaker);
    if (this.#events.wantsTrades) {
      this.#events.trade(this.state.market.pair, { id, time, price, quantity, isBuyerMaker });
    }
    this.#tape().print(time, price, wholeSteps(this.state.market.quantityGrid, quantity), isBuyerMaker);
    this.#triggers?.update();
  }

  /** `print` for hot paths: allocates nothing, and records nothing but the last price. */
  printScalars(time: number, price: number, quantity: number, isBuyerMaker: boolean): void {
    this.state.lastPrice = price;
    this.#tape().print(time, price, wholeSteps(this.state.market.quantityGrid, quantity), isBuyerMaker);
  }

  /** Opens recorded prints that will be given by row; see `TapeLiquidity`. */
  openRows(prints: TapePrints): void {
    this.#rows = prints;
    this.#tape().openRows(prints);
  }

  /** Rows below `count` were printed. Rows without a call of `printRow` had no effect. */
  passRows(count: number): void {
    if (count > 0) this.state.lastPrice = this.#rows.price[count - 1] as number;
    this.#tape().passRows(count);
  }

  /** `printScalars` of a row, after all rows before it passed. */
  printRow(row: number): void {
    this.state.lastPrice = this.#rows.price[row] as number;
    this.#tape().printRow(row);
  }

  closeRows(): void {
    this.#tape().closeRows();
  }

  execute(order: LiquidityOrder, lots: Lots, ticks: Ticks, liquidity: 'maker' | 'taker', time: number): Lots {
    const own = ownOrder(order);
    const { holding, terms } = own;
    if (own.status !== 'active') return 0 as Lots;
    let executed: number = Math.min(lots, own.leaves);
    if (terms.reduceOnly) {
      const held = Math.abs(holding.lots);
      if (terms.timeInForce === 'FOK' && held < own.leaves) return 0 as Lots;
      executed = Math.min(executed, held);
    }
    if (executed <= 0) return 0 as Lots;
    const before = holding.lots;
    const id = this.#options.fillIds.next++;
    this.#fills.fill(own, id, executed as Lots, ticks, liquidity, time);
    this.settleStreet(own.side, executed as Lots, ticks, time);
    if (own.leaves === 0) this.end(own, 'filled', time);
    this.#strikeGroup(own, time);
    this.#closeReduceOnly(holding, before, time);
    return executed as Lots;
  }

  windowOver(order: LiquidityOrder, time: number): void {
    const own = ownOrder(order);
    if (own.status !== 'active') return;
    if (own.terms.type === 'market')
      this.end(own, own.terms.timeInForce === 'FOK' ? 'FOK cannot fill' : 'no liquidity', time);
    else if (own.terms.timeInForce === 'FOK') this.end(own, 'FOK cannot fill', time);
    else if (own.terms.timeInForce === 'IOC') this.end(own, 'IOC remainder', time);
    else {
      own.isTaking = false;
      // Other clients' orders may have come to rest at prices that it would take, so resting here could cross the book.
      this.#match(own, time);
      if (own.status === 'active') this.#rest(own, time, this.#tape());
    }
  }

  selfTrade(order: LiquidityOrder, time: number): void {
    const own = ownOrder(order);
    if (own.status === 'active') this.end(own, 'self-trade', time);
  }

  #take(order: CoreOrder, now: number, liquidity: TapeLiquidity): void {
    const { windows } = this.#options;
    const window = order.terms.type === 'market' ? windows.market : windows.other;
    order.isTaking = true;
    liquidity.take(order, now, now + window, order.terms.timeInForce === 'FOK');
  }

  #rest(order: CoreOrder, now: number, liquidity: TapeLiquidity): void {
    this.#addToBook(order);
    liquidity.rest(order, now);
  }

  #addToBook(order: CoreOrder): void {
    order.special?.showSlice(order.leaves);
    this.book.side(order.side).add(order);
  }

  /** The best price that a MARKET order would meet, hidden orders included. */
  #firstPrice(side: Side): Ticks | undefined {
    const own = this.book.against(side).best?.ticks as Ticks | undefined;
    const street = this.#liquidity?.touch();
    return side === 'buy' ? better(own, street?.ask, Math.min) : better(own, street?.bid, Math.max);
  }

  /**
   * Matches until the order is done, nothing is left that it may trade with, or an own order is in its way. `takes`: it goes
   * on to take from the street of a tape, which may stand before the own order.
   */
  #match(order: CoreOrder, now: number, takes = false): void {
    const { holding, limitTicks, terms } = order;
    const isBuy = order.side === 'buy';
    const side = this.book.against(order.side);
    while (order.status === 'active') {
      const level = side.best;
      if (level === undefined || (isBuy ? level.ticks > limitTicks : level.ticks < limitTicks)) return;
      const maker = level.first as CoreOrder;
      if (maker.account === order.account && !order.account.isCrowd) {
        if (takes && isBehind(maker.limitTicks, order.side, this.#liquidity?.touch(now))) return;
        this.end(order, 'self-trade', now);
        return;
      }
      const shown = maker.special === undefined || maker.isHidden ? maker.leaves : maker.displayed;
      let lots: number = Math.min(order.leaves, shown);
      // The result is above 0, because a reduce-only order ends as soon as its position does.
      if (maker.terms.reduceOnly) lots = Math.min(lots, Math.abs(maker.holding.lots));
      if (terms.reduceOnly) lots = Math.min(lots, Math.abs(holding.lots));
      this.#trade(maker, order, lots as Lots, now);
    }
  }

  #trade(maker: CoreOrder, taker: CoreOrder, lots: Lots, now: number): void {
    const ticks = maker.limitTicks;
    const makerBefore = maker.holding.lots;
    const takerBefore = taker.holding.lots;
    const id = this.#publish(lots, ticks, maker.side === 'buy', now);
    const isLiquidation = maker.isLiquidation || taker.isLiquidation;
    this.#fills.fill(maker, id, lots, ticks, 'maker', now, isLiquidation);
    this.#fills.fill(taker, id, lots, ticks, 'taker', now, isLiquidation);
    if (maker.leaves === 0) this.end(maker, 'filled', now);
    if (taker.leaves === 0) this.end(taker, 'filled', now);
    this.#strikeGroup(maker, now);
    this.#strikeGroup(taker, now);
    this.#closeReduceOnly(maker.holding, makerBefore, now);
    this.#closeReduceOnly(taker.holding, takerBefore, now);
  }

  /** To be called after each fill of the order. */
  #strikeGroup(order: CoreOrder, now: number): void {
    const group = order.special?.group;
    if (group !== undefined) this.strike(order, group, now);
  }

  /**
   * Publishes a trade and returns the id of its fills. On a tape only recorded prints are public, so nothing is
   * published.
   */
  #publish(lots: Lots, ticks: Ticks, isBuyerMaker: boolean, now: number): number {
    if (this.#liquidity !== undefined) return this.#options.fillIds.next++;
    const sequence = this.#nextTradeId++;
    const { state } = this;
    const price = state.priceOf(ticks);
    const quantity = state.quantityOf(lots);
    state.record(sequence, now, price, quantity, isBuyerMaker);
    this.#triggers?.update();
    if (this.#events.wantsTrades) {
      const id = TRADE_IDS.of(sequence);
      this.#events.trade(state.market.pair, { id, time: now, price, quantity, isBuyerMaker });
    }
    return sequence;
  }

  /**
   * Ends reduce-only orders when the position that they were to reduce is 0 or has changed sides. Of orders that wait for
   * triggers, only members of an oco group end.
   */
  #closeReduceOnly(holding: Holding, before: Lots, now: number): void {
    const { lots } = holding;
    if (holding.reduceOnlyCount === 0 && holding.groups === undefined) return;
    if (before === 0 || (lots !== 0 && lots > 0 === before > 0)) return;
    const bound = holding.groups?.boundToPosition() ?? [];
    for (let order = holding.firstWorking; order !== undefined; ) {
      const next: CoreOrder | undefined = order.nextWorking;
      if (order.terms.reduceOnly) this.end(order, 'position closed', now);
      order = next;
    }
    for (const order of bound) this.end(order, 'position closed', now);
  }

  #tape(): TapeLiquidity {
    if (this.#liquidity === undefined) {
      throw new InvariantError(
        `${this.state.market.pair} must be a tape market, received a print for a book`,
      );
    }
    return this.#liquidity;
  }
}

function better(own: Ticks | undefined, street: Ticks | undefined, pick: (a: number, b: number) => number) {
  if (own === undefined) return street;
  return street === undefined ? own : (pick(own, street) as Ticks);
}

/** Whether the street of a tape is known to stand before an order at this price, for what comes from `side`. */
function isBehind(ticks: Ticks, side: Side, street: Touch | undefined): boolean {
  const best = side === 'buy' ? street?.ask : street?.bid;
  return best !== undefined && (side === 'buy' ? best < ticks : best > ticks);
}

/** A tape must only execute orders that the core has given to it. */
function ownOrder(order: LiquidityOrder): CoreOrder {
  if (order instanceof CoreOrder) return order;
  throw new InvariantError('a tape must execute orders of its venue only');
}
