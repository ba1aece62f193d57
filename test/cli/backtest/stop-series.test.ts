/** Where the stop at the venue stood, in the curves of a saved run: prints two seconds apart, a point each second. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunSeries } from '../../../src/backtest/series.js';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { folder, T0 } from '../../storage/support.js';
import { captureOutput } from '../../support/captured-output.js';
import { EVERY, recordLevel } from './level-recording.js';

const ROWS = 40;
/** Indices of prints: the position is wanted with a stop, the stop is moved, nothing is wanted. */
const [HELD, MOVED, FLAT] = [10, 20, 30];

const before = process.cwd();
beforeEach(async () => {
  process.chdir(await folder());
  captureOutput();
  await recordLevel(ROWS);
});
afterEach(() => process.chdir(before));

async function seriesOf(stop: string): Promise<RunSeries> {
  await writeFile(
    'held.ts',
    `import { defineStrategy, flat, holdPosition } from 'tickwright';
export default defineStrategy({ name: 'held', create: () => {
  let seen = -1;
  return { onTrade: () => {
    seen++;
    if (seen < ${HELD} || seen >= ${FLAT}) return flat();
    return holdPosition('0.01'${stop});
  } };
} });\n`,
  );
  await backtest(['held.ts'], { data: ['data'], fill: 'queue', seed: 1, json: true, save: true });
  const [run = ''] = await readdir('backtest/runs');
  return JSON.parse(await readFile(`backtest/runs/${run}/series.json`, 'utf8')) as RunSeries;
}

it('tells at each point of the curve which stop the venue held', async () => {
  const { times, stops = [] } = await seriesOf(`, { stop: seen < ${MOVED} ? 59000 : 59500 }`);
  expect(stops).toHaveLength(times.length);
  expect(stops[0]).toBeNull();
  for (const [i, time] of times.entries()) {
    if (i === 0) continue;
    // What was done at a print is there at the next one: an order is 50 ms under way.
    const print = Math.ceil((time - T0) / EVERY) - 1;
    const settled = [HELD, MOVED, FLAT].every((change) => print < change || print > change + 2);
    if (!settled) continue;
    const wanted = print < HELD || print >= FLAT ? null : print < MOVED ? 59_000 : 59_500;
    expect(stops[i], `${i}: print ${print}`).toBe(wanted);
  }
  expect(new Set(stops)).toEqual(new Set([null, 59_000, 59_500]));
});

it('has no such list where there was never one', async () => {
  expect(await seriesOf('')).not.toHaveProperty('stops');
});
