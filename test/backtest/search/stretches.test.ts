import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldsOf, withHoldout } from '../../../src/backtest/search/stretches.js';
import { DAY_MS } from '../../../src/model/calendar.js';

const START = Date.UTC(2026, 0, 1);
const whole = { from: START + 3_600_000, to: START + 100 * DAY_MS + 1 };

describe('stretches', () => {
  it('keep the last part for the end, from a midnight on where there are days enough', () => {
    const { search, holdout } = withHoldout(whole, 0.2);
    expect(search).toEqual({ from: whole.from, to: START + 80 * DAY_MS });
    expect(holdout).toEqual({ from: START + 80 * DAY_MS, to: whole.to });
    const short = withHoldout({ from: 1_000, to: 2_000 }, 0.25);
    expect(short).toEqual({ search: { from: 1_000, to: 1_750 }, holdout: { from: 1_750, to: 2_000 } });
  });

  it('walk forward: each fold knows all before its outside, and nothing of it', () => {
    expect(foldsOf({ from: 0, to: 400 }, 3)).toEqual([
      { inside: { from: 0, to: 100 }, outside: { from: 100, to: 200 } },
      { inside: { from: 0, to: 200 }, outside: { from: 200, to: 300 } },
      { inside: { from: 0, to: 300 }, outside: { from: 300, to: 400 } },
    ]);
  });

  it('leave nothing out and have nothing twice, however long and however often they are cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000_000 }),
        fc.integer({ min: 1_000, max: 400 * DAY_MS }),
        fc.integer({ min: 1, max: 50 }),
        (from, length, count) => {
          const folds = foldsOf({ from, to: from + length }, count);
          expect(folds).toHaveLength(count);
          let end = folds[0]?.inside.to ?? Number.NaN;
          for (const { inside, outside } of folds) {
            expect(inside).toEqual({ from, to: end });
            expect(outside.from).toBe(end);
            expect(outside.to).toBeGreaterThan(outside.from);
            end = outside.to;
          }
          expect(end).toBe(from + length);
        },
      ),
    );
  });

  it('must be long enough to be cut', () => {
    expect(() => foldsOf({ from: 0, to: 5 }, 10)).toThrow('must be long enough to be cut, received 5 ms');
    expect(() => withHoldout({ from: 0, to: 1 }, 0.2)).toThrow('received 1 ms');
  });
});
