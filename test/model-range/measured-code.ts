import { readFileSync } from 'node:fs';
import { codeHash } from '../evidence/sources.js';
import type { ModelRangeFigures } from './results.js';

/** The programs whose code each part is measured with. */
export const MEASURED_CODE = {
  coverage: ['test/model-range/cover.ts', 'test/model-range/families.ts'],
  noise: ['test/backtest/statistics/noise.ts'],
} as const;

export const FIGURES_PATH = 'docs/model-range.json';

export function publishedFigures(): ModelRangeFigures {
  return JSON.parse(readFileSync(FIGURES_PATH, 'utf8')) as ModelRangeFigures;
}

/** Whether the published figures are of the code as it is now, a line for each part. */
export async function agesOfFigures(): Promise<readonly string[]> {
  const figures = publishedFigures();
  const parts = (['coverage', 'noise'] as const).map(async (part) => {
    const [then, now] = [figures[part]?.source, await codeHash(MEASURED_CODE[part])];
    return `${FIGURES_PATH}: ${part} is of code ${then ?? 'none'}, ${then === now ? 'the present one' : `the present one is ${now}`}`;
  });
  return Promise.all(parts);
}
