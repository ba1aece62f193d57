import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { BUGS } from './bugs.js';
import { LIMITS, run } from './runs.js';

describe('a strategy with a known mistake', () => {
  it.each(BUGS)('that $name is found', { timeout: 120_000 }, async (bug) => {
    const { strategy, foundBy, isUnlimited, at } = bug;
    const { breaches } = await run(bindStrategy(strategy), ...at, isUnlimited === true ? NO_LIMITS : LIMITS);
    const found = breaches.find(({ rule }) => foundBy.includes(rule));
    expect(found?.what, JSON.stringify(breaches)).toMatch(/\w+/);
    expect(found?.timeMs).toBeGreaterThanOrEqual(0);
  });

  it('is each found in another way than by the same rule', () => {
    expect(new Set(BUGS.flatMap(({ foundBy }) => foundBy)).size).toBeGreaterThan(8);
    expect(BUGS.length).toBeGreaterThanOrEqual(12);
  });
});
