/** A position that is off the lot, as after a filter has changed: what can be closed of it is. */
import { describe, expect, it, test } from 'vitest';
import { plan, soleStep } from '../../src/engine/plan.js';
import type { Lots } from '../../src/model/grid.js';

const flat = { kind: 'flat' } as const;
const NONE = { done: [], rests: [] };
const LOT = 10;
const wanting = (lots: number) => ({ kind: 'position', lots: lots as Lots, stop: undefined }) as const;

describe.each([
  ['flat', flat, 13, 'sell', 10],
  ['flat of a short position', flat, -27, 'buy', 20],
  ['less', wanting(10), 36, 'sell', 20],
  ['more', wanting(40), 13, 'buy', 20],
  ['what lies on the lot already', wanting(10), 30, 'sell', 20],
  // It is refused, which says why nothing happens.
  ['what no order can do', flat, 3, 'sell', 3],
] as const)('%s', (_, want, position, side, lots) => {
  it('is one order of whole lots, and never beyond what is wanted', () => {
    expect(soleStep(want, position as Lots, LOT)).toMatchObject({ side, lots });
    expect(plan(want, position as Lots, [], NONE, LOT).place).toMatchObject([{ side, lots }]);
  });
});

test('the other side begins with what can be closed of this one', () => {
  expect(plan(wanting(-20), 13 as Lots, [], NONE, LOT)).toMatchObject({
    place: [{ side: 'sell', lots: 10, reduceOnly: true }],
    wait: [{ side: 'sell', lots: 20 }],
  });
});
