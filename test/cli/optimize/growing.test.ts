/** A search over a recording that grows meanwhile. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTrial } from '../../../src/backtest/search/trial.js';
import { finishRun } from '../../../src/cli/backtest/backtest-run.js';
import { dataImport } from '../../../src/cli/commands/data-import.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { runOf, searchedBy } from '../../../src/cli/optimize/best-run.js';
import { type Ground, groundOf, queryOf } from '../../../src/cli/optimize/ground.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { FactWriter } from '../../../src/storage/facts/fact-writer.js';
import { openRecording } from '../../../src/storage/recording/recording.js';
import { folder, T0 } from '../../storage/support.js';
import { captureOutput } from '../../support/captured-output.js';

const BTC = 'USD_BTC_PERP';
const HEAD = 'id,pair,is_buyer_maker,qty,price,time';
const ROWS = Array.from(
  { length: 400 },
  (_, at) => `${at + 1},${BTC},${at % 2 === 0},0.5,${60_000 + ((at * 37) % 101)}.0,${T0 + at * 2_000}`,
);
/** Just after the last print of those that are recorded at first. */
const END = T0 + 299 * 2_000 + 1;

const before = process.cwd();
beforeEach(async () => {
  process.chdir(await folder());
  captureOutput();
  await importRows(ROWS.slice(0, 300));
});
afterEach(() => process.chdir(before));

async function importRows(rows: readonly string[]): Promise<void> {
  await writeFile('rows.csv', [HEAD, ...rows, ''].join('\n'));
  await dataImport('rows.csv', { pair: BTC, out: 'data' });
}

const facts = (name: string, line: object) => writeFile(join('data', BTC, name), `${JSON.stringify(line)}\n`);

/** A ticker and a book every second, up to a time. */
async function observe(from: number, to: number): Promise<void> {
  const writer = await FactWriter.open(nodeFiles, 'data', BTC);
  for (let time = from; time < to; time += 1_000) {
    const price = 60_000 + ((time / 1_000) % 50);
    writer.ticker({
      ticker: {
        time,
        lastPrice: price,
        markPrice: price,
        indexPrice: price,
        bidPrice: price - 1,
        askPrice: price + 1,
        bidQuantity: 1,
        askQuantity: 1,
      },
    });
    writer.depth({ kind: 'depth', time, bids: [[price - 1, 1]], asks: [[price + 1, 1]] });
  }
  writer.funding({ time: Math.floor(to), rate: '0.0001' });
  await writer.close();
}

const ground = (asked: { readonly from?: string; readonly to?: string } = {}) =>
  groundOf(thisMachine(), 'market-maker', {
    data: ['data'],
    fill: 'queue',
    seed: 1,
    budget: 1,
    walkForward: 0,
    ...asked,
  });

/** A trial, as a thread runs it. */
async function trialOn(search: Ground) {
  const { machine, paths, strategy, options, whole } = search;
  const recording = await openRecording(machine.files, paths, queryOf(search, whole));
  const task = {
    definition: strategy.definition,
    strategyHash: strategy.sha256,
    engineVersion: 'test',
    options,
    fixed: {},
  };
  return runTrial(task, recording, {});
}

describe('a search of a recording that grows meanwhile', () => {
  it.each([
    ['without a bound', {}],
    ['with an end that the recording has not come to', { to: '2030-01-01' }],
  ])('ends where the recording ended when it began, %s', async (_, asked) => {
    const search = await ground(asked);
    expect(search.whole).toEqual({ from: T0, to: END });
    const first = await trialOn(search);
    await importRows(ROWS.slice(300));
    const second = await trialOn(search);
    expect(second).toEqual(first);
    expect(second.judged.to).toBe(END - 1);
    const found = { texts: {}, number: 1, outcome: first };
    const run = await runOf(search, found as Parameters<typeof runOf>[1], {
      stretch: search.whole,
      onceMore: async () => ({ kind: 'done', outcome: second }),
    });
    expect([run.result.from, run.result.to]).toEqual([T0, END - 1]);
    const ruined = { ...run, result: { ...run.result, ruinedAt: T0 } };
    expect(await searchedBy(search, ruined, search.whole)).toEqual({ from: T0, to: END - 1 });
  });
});

describe('what is recorded besides trades', () => {
  it.each([
    ['and is written some seconds behind them', END - 25_000],
    ['and is written ahead of them', END + 5_000],
    ['and was not, until then', T0 - 1],
  ])('stays as it was when the search began, %s', async (_, observedTo) => {
    if (observedTo > T0) await observe(T0, observedTo);
    const search = await ground();
    const first = await trialOn(search);
    const recording = await openRecording(search.machine.files, search.paths, { pair: BTC });
    const request = { ...search, recording, from: undefined, to: undefined };
    const before = await finishRun(search.machine, request);
    await observe(Math.max(T0, END - 60_000, observedTo + 1_000), END + 60_000);
    await importRows(ROWS.slice(300));
    expect(await trialOn(search)).toEqual(first);
    const searched = await openRecording(search.machine.files, search.paths, queryOf(search, search.whole));
    const after = await finishRun(search.machine, { ...request, recording: searched });
    expect(after.result).toEqual(before.result);
  });
});

describe('its runs have the ids of backtests of the same, where after the last print', () => {
  it.each([
    ['nothing is recorded', undefined, {}],
    ['a funding rate is', 'funding.ndjson', { time: END + 5_000_000, rate: '0.0001' }],
    [
      'the market is for the first time',
      'markets.ndjson',
      {
        time: END + 5_000,
        spec: {
          pair: BTC,
          base: 'BTC',
          quote: 'USD',
          price: { min: '0.5', max: '1000000', step: '0.5' },
          quantity: { min: '0.001', max: '1000', step: '0.001' },
          fees: { maker: '0', taker: '0.0005' },
        },
      },
    ],
    ['a gap is', 'gaps.ndjson', { from: END + 1_000, to: END + 9_000 }],
  ])('%s', async (_, file, line) => {
    if (file !== undefined) await facts(file, line);
    const search = await ground();
    const { machine, strategy, paths, options, whole } = search;
    const request = { strategy, paths, from: undefined, to: undefined, options };
    const searched = await openRecording(machine.files, paths, queryOf(search, whole));
    const other = await openRecording(machine.files, paths, { pair: BTC });
    const [ours, alone] = [
      await finishRun(machine, { ...request, recording: searched }),
      await finishRun(machine, { ...request, recording: other }),
    ];
    expect(ours.result).toEqual(alone.result);
    expect(ours.recipe).toEqual(alone.recipe);
    // What is recorded is part of the id, or the comparison would prove nothing.
    if (file !== undefined) {
      const bounded = await openRecording(machine.files, paths, { pair: BTC, to: whole.to });
      expect((await finishRun(machine, { ...request, recording: bounded })).result.runId).not.toBe(
        alone.result.runId,
      );
    }
  });
});
