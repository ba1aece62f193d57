/**
 * The rules of `architecture.md`, "One print", "Queue ahead" and "Takers", told a second time for tests: every queue is
 * a list with one entry per lot, everything else is scanned from the whole history at each print, prices are whole
 * hundredths. Shares no code with what it checks and is as slow as it looks.
 */
import type { Side } from '../../../src/model/side.js';

export interface NaivePrint {
  readonly kind: 'print';
  readonly time: number;
  readonly cents: number;
  readonly lots: number;
  readonly aggressor: Side;
}

export interface NaiveOrder {
  readonly kind: 'rest' | 'take' | 'kill';
  readonly time: number;
  readonly name: string;
  readonly owner: string;
  readonly side: Side;
  readonly cents: number;
  readonly lots: number;
  /** Of a taker; inclusive. */
  readonly deadline: number;
  /** What is left of a taker goes on to rest. */
  readonly restsAfter: boolean;
}

/** An order as a client sends it; what it does on arrival is for the venue to decide. */
export interface NaiveRequest {
  readonly kind: 'request';
  readonly time: number;
  readonly name: string;
  readonly side: Side;
  readonly type: 'limit' | 'market';
  readonly cents: number;
  readonly lots: number;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly: boolean;
}

export interface NaiveCancel {
  readonly kind: 'cancel';
  readonly time: number;
  readonly name: string;
}

/** Steps for a fill model alone. */
export type ModelStep = NaivePrint | NaiveOrder | NaiveCancel;

export type NaiveStep = NaivePrint | NaiveOrder | NaiveRequest | NaiveCancel;

type Unit = 'street' | 'unknown' | Working;

interface Working {
  readonly order: NaiveOrder;
  readonly request: NaiveRequest | undefined;
  left: number;
  state: 'resting' | 'taking' | 'done';
  plan: number[];
  blocked: boolean;
}

/**
 * What happened, in words: `time name maker|taker lots@cents`, `time name over`, `time name self-trade`; of requests
 * `accepted` and `canceled: reason` instead, and of their cancels `cancel-rejected`.
 */
export function naiveTape(
  steps: readonly NaiveStep[],
  tickCents: number,
  slippageTicks: number,
  model: 'through' | 'queue' | 'touch' = 'queue',
): string[] {
  const slippage = slippageTicks * { through: 2, queue: 1, touch: 0 }[model];
  const log: string[] = [];
  const all: Working[] = [];
  const levels = new Map<string, Unit[]>();
  const past: NaivePrint[] = [];

  for (const step of steps) {
    const limit = step.kind === 'print' ? step.time - 1 : step.time;
    endWindows(limit);
    if (step.kind === 'print') print(step);
    else if (step.kind === 'cancel') cancel(step);
    else if (step.kind === 'request') receive(step);
    else arrive(step, undefined);
  }
  return log;

  function level(side: Side, cents: number): Unit[] {
    const key = `${side} ${cents}`;
    const found = levels.get(key);
    if (found !== undefined) return found;
    const fresh: Unit[] = [];
    levels.set(key, fresh);
    return fresh;
  }

  function receive(request: NaiveRequest): void {
    const { time, name, side, type, cents, lots, timeInForce, postOnly } = request;
    const limit = type === 'limit' ? cents : side === 'buy' ? Number.POSITIVE_INFINITY : 0;
    const { bid, ask } = touch();
    // A side that nobody has seen yet is right behind the other one.
    const isMarketable =
      side === 'buy'
        ? limit >= (ask ?? (bid ?? Number.POSITIVE_INFINITY) + 1)
        : limit <= (bid ?? (ask ?? Number.NEGATIVE_INFINITY) - 1);
    const order = { time, name, owner: 'us', side, cents: limit, lots, restsAfter: false };
    log.push(`${time} ${name} accepted`);
    if (postOnly && (crossesOwn(side, limit) || isMarketable)) {
      log.push(
        `${time} ${name} canceled: ${crossesOwn(side, limit) ? 'self-trade' : 'post-only would trade'}`,
      );
    } else if (timeInForce === 'FOK') {
      arrive({ ...order, kind: 'kill', deadline: time + (type === 'market' ? 10_000 : 1_000) }, request);
    } else if (crossesOwn(side, limit) && !isStreetFirst(side)) {
      log.push(`${time} ${name} canceled: self-trade`);
    } else if (type === 'market') {
      arrive({ ...order, kind: 'take', deadline: time + 10_000 }, request);
    } else if (isMarketable || timeInForce === 'IOC') {
      arrive({ ...order, kind: 'take', deadline: time + 1_000, restsAfter: timeInForce === 'GTC' }, request);
    } else {
      arrive({ ...order, kind: 'rest', deadline: 0 }, request);
    }
  }

  function crossesOwn(side: Side, limit: number): boolean {
    return all.some(
      ({ order, state }) =>
        state === 'resting' &&
        order.side !== side &&
        (side === 'buy' ? order.cents <= limit : order.cents >= limit),
    );
  }

  /** Whether the street is known to stand before all own orders that this side would take. */
  function isStreetFirst(side: Side): boolean {
    const { bid, ask } = touch();
    return all
      .filter(({ order, state }) => state === 'resting' && order.side !== side)
      .every(({ order }) =>
        side === 'buy' ? ask !== undefined && ask < order.cents : bid !== undefined && bid > order.cents,
      );
  }

  function arrive(order: NaiveOrder, request: NaiveRequest | undefined): void {
    const working: Working = { order, request, left: order.lots, state: 'taking', plan: [], blocked: false };
    all.push(working);
    if (order.kind === 'rest') join(working, estimate(order));
  }

  /** `ahead`: how many lots of the street have to stand before it; undefined: nobody knows. */
  function join(working: Working, ahead: number | undefined): void {
    working.state = 'resting';
    const queue = level(working.order.side, working.order.cents);
    if (ahead === undefined) queue.push('unknown');
    else while (queue.filter((unit) => unit === 'street').length < ahead) queue.push('street');
    for (let lot = 0; lot < working.left; lot++) queue.push(working);
  }

  function leave(working: Working): void {
    working.state = 'done';
    for (const [key, queue] of levels) {
      const rest = queue.filter((unit) => unit !== working);
      // Street that stands behind all of ours is of no interest.
      while (rest.length > 0 && typeof rest.at(-1) === 'string') rest.pop();
      levels.set(key, rest);
    }
  }

  function cancel({ name, time }: NaiveCancel): void {
    const working = all.find((candidate) => candidate.order.name === name && candidate.state !== 'done');
    if (working !== undefined) leave(working);
    if (working?.request !== undefined) log.push(`${time} ${name} canceled: requested`);
    if (working === undefined) log.push(`${time} ${name} cancel-rejected`);
  }

  function estimate(order: NaiveOrder): number | undefined {
    if (model !== 'queue') return 0;
    const hitting: Side = order.side === 'buy' ? 'sell' : 'buy';
    const { bid, ask } = touch();
    if (bid !== undefined && ask !== undefined && order.cents > bid && order.cents < ask) return 0;
    const runs: { aggressor: Side; cents: number; lots: number }[] = [];
    for (const { aggressor, cents, lots } of past) {
      const last = runs.at(-1);
      if (last !== undefined && last.aggressor === aggressor && last.cents === cents) last.lots += lots;
      else runs.push({ aggressor, cents, lots });
    }
    runs.pop();
    const known = runs.filter((run) => run.aggressor === hitting).slice(-500);
    if (known.length < 20) return undefined;
    return known.reduce((sum, run) => sum + run.lots, 0) / known.length;
  }

  function touch(): { bid: number | undefined; ask: number | undefined } {
    const buy = past.findLastIndex((print) => print.aggressor === 'buy');
    const sell = past.findLastIndex((print) => print.aggressor === 'sell');
    let ask = buy < 0 ? undefined : upToTick((past[buy] as NaivePrint).cents);
    let bid = sell < 0 ? undefined : downToTick((past[sell] as NaivePrint).cents);
    if (ask !== undefined && bid !== undefined && bid >= ask) {
      if (buy > sell) bid = ask - tickCents;
      else ask = bid + tickCents;
    }
    return { bid, ask };
  }

  function upToTick(cents: number): number {
    let up = cents;
    while (up % tickCents !== 0) up++;
    return up;
  }

  function downToTick(cents: number): number {
    let down = cents;
    while (down % tickCents !== 0) down--;
    return down;
  }

  function endWindows(until: number): void {
    for (;;) {
      const due = all.filter((working) => working.state === 'taking' && working.order.deadline <= until);
      if (due.length === 0) return;
      const first = Math.min(...due.map((working) => working.order.deadline));
      const working = due.find((candidate) => candidate.order.deadline === first) as Working;
      const { order } = working;
      working.state = 'done';
      const { request } = working;
      if (request === undefined) log.push(`${first} ${order.name} over`);
      if (order.restsAfter && (request === undefined || !crossesOwn(order.side, order.cents)))
        join(working, 0);
      else if (request !== undefined)
        log.push(`${first} ${order.name} canceled: ${reasonAtEnd(working, request)}`);
    }
  }

  function reasonAtEnd({ order }: Working, { type, timeInForce }: NaiveRequest): string {
    if (order.restsAfter) return 'self-trade';
    if (timeInForce === 'FOK') return 'FOK cannot fill';
    return type === 'market' ? 'no liquidity' : 'IOC remainder';
  }

  function print(step: NaivePrint): void {
    let left = step.lots;
    past.push(step);
    for (const side of ['buy', 'sell'] as const) {
      const isBeyond = (cents: number) => (side === 'buy' ? step.cents < cents : step.cents > cents);
      const prices = [
        ...new Set(
          all.filter((w) => w.state === 'resting' && w.order.side === side).map((w) => w.order.cents),
        ),
      ];
      prices.sort((a, b) => (side === 'buy' ? b - a : a - b));
      for (const cents of prices) {
        const isHit = cents === step.cents && step.aggressor !== side && model !== 'through';
        const reached = isBeyond(cents) || isHit;
        if (!reached) continue;
        let queue = level(side, cents);
        if (isBeyond(cents)) {
          queue = queue.filter((unit) => typeof unit !== 'string');
          levels.set(`${side} ${cents}`, queue);
        }
        while (left > 0 && queue.length > 0) {
          const unit = queue[0] as Unit;
          if (unit === 'unknown') {
            left = 0;
            break;
          }
          queue.shift();
          left--;
          if (unit === 'street') continue;
          unit.left--;
          if (unit.left === 0) unit.state = 'done';
          log.push(`${step.time} ${unit.order.name} maker 1@${cents}`);
        }
      }
    }
    for (const taker of all) {
      const { order } = taker;
      if (taker.state !== 'taking' || order.side !== step.aggressor || taker.blocked) continue;
      if (order.side === 'buy' ? step.cents > order.cents : step.cents < order.cents) continue;
      const plain = order.side === 'buy' ? upToTick(step.cents) : downToTick(step.cents);
      const price =
        order.side === 'buy'
          ? Math.min(order.cents, plain + slippage * tickCents)
          : Math.max(order.cents, plain - slippage * tickCents);
      if (standsBefore(order, plain)) {
        if (order.kind === 'kill') taker.blocked = true;
        else {
          taker.state = 'done';
          log.push(`${step.time} ${order.name} ${taker.request === undefined ? '' : 'canceled: '}self-trade`);
        }
        continue;
      }
      while (left > 0 && taker.left > 0) {
        left--;
        taker.left--;
        if (order.kind === 'kill') taker.plan.push(price);
        else log.push(`${step.time} ${order.name} taker 1@${price}`);
      }
      if (taker.left > 0) continue;
      taker.state = 'done';
      for (const cents of taker.plan) log.push(`${step.time} ${order.name} taker 1@${cents}`);
    }
    if (model !== 'touch') return;
    // In the order in which they came to rest there.
    for (const resting of new Set(level(step.aggressor, step.cents))) {
      if (typeof resting === 'string') continue;
      const { order } = resting;
      const queue = level(order.side, order.cents);
      for (; left > 0 && resting.left > 0; left--, resting.left--) {
        queue.splice(queue.indexOf(resting), 1);
        log.push(`${step.time} ${order.name} maker 1@${order.cents}`);
      }
      if (resting.left === 0) leave(resting);
    }
  }

  function standsBefore(taker: NaiveOrder, price: number): boolean {
    return all.some(({ order, state }) => {
      if (state !== 'resting' || order.owner !== taker.owner || order.side === taker.side) return false;
      return order.side === 'sell' ? order.cents <= price : order.cents >= price;
    });
  }
}

/** One entry per lot → one entry per execution, as `sum` and `lots@price` of neighbours that are the same. */
export function perLot(log: readonly string[]): string[] {
  return log.flatMap((line) => {
    const match = /^(.* (?:maker|taker)) (\d+)@(\d+)$/.exec(line);
    if (match === null) return [line];
    return Array.from({ length: Number(match[2]) }, () => `${match[1]} 1@${match[3]}`);
  });
}
