/** `verify` of a run whose recording is not what it was. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { compare } from '../../../src/cli/commands/compare.js';
import { dataImport } from '../../../src/cli/commands/data-import.js';
import { verify } from '../../../src/cli/commands/verify.js';
import { RUNS_FOLDER } from '../../../src/cli/backtest/backtest-run.js';
import type { AccountResult } from '../../../src/backtest/account-result.js';
import { Decimal } from '../../../src/model/decimal.js';
import { seededRandom } from '../../../src/model/random.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { FactWriter } from '../../../src/storage/facts/fact-writer.js';
import { ROOT } from '../../e2e/program.js';
import { folder, T0 } from '../../storage/support.js';
import { NO_PRICES } from '../../support/no-prices.js';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.js';

const BTC = 'USD_BTC_PERP';
const ETH = 'USD_ETH_PERP';
const HOUR = 3_600_000;
const HEAD = 'id,pair,is_buyer_maker,qty,price,time';
const SAME = 'the recording has grown since: the part that the run saw is the same\n';

const before = process.cwd();
let printed: CapturedOutput;
beforeEach(async () => {
  process.chdir(await folder());
  printed = captureOutput();
});
afterEach(() => process.chdir(before));

/** Prints two seconds apart; before the last 500 so many ids are missing, and it is so much later. */
function rowsOf(pair: string, { skipped = 0, restMs = 0 } = {}): readonly string[] {
  const random = seededRandom(pair);
  let price = pair === BTC ? 60_000 : 3_000;
  return Array.from({ length: 1_500 }, (_, at) => {
    price += random.integer(-30, 31) / 10;
    const isRest = at >= 1_000;
    const [id, time] = [at + 1 + (isRest ? skipped : 0), T0 + at * 2_000 + (isRest ? restMs : 0)];
    return `${id},${pair},${random.next() < 0.5},0.5,${price.toFixed(1)},${time}`;
  });
}

async function importRows(pair: string, rows: readonly string[]): Promise<void> {
  await writeFile('rows.csv', [HEAD, ...rows, ''].join('\n'));
  await dataImport('rows.csv', { pair, out: 'data' });
}

interface Asked {
  readonly names?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly to?: string;
  readonly capital?: string;
}

/** The run's id. */
async function run({ names = ['market-maker'], capital, ...more }: Asked = {}): Promise<string> {
  printed.clear();
  const paid = capital === undefined ? {} : { capital: [{ asset: 'USD', amount: capital }] };
  const code = await backtest(names, { data: ['data'], fill: 'all', seed: 1, json: true, ...more, ...paid });
  expect(code).toBe(0);
  return (JSON.parse(printed.out) as { readonly runId: string }).runId;
}

async function verified(id: string): Promise<{ readonly code: number; readonly text: string }> {
  printed.clear();
  const code = await verify(id, {});
  return { code, text: printed.out };
}

const recipePath = (id: string) => join(RUNS_FOLDER, id, 'run.json');

async function editRecipe(id: string, edit: (text: string) => string): Promise<void> {
  const text = await readFile(recipePath(id), 'utf8');
  expect(edit(text)).not.toBe(text);
  await writeFile(recipePath(id), edit(text));
}

/** Into a file of lines. */
function facts(name: string, lines: readonly object[]): Promise<void> {
  return writeFile(join('data', BTC, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** A ticker each second, from so many seconds after the first print on. */
async function tickers(from: number, to: number): Promise<void> {
  const writer = await FactWriter.open(nodeFiles, 'data', BTC);
  for (let at = from; at < to; at++) {
    writer.ticker({ ticker: { ...NO_PRICES, time: T0 + at * 1_000, markPrice: 60_000 } });
  }
  await writer.flush();
  await writer.close();
}

/** The market with each price step, from when it was so. */
function markets(...steps: readonly (readonly [time: number, step: string])[]): Promise<void> {
  const lines = steps.map(([time, step]) => {
    const price = { min: step, max: '1000000', step };
    const quantity = { min: '0.001', max: '1000', step: '0.001' };
    const fees = { maker: '0', taker: '0.0005' };
    return { time, spec: { pair: BTC, base: 'BTC', quote: 'USD', price, quantity, fees } };
  });
  return facts('markets.ndjson', lines);
}

/** The two of a configuration, on one account. */
async function configured(pairs: readonly string[] = [BTC, ETH]): Promise<void> {
  const entry = (name: string, pair: string) => [
    `  - file: ${join(ROOT, 'strategies', `${name}.ts`)}`,
    `    pair: ${pair}`,
  ];
  const lines = [
    'version: 1',
    'mode: paper',
    'venue: { url: "http://127.0.0.1:8085" }',
    'strategies:',
    ...pairs.flatMap((pair) => entry('market-maker', pair)),
  ];
  await writeFile('tickwright.yaml', `${lines.join('\n')}\n`);
}

it('of which the recording is as it was says nothing of it', async () => {
  await importRows(BTC, rowsOf(BTC));
  const { code, text } = await verified(await run());
  expect([code, text]).toEqual([0, expect.stringMatching(/^[^\n]* bytes equal\n$/)]);
});

it.each([
  ['without a bound', {}],
  ['with an end that the recording had not come to', { to: '2030-01-01' }],
])('executes a run %s up to the last print that it saw', async (_, asked) => {
  const rows = rowsOf(BTC);
  await importRows(BTC, rows.slice(0, 1_000));
  const id = await run(asked);
  await importRows(BTC, rows.slice(1_000));
  const { code, text } = await verified(id);
  expect([code, text]).toEqual([0, expect.stringMatching(/ bytes equal\n {2}/)]);
  expect(text).toContain(SAME);
  printed.clear();
  await verify(id, { json: true });
  expect(JSON.parse(printed.out)).toMatchObject({ identical: true, hasGrown: true });
});

it('knows the end of an older run, which does not say it, by its result', async () => {
  const rows = rowsOf(BTC);
  await importRows(BTC, rows.slice(0, 1_000));
  const id = await run();
  await editRecipe(id, (text) => text.replace(/"last":\d+,/, ''));
  await importRows(BTC, rows.slice(1_000));
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
});

it.each([
  ['null', null],
  ['a list', []],
  ['a text', 'x'],
])('tells the data of a result that somebody changed to %s, of a recording that has grown', async (_, data) => {
  await importRows(BTC, rowsOf(BTC).slice(0, 100));
  const one = await run();
  await importRows(ETH, rowsOf(ETH).slice(0, 100));
  await configured();
  const ids = [one, await run({ names: [] })];
  for (const pair of [BTC, ETH]) await importRows(pair, rowsOf(pair));
  for (const id of ids) {
    const path = join(RUNS_FOLDER, id, 'result.json');
    await writeFile(
      path,
      (await readFile(path, 'utf8')).replaceAll(/"data":\{[^{}]*\}/g, `"data":${JSON.stringify(data)}`),
    );
    const { code, text } = await verified(id);
    expect([code, text]).toEqual([3, expect.stringMatching(/ not reproduced: \d+ values differ/)]);
  }
});

it('and compare obey nothing in a result that somebody changed', async () => {
  await importRows(BTC, rowsOf(BTC).slice(0, 100));
  const folderOfRun = join(RUNS_FOLDER, await run());
  const path = join(folderOfRun, 'result.json');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/"runId":"/, '"x\u009b2J":1,"runId":"\\u001b[2J'));
  const { code, text: told } = await verified(folderOfRun);
  expect([code, told]).toEqual([3, expect.stringContaining('\uFFFD[2J')]);
  printed.clear();
  await compare(folderOfRun, folderOfRun, {});
  expect(printed.out).toContain('are identical');
  expect(/[^\P{Cc}\n]/u.exec(told + printed.out)?.[0]).toBeUndefined();
});

it('and compare say where a result has the same values in other bytes', async () => {
  await importRows(BTC, rowsOf(BTC).slice(0, 100));
  const id = await run();
  const other = join(RUNS_FOLDER, 'other');
  await cp(join(RUNS_FOLDER, id), other, { recursive: true });
  const path = join(other, 'result.json');
  await writeFile(path, JSON.stringify(JSON.parse(await readFile(path, 'utf8')), undefined, 1));
  printed.clear();
  await compare(id, other, {});
  expect(printed.out).toBe(
    `${id} and ${id} have equal values in other bytes; one of the files was written anew\n`,
  );
});

it('does not count the gap that only what came later shows, nor what came before', async () => {
  const rows = rowsOf(BTC, { skipped: 7 });
  await importRows(BTC, rows.slice(200, 1_000));
  const id = await run();
  await importRows(BTC, rows.slice(1_000));
  await importRows(BTC, rows.slice(0, 200));
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
});

it('says where the part that was seen is another one, grown or not', async () => {
  const rows = rowsOf(BTC);
  await importRows(BTC, rows.slice(0, 1_000));
  const id = await run();
  await rm('data', { recursive: true });
  await importRows(BTC, [...rows.slice(0, 500), ...rows.slice(501, 1_000)]);
  const other = await verified(id);
  expect([other.code, other.text]).toEqual([3, expect.stringContaining('the first is data.hash\n')]);
  expect(other.text).toContain('  what is recorded is not what the run was over: that alone');
  await importRows(BTC, rows.slice(1_000));
  const grown = await verified(id);
  expect([grown.code, grown.text]).toEqual([3, expect.stringContaining('the first is data.hash\n')]);
  expect(grown.text).toContain(
    'has grown since, and the part that the run saw is not what it was: that alone',
  );
});

it('keeps the bounds that a run was given when the same one is run without', async () => {
  await importRows(BTC, rowsOf(BTC));
  const [from, to] = [T0, T0 + 3_000_000];
  const id = await run({ from: String(from), to: String(to) });
  expect(await run()).toBe(id);
  expect(JSON.parse(await readFile(recipePath(id), 'utf8'))).toMatchObject({ data: { from, to } });
  await editRecipe(id, () => 'damaged');
  expect(await run()).toBe(id);
  expect(JSON.parse(await readFile(recipePath(id), 'utf8'))).toMatchObject({
    data: { from: null, to: null },
  });
});

it('executes an account up to the last print of each pair', async () => {
  await configured();
  const [btc, eth] = [rowsOf(BTC), rowsOf(ETH)];
  await importRows(BTC, btc.slice(0, 1_000));
  await importRows(ETH, eth.slice(0, 700));
  const id = await run({ names: [] });
  await importRows(BTC, btc.slice(1_000));
  await importRows(ETH, eth.slice(700));
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
});

it('executes an account whose markets were inferred with different digits, and which is the sum of its strategies', async () => {
  const [coarse, fine] = ['BTC-USDT', 'PEPE-USDT'] as const;
  await configured([coarse, fine]);
  const turned = (pair: string, quantity: string, priceOf: (price: number) => string) =>
    rowsOf(BTC).map((row) => {
      const [id, , side, , price, time] = row.split(',');
      return [id, pair, side, quantity, priceOf(Number(price)), time].join();
    });
  const ofFine = (quantity: string) => turned(fine, quantity, (price) => (price / 1e7).toFixed(8));
  await importRows(coarse, turned(coarse, '0.25', String).slice(0, 900));
  await importRows(fine, ofFine('0.25').slice(0, 700));
  const id = await run({ names: [], set: { minHalfSpread: '0' } });
  const { pnl, strategies } = JSON.parse(printed.out) as AccountResult;
  for (const model of ['through', 'queue', 'touch'] as const) {
    const shares = [coarse, fine].map((pair) => new Decimal(strategies[pair]?.pnl[model] ?? Number.NaN));
    expect(shares.map(String)).not.toContain('0');
    expect(new Decimal(pnl[model] ?? Number.NaN)).toEqual(Decimal.sum(...shares));
  }
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringMatching(/^[^\n]* bytes equal\n/) });
  // Prints of finer lots than before, too.
  await importRows(fine, ofFine('0.125').slice(700));
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
});

it.each([
  ['one strategy', ['market-maker']],
  ['an account', []],
])('executes %s that was ruined over all that it read', async (_, names) => {
  const [btc, eth] = [rowsOf(BTC), rowsOf(ETH)];
  await importRows(ETH, eth.slice(0, 1_000));
  if (names.length === 0) {
    await configured();
    await importRows(BTC, btc.slice(0, 1_000));
  }
  const id = await run({ names, capital: '0.5' });
  expect(printed.out).toContain('"ruinedAt":');
  await importRows(ETH, eth.slice(1_000));
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
});

it('executes a run over bars up to the last one that it saw', async () => {
  const [head, bars] = ['open_time,open,high,low,close,volume', rowsOf(BTC)];
  const lines = bars.map((row, at) => {
    const price = Number(row.split(',')[4]);
    const [open, high, low, close] = [price, price + 2, price - 2, price + 0.5];
    return [T0 - (T0 % 60_000) + at * 60_000, open, high, low, close, 3].join(',');
  });
  const load = async (part: readonly string[]) => {
    await writeFile('bars.csv', [head, ...part, ''].join('\n'));
    await dataImport('bars.csv', { pair: BTC, out: 'data' });
  };
  await load(lines.slice(0, 1_000));
  const id = await run({ names: ['sma-cross'], set: { bars: '1m' } });
  await load(lines.slice(1_000));
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
});

it('takes what was known by then, also behind the last print, and nothing that became known later', async () => {
  const rows = rowsOf(BTC);
  const later = rowsOf(BTC, { restMs: 12 * HOUR }).slice(1_000);
  await importRows(BTC, rows.slice(0, 1_000));
  const rates = [{ time: T0 - (T0 % (8 * HOUR)) + 16 * HOUR, rate: '0.0001' }];
  await facts('funding.ndjson', rates);
  await markets([T0 - 1, '0.1']);
  const id = await run();
  expect(printed.out).toContain(`"unfundedUntil":${rates[0]?.time}`);
  await importRows(BTC, later);
  await markets([T0 - 1, '0.1'], [T0 + 13 * HOUR, '0.01']);
  await facts('funding.ndjson', [...rates, { time: (rates[0]?.time ?? 0) + 8 * HOUR, rate: '0.0002' }]);
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
});

it.each([
  ['a run', ['market-maker']],
  ['an account', []],
])('executes %s with the tickers that it read, though those of before its last print came later', async (_, names) => {
  await importRows(BTC, rowsOf(BTC));
  await importRows(ETH, rowsOf(ETH));
  if (names.length === 0) await configured();
  await tickers(0, 2_900);
  const id = await run({ names, ...(names.length === 0 ? {} : { pair: BTC }) });
  await tickers(2_900, 2_950);
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringMatching(/ bytes equal\n/) });
  expect(await run({ names, ...(names.length === 0 ? {} : { pair: BTC }) })).not.toBe(id);
});

it('has the prices of a run on its own grid, whatever finer step came behind its last print', async () => {
  const [before, after] = [[T0 - 1, '0.1'] as const, [T0 + HOUR, '0.01'] as const];
  await importRows(BTC, rowsOf(BTC).slice(0, 1_000));
  await markets(before);
  const id = await run();
  const text = await readFile(join(RUNS_FOLDER, id, 'result.json'), 'utf8');
  await markets(before, after);
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringMatching(/^[^\n]* bytes equal\n$/) });
  expect(await run()).toBe(id);
  expect(await readFile(join(RUNS_FOLDER, id, 'result.json'), 'utf8')).toBe(text);
  await importRows(BTC, rowsOf(BTC, { restMs: 12 * HOUR }).slice(1_000));
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(SAME) });
  // A step that was recorded with prints behind it is of a run over them.
  expect(await run()).not.toBe(id);
});

it.each([
  ['a run', {}],
  ['a run with an end', { to: String(T0 + 2_000_000) }],
  ['an account', { names: [] }],
])('executes %s on the market that was inferred then, whatever other prints tell of it since', async (_, asked) => {
  const [pair, other] = ['BTCUSD', 'ETHUSD'];
  const rows = rowsOf(pair);
  await importRows(pair, rows.slice(0, 1_000));
  if ('names' in asked) {
    await configured([pair, other]);
    await importRows(other, rowsOf(other));
  }
  const id = await run(asked);
  expect(printed.out).toContain('"market":"inferred"');
  const finer = rows
    .slice(1_000)
    .map((row) => row.replaceAll(/(\.\d),/g, (_, digit: string) => `${digit}5,`));
  await importRows(pair, finer);
  expect(await verified(id)).toEqual({ code: 0, text: expect.stringContaining(' bytes equal\n') });
  // A new run is on the market that all of them tell of.
  expect(await run(asked)).not.toBe(id);
});

it('sees that fees of an inferred market were changed', async () => {
  const pair = 'BTCUSD';
  await importRows(pair, rowsOf(pair));
  const id = await run();
  const path = join('data', pair, 'market.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"0.0002"', '"0.0001"'));
  const { code, text } = await verified(id);
  expect([code, text]).toEqual([3, expect.stringContaining('the first is data.marketHash\n')]);
});

it('refuses a run of which the inferred market is none', async () => {
  await importRows('BTCUSD', rowsOf('BTCUSD'));
  const id = await run();
  await editRecipe(id, (text) => text.replace(/"quotePrecision":\d+/, '"quotePrecision":"x"'));
  await expect(verified(id)).rejects.toThrow(/run\.json\.data\.inferred\.quotePrecision must be /);
});
