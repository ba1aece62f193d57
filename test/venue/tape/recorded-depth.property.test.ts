import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../src/model/side.js';
import type { RecordedLevel } from '../../../src/model/world-fact.js';
import type { TapePrints } from '../../../src/venue/liquidity.js';
import { Desk } from './desk.js';

interface Print {
  readonly kind: 'print';
  readonly time: number;
  readonly price: number;
  readonly lots: number;
  readonly aggressor: Side;
}
interface Book {
  readonly kind: 'book';
  readonly time: number;
  readonly bids: readonly RecordedLevel[];
  readonly asks: readonly RecordedLevel[];
}
interface Best {
  readonly kind: 'best';
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
}
interface Rest {
  readonly kind: 'rest';
  readonly time: number;
  readonly side: Side;
  readonly price: number;
}
type Step = Print | Book | Best | Rest;

const LOTS = 5;
const FRESH_MS = 5_000;

/**
 * The rules of the queue ahead by a recorded book, told a second time: one order, and all that came before it is scanned
 * again at each question. Too few prints for an estimate: without a book nobody knows what is ahead.
 */
function naive(steps: readonly Step[]): string[] {
  const log: string[] = [];
  const past: Step[] = [];
  let order: (Rest & { left: number; ahead: number }) | undefined;
  for (const step of steps) {
    if (step.kind === 'rest') order = { ...step, left: LOTS, ahead: aheadOf(step) };
    if (step.kind === 'book' && order !== undefined) {
      order.ahead = Math.min(order.ahead, shownAt(step, order) ?? order.ahead);
    }
    if (step.kind === 'print' && order !== undefined && step.time > order.time && order.left > 0) {
      const sign = order.side === 'buy' ? 1 : -1;
      const beyond = sign * (order.price - step.price);
      if (beyond > 0) order.ahead = 0;
      const isHit = beyond > 0 || (beyond === 0 && step.aggressor !== order.side);
      if (isHit) {
        const eaten = Math.min(step.lots, order.ahead);
        order.ahead -= eaten;
        const filled = Math.min(order.left, step.lots - eaten);
        order.left -= filled;
        if (filled > 0) log.push(`${step.time} us maker ${filled}@${order.price}`);
      }
    }
    past.push(step);
  }
  return log;

  function aheadOf(rest: Rest): number {
    const isFresh = ({ time }: Step) => rest.time - time <= FRESH_MS;
    const told = past.findLast(
      (step): step is Best | Book =>
        step.kind === 'best' || (step.kind === 'book' && step.bids.length > 0 && step.asks.length > 0),
    );
    const best = told !== undefined && isFresh(told) ? bestOf(told) : printed();
    if (best !== undefined && best.bid < rest.price && rest.price < best.ask) return 0;
    const at = past.findLastIndex(({ kind }) => kind === 'book');
    const book = past[at];
    if (book?.kind !== 'book' || !isFresh(book)) return Number.POSITIVE_INFINITY;
    const levels = rest.side === 'buy' ? book.bids : book.asks;
    const deepest = levels.at(-1);
    if (deepest === undefined) return Number.POSITIVE_INFINITY;
    const shown = shownAt(book, rest);
    if (shown === undefined) return deepest[1];
    let gone = 0;
    for (const step of past.slice(at)) {
      if (step.kind === 'print' && step.price === rest.price && step.aggressor !== rest.side)
        gone += step.lots;
    }
    return Math.max(0, shown - gone);
  }

  function bestOf(told: Best | Book): { bid: number; ask: number } {
    if (told.kind === 'best') return told;
    return { bid: told.bids[0]?.[0] as number, ask: told.asks[0]?.[0] as number };
  }

  function printed(): { bid: number; ask: number } | undefined {
    const last = (side: Side) =>
      past.findLastIndex((step) => step.kind === 'print' && step.aggressor === side);
    const [sold, bought] = [last('sell'), last('buy')];
    if (sold < 0 || bought < 0) return undefined;
    const [bid, ask] = [(past[sold] as Print).price, (past[bought] as Print).price];
    // A crossed pair is impossible: the older one has gone.
    if (bid < ask) return { bid, ask };
    return bought > sold ? { bid: ask - 1, ask } : { bid, ask: bid + 1 };
  }
}

/** What the book shows at the order's price; undefined beyond its last level. */
function shownAt(book: Book, { side, price }: Rest): number | undefined {
  const levels = side === 'buy' ? book.bids : book.asks;
  const deepest = levels.at(-1)?.[0];
  if (deepest === undefined || (side === 'buy' ? price < deepest : price > deepest)) return undefined;
  return levels.find(([level]) => level === price)?.[1] ?? 0;
}

/** `rows`: prints come as rows of columns of so many; otherwise one by one. */
function play(steps: readonly Step[], rows: number | undefined): string[] {
  const desk = new Desk();
  const prints = steps.filter(({ kind }) => kind === 'print') as Print[];
  let row = 0;
  let opened: TapePrints | undefined;
  const open = () => {
    if (rows === undefined || row % rows !== 0) return;
    if (opened !== undefined) {
      desk.model.passRows(rows);
      desk.model.closeRows();
    }
    const chunk = prints.slice(row, row + rows);
    opened = {
      time: Float64Array.from(chunk, ({ time }) => time),
      price: Float64Array.from(chunk, ({ price }) => price),
      quantity: Float64Array.from(chunk, ({ lots }) => lots),
      isBuyerMaker: Uint8Array.from(chunk, ({ aggressor }) => (aggressor === 'sell' ? 1 : 0)),
    };
    desk.model.openRows(opened);
  };
  for (const step of steps) {
    switch (step.kind) {
      case 'print':
        open();
        if (rows === undefined) desk.print(step.time, step.price, step.lots, step.aggressor);
        else desk.model.printRow(row++ % rows);
        break;
      case 'book':
        desk.model.seeDepth(step.time, step.bids, step.asks);
        break;
      case 'best':
        desk.model.seeTouch(step.time, step.bid, step.ask);
        break;
      case 'rest':
        desk.rest('us', step.side, step.price, LOTS, step.time);
    }
  }
  return desk.news();
}

const side = fc.constantFrom<Side>('buy', 'sell');
const pause = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(0, 0, 1, 3) },
  { weight: 1, arbitrary: fc.constantFrom(4_999, 5_000, 5_001) },
);
const levels = (direction: 1 | -1) =>
  fc
    .uniqueArray(fc.record({ away: fc.integer({ min: 1, max: 4 }), lots: fc.integer({ min: 1, max: 8 }) }), {
      selector: ({ away }) => away,
      maxLength: 3,
    })
    .map((found) =>
      found.sort((a, b) => a.away - b.away).map(({ away, lots }) => [direction * away, lots] as const),
    );
const around = (middle: number, found: readonly RecordedLevel[]) =>
  found.map(([away, lots]) => [middle + away, lots] as const);

const world = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('print' as const),
      pause,
      price: fc.integer({ min: 98, max: 102 }),
      lots: fc.integer({ min: 1, max: 4 }),
      aggressor: side,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('book' as const),
      pause,
      middle: fc.integer({ min: 99, max: 101 }),
      bids: levels(-1),
      asks: levels(1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('best' as const),
      pause,
      bid: fc.integer({ min: 97, max: 100 }),
      spread: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

const script = fc
  .record({
    before: fc.array(world, { maxLength: 20, size: 'max' }),
    order: fc.record({ pause, side, level: fc.nat({ max: 3 }), price: fc.integer({ min: 97, max: 103 }) }),
    after: fc.array(world, { minLength: 10, maxLength: 40, size: 'max' }),
  })
  .map(({ before, order, after }): Step[] => {
    let time = 1;
    const told = (each: (typeof before)[number]): Step => {
      time += each.pause;
      if (each.kind === 'book') {
        const { middle } = each;
        return { kind: 'book', time, bids: around(middle, each.bids), asks: around(middle, each.asks) };
      }
      if (each.kind === 'best') return { kind: 'best', time, bid: each.bid, ask: each.bid + each.spread };
      return { kind: 'print', time, price: each.price, lots: each.lots, aggressor: each.aggressor };
    };
    const earlier = before.map(told);
    time += order.pause;
    // Mostly at a price of the newest book.
    const book = earlier.findLast((step) => step.kind === 'book');
    const shown = order.side === 'buy' ? book?.bids : book?.asks;
    const price = shown?.[order.level]?.[0] ?? order.price;
    const rest: Rest = { kind: 'rest', time, side: order.side, price };
    return [...earlier, rest, ...after.map(told)];
  });

describe('the queue ahead by a recorded book', () => {
  it('is what a scan of everything before says, however the prints come', () => {
    let fills = 0;
    let toldByBook = 0;
    fc.assert(
      fc.property(script, fc.constantFrom(undefined, 1, 3, 100), (steps, rows) => {
        const expected = naive(steps);
        expect(play(steps, rows)).toEqual(expected);
        if (expected.length > 0) fills++;
        // Without the books the same order is filled otherwise.
        const blind = naive(steps.filter(({ kind }) => kind !== 'book'));
        if (JSON.stringify(blind) !== JSON.stringify(expected)) toldByBook++;
      }),
      { numRuns: 4_000, seed: 3 },
    );
    expect(fills).toBeGreaterThan(1_000);
    expect(toldByBook).toBeGreaterThan(400);
  });
});
