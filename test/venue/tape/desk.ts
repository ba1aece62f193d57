import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket, type Market } from '../../../src/model/market.js';
import type { Side } from '../../../src/model/side.js';
import type { LiquidityOrder, TapeSink } from '../../../src/venue/liquidity.js';
import { QueueModel, type QueueModelOptions } from '../../../src/venue/tape/queue-model.js';

/** Tick 1 and lot 1, so that prices in tests are ticks and quantities are lots. */
export const PLAIN: Market = market('1');

export function market(tick: string): Market {
  return defineMarket({
    pair: 'USD_X',
    base: 'X',
    quote: 'USD',
    price: { min: 0, max: 1_000_000, step: tick },
    quantity: { min: 1, max: 1_000_000, step: 1 },
    fees: { maker: 0, taker: 0 },
  });
}

export interface DeskOrder extends LiquidityOrder {
  leaves: Lots;
}

/**
 * The smallest core that a tape needs: books what is executed, lets a rest of an order named `G…` go on to rest, and
 * writes down everything in words.
 */
export class Desk implements TapeSink {
  readonly log: string[] = [];
  readonly model: QueueModel;
  /** The most that an order may still execute (a reduce-only order); else all it has left. */
  readonly caps = new Map<string, number>();
  readonly #orders = new Map<string, DeskOrder>();
  readonly #accounts = new Map<string, object>();

  constructor(options: Partial<Omit<QueueModelOptions, 'sink'>> = {}) {
    this.model = new QueueModel({ market: PLAIN, sink: this, ...options });
  }

  order(name: string, side: Side, ticks: number, lots: number, owner = 'us'): DeskOrder {
    const account = this.#accounts.get(owner) ?? {};
    this.#accounts.set(owner, account);
    const order = { id: name, account, side, limitTicks: ticks as Ticks, leaves: lots as Lots };
    this.#orders.set(name, order);
    return order;
  }

  rest(name: string, side: Side, ticks: number, lots: number, now: number, owner?: string): void {
    this.model.rest(this.order(name, side, ticks, lots, owner), now);
  }

  take(
    name: string,
    side: Side,
    ticks: number,
    lots: number,
    now: number,
    until: number,
    more: { readonly fillOrKill?: boolean; readonly owner?: string } = {},
  ): void {
    this.model.take(this.order(name, side, ticks, lots, more.owner), now, until, more.fillOrKill ?? false);
  }

  cancel(name: string): void {
    this.model.remove(this.#orders.get(name) as DeskOrder);
  }

  /** One print: `buy` is the aggressor's side. */
  print(time: number, price: number, lots: number, aggressor: Side): void {
    this.model.print(time, price, lots, aggressor === 'sell');
  }

  /** Enough finished runs of both aggressors, each of `lots`, at 99 (sold) and 101 (bought); the last print is at 0. */
  warmUp(lots: number): void {
    for (let run = 0; run < 21; run++) {
      this.print(0, 99, lots, 'sell');
      this.print(0, 101, lots, 'buy');
    }
  }

  /** What happened since the last call. */
  news(): string[] {
    return this.log.splice(0);
  }

  execute(order: DeskOrder, lots: Lots, ticks: Ticks, liquidity: 'maker' | 'taker', time: number): Lots {
    if (!Number.isSafeInteger(lots) || lots <= 0 || lots > order.leaves) {
      throw new Error(`${order.id} must be offered 1 to ${order.leaves} whole lots, received ${lots}`);
    }
    const executed = Math.min(lots, this.caps.get(order.id) ?? lots) as Lots;
    if (executed > 0) this.log.push(`${time} ${order.id} ${liquidity} ${executed}@${ticks}`);
    order.leaves = (order.leaves - executed) as Lots;
    return executed;
  }

  windowOver(order: DeskOrder, time: number): void {
    this.log.push(`${time} ${order.id} over`);
    if (order.id.startsWith('G')) this.model.rest(order, time);
  }

  selfTrade(order: DeskOrder, time: number): void {
    this.log.push(`${time} ${order.id} self-trade`);
  }
}
