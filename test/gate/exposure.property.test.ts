import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exposure } from '../../src/gate/exposure.js';
import type { Fill } from '../../src/model/fill.js';
import type { Side } from '../../src/model/side.js';
import { lots, order, ticks } from './state.js';

const step = fc.record({
  order: fc.integer({ min: 1, max: 4 }),
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('place' as const, 'give-up' as const, 'late' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('fill' as const, 'cancel' as const, 'reject' as const, 'release' as const),
    },
    { weight: 1, arbitrary: fc.constant('doubt' as const) },
  ),
  lots: fc.integer({ min: 1, max: 9 }),
  buy: fc.boolean(),
  reduceOnly: fc.boolean(),
});

const fillOf = (side: Side, size: number): Fill => ({
  id: '',
  orderId: '',
  time: 0,
  side,
  lots: lots(size),
  ticks: ticks(1),
  liquidity: 'maker',
  fee: 0n,
});

const HELD_FOR = 12;

interface Known {
  readonly side: Side;
  readonly reduceOnly: boolean;
  leaves: number;
  /** Given up: counts until this time. */
  until: number | undefined;
}

describe('exposure', () => {
  it('is what a recount of all orders and of those given up says, through any life of orders', () => {
    let late = 0;
    let released = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const exposure = new Exposure();
        const book = new Map<number, Known>();
        let position = 0;
        for (const [now, { order: intentId, act, lots: size, buy, reduceOnly }] of steps.entries()) {
          const known = book.get(intentId);
          const isOpen = known !== undefined && known.until === undefined;
          const news = { intentId, reason: '', time: now };
          const side: Side = buy ? 'buy' : 'sell';
          switch (act) {
            case 'place':
              if (known !== undefined) break;
              exposure.approved({ ...order({ side, lots: lots(size), reduceOnly }), intentId });
              book.set(intentId, { side, reduceOnly, leaves: size, until: undefined });
              break;
            case 'fill': {
              if (!isOpen) break;
              const part = Math.min(size, known.leaves);
              exposure.report({ kind: 'filled', ...news, fill: fillOf(known.side, part) });
              position += known.side === 'buy' ? part : -part;
              known.leaves -= part;
              if (known.leaves === 0) book.delete(intentId);
              break;
            }
            case 'cancel':
              exposure.report({ kind: 'canceled', orderId: '', ...news });
              if (isOpen) book.delete(intentId);
              break;
            case 'reject':
              exposure.report({ kind: 'rejected', ...news });
              if (isOpen) book.delete(intentId);
              break;
            case 'give-up':
              exposure.report({ kind: 'rejected', ...news, reservedUntil: now + HELD_FOR });
              if (isOpen) known.until = now + HELD_FOR;
              break;
            case 'late': {
              // Also of orders that nobody knows, that are open (a twin), and of more than was given up.
              const of = known?.side ?? side;
              exposure.report({ kind: 'late-fill', intentId, time: now, fill: fillOf(of, size) });
              position += of === 'buy' ? size : -size;
              if (known?.until === undefined || known.reduceOnly) break;
              late++;
              known.leaves -= Math.min(size, known.leaves);
              if (known.leaves === 0) book.delete(intentId);
              break;
            }
            case 'release':
              exposure.release(now);
              for (const [id, { until }] of book) {
                if (until === undefined || until > now) continue;
                released++;
                book.delete(id);
              }
              break;
            case 'doubt':
              exposure.report({ kind: 'in-doubt', ...news });
          }
          const all = [...book.values()];
          const sum = (of: Side) =>
            all.reduce((total, one) => total + (one.side === of && !one.reduceOnly ? one.leaves : 0), 0);
          // One that was given up makes no position larger.
          const reducing = (of: Side) =>
            all
              .filter((one) => one.side === of && one.reduceOnly && one.until === undefined)
              .reduce((total, { leaves }) => total + leaves, 0);
          expect({
            position: exposure.position,
            buys: exposure.workingBuys,
            sells: exposure.workingSells,
            reducingBuys: exposure.reducingBuys,
            reducingSells: exposure.reducingSells,
            open: exposure.openOrders,
          }).toEqual({
            position,
            buys: sum('buy'),
            sells: sum('sell'),
            reducingBuys: reducing('buy'),
            reducingSells: reducing('sell'),
            open: all.filter(({ until }) => until === undefined).length,
          });
          const untils = all
            .filter(({ reduceOnly: reduces }) => !reduces)
            .map(({ until }) => until ?? Infinity);
          expect(exposure.reservedUntil).toBe(Math.min(Infinity, ...untils));
        }
      }),
      { numRuns: 500 },
    );
    // The property says nothing of what never happened.
    expect(late).toBeGreaterThan(100);
    expect(released).toBeGreaterThan(100);
  });

  it('counts what earlier sessions gave up, until its time or until it shows up', () => {
    const reserve = { intentId: undefined, side: 'sell', lots: lots(7), until: 600_000 } as const;
    const exposure = new Exposure([reserve, { ...reserve, lots: lots(2), until: 500_000 }]);
    expect(exposure).toMatchObject({ workingSells: 9, reservedUntil: 500_000 });
    exposure.release(500_000);
    expect(exposure).toMatchObject({ workingSells: 7, reservedUntil: 600_000 });
    exposure.report({ kind: 'late-fill', intentId: undefined, time: 1, fill: fillOf('sell', 3) });
    expect(exposure).toMatchObject({ position: -3, workingSells: 4 });
    exposure.release(599_999);
    expect(exposure.workingSells).toBe(4);
    exposure.release(600_000);
    expect(exposure).toMatchObject({ position: -3, workingSells: 0, reservedUntil: Infinity });
  });

  it('is at its worst where a reduce-only order fills before what turns the position round', () => {
    const exposure = new Exposure();
    exposure.adopt(lots(-6));
    exposure.approved({ ...order({ side: 'buy', lots: lots(43) }), intentId: 1 });
    expect(exposure.worstAt(0)).toBe(37);
    exposure.approved({ ...order({ side: 'buy', lots: lots(4), reduceOnly: true }), intentId: 2 });
    expect(exposure.worstAt(0)).toBe(41);
    exposure.approved({ ...order({ side: 'buy', lots: lots(4), reduceOnly: true }), intentId: 3 });
    expect(exposure.worstAt(0)).toBe(43);
  });
});
