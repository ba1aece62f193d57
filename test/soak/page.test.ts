import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missedBounds, type SoakResult, soakPage } from './page.js';

const PUBLISHED = JSON.parse(readFileSync('docs/soak.json', 'utf8')) as SoakResult;
const { virtual: VIRTUAL } = PUBLISHED;

test('the published page says what its figures say', () => {
  expect(readFileSync('docs/soak.md', 'utf8')).toBe(soakPage(PUBLISHED));
});

test('each bound is judged by its figure, and where nothing is asked there is none', () => {
  expect(VIRTUAL).toBeDefined();
  if (VIRTUAL === undefined) return;
  expect(missedBounds({ virtual: VIRTUAL })).toEqual([]);
  const days = VIRTUAL.days.map((day, index) => ({ ...day, handles: index, synced: 0 }));
  const worse = { ...VIRTUAL, days, rssGrowthMiB: 8.01, mostJournalMiBPerDay: 20 };
  const missed = missedBounds({ virtual: worse });
  expect(missed).toEqual([
    expect.stringMatching(/^RSS at the end of a day .*: 8.01 MiB, the bound is 8 MiB$/),
    'handles of the event loop: 1 to 29, the bound is constant',
  ]);
  const rows = soakPage({ virtual: worse }).split('\n');
  expect(rows.filter((row) => row.includes('**no**'))).toHaveLength(2);
  expect(rows.find((row) => row.includes('are SYNCED'))).toMatch(/\| 0 to 0 of 10[^|]* \|\s+\|\s+\|$/);
});

test('a slope over minutes stands beside the minutes and what it rose from and to', () => {
  const { real } = PUBLISHED;
  if (real === undefined) return;
  const page = soakPage({
    real: { ...real, minutes: 40, rssFirstMiB: 100, rssLastMiB: 111, rssSlopeMiBPerHour: 22 },
  });
  expect(page).toContain('| RSS, first and last of 30 minutes | 100, 111 MiB |');
  expect(page).toContain('| RSS, least squares over those 30 minutes | 22 MiB an hour |');
});
