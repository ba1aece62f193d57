import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { Side } from '../../../src/model/side.js';
import type { Street, StreetOrder } from '../../../src/venue/synthetic/street.js';

interface Order extends StreetOrder {
  readonly side: Side;
  readonly ticks: number;
  leaves: Lots;
  status: StreetOrder['status'];
}

export interface Print {
  readonly time: number;
  readonly ticks: number;
  readonly lots: number;
  readonly isBuyerMaker: boolean;
}

/** A book as a textbook has it, sorted arrays and nothing else: what the venue core must agree with. */
export class NaiveBook implements Street {
  readonly prints: Print[] = [];
  now = 0;
  #sequence = 0;
  readonly #sides: Record<Side, Order[]> = { buy: [], sell: [] };

  get bestBid(): Ticks | undefined {
    return this.#sides.buy[0]?.ticks as Ticks | undefined;
  }

  get bestAsk(): Ticks | undefined {
    return this.#sides.sell[0]?.ticks as Ticks | undefined;
  }

  rest(side: Side, ticks: Ticks, lots: Lots): StreetOrder | undefined {
    const opposite = side === 'buy' ? this.bestAsk : this.bestBid;
    if (opposite !== undefined && (side === 'buy' ? ticks >= opposite : ticks <= opposite)) return undefined;
    const order: Order = { id: String(++this.#sequence), side, ticks, leaves: lots, status: 'active' };
    const orders = this.#sides[side];
    const better = (other: Order) => (side === 'buy' ? other.ticks >= ticks : other.ticks <= ticks);
    let at = 0;
    while (at < orders.length && better(orders[at] as Order)) at++;
    orders.splice(at, 0, order);
    return order;
  }

  take(side: Side, limit: Ticks, lots: Lots): void {
    const orders = this.#sides[side === 'buy' ? 'sell' : 'buy'];
    let left: number = lots;
    while (left > 0) {
      const best = orders[0];
      if (best === undefined || (side === 'buy' ? best.ticks > limit : best.ticks < limit)) return;
      const traded = Math.min(left, best.leaves);
      best.leaves = (best.leaves - traded) as Lots;
      left -= traded;
      this.prints.push({ time: this.now, ticks: best.ticks, lots: traded, isBuyerMaker: side === 'sell' });
      if (best.leaves === 0) {
        orders.shift();
        best.status = 'completed';
      }
    }
  }

  cancel(order: StreetOrder): void {
    const orders = this.#sides[(order as Order).side];
    const at = orders.indexOf(order as Order);
    if (at < 0) return;
    orders.splice(at, 1);
    (order as Order).status = 'canceled';
  }
}
