import { describe, expect, it } from 'vitest';
import { parzenEstimate } from '../../../src/backtest/search/parzen.js';
import type { Axis } from '../../../src/backtest/search/sampler.js';
import { seededRandom } from '../../../src/model/random.js';

const RANGE: Axis = { levels: undefined, isOrdered: true };
const STEPS: Axis = { levels: 10, isOrdered: true };
const WORDS: Axis = { levels: 10, isOrdered: false };

const SEEN = {
  none: [],
  one: [0.15],
  'the edges': [0, 0.9999],
  'one again and again': [0.35, 0.35, 0.35, 0.35, 0.35, 0.35],
  many: Array.from({ length: 150 }, (_, index) => ((index * 0.618) % 1) ** 2),
};
const named = Object.entries(SEEN);

/** The middles of so many equal parts of [0, 1). */
const middles = (parts: number) => Array.from({ length: parts }, (_, part) => (part + 0.5) / parts);

describe('the estimate of a range', () => {
  it.each(named)('is of one whole: %s', (_, seen) => {
    const estimate = parzenEstimate(seen, RANGE);
    const whole = middles(20_000).reduce((sum, x) => sum + estimate.density(x) / 20_000, 0);
    expect(whole).toBeCloseTo(1, 6);
  });

  it.each(named)('draws as often as it is dense: %s', (_, seen) => {
    const estimate = parzenEstimate(seen, RANGE);
    const random = seededRandom('draws');
    const draws = Array.from({ length: 40_000 }, () => estimate.draw(random));
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = draws.filter((x) => Math.floor(x * 10) === tenth).length / draws.length;
      const expected = middles(1000).reduce((sum, x) => sum + estimate.density((tenth + x) / 10) / 10_000, 0);
      // five standard deviations
      expect(Math.abs(share - expected)).toBeLessThan(5 * Math.sqrt(expected / draws.length));
    }
  });

  it('is even where nothing was seen, and above 0 everywhere', () => {
    expect(middles(10).map((x) => parzenEstimate([], RANGE).density(x))).toEqual(middles(10).map(() => 1));
    const estimate = parzenEstimate(SEEN['one again and again'], RANGE);
    expect(estimate.density(0.99)).toBeGreaterThan(0.1);
    expect(estimate.density(0.35)).toBeGreaterThan(2);
  });

  it('is as sharp as the points are close', () => {
    const estimate = parzenEstimate([0.1, 0.12, 0.14, 0.16, 0.18, 0.8], RANGE);
    expect(estimate.density(0.34) / estimate.density(0.14)).toBeLessThan(0.6);
    expect(estimate.density(0.6) / estimate.density(0.8)).toBeGreaterThan(0.8);
  });
});

describe('the estimate of levels', () => {
  it('draws their middles', () => {
    const random = seededRandom('middles');
    for (const axis of [STEPS, WORDS]) {
      const estimate = parzenEstimate([0.35], axis);
      const drawn = new Set(Array.from({ length: 2000 }, () => estimate.draw(random)));
      expect([...drawn].sort((a, b) => a - b)).toEqual(middles(10));
    }
  });

  it('takes the neighbours of a step that was seen for likely, those of a word for no likelier than others', () => {
    const steps = parzenEstimate([0.35, 0.35, 0.35], STEPS);
    expect(steps.density(0.35)).toBeGreaterThan(steps.density(0.45));
    expect(steps.density(0.45)).toBeGreaterThan(1.1 * steps.density(0.95));
    const words = parzenEstimate([0.35, 0.35, 0.35], WORDS);
    expect(words.density(0.45)).toBe(words.density(0.95));
    expect(words.density(0.35)).toBe(4 * words.density(0.95));
  });

  it('draws a word as often as it is dense', () => {
    const estimate = parzenEstimate([0.05, 0.35, 0.35, 0.35, 0.95, 0.95], WORDS);
    const random = seededRandom('words');
    const draws = Array.from({ length: 40_000 }, () => estimate.draw(random));
    expect(middles(10).reduce((sum, word) => sum + estimate.density(word) / 10, 0)).toBeCloseTo(1, 12);
    for (const word of middles(10)) {
      const share = draws.filter((each) => each === word).length / draws.length;
      expect(Math.abs(share - estimate.density(word) / 10)).toBeLessThan(0.01);
    }
  });
});
