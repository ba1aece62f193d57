import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelRangeFigures } from './results.js';
import { modelRangePage } from './page.js';

interface Noise {
  readonly seeds: number;
  readonly rawAbove: number;
  readonly convincing: number;
  readonly deflatedMedian: number;
}

const SEEDS = 200;
const { noise, coverage } = JSON.parse(readFileSync('docs/model-range.json', 'utf8')) as {
  readonly noise: { readonly figures: Readonly<Record<string, Noise>> };
  readonly coverage: { readonly firstSeed: number; readonly lastSeed: number; readonly families: object };
};

describe('the figures that are published', () => {
  it.each(
    Object.entries(noise.figures),
  )('of the best of a thousand without skill, by %s returns, are within the bounds that a deflated Sharpe ratio is held to', (_, {
    seeds,
    rawAbove,
    convincing,
    deflatedMedian,
  }) => {
    expect(seeds).toBeGreaterThanOrEqual(SEEDS);
    expect(rawAbove).toBeGreaterThanOrEqual(0.95);
    expect(convincing).toBeLessThanOrEqual(0.05);
    expect(deflatedMedian).toBeGreaterThanOrEqual(0.4);
    expect(deflatedMedian).toBeLessThanOrEqual(0.6);
  });

  it('of coverage are those of enough seeds, for each family of strategies', () => {
    expect(Object.keys(coverage.families)).toEqual(['maker', 'taker', 'mixed']);
    expect(coverage.lastSeed - coverage.firstSeed + 1).toBeGreaterThanOrEqual(SEEDS);
  });

  it('are said to be of a commit, as which code is the present one changes without them', () => {
    const figures = JSON.parse(readFileSync('docs/model-range.json', 'utf8')) as ModelRangeFigures;
    const text = modelRangePage(figures);
    expect(text).not.toContain('present');
    for (const part of [figures.coverage, figures.noise]) {
      const [commit = ''] = part?.commits ?? [];
      expect(text).toContain(`Measured with code \`${part?.source}\`, of commit \`${commit.slice(0, 12)}\`.`);
    }
  });
});
