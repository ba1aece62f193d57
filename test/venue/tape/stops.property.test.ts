import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Approved } from '../../../src/model/command.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { OrderTerms } from '../../../src/model/order.js';
import type { ExecutionReport } from '../../../src/model/report.js';
import type { Side } from '../../../src/model/side.js';
import type { TapePrints } from '../../../src/venue/liquidity.js';
import { FILL_MODELS, type FillModel } from '../../../src/venue/tape/fill-model.js';
import { TapeVenue } from '../../../src/venue/tape/tape-venue.js';
import { PLAIN } from './desk.js';

/** A print of a tape whose ticks are whole; some prints are between two of them. */
interface Print {
  readonly time: number;
  readonly price: number;
  readonly lots: number;
  readonly aggressor: Side;
}

/** A MARKET order, with a trigger on the last price a stop; or the cancel of an earlier one. */
interface Sent {
  readonly after: number;
  readonly side: Side;
  readonly lots: number;
  readonly reduceOnly: boolean;
  readonly trigger: number | undefined;
  readonly cancels: number | undefined;
}

const WINDOW = 10_000;

interface Waiting {
  readonly id: number;
  readonly sent: Sent;
  left: number;
  state: 'waiting' | 'taking' | 'done';
  rises: boolean;
  since: number;
}

/** The rules of stops as `money.md` §4 and `architecture.md` (Takers) tell them, on prints one by one. */
function naive(prints: readonly Print[], sent: readonly Sent[], latency: number, slippage: number): string[] {
  const log: string[] = [];
  const all: Waiting[] = [];
  /** In the order in which they began to take. */
  let takers: Waiting[] = [];
  let held = 0;
  let last = Number.NaN;
  const commands = sent.map((each, at) => ({
    ...each,
    id: at + 1,
    time: (prints[each.after] as Print).time + latency,
  }));
  for (const print of prints) {
    while ((commands[0]?.time ?? Number.POSITIVE_INFINITY) < print.time)
      arrive(commands.shift() as (typeof commands)[0]);
    endWindows(print.time - 1);
    last = print.price;
    eat(print);
    for (const order of all) {
      if (order.state !== 'waiting') continue;
      const trigger = order.sent.trigger as number;
      if (order.rises ? last >= trigger : last <= trigger) enter(order, print.time);
    }
  }
  return log;

  function arrive(command: (typeof commands)[0]): void {
    const { id, time, cancels, trigger, lots } = command;
    endWindows(time);
    if (cancels !== undefined) {
      const order = all.find((each) => each.id === cancels && each.state !== 'done');
      if (order === undefined) log.push(`${time} #${cancels} cancel-rejected`);
      else end(order, time, 'requested');
      return;
    }
    const order: Waiting = { id, sent: command, left: lots, state: 'waiting', rises: false, since: time };
    all.push(order);
    log.push(`${time} #${id} accepted`);
    if (trigger === undefined || trigger === last) enter(order, time);
    else order.rises = trigger > last;
  }

  function enter(order: Waiting, time: number): void {
    const { side, reduceOnly } = order.sent;
    if (reduceOnly && (side === 'buy' ? held >= 0 : held <= 0)) return end(order, time, 'nothing to reduce');
    order.state = 'taking';
    order.since = time;
    takers.push(order);
  }

  function end(order: Waiting, time: number, reason?: string): void {
    order.state = 'done';
    takers = takers.filter((each) => each !== order);
    if (reason !== undefined) log.push(`${time} #${order.id} canceled: ${reason}`);
  }

  function endWindows(until: number): void {
    const over = takers.filter(({ since }) => since + WINDOW <= until).sort((a, b) => a.since - b.since);
    for (const order of over) end(order, order.since + WINDOW, 'no liquidity');
  }

  function eat({ time, price, lots, aggressor }: Print): void {
    let left = lots;
    for (const order of takers) {
      const { side, reduceOnly } = order.sent;
      if (order.state !== 'taking' || side !== aggressor || order.since >= time) continue;
      const got = Math.min(left, order.left, reduceOnly ? Math.abs(held) : order.left);
      if (got === 0) continue;
      const at = side === 'buy' ? Math.ceil(price) + slippage : Math.floor(price) - slippage;
      const before = held;
      held += side === 'buy' ? got : -got;
      left -= got;
      order.left -= got;
      log.push(`${time} #${order.id} taker ${got}@${at}`);
      if (order.left === 0) end(order, time);
      if (before === 0 || (held !== 0 && held > 0 === before > 0)) continue;
      const reducing = all.filter((each) => each.state === 'taking' && each.sent.reduceOnly);
      for (const other of reducing.sort((a, b) => takers.indexOf(a) - takers.indexOf(b)))
        end(other, time, 'position closed');
    }
  }
}

type Way = 'prints' | 'rows' | 'loop';

/** The same at the venue: print by print, row by row, or only the rows that a backtest's loop gives. */
function played(
  prints: readonly Print[],
  sent: readonly Sent[],
  options: { readonly latency: number; readonly slippageTicks: number; readonly model: FillModel },
  way: Way,
): string[] {
  const log: string[] = [];
  const { latency, ...more } = options;
  const venue = new TapeVenue({
    market: PLAIN,
    deposit: 1_000_000_000,
    latency: { placeMs: latency, cancelMs: latency },
    ...more,
  });
  const rows: TapePrints = {
    time: Float64Array.from(prints, ({ time }) => time),
    price: Float64Array.from(prints, ({ price }) => price),
    quantity: Float64Array.from(prints, ({ lots }) => lots),
    isBuyerMaker: Uint8Array.from(prints, ({ aggressor }) => (aggressor === 'sell' ? 1 : 0)),
  };
  const quiet = { until: Number.NEGATIVE_INFINITY, above: 0, below: 0 };
  if (way !== 'prints') venue.openRows(rows);
  prints.forEach(({ time, price, lots, aggressor }, row) => {
    if (way === 'prints') venue.print(time, price, lots, aggressor === 'sell');
    else if (way === 'rows') venue.printRow(row);
    else if (time >= quiet.until || !(price > quiet.above && price < quiet.below)) {
      if (!(time < quiet.until && venue.isPassing(row))) venue.printRow(row);
      venue.putQuiet(quiet);
    }
    log.push(...venue.reports.splice(0).map(words));
    sent.forEach((each, at) => {
      if (each.after !== row) return;
      venue.submit(commandOf(each, at + 1, sent) as Approved, time);
      quiet.until = Math.min(quiet.until, venue.nextArrival);
    });
  });
  return log;
}

function commandOf({ side, lots, reduceOnly, trigger, cancels }: Sent, id: number, all: readonly Sent[]) {
  if (cancels !== undefined) {
    // All are accepted, so the venue numbers the orders as they were sent.
    const orderId = String(all.slice(0, cancels).filter((each) => each.cancels === undefined).length);
    return { kind: 'cancel', intentId: cancels, pair: PLAIN.pair, orderId, want: undefined };
  }
  const terms: OrderTerms = {
    side,
    lots: lots as Lots,
    type: 'market',
    ticks: undefined,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly,
    ...(trigger === undefined ? {} : { trigger: { ticks: trigger as Ticks, event: 'last' } }),
  };
  return { kind: 'place', intentId: id, pair: PLAIN.pair, terms, want: undefined };
}

function words(report: ExecutionReport): string {
  const head = `${report.time} #${report.intentId}`;
  if (report.kind === 'filled')
    return `${head} ${report.fill.liquidity} ${report.fill.lots}@${report.fill.ticks}`;
  return report.kind === 'canceled' ? `${head} canceled: ${report.reason}` : `${head} ${report.kind}`;
}

const side = fc.constantFrom<Side>('buy', 'sell');

const tapes = fc
  .array(
    fc.record({
      pause: fc.constantFrom(0, 0, 1, 3, 40, 60, 300, 6_000),
      move: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: -2, max: 2 }) },
        { weight: 1, arbitrary: fc.constantFrom(-9, -6.5, -0.5, 0.5, 6.5, 9) },
      ),
      lots: fc.integer({ min: 1, max: 9 }),
      aggressor: side,
    }),
    { minLength: 30, maxLength: 150 },
  )
  .map((steps) => {
    let time = 1_000;
    let price = 10_000;
    return steps.map(({ pause, move, ...print }): Print => {
      time += pause;
      price += move;
      return { time, price, ...print };
    });
  });

const scriptFor = (prints: readonly Print[]) =>
  fc
    .array(
      fc.record({
        after: fc.nat(prints.length - 1),
        side,
        lots: fc.integer({ min: 1, max: 20 }),
        isStop: fc.constantFrom(true, true, true, false),
        reduceOnly: fc.constantFrom(true, true, false),
        away: fc.integer({ min: -8, max: 8 }),
        cancels: fc.oneof(
          { weight: 5, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
        ),
      }),
      { minLength: 3, maxLength: 25 },
    )
    .map((list) =>
      list
        .sort((a, b) => a.after - b.after)
        .map(({ isStop, away, ...rest }): Sent => {
          const near = Math.round((prints[rest.after] as Print).price);
          // What is no stop makes a position, mostly.
          return isStop
            ? { ...rest, trigger: near + away }
            : { ...rest, reduceOnly: rest.reduceOnly && rest.lots % 3 === 0, trigger: undefined };
        }),
    )
    // A cancel is of an order that was sent before, and of none that was itself a cancel.
    .map((list) =>
      list.map((each, at) => {
        const isOrder =
          each.cancels !== undefined && each.cancels <= at && list[each.cancels - 1]?.cancels === undefined;
        return isOrder ? each : { ...each, cancels: undefined };
      }),
    );

describe('stops on a tape', () => {
  it('fire and fill as a naive re-computation says, in each model, and however the prints are given', () => {
    const seen = new Map<string, number>();
    const cases = tapes.chain((prints) => fc.tuple(fc.constant(prints), scriptFor(prints)));
    const options = fc.record({
      latency: fc.constantFrom(0, 50),
      slippageTicks: fc.constantFrom(0, 1, 3),
      model: fc.constantFrom(...FILL_MODELS),
    });
    fc.assert(
      fc.property(cases, options, ([prints, sent], given) => {
        const { latency, slippageTicks, model } = given;
        const factor = { through: 2, queue: 1, touch: 0 }[model.name];
        const expected = naive(prints, sent, latency, slippageTicks * factor);
        for (const way of ['prints', 'rows', 'loop'] as const)
          expect(played(prints, sent, given, way), way).toEqual(expected);
        for (const line of expected) {
          const [, id, ...what] = line.split(' ');
          const isStop = sent[Number(id?.slice(1)) - 1]?.trigger !== undefined;
          const key = `${isStop ? 'stop ' : ''}${what.join(' ').replace(/ \d+@.*/, '')}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
        }
      }),
      { numRuns: 600 },
    );
    for (const kind of [
      'taker',
      'stop accepted',
      'stop taker',
      'stop canceled: requested',
      'stop canceled: nothing to reduce',
      'stop canceled: position closed',
      'stop canceled: no liquidity',
    ]) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(25);
    }
  });
});
