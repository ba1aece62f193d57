import { expect } from 'vitest';
import { TradeCursor } from '../../src/backtest/trade-cursor.js';
import type { Decision } from '../../src/engine/decision.js';
import { Engine } from '../../src/engine/engine.js';
import type { Command } from '../../src/model/command.js';
import type { EngineEvent } from '../../src/model/event.js';
import type { Fill } from '../../src/model/fill.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { type OrderTerms, sameTerms } from '../../src/model/order.js';
import type { Permission } from '../../src/model/pair-state.js';
import type { ExecutionReport } from '../../src/model/report.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import { trade, words } from './desk.js';
import { BTC } from './markets.js';

export type Step =
  | { kind: 'want'; price: number; lots: number; stop: number }
  | {
      kind: 'same' | 'move' | 'flat' | 'quote' | 'orders' | 'submit' | 'cancel-own';
      price: number;
      lots: number;
    }
  | { kind: 'trade'; price: number }
  | { kind: Answer; pick: number }
  | { kind: 'permit'; permission: Permission }
  | { kind: 'late-fill'; lots: number }
  | { kind: 'lot'; lot: number }
  | { kind: 'wait'; ms: number };

type Answer = 'accept' | 'fill' | 'fill-part' | 'cancel-done' | 'cancel-refused' | 'reject' | 'doubt' | 'end';

/** An order at the venue. */
interface Resting {
  readonly intentId: number;
  readonly terms: OrderTerms;
  readonly isOwn: boolean;
  leaves: number;
  /** `new`: not answered yet; `doubt`: the engine does not know what became of it. */
  state: 'new' | 'working' | 'doubt';
  isCanceling: boolean;
  isFired: boolean;
}

/**
 * An engine, a strategy that wants what the steps say, and a naive venue that answers as the steps say. It knows positions
 * and reduce-only, and nothing of books. What must hold at all times is demanded with each decision.
 */
export class StopWorld {
  readonly engine: Engine;
  readonly decisions: string[] = [];
  time = 1_000_000;
  sent = 0;
  stops = 0;
  stopFills = 0;
  readonly #way: 'one by one' | 'run';
  #next: Want | undefined;
  #byHand: (() => void) | undefined;
  #last: { lots: number; stop: number | undefined } = { lots: 0, stop: undefined };
  #orders: readonly Resting[] = [];
  #permission: Permission = 'all';
  #lot = 1;
  #fills = 0;
  #wanted: Want | undefined;
  #submit: (request: { side: 'buy' | 'sell'; price: number; quantity: number }) => number = () => 0;
  #cancel: (intentId: number) => void = () => {};

  /** `maxBareMs`: for how long a position may have no stop; absent: as long as it likes. */
  constructor(way: 'one by one' | 'run', maxBareMs?: number) {
    this.#way = way;
    const definition = defineStrategy({
      name: 'random',
      params: {},
      create: (_, context) => {
        this.#submit = (request) => context.submit(request);
        this.#cancel = (intentId) => context.cancel(intentId);
        return {
          onTrade: () => {
            this.#byHand?.();
            this.#byHand = undefined;
            const want = this.#next;
            this.#next = undefined;
            return want;
          },
        };
      },
    });
    this.engine = new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false });
    if (maxBareMs !== undefined) this.engine.limitBareTime(maxBareMs);
  }

  take(step: Step): void {
    switch (step.kind) {
      case 'want': {
        const { lots, price, stop } = step;
        this.#last = { lots, stop: stop === 0 ? undefined : (price - Math.sign(lots) * stop) / 10 };
        this.#wantLast(price);
        break;
      }
      case 'same':
        this.#wantLast(step.price);
        break;
      case 'move':
        this.#last = { ...this.#last, stop: (step.price - Math.sign(this.#last.lots) * 3) / 10 };
        this.#wantLast(step.price);
        break;
      case 'flat':
        this.#want(flat(), step.price);
        break;
      case 'quote':
        this.#want(
          quote({
            bid: { price: (step.price - 3) / 10, quantity: 0.002 },
            ask: { price: (step.price + 3) / 10, quantity: 0.002 },
          }),
          step.price,
        );
        break;
      case 'orders':
        this.#want(orders([{ side: 'buy', price: (step.price - 2) / 10, quantity: 0.002 }]), step.price);
        break;
      case 'submit': {
        const side = step.lots > 0 ? 'buy' : 'sell';
        const price = (step.price - Math.sign(step.lots) * 2) / 10;
        this.#byHand = () => void this.#submit({ side, price, quantity: 0.002 });
        this.#trade(step.price);
        break;
      }
      case 'cancel-own': {
        const own = this.#orders.find(({ isOwn, state }) => isOwn && state === 'working');
        this.#byHand = own && (() => this.#cancel(own.intentId));
        this.#trade(step.price);
        break;
      }
      case 'trade':
        this.#trade(step.price);
        break;
      case 'wait':
        this.time += step.ms;
        this.#send({ kind: 'mark', time: this.time });
        break;
      case 'permit':
        this.#permission = step.permission;
        this.#send({ kind: 'permit', permission: step.permission, time: this.time } as EngineEvent);
        break;
      case 'late-fill':
        if (step.lots === 0) break;
        this.#report({
          kind: 'late-fill',
          intentId: undefined,
          fill: this.#fill('late', step.lots > 0 ? 'buy' : 'sell', Math.abs(step.lots)),
          time: this.time,
        });
        break;
      case 'lot': {
        this.#lot = step.lot;
        const { filters } = BTC;
        const quantity = { ...filters.quantity, step: step.lot as Lots, min: step.lot as Lots };
        this.engine.turnMarket({ ...BTC, filters: { ...filters, quantity } });
        break;
      }
      default:
        this.#answer(step.kind, step.pick);
    }
  }

  /** The venue answers at once whatever it was asked, and fills what takes the price of the market. */
  answerAtOnce(): void {
    for (let rounds = 0; this.#orders.some(isUnanswered); rounds++) {
      expect(rounds).toBeLessThan(30);
      for (const order of this.#orders) {
        if (this.#orders.includes(order)) this.#answerTo(order);
      }
    }
  }

  #answerTo(order: Resting): void {
    if (order.state !== 'working') this.#accept(order);
    if (order.isCanceling) this.#end(order);
    else if (isTaker(order)) this.#execute(order, order.leaves);
  }

  /** The venue answers all, fills what can be filled, and rejects nothing, until nothing is asked any more. */
  settle(): void {
    this.take({ kind: 'lot', lot: 1 });
    // What the former lot forbade is tried again with the next change of anything.
    this.take({ kind: 'permit', permission: 'cancel-only' });
    this.take({ kind: 'permit', permission: 'all' });
    let rounds = 0;
    for (let quiet = 0; quiet < 3; rounds++) {
      expect(rounds).toBeLessThan(60);
      const before = this.decisions.length;
      for (const order of this.#orders) {
        if (this.#orders.includes(order)) this.#answerTo(order);
      }
      // Beyond the longest pause before the next try.
      this.take({ kind: 'wait', ms: 61_000 });
      quiet = this.decisions.length === before ? quiet + 1 : 0;
    }
    const { derived, sent, refused, superseded, waiting } = this.engine.counts;
    expect(waiting).toBe(0);
    expect(sent + refused + superseded).toBe(derived);
  }

  /** After `settle`: what is wanted is held, and one stop waits where one is wanted. True if one does. */
  demandProtected(): boolean {
    const { want, position } = this.engine;
    if (want.kind === 'position') expect(position.lots).toBe(want.lots);
    if (want.kind === 'flat') expect(position.lots).toBe(0);
    const stops = this.#orders.filter(({ terms }) => terms.trigger !== undefined);
    if (want.kind !== 'position' || want.stop === undefined || want.lots === 0) {
      expect(stops).toEqual([]);
      return false;
    }
    expect(stops.map(({ terms, state }) => [terms.trigger?.ticks, state])).toEqual([[want.stop, 'working']]);
    expect(stops[0]?.leaves).toBeGreaterThanOrEqual(Math.abs(want.lots));
    return true;
  }

  /** After `settle`, once stopped out: nothing is held, and the same quantity is not bought back. */
  staysOut(): void {
    const before = this.sent;
    const { want } = this.engine;
    if (want.kind !== 'position') throw new Error(`only a position is stopped out, not ${want.kind}`);
    for (const ticks of [599_000, 600_000, 601_000]) {
      const stop = ticks - Math.sign(want.lots) * 3;
      this.#want(holdPosition(want.lots / 1_000, { stop: stop / 10 }), ticks);
      this.settle();
      expect(this.engine.isStoppedOut).toBe(true);
      expect(this.engine.position.lots).toBe(0);
      expect(this.#orders).toEqual([]);
    }
    expect(this.sent).toBe(before);
  }

  /** The venue lets no order live. */
  refuseAll(refusal: 'reject' | 'end'): void {
    for (const order of this.#orders) {
      if (!this.#orders.includes(order)) continue;
      if (order.state === 'new' && refusal === 'reject') {
        this.#drop(order);
        this.#report({ kind: 'rejected', intentId: order.intentId, reason: 'no', time: this.time });
        continue;
      }
      if (order.state !== 'working') this.#accept(order);
      this.#end(order);
    }
  }

  /** How many orders are sent in so long, ms, while the venue lets none live and a trade comes after each pause. */
  sentWhileRefused(
    refusal: 'reject' | 'end',
    { forMs, pause, price }: { readonly forMs: number; readonly pause: number; readonly price: number },
  ): number {
    const before = this.sent;
    const until = this.time + forMs;
    while (this.time < until) {
      this.refuseAll(refusal);
      this.take({ kind: 'wait', ms: pause });
      this.take({ kind: 'trade', price });
    }
    return this.sent - before;
  }

  #wantLast(price: number): void {
    const { lots, stop } = this.#last;
    this.#want(stop === undefined ? holdPosition(lots / 1_000) : holdPosition(lots / 1_000, { stop }), price);
  }

  #want(want: Want, price: number): void {
    this.#next = want;
    this.#wanted = want;
    this.#trade(price);
  }

  #trade(ticks: number): void {
    const next = trade(++this.time, ticks / 10);
    for (const order of this.#orders) {
      const { side, trigger } = order.terms;
      if (trigger === undefined || order.state === 'new') continue;
      order.isFired ||= side === 'sell' ? ticks <= trigger.ticks : ticks >= trigger.ticks;
    }
    if (this.#way === 'one by one') {
      this.#decided(this.engine.trade(next));
      return;
    }
    const rows = TradeColumns.of([next]);
    const cursor = new TradeCursor(rows);
    const bounds = { until: Number.POSITIVE_INFINITY, above: 0, below: Number.POSITIVE_INFINITY };
    if (this.engine.run(cursor, rows, 0, 1, bounds) === 1) this.#decided(this.engine.decision());
    else this.#decided(this.engine.trade(cursor.at(0)));
  }

  #answer(kind: Answer, pick: number): void {
    const fits = this.#orders.filter((order) => canMeet(order, kind));
    const order = fits[pick % fits.length];
    if (order === undefined) return;
    const { intentId } = order;
    switch (kind) {
      case 'accept':
        this.#accept(order);
        break;
      case 'fill':
        this.#execute(order, order.leaves);
        break;
      case 'fill-part':
        this.#execute(order, 1);
        break;
      case 'cancel-done':
      case 'end':
        this.#end(order);
        break;
      case 'cancel-refused':
        order.isCanceling = false;
        this.#report({ kind: 'cancel-rejected', intentId, reason: 'busy', time: this.time });
        break;
      case 'reject':
        this.#drop(order);
        this.#report({ kind: 'rejected', intentId, reason: 'no', time: this.time });
        break;
      case 'doubt':
        order.state = 'doubt';
        order.isCanceling = false;
        this.#report({ kind: 'in-doubt', intentId, reason: 'timeout', time: this.time });
        break;
    }
  }

  #accept(order: Resting): void {
    const { intentId } = order;
    order.state = 'working';
    this.#report({ kind: 'accepted', intentId, orderId: `o${intentId}`, time: this.time });
  }

  /** Reduce-only orders execute no more than what they can reduce, and end when that is nothing. */
  #execute(order: Resting, most: number): void {
    const { intentId, terms } = order;
    const held = this.engine.position.lots;
    const reducible = terms.side === 'sell' ? Math.max(0, held) : Math.max(0, -held);
    const lots = terms.reduceOnly ? Math.min(most, reducible) : most;
    if (lots === 0) {
      this.#end(order);
      return;
    }
    order.leaves -= lots;
    order.state = 'working';
    if (terms.trigger !== undefined) this.stopFills++;
    if (order.leaves === 0) this.#drop(order);
    this.#report({
      kind: 'filled',
      intentId,
      fill: this.#fill(`o${intentId}`, terms.side, lots),
      time: this.time,
    });
    if (terms.reduceOnly) expect(this.engine.position.lots * held).toBeGreaterThanOrEqual(0);
  }

  #end(order: Resting): void {
    const { intentId } = order;
    this.#drop(order);
    this.#report({
      kind: 'canceled',
      intentId,
      orderId: `o${intentId}`,
      reason: 'canceled',
      time: this.time,
    });
  }

  #fill(orderId: string, side: 'buy' | 'sell', lots: number): Fill {
    return {
      id: `f${++this.#fills}`,
      orderId,
      time: this.time,
      side,
      lots: lots as Lots,
      ticks: 600_000 as Ticks,
      liquidity: 'taker',
      fee: 0n,
    };
  }

  #report(report: ExecutionReport): void {
    this.#send({ kind: 'report', report });
  }

  #send(event: EngineEvent): void {
    this.#decided(this.engine.handle(event));
  }

  #decided({ commands, refusals }: Decision): void {
    const { derived, sent, refused, superseded, waiting } = this.engine.counts;
    expect(sent + refused + superseded + waiting).toBe(derived);
    if (commands.length + refusals.length > 0) {
      this.decisions.push([...words(commands), ...refusals.map(({ rule }) => rule)].join(', '));
    }
    for (const command of commands) this.#take(command);
    for (const side of ['buy', 'sell']) {
      const stops = this.engine.workingOrders.filter(
        (order) => order.side === side && order.triggerPrice !== undefined,
      );
      expect(stops.length).toBeLessThanOrEqual(2);
    }
  }

  #take(command: Command): void {
    if (command.kind === 'cancel') {
      const order = this.#orders.find(({ intentId }) => intentId === command.intentId);
      if (order === undefined) throw new Error(`order ${command.intentId} is done, and was canceled`);
      expect(order.isCanceling).toBe(false);
      order.isCanceling = true;
      return;
    }
    const { intentId, terms, want } = command;
    if (this.#isRefused(terms)) {
      this.engine.refused(command);
      return;
    }
    this.sent++;
    if (terms.trigger !== undefined) this.#demandStop(terms);
    else if (want !== undefined && this.#wanted?.kind !== 'orders') {
      const twin = this.#orders.find(
        (order) => !order.isOwn && !order.isCanceling && sameTerms(order.terms, terms),
      );
      expect(twin).toBeUndefined();
    }
    const order: Resting = {
      intentId,
      terms,
      isOwn: want === undefined,
      leaves: terms.lots,
      state: 'new',
      isCanceling: false,
      isFired: false,
    };
    // A new list, so that whoever walks through the orders sees those of then.
    this.#orders = [...this.#orders, order];
  }

  #isRefused({ lots, reduceOnly }: OrderTerms): boolean {
    if (this.#permission === 'cancel-only' || (this.#permission === 'reduce-only' && !reduceOnly))
      return true;
    return lots < this.#lot || lots % this.#lot !== 0;
  }

  #demandStop(terms: OrderTerms): void {
    this.stops++;
    const { lots } = this.engine.position;
    expect(terms.reduceOnly).toBe(true);
    expect(terms.side).toBe(lots > 0 ? 'sell' : 'buy');
    if (lots % this.#lot === 0) expect(terms.lots).toBeGreaterThanOrEqual(Math.abs(lots));
    const twin = this.#orders.find(
      (order) => !order.isCanceling && order.leaves >= terms.lots && sameTerms(order.terms, terms),
    );
    expect(twin).toBeUndefined();
  }

  #drop(order: Resting): void {
    this.#orders = this.#orders.filter((other) => other !== order);
  }
}

/** It executes now, at the price of the market. */
function isTaker({ isFired, terms }: Resting): boolean {
  return isFired || (terms.trigger === undefined && terms.type === 'market');
}

function isUnanswered(order: Resting): boolean {
  return order.state !== 'working' || order.isCanceling || isTaker(order);
}

/** What the venue can do with an order. A stop is filled once it has fired, and may end then unfilled. */
function canMeet({ state, isCanceling, isFired, terms }: Resting, kind: Answer): boolean {
  switch (kind) {
    case 'accept':
      return state !== 'working';
    case 'fill':
    case 'fill-part':
      return state !== 'new' && (terms.trigger === undefined || isFired);
    case 'cancel-done':
    case 'cancel-refused':
      return isCanceling && state === 'working';
    case 'reject':
      return state === 'new';
    case 'doubt':
      return true;
    case 'end':
      return !isCanceling && state === 'working';
  }
}
