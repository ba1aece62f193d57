import { describe, expect, it } from 'vitest';
import { EXAMPLES } from './all.js';

describe('the worked examples come out to the last digit', () => {
  it.each(EXAMPLES.map((example) => [example.id, example.title, example] as const))('%s: %s', (_id, _title, {
    run,
  }) => {
    const answers = run();
    expect(answers.length).toBeGreaterThan(2);
    expect(Object.fromEntries(answers.map(({ label, actual }) => [label, actual]))).toEqual(
      Object.fromEntries(answers.map(({ label, expected }) => [label, expected])),
    );
  });

  it('are all there: A to L with their variants, and more than a dozen of our own', () => {
    const ids = EXAMPLES.map(({ id }) => id);
    const own = Array.from({ length: 19 }, (_, n) => `M${n + 1}`);
    expect(ids).toEqual([...'A B C D E F F′ G G′ H I I′ J K L'.split(' '), ...own]);
    for (const { run } of EXAMPLES) {
      const labels = run().map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});
