import { describe, expect, it } from 'vitest';
import type { Axis, Point } from '../../../src/backtest/search/sampler.js';
import { TriedPoints } from '../../../src/backtest/search/tried-points.js';
import { seededRandom } from '../../../src/model/random.js';

const AXES: readonly Axis[] = [
  { levels: 2, isOrdered: true },
  { levels: 3, isOrdered: false },
];
const ALL: readonly Point[] = [0.25, 0.75].flatMap((x) => [0.5 / 3, 0.5, 2.5 / 3].map((y) => [x, y]));

describe('points tried', () => {
  it('are known by value, on an axis of levels by their level', () => {
    const tried = new TriedPoints([...AXES, { levels: undefined, isOrdered: true }]);
    tried.ask([0.25, 0.5, 0.125]);
    tried.tell([0.75, 0.5, 0.125]);
    expect(tried.has([0.4, 0.6, 0.125])).toBe(true);
    expect(tried.has([0.6, 0.6, 0.125])).toBe(true);
    expect(tried.has([0.25, 0.5, 0.126])).toBe(false);
    expect(tried.has([0.25, 0.9, 0.125])).toBe(false);
  });

  it('are pending from when they are asked for until they are told, as often as they were asked for', () => {
    const tried = new TriedPoints(AXES);
    const [a, b, c] = ALL as [Point, Point, Point];
    for (const point of [a, b, a]) tried.ask(point);
    expect(tried.pending()).toEqual([a, a, b]);
    tried.tell([...a]);
    tried.tell(c);
    expect(tried.pending()).toEqual([a, b]);
    for (const point of [a, b]) tried.tell(point);
    expect(tried.pending()).toEqual([]);
    expect(ALL.map((point) => tried.has(point))).toEqual([true, true, true, false, false, false]);
  });

  it('leave any other one, each as likely, until there is none', () => {
    const tried = new TriedPoints(AXES);
    const random = seededRandom('others');
    for (const number of [0, 3, 4]) tried.tell(ALL[number] as Point);
    const times = new Map<string, number>();
    for (let draw = 0; draw < 3000; draw++) {
      const key = String(tried.another(random));
      times.set(key, (times.get(key) ?? 0) + 1);
    }
    expect([...times.keys()].sort()).toEqual([1, 2, 5].map((number) => String(ALL[number])));
    for (const count of times.values()) expect(Math.abs(count - 1000)).toBeLessThan(130);

    for (const number of [1, 2, 5]) tried.tell(ALL[number] as Point);
    expect(tried.another(random)).toBeUndefined();
  });

  it('are not counted where there is a range', () => {
    const tried = new TriedPoints([{ levels: undefined, isOrdered: true }]);
    expect(tried.another(seededRandom('range'))).toBeUndefined();
  });
});
