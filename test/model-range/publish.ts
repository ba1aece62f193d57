/** Writes docs/model-range.json and the page that is made of it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { DATA_NAMES, type DataName } from './cover.js';
import { FIGURES_PATH, publishedFigures } from './measured-code.js';
import { modelRangePage } from './page.js';
import type { CoverageSummary } from './summary.js';
import type { FamilySummary, ModelRangeFigures, Results } from './results.js';
import { impactOf, summaryOf } from './summary.js';

const PAGE_PATH = 'docs/model-range.md';

/** What is not measured now stays as it was. */
export function publish({ coverage, noise }: Results, commit: { readonly id: string }): void {
  const before = existsSync(FIGURES_PATH) ? publishedFigures() : undefined;
  // Figures that stay do not become those of today.
  if (coverage === undefined && noise === undefined) return;
  const figures: ModelRangeFigures = {
    ...before,
    schemaVersion: 1,
    date: new Date().toISOString().slice(0, 10),
    commit: commit.id,
    node: process.versions.node,
    ...(coverage === undefined
      ? {}
      : { coverage: { ...coverage, families: summariesOf(coverage.families) } }),
    ...(noise === undefined ? {} : { noise }),
  };
  mkdirSync('docs', { recursive: true });
  writeFileSync(FIGURES_PATH, `${JSON.stringify(figures, rounded, 2)}\n`);
  writeFileSync(PAGE_PATH, modelRangePage(figures));
}

function summariesOf(
  families: NonNullable<Results['coverage']>['families'],
): Readonly<Record<string, FamilySummary>> {
  return Object.fromEntries(
    Object.entries(families).map(([family, seeds]) => [
      family,
      {
        impact: impactOf(seeds),
        ranges: Object.fromEntries(
          DATA_NAMES.map((data) => [data, summaryOf(seeds, data)] as const),
        ) as Readonly<Record<DataName, CoverageSummary>>,
      },
    ]),
  );
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(6)) : value;
}
