import { describe, expect, it } from 'vitest';
import { gridOfDecimals } from '../../../src/model/grid.js';
import { roundToTick, stepsBeside, TouchEstimate } from '../../../src/venue/tape/touch-estimate.js';

const TENTHS = gridOfDecimals(1);

type Print = readonly [price: number, aggressor: 'buy' | 'sell'];

function touchAfter(prints: readonly Print[], tick = 1) {
  const estimate = new TouchEstimate(TENTHS, tick);
  for (const [price, aggressor] of prints) estimate.print(price, aggressor === 'sell');
  return estimate.touch;
}

describe('the touch estimate', () => {
  it.each<[string, readonly Print[], number, number | undefined, number | undefined]>([
    ['nothing is known before the first print', [], 1, undefined, undefined],
    ['a buyer shows the ask only', [[10, 'buy']], 1, undefined, 100],
    ['a seller shows the bid only', [[10, 'sell']], 1, 100, undefined],
    [
      'the last print of each aggressor counts',
      [
        [10, 'sell'],
        [10.5, 'buy'],
        [10.4, 'buy'],
        [9.9, 'sell'],
      ],
      1,
      99,
      104,
    ],
    [
      'equal prices: the older bid makes room',
      [
        [10, 'sell'],
        [10, 'buy'],
      ],
      1,
      99,
      100,
    ],
    [
      'equal prices: the older ask makes room',
      [
        [10, 'buy'],
        [10, 'sell'],
      ],
      1,
      100,
      101,
    ],
    [
      'crossed: the older bid goes below the newer ask',
      [
        [10.3, 'sell'],
        [10, 'buy'],
      ],
      1,
      99,
      100,
    ],
    [
      'crossed: the older ask goes above the newer bid',
      [
        [10, 'buy'],
        [10.3, 'sell'],
      ],
      1,
      103,
      104,
    ],
    [
      'a bid that made room is back when the ask moved up',
      [
        [10, 'sell'],
        [10, 'buy'],
        [10.2, 'buy'],
      ],
      1,
      100,
      102,
    ],
    [
      'the room is one tick of the filter',
      [
        [10, 'sell'],
        [10, 'buy'],
      ],
      5,
      95,
      100,
    ],
    [
      'an ask off the grid is rounded up, a bid down',
      [
        [10.12, 'buy'],
        [9.97, 'sell'],
      ],
      1,
      99,
      102,
    ],
    [
      'an ask off the tick is rounded up, a bid down',
      [
        [10.1, 'buy'],
        [9.9, 'sell'],
      ],
      5,
      95,
      105,
    ],
  ])('%s', (_claim, prints, tick, bid, ask) => {
    expect(touchAfter(prints, tick)).toEqual({ bid, ask });
  });
});

describe('rounding a print to steps', () => {
  it('leaves a price on the grid alone, though its double is not exact', () => {
    expect(stepsBeside(TENTHS, 61_800.3, 1)).toBe(618_003);
    expect(stepsBeside(TENTHS, 61_800.3, -1)).toBe(618_003);
  });

  it('finds the side of a price a hair beside the grid', () => {
    const above = 0.30000000000000004; // 0.1 + 0.2, the double after 0.3
    expect([stepsBeside(TENTHS, above, -1), stepsBeside(TENTHS, above, 1)]).toEqual([3, 4]);
    const below = 0.7999999999999999;
    expect([stepsBeside(TENTHS, below, -1), stepsBeside(TENTHS, below, 1)]).toEqual([7, 8]);
  });

  it('goes to a multiple of the tick', () => {
    expect([roundToTick(TENTHS, 5, 10.3, -1), roundToTick(TENTHS, 5, 10.3, 1)]).toEqual([100, 105]);
    expect([roundToTick(TENTHS, 5, 10.5, -1), roundToTick(TENTHS, 5, 10.5, 1)]).toEqual([105, 105]);
  });
});
