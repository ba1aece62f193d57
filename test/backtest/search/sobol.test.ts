import { describe, expect, it } from 'vitest';
import type { Axis, Point } from '../../../src/backtest/search/sampler.js';
import { sobolPoints, sobolSampler } from '../../../src/backtest/search/sobol.js';
import { UsageError } from '../../../src/model/errors.js';

const TWO_TO_32 = 2 ** 32;
const RANGE: Axis = { levels: undefined, isOrdered: true };
const ranges = (count: number): Axis[] => Array.from({ length: count }, () => RANGE);

/** The first so many of the sequence as it is. */
function unshifted(dimensions: number, count: number): readonly Point[] {
  const points = sobolPoints(dimensions);
  return Array.from({ length: count }, () => points.next().value);
}

/**
 * In 1/2^bits, by scipy 1.17.1:
 * `(scipy.stats.qmc.Sobol(21, scramble=False, bits=32).random(65541)[number] * 2**bits).astype(int).tolist()`.
 * The last two need direction numbers that are in no table, of every dimension.
 */
const KNOWN = [
  { number: 1, bits: 1, point: '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1' },
  { number: 2, bits: 2, point: '3 1 1 1 3 3 1 3 3 3 3 3 1 1 3 1 3 1 3 1 1' },
  { number: 3, bits: 2, point: '1 3 3 3 1 1 3 1 1 1 1 1 3 3 1 3 1 3 1 3 3' },
  { number: 7, bits: 3, point: '1 5 3 1 1 3 5 5 5 7 5 1 5 3 1 1 1 1 5 7 7' },
  {
    number: 100,
    bits: 7,
    point: '53 33 99 93 113 95 3 61 81 89 59 87 61 109 41 63 87 95 107 43 97',
  },
  {
    number: 5_000,
    bits: 17,
    point:
      '25776 34160 28272 54064 122864 129392 110928 87280 55280 129744 46896 75376 92784 64176 97968 69552 54832 ' +
      '74416 98480 94608 104400',
  },
  {
    number: 65_540,
    bits: 17,
    point:
      '49155 16383 111019 1813 1145 116599 17471 32987 126767 67487 123909 14569 79203 72725 64763 40493 125861 ' +
      '57215 108485 4097 127233',
  },
];

describe('the Sobol sequence', () => {
  const points = unshifted(21, 65_541);

  it.each(KNOWN)('has the point $number that scipy has', ({ number, bits, point }) => {
    expect(points[number]?.map((coordinate) => coordinate * 2 ** bits)).toEqual(point.split(' ').map(Number));
  });

  it('starts at the origin', () => {
    expect(points[0]).toEqual(ranges(21).map(() => 0));
  });

  it('has 21 dimensions at most', () => {
    expect(() => sobolPoints(22)).toThrow(UsageError);
    expect(() => sobolSampler(ranges(22), 'a')).toThrow(
      expect.objectContaining({
        code: 'TICKWRIGHT_E_SEARCH',
        message: 'a search must be over 21 dimensions or fewer, received 22',
      }),
    );
  });
});

describe('a Sobol sampler', () => {
  it.each(['unshifted', 'a', 'b', 'c'])('has one of 2^k points in each of 2^k equal parts: %s', (seed) => {
    const all = seed === 'unshifted' ? unshifted(21, 4096) : sobolSampler(ranges(21), seed).ask(4096);
    for (let count = 1; count <= all.length; count *= 2) {
      for (let dimension = 0; dimension < 21; dimension++) {
        const parts = all.slice(0, count).map((point) => Math.floor((point[dimension] as number) * count));
        expect(new Set(parts)).toEqual(new Set(Array.from({ length: count }, (_, part) => part)));
      }
    }
  });

  it('flips the same bits of every point, others in each dimension', () => {
    const plain = unshifted(21, 300);
    const flipped = sobolSampler(ranges(21), 'a')
      .ask(300)
      .map((point, number) =>
        point.map(
          (x, dimension) => ((x * TWO_TO_32) ^ ((plain[number]?.[dimension] as number) * TWO_TO_32)) >>> 0,
        ),
      );
    expect(new Set(flipped.map(String)).size).toBe(1);
    expect(new Set(flipped[0]).size).toBe(21);
  });

  it('has the same points for the same seed, in one piece or in many, and other ones for another', () => {
    const points = sobolSampler(ranges(3), 'a').ask(50);
    const pieces = sobolSampler(ranges(3), 'a');
    expect([...pieces.ask(1), ...pieces.ask(20), ...pieces.ask(0), ...pieces.ask(29)]).toEqual(points);
    expect(sobolSampler(ranges(3), 'b').ask(50)).not.toEqual(points);
  });

  it('goes on as it would have, whatever it is told', () => {
    const sampler = sobolSampler(ranges(2), 'a');
    for (const point of sampler.ask(20)) sampler.tell(point, point[0] as number);
    expect(sampler.ask(20)).toEqual(sobolSampler(ranges(2), 'a').ask(40).slice(20));
  });

  it('proposes the middles of levels, each as often', () => {
    const axes: Axis[] = [RANGE, { levels: 4, isOrdered: true }, { levels: 2, isOrdered: false }];
    const points = sobolSampler(axes, 'a').ask(64);
    const times = new Map<string, number>();
    for (const [, ...levels] of points) times.set(String(levels), (times.get(String(levels)) ?? 0) + 1);
    const middles = [0.125, 0.375, 0.625, 0.875].flatMap((step) => [`${step},0.25`, `${step},0.75`]);
    expect([...times.keys()].sort()).toEqual(middles);
    expect([...times.values()]).toEqual(middles.map(() => 8));
    expect(new Set(points.map(([x]) => x)).size).toBe(64);
  });
});
