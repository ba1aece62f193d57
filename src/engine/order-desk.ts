import { appended } from '../model/appended.js';
import type { Command, WantNumber } from '../model/command.js';
import type { PositionSnapshot } from '../model/event.js';
import type { Fill } from '../model/fill.js';
import type { Lots } from '../model/grid.js';
import { HashChain } from '../model/hash-chain.js';
import type { Market } from '../model/market.js';
import type { Money } from '../model/money.js';
import { type IntentId, isTerminal, type OrderTerms } from '../model/order.js';
import type { Permission } from '../model/pair-state.js';
import type { Position } from '../model/position.js';
import { type ExecutionReport, QUANTITY_TAG } from '../model/report.js';
import { checkIntentId, checkWantKeys } from '../strategy/check-want.js';
import type { OrderRequest, Want } from '../strategy/want.js';
import type { Decision } from './decision.js';
import { DeskNews } from './desk-news.js';
import { EndedTerms } from './ended-terms.js';
import { HeldPosition } from './held-position.js';
import { OwnOrder } from './own-order.js';
import { plan, soleStep, without } from './plan.js';
import { RefusedTerms } from './refused-terms.js';
import { RetryDelay } from './retry-delay.js';
import { hashWant, type Misfit, NO_WANT, Quantiser, type StandingWant, sameWant } from './standing-want.js';
import { StopDesk } from './stop-desk.js';
import { UnmatchedTerms } from './unmatched-terms.js';

/** Commands derived from wants, by how they ended. derived = sent + refused + superseded + waiting, always. */
export interface WantCounts {
  readonly derived: number;
  readonly sent: number;
  readonly refused: number;
  readonly superseded: number;
  readonly waiting: number;
}

interface Waiting {
  readonly intentId: IntentId;
  readonly terms: OrderTerms;
  readonly want: WantNumber;
}

/** What to do with working quotes while not every order is permitted, e.g. an order is in doubt: cancel or leave them. */
export type OnDoubt = 'cancel' | 'hold';

export interface DeskOptions {
  readonly market: Market;
  readonly strategy: string;
  readonly muted: boolean;
  readonly onDoubt: OnDoubt;
}

const UNDER_FLAT: Misfit = {
  rule: 'flat-want',
  asked: 'submit()',
  bound: 'flat()',
  reason:
    'flat-want: an order of submit() must come beside another want than flat(), which has no order working, received submit() under flat()',
};

const NONE: readonly never[] = [];
const OPENNESS = { 'cancel-only': 0, 'reduce-only': 1, all: 2 } as const;

/** Compares the standing want with position and orders, and derives the commands that close the difference. */
export class OrderDesk {
  #market: Market;
  #quantiser: Quantiser;
  readonly #wants = new HashChain();
  /** Orders that are not done, oldest first. A handful, so finding one is a short walk. */
  #orders: readonly OwnOrder[] = NONE;
  readonly retry = new RetryDelay();
  /** What the standing want's stop calls for. */
  readonly stops = new StopDesk();
  readonly #refusedTerms = new RefusedTerms();
  readonly #onDoubt: OnDoubt;
  /** What the gate lets pass; everything, until a `permit` event tells otherwise. */
  #permission: Permission = 'all';

  readonly #held = new HeldPosition();
  #want: StandingWant = NO_WANT;
  #wantNumber: WantNumber = 0;
  /** Time of the event with which the want came, venue ms. */
  #wantTime = 0;
  /** Misfits of the want that is being taken; `#misfits`: those of the want before it, as text. */
  readonly #noted: Misfit[] = [];
  readonly #note = (misfit: Misfit) => this.#noted.push(misfit);
  #misfits = '';
  readonly #ended = new EndedTerms();
  #waiting: readonly Waiting[] = NONE;
  #lastIntent: IntentId = 0;

  readonly #news = new DeskNews();
  #derived = 0;
  #sent = 0;
  #refused = 0;
  #supersededCount = 0;

  /** Something changed that may call for commands. */
  dirty = false;
  /** During the warm-up: wants are taken and hashed, and no command is made. */
  muted: boolean;

  constructor({ market, strategy, muted, onDoubt }: DeskOptions) {
    this.#market = market;
    this.#quantiser = new Quantiser(market);
    this.#wants.text(strategy).text(market.pair);
    this.muted = muted;
    this.#onDoubt = onDoubt;
  }

  get position(): Position {
    return this.#held.now;
  }

  get want(): StandingWant {
    return this.#want;
  }

  get orders(): readonly OwnOrder[] {
    return this.#orders;
  }

  get counts(): WantCounts {
    return {
      derived: this.#derived,
      sent: this.#sent,
      refused: this.#refused,
      superseded: this.#supersededCount,
      waiting: this.#waiting.length,
    };
  }

  wantsHash(): string {
    return this.#wants.digest();
  }

  /** The warm-up is over: commands leave from now on. */
  live(now: number): void {
    this.muted = false;
    this.dirty = true;
    this.#lookAtStops(now);
  }

  /** Takes over the position that the venue shows before the session's first order. */
  adopt(position: PositionSnapshot): void {
    this.#held.adopt(position, this.#market);
  }

  /** Takes in the funding that the venue states with a position. */
  fund(position: PositionSnapshot): void {
    this.#held.fund(position, this.#market);
  }

  /** Takes in funding that was received, where no snapshot states it. */
  receive(funding: Money): void {
    this.#held.receive(funding);
  }

  /**
   * New wants and orders are checked against other filters from
   * now on; the standing want and working orders stay as they are.
   */
  turnMarket(market: Market): void {
    this.#market = market;
    this.#quantiser = new Quantiser(market);
    this.#askRefusedAgain();
  }

  /** Takes the strategy's newest want. */
  take(want: Want, now: number): void {
    const standing = this.#quantiser.stand(want, this.#note);
    const changed = standing !== undefined && !sameWant(standing, this.#want);
    if (changed) {
      // Not for a want that is the same as before: those come with every trade.
      if (want.kind !== 'quote') checkWantKeys(want);
      const before = this.#want;
      this.#want = standing;
      this.#wantNumber++;
      this.#ended.forget();
      this.#refusedTerms.forget();
      this.retry.changedMind();
      this.dirty = true;
      this.#wants.integer(now - this.#wantTime);
      this.#wantTime = now;
      hashWant(this.#wants, standing);
      const isHit = this.stops.turn(this.#market, standing, before, this.#orders, now);
      if (isHit !== undefined) this.#noted.push(isHit);
      this.#lookAtStops(now);
    }
    if (this.#noted.length > 0) this.#refuseMisfits(this.#noted.splice(0), changed);
    else this.#misfits = '';
  }

  /** A trade has hit the stop of the standing want, before the strategy sees it. */
  stopHit(now: number): void {
    this.stops.hit(now, this.#orders, this.#held.now.lots);
    // What failed so far was the stop's order, and it may have failed for its trigger.
    this.retry.exitAnew();
    this.dirty = true;
  }

  /** The time is over that a stop's order has to close the position. */
  stopDue(): void {
    this.stops.guard.due();
    this.dirty = true;
  }

  /** The position has had no stop at the venue for as long as it may. */
  bareDue(): void {
    this.stops.bareDue();
    // What failed so far was a stop's order, and it may have failed for its trigger.
    this.retry.exitAnew();
    this.dirty = true;
  }

  /** Takes a change of what may leave. */
  permit(permission: Permission): void {
    if (permission === this.#permission) return;
    if (OPENNESS[permission] > OPENNESS[this.#permission]) this.#refusedTerms.forget();
    this.#permission = permission;
    this.dirty = true;
  }

  /** A person has ended a halt or a tripped limit: terms that the gate refused are asked for again. */
  resumed(): void {
    this.#askRefusedAgain();
  }

  #askRefusedAgain(): void {
    if (this.#refusedTerms.terms.length === 0) return;
    this.#refusedTerms.forget();
    this.dirty = true;
  }

  /** Event time at which refused terms are asked for again, since time or the market may have changed the gate's answer. */
  get askAgainAt(): number {
    return this.#refusedTerms.dueAt;
  }

  /** `askAgainAt` has come. */
  askAgain(): void {
    this.#refusedTerms.due();
    this.dirty = true;
  }

  /** Takes in a report. Returns its fill, if it has one that changes the position. */
  report(report: ExecutionReport, now: number): Fill | undefined {
    if (report.kind === 'late-fill') return this.#lateFill(report.intentId, report.fill);
    const order = this.#find(report.intentId);
    if (order === undefined) return undefined;
    switch (report.kind) {
      case 'accepted':
        order.orderId = report.orderId;
        order.meet('accept');
        this.retry.accepted();
        break;
      case 'rejected':
        order.meet('reject');
        if (report.reservedUntil !== undefined) this.stops.gaveUp(order);
        if (report.tooSoon === true) this.retry.tooSoon(now);
        else this.retry.rejected(now, order.terms.reduceOnly);
        break;
      case 'in-doubt':
        order.meet('doubt');
        break;
      case 'cancel-rejected':
        if (order.state !== 'pending-cancel') break;
        order.meet('cancel-reject');
        order.cancelRefused = true;
        this.retry.rejected(now, false);
        break;
      case 'canceled':
        order.orderId = report.orderId;
        order.meet('cancel');
        this.#canceled(order, report.reason, now);
        break;
      case 'filled':
        this.#filled(order, report.fill, now);
        break;
    }
    const done = isTerminal(order.state);
    if (done) this.#remove(order);
    if (done || report.kind === 'filled') this.#askRefusedAgain();
    this.#lookAtStops(now);
    // An acceptance or a partial fill of an order of the standing want changes nothing that has to be reconciled.
    const asWanted =
      order.want === this.#wantNumber && (report.kind === 'accepted' || report.kind === 'filled');
    // Waiting terms, such as the second half of a flip, may have waited for this very fill.
    const isAwaited = report.kind === 'filled' && this.#waiting.length > 0;
    // A fill may call for a stop, and the acceptance of a stop for the cancel of the one before it.
    if (done || !asWanted || isAwaited || this.stops.concern(this.#want) || this.#permission !== 'all')
      this.dirty = true;
    return report.kind === 'filled' ? report.fill : undefined;
  }

  /** Derives the least commands that lead from the present position and orders to the standing want. */
  reconcile(now: number): void {
    this.dirty = false;
    if (this.muted) return;
    const held = this.retry.holds(now);
    if (this.#permission !== 'all' && this.#onDoubt === 'cancel') this.#withdrawQuotes(held);
    const want = this.stops.standing(this.#want);
    if (want.kind === 'flat' && this.#news.hasCommands) this.#refuseSubmitted();
    const isClear = this.#orders.length === 0 && this.#waiting.length === 0 && !held;
    const { step: lot, max: most } = this.#market.filters.quantity;
    const hasStop = this.stops.concern(this.#want);
    if (isClear && this.#refusedTerms.terms.length === 0 && !(hasStop && this.#held.now.lots !== 0)) {
      const step = soleStep(want, this.#held.now.lots, lot, most);
      if (step === 'none') return;
      if (step !== undefined) {
        this.#place(this.#derive(), step, this.#wantNumber);
        return;
      }
    }
    const next = hasStop
      ? this.stops.plan(want, this.#held.now.lots, this.#orders, this.#ended, lot, most)
      : plan(want, this.#held.now.lots, this.#orders, this.#ended, lot, most);
    for (const order of next.cancel) {
      if (!(held && order.cancelRefused)) this.#cancel(order, this.#wantNumber);
    }
    const place = without(next.place, this.#refusedTerms.terms);
    if (place.length === 0 && next.wait.length === 0 && this.#waiting.length === 0) return;
    if (!held && this.#waiting.length === 0 && next.wait.length === 0) {
      for (const terms of place) this.#place(this.#derive(), terms, this.#wantNumber);
      return;
    }
    const before = this.#waiting;
    const unclaimed = before.length === 0 ? undefined : new UnmatchedTerms(before.map(({ terms }) => terms));
    let waiting: readonly Waiting[] = NONE;
    for (const terms of place) {
      const intentId = this.#intentFor(terms, before, unclaimed);
      const waits = held && !(terms.reduceOnly && this.retry.letsExit);
      if (waits) waiting = appended(waiting, { intentId, terms, want: this.#wantNumber });
      else this.#place(intentId, terms, this.#wantNumber);
    }
    for (const terms of next.wait) {
      const intentId = this.#intentFor(terms, before, unclaimed);
      waiting = appended(waiting, { intentId, terms, want: this.#wantNumber });
    }
    for (let at = 0; at < before.length; at++) {
      if (unclaimed?.isTaken(at)) continue;
      const { intentId, want } = before[at] as Waiting;
      this.#supersededCount++;
      this.#news.supersession({ intentId, want, by: this.#wantNumber });
    }
    this.#waiting = waiting;
  }

  /** The gate refused a command of the last decision, so it was not sent. `until` as in the refusal. */
  refused(command: Command, now: number, until: number | undefined): void {
    const order = this.#find(command.intentId);
    if (command.kind === 'cancel' || order === undefined) return;
    order.meet('refuse');
    this.#remove(order);
    if (order.want === undefined) return;
    this.#sent--;
    this.#refused++;
    this.#refusedTerms.add(order.terms, now, until);
  }

  /** Places one order exactly as the strategy asks for it. */
  submit(request: OrderRequest): IntentId {
    const intentId = ++this.#lastIntent;
    if (this.muted) {
      this.#refuse(intentId, undefined, {
        rule: 'warming-up',
        asked: 'submit',
        bound: 'live',
        reason: 'warming-up: orders must wait until the session is live, received submit()',
      });
      return intentId;
    }
    const terms = this.#quantiser.exact(request, (misfit) => this.#refuse(intentId, undefined, misfit));
    if (terms === undefined) return intentId;
    this.#place(intentId, terms, undefined);
    // Whether it may leave is known only when the handler has answered: it may want something else by then.
    if (this.stops.standing(this.#want).kind === 'flat') this.dirty = true;
    return intentId;
  }

  /**
   * Cancels an order of this desk; a cancel that is not possible is refused, and a repeated one does nothing.
   *
   * @throws StrategyError for what is no intent id.
   */
  cancel(intentId: IntentId): void {
    checkIntentId(intentId);
    const order = this.#find(intentId);
    if (order?.state === 'pending-cancel') return;
    if (order?.state === 'working' && order.orderId !== undefined) {
      this.#cancel(order, undefined);
      return;
    }
    const state = order?.state ?? 'done or unknown';
    this.#refuse(intentId, undefined, {
      rule: 'unknown-order',
      asked: state,
      bound: 'working',
      reason: `unknown-order: order ${intentId} must be working to be cancelled, received one that is ${state}`,
    });
  }

  /** There are no news since the last decision, and nothing calls for commands. */
  get isQuiet(): boolean {
    return !this.dirty && !this.#news.isAny;
  }

  /** Returns and clears the news since the last call. */
  decision(): Decision {
    return this.#news.decision();
  }

  /** Refuses misfits. An unchanged want with the same misfits is not refused again. */
  #refuseMisfits(misfits: readonly Misfit[], changed: boolean): void {
    const key = JSON.stringify(misfits);
    if (!changed && key === this.#misfits) return;
    this.#misfits = key;
    for (const misfit of misfits) {
      this.#derived++;
      this.#refused++;
      this.#refuse(++this.#lastIntent, this.#wantNumber, misfit);
    }
  }

  #refuse(intentId: IntentId, want: WantNumber | undefined, misfit: Misfit): void {
    this.#news.refusal({ kind: 'refusal', intentId, pair: this.#market.pair, want, ...misfit });
  }

  /**
   * Cancels working quotes: while a pair is in doubt nobody knows what position another fill would lead to. They are placed
   * again when the gate permits it. Reduce-only orders stay.
   */
  #withdrawQuotes(held: boolean): void {
    for (const order of this.#orders) {
      if (!order.quoted || order.terms.reduceOnly || !order.isCancellable) continue;
      if (!(held && order.cancelRefused)) this.#cancel(order, order.want);
    }
  }

  /**
   * Refuses the orders by hand that have not left yet. Under `flat()` they would be canceled as soon as the venue has
   * answered, and what they fill would be traded back.
   */
  #refuseSubmitted(): void {
    for (const { intentId } of this.#news.takeSubmitted()) {
      const order = this.#find(intentId) as OwnOrder;
      order.meet('refuse');
      this.#remove(order);
      this.#refuse(intentId, undefined, UNDER_FLAT);
    }
  }

  /** A fill of an order that was given up, or of nobody: it counts in the position all the same. */
  #lateFill(intentId: IntentId | undefined, fill: Fill): Fill {
    this.stops.filledLate(intentId, fill.side, this.#want, fill.time);
    this.#held.fill(fill, this.#market);
    this.#refusedTerms.forget();
    this.#lookAtStops(fill.time);
    this.dirty = true;
    return fill;
  }

  /** Replayed time is not counted: whatever was at the venue then was not this session's. */
  #lookAtStops(now: number): void {
    if (!this.muted) this.stops.look(now, this.#market, this.#held.now, this.#orders);
  }

  /**
   * What an end without a whole fill means for the want. An order that can run only once (market, IOC, FOK) is done, and so
   * is one that was sent smaller than wanted so that its quantity marks it (`QUANTITY_TAG`). Of any other order the
   * unfilled rest is still wanted. Unless we asked for the cancel ourselves, the next order waits for `retry`: the market
   * had no more to give, and asking again at once would be a storm.
   */
  #canceled(order: OwnOrder, reason: string, now: number): void {
    const { terms, leaves, cancelAsked } = order;
    const isOver = terms.type === 'market' || terms.timeInForce !== 'GTC' || reason === QUANTITY_TAG;
    const isPart = leaves !== terms.lots;
    const belongs = this.#ended.concerns(this.#want, order);
    if (belongs && (isPart || (isOver && !cancelAsked))) {
      this.#ended.add(terms);
      if (!isOver) this.#ended.addRest(order);
    }
    if (cancelAsked) return;
    const isWantedAgain = isOver
      ? order.want === this.#wantNumber && !belongs && reason !== QUANTITY_TAG
      : !isPart || belongs;
    if (isWantedAgain) this.retry.canceled(now, order.terms.reduceOnly);
  }

  #filled(order: OwnOrder, fill: Fill, now: number): void {
    order.orderId = fill.orderId;
    order.leaves = (order.leaves - fill.lots) as Lots;
    order.meet(order.leaves > 0 ? 'fill-part' : 'fill-rest');
    if (order.state === 'filled' && this.#ended.concerns(this.#want, order)) this.#ended.add(order.terms);
    this.#held.fill(fill, this.#market);
    this.retry.filled();
    this.stops.filled(order, this.#want, now);
  }

  #find(intentId: IntentId): OwnOrder | undefined {
    for (const order of this.#orders) if (order.intentId === intentId) return order;
    return undefined;
  }

  #remove(order: OwnOrder): void {
    this.#orders = removed(this.#orders, order);
    this.stops.removed(order.terms);
  }

  /** The intent that already waits for these terms, else a new one. */
  #intentFor(
    terms: OrderTerms,
    waiting: readonly Waiting[],
    unclaimed: UnmatchedTerms | undefined,
  ): IntentId {
    const at = unclaimed?.take(terms) ?? -1;
    return at === -1 ? this.#derive() : (waiting[at] as Waiting).intentId;
  }

  #derive(): IntentId {
    this.#derived++;
    return ++this.#lastIntent;
  }

  #place(intentId: IntentId, terms: OrderTerms, want: WantNumber | undefined): void {
    const quoted = want !== undefined && this.#want.kind === 'quote';
    const order = new OwnOrder(intentId, terms, want, quoted);
    this.#orders = appended(this.#orders, order);
    this.stops.placed(terms);
    if (want !== undefined) this.#sent++;
    this.#news.command({ kind: 'place', intentId, pair: this.#market.pair, terms, want });
  }

  #cancel(order: OwnOrder, want: WantNumber | undefined): void {
    order.cancelAsked = true;
    order.cancelRefused = false;
    order.meet('request-cancel');
    const { intentId, orderId } = order;
    this.#news.command({
      kind: 'cancel',
      intentId,
      pair: this.#market.pair,
      orderId: orderId as string,
      want,
    });
  }
}

function removed<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 1) return list[0] === item ? NONE : list;
  if (list.length === 2 && list[0] === item) return [list[1] as T];
  if (list.length === 2 && list[1] === item) return [list[0] as T];
  return list.filter((other) => other !== item);
}
