import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataCheck } from '../../../src/cli/commands/data-check.js';
import { dataImport } from '../../../src/cli/commands/data-import.js';
import { record } from '../../../src/cli/commands/record.js';
import { temporaryFolder } from '../../support/temp-folder.js';

const PAIR = 'USD_BTC_PERP';
const START = Date.UTC(2024, 7, 8);

let out: string;
let err: string;
beforeEach(() => {
  out = '';
  err = '';
  const written = (take: (text: string) => void) => (text: unknown, done?: unknown) => {
    take(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(written((text) => void (out += text)));
  vi.spyOn(process.stderr, 'write').mockImplementation(written((text) => void (err += text)));
});
afterEach(() => vi.restoreAllMocks());

async function source(...lines: readonly string[]): Promise<{ folder: string; file: string }> {
  const folder = await temporaryFolder('data-import');
  const file = join(folder, 'source.csv');
  await writeFile(file, `${lines.join('\n')}\n`);
  return { folder, file };
}

const HEADER = 'id,pair,is_buyer_maker,qty,price,time';
const line = (id: number, time: number) => `${id},${PAIR},false,0.1,60000,${time}`;

describe('data import', () => {
  it('refuses a folder that is a file, as record does', async () => {
    const { folder, file } = await source(HEADER, line(1, START));
    for (const path of [file, join(file, 'data')]) {
      const refusal = `--out must be a folder, or a place for one, received ${path}, where ${file} is a file`;
      await expect(dataImport(file, { pair: PAIR, out: path })).rejects.toThrow(refusal);
      const options = { out: path, ticker: 2_000, depth: 0, venue: 'http://127.0.0.1:1' };
      await expect(record([PAIR], options)).rejects.toThrow(refusal);
    }
    expect(await dataImport(file, { pair: PAIR, out: join(folder, 'a', 'b') })).toBe(0);
  });

  it.each([
    ['trades', [HEADER, line(1, START)], [HEADER, line(2, START + 1_000)]],
    [
      'bars',
      ['time,open,high,low,close,volume', `${START},1,2,1,2,5`],
      ['time,open,high,low,close,volume', `${START + 60_000},1,2,1,2,5`],
    ],
  ])('keeps the market that a recording of %s was given, unless it is given another one', async (_, first, more) => {
    const { folder, file } = await source(...first, ...more.slice(1));
    const later = join(folder, 'more.csv');
    await writeFile(later, `${more.join('\n')}\n`);
    const data = join(folder, 'data');
    const sourceOf = async () =>
      JSON.parse(await readFile(join(data, PAIR, 'market.json'), 'utf8')) as {
        source: string;
        spec: { fees: object };
      };
    const market = join(folder, 'market.json');
    await dataImport(file, { pair: PAIR, out: data });
    const known = await sourceOf();
    expect(known.source).toBe('catalogue');
    const spec = { ...known.spec, fees: { ...known.spec.fees, taker: '0.001' } };
    await writeFile(market, JSON.stringify({ spec }));
    await dataImport(later, { pair: PAIR, out: data, market });
    const given = { source: 'given', spec: { fees: { taker: '0.001' } } };
    expect(await sourceOf()).toMatchObject(given);
    out = '';
    await dataImport(later, { pair: PAIR, out: data });
    expect(out).toContain('market given');
    expect(await sourceOf()).toMatchObject(given);
  });

  it.each([
    ['trades', [HEADER, line(1, START)]],
    ['bars', ['time,open,high,low,close,volume', `${START},1,2,1,2,5`, `${START + 60_000},1,2,1,2,5`]],
  ])('of %s refuses a market other than the last one that was recorded: a backtest would not read it', async (_, lines) => {
    const { folder, file } = await source(...lines);
    const data = join(folder, 'data');
    await dataImport(file, { pair: PAIR, out: data });
    const text = await readFile(join(data, PAIR, 'market.json'), 'utf8');
    const { spec } = JSON.parse(text) as { spec: { fees: object } };
    const [before, other] = ['0.002', '0.001'].map((taker) => ({ ...spec, fees: { ...spec.fees, taker } }));
    const history = join(data, PAIR, 'markets.ndjson');
    const recorded = [
      { time: START, spec: before },
      { time: START + 1_000, spec },
    ];
    await writeFile(history, recorded.map((market) => `${JSON.stringify(market)}\n`).join(''));
    const market = join(folder, 'market.json');
    for (const wrong of [before, other]) {
      await writeFile(market, JSON.stringify({ spec: wrong }));
      await expect(dataImport(file, { pair: PAIR, out: data, market })).rejects.toThrow(
        `--market must be the last market of ${history}, whose rules a backtest reads, or be left out, received one with other fees`,
      );
      expect(await readFile(join(data, PAIR, 'market.json'), 'utf8')).toBe(text);
    }
    await writeFile(market, JSON.stringify({ spec }));
    expect(await dataImport(file, { pair: PAIR, out: data, market })).toBe(0);
  });

  it.each([
    ['trades', [HEADER, line(1, START)]],
    ['bars', ['time,open,high,low,close,volume', `${START},1,2,1,2,5`, `${START + 60_000},1,2,1,2,5`]],
  ])('of %s names the file of an earlier import that was broken off', async (_, lines) => {
    const { folder, file } = await source(...lines);
    const data = join(folder, 'data');
    const owed = { name: 'july.csv', bytes: 1_234 };
    const mark = join(data, PAIR, 'import-unfinished.json');
    const wayOut = `if no such file is left, delete ${mark}: the rows that were not imported are then missing without a word)`;
    await mkdir(join(data, PAIR), { recursive: true });
    await writeFile(mark, JSON.stringify({ sources: [owed] }));
    expect(await dataImport(file, { pair: PAIR, out: data, json: true })).toBe(0);
    expect(err).toBe(
      `warning: the recording of ${PAIR} must be whole, received one with an import that was broken off: ` +
        `no backtest opens it before tickwright data import of july.csv (1234 bytes) has come to its end (${wayOut}\n`,
    );
    expect(JSON.parse(out)).toMatchObject({ owed: [owed] });
    out = '';
    expect(await dataCheck(data, {})).toBe(3);
    expect(out).toContain('(tickwright data import of july.csv (1234 bytes) again: ');
    expect(out).toContain(`; ${wayOut}`);
    out = '';
    await dataCheck(data, { json: true });
    expect(JSON.parse(out)).toMatchObject({ unfinishedImports: [join(data, PAIR)] });
  });

  const BARS = ['time,open,high,low,close,volume', `${START},1,2,1,2,5`, `${START + 60_000},1,2,1,2,50`];
  it.each<[string, readonly string[], boolean]>([
    ['trades', [HEADER, line(1, START), line(2, START + 1)], true],
    [
      'trades whose last number is not that of the time',
      ['id,is_buyer_maker,time,price,qty', `1,0,${START},60000,0.12`],
      true,
    ],
    ['bars', BARS, true],
    ['trades that end with a flag', ['id,price,qty,time,is_buyer_maker', `1,60000,0.1,${START},True`], false],
    ['trades in quotes', ['id,is_buyer_maker,time,price,qty', `1,0,${START},60000,"0.12"`], false],
    ['trades in NDJSON', [`{"id":1,"is_buyer_maker":false,"time":${START},"price":60000,"qty":0.12}`], false],
  ])('warns of a last line that may have lost digits, as far as the file shows: %s', async (_, lines, isTold) => {
    const { folder, file } = await source(...lines);
    const whole = await readFile(file, 'utf8');
    expect(await dataImport(file, { pair: PAIR, out: join(folder, 'whole'), json: true })).toBe(0);
    expect(err).toBe('');
    expect(JSON.parse(out)).not.toHaveProperty('withoutLineEnd');
    out = '';
    await writeFile(file, whole.trimEnd());
    expect(await dataImport(file, { pair: PAIR, out: join(folder, 'data'), json: true })).toBe(0);
    const where = `${file}:${lines.length}`;
    const warning =
      `warning: ${where} must end with a line end, received none: ` +
      'if the file was cut off there, its last field lacks digits (imported all the same)\n';
    expect(err).toBe(isTold ? warning : '');
    expect((JSON.parse(out) as { withoutLineEnd?: unknown }).withoutLineEnd).toEqual(
      isTold ? [where] : undefined,
    );
  });

  it('warns where ids do not tell what came first within a millisecond, and calls nothing put right', async () => {
    const { folder, file } = await source(
      HEADER,
      ...['b-9', 'a-7', 'c-1', 'a-1'].map((id, at) => `${id},${PAIR},false,0.1,${60_000 + at},${START}`),
      `z-1,${PAIR},false,0.1,60000,${START + 1}`,
    );
    await dataImport(file, { pair: PAIR, out: join(folder, 'data') });
    expect(err).toContain(
      `warning: ids of ${PAIR} are no numbers, and do not tell what came first within a millisecond: 2 trades stand in another order than in the file`,
    );
    expect(out).toContain('0 duplicates, 0 stretches in a wrong place');
    out = '';
    await dataCheck(join(folder, 'data'), {});
    expect(out).not.toContain('put right');
  });

  it('leaves no folder of a pair behind where the file is refused', async () => {
    for (const lines of [
      ['nonsense', '1'],
      ['time,open,high,low,close,volume', 'nonsense'],
    ]) {
      const { folder, file } = await source(...lines);
      await expect(dataImport(file, { pair: PAIR, out: join(folder, 'data') })).rejects.toThrow(file);
      expect(existsSync(join(folder, 'data'))).toBe(false);
    }
  });

  it('says when ids stand there twice with other times, as the check does', async () => {
    // More than the writer remembers.
    const lines = Array.from({ length: 300_000 }, (_, i) => line(i + 1, START + i * 1_000)).join('\n');
    const { folder, file } = await source(HEADER, lines, line(1, START + 300_000_000));
    const data = join(folder, 'data');
    expect(await dataImport(file, { pair: PAIR, out: data })).toBe(3);
    expect(err).toContain('an id must be of one trade, received 1 more with the id of another one');
    expect(await dataCheck(data, {})).toBe(3);
  });

  it('takes bars whatever the capitals of their header', async () => {
    const { folder, file } = await source(
      'Date,Open,High,Low,Close,Volume',
      '2024-08-08T00:00:00Z,1,3,1,2,5',
      '2024-08-08T00:01:00Z,2,3,1,2,5',
    );
    expect(await dataImport(file, { pair: PAIR, out: join(folder, 'data') })).toBe(0);
    expect(out).toContain('2 bars of 1m imported');
    expect(out).not.toContain('sorted');
  });

  it('counts bars of other pairs, which it passes over', async () => {
    const row = (pair: string, at: number) => `${pair},${START + at * 60_000},1,3,1,2,5`;
    const rows = [row(PAIR, 0), row('USD_ETH_PERP', 0), row(PAIR, 1), row('USD_ETH_PERP', 1)];
    const { folder, file } = await source('pair,time,open,high,low,close,volume', ...rows);
    expect(await dataImport(file, { pair: PAIR, out: join(folder, 'data') })).toBe(0);
    expect(out).toContain('2 bars of 1m imported');
    expect(out).toContain('0 duplicates, 0 gaps, 2 lines of other pairs passed over; volumes');
    out = '';
    await dataImport(file, { pair: PAIR, out: join(folder, 'data'), json: true });
    expect(JSON.parse(out)).toMatchObject({ bars: 0, duplicates: 2, skipped: 2 });
  });

  it('says of bars how long they are as errors do, and that it has sorted them', async () => {
    for (const [length, text] of [
      [500, '500ms'],
      [86_400_000, '1d'],
    ] as const) {
      const rows = [3, 1, 0].map((bar) => `${START + bar * length},1,3,1,2,5`);
      const { folder, file } = await source('time,open,high,low,close,volume', ...rows);
      const data = join(folder, 'data');
      out = '';
      expect(await dataImport(file, { pair: PAIR, out: data })).toBe(0);
      expect(out).toContain(`3 bars of ${text} imported`);
      expect(out).toContain('0 duplicates, the file was in another order, sorted, 1 gap');
      out = '';
      await dataCheck(data, {});
      expect(out).toContain(`3 bars of ${text}, `);
      expect(out).toContain(': 1 bar missing (times show it)');
    }
  });
});

describe('prints beyond the filters of a known market', () => {
  it('are imported, with a warning that counts them and names the first', async () => {
    const { folder, file } = await source(
      HEADER,
      line(1, START),
      `2,${PAIR},false,100.5,60000,${START + 1}`,
      `3,${PAIR},false,1,60000000000,${START + 2}`,
    );
    expect(await dataImport(file, { pair: PAIR, out: join(folder, 'data'), json: true })).toBe(0);
    expect(err).toBe(
      `warning: 2 trades of ${PAIR} are beyond the filters of its market (catalogue), the first at ${file}:3: ` +
        'quantity must be at most 100, received 100.5 (imported all the same)\n',
    );
    expect(JSON.parse(out)).toMatchObject({
      trades: 3,
      beyondFilters: { prints: 2, where: `${file}:3`, max: 100 },
    });
  });

  it('are those of bars by their highest price, and never by their volume', async () => {
    const { folder, file } = await source(
      'time,open,high,low,close,volume',
      `${START},1,3,1,2,5000`,
      `${START + 60_000},1,30000000,1,2,5`,
    );
    expect(await dataImport(file, { pair: PAIR, out: join(folder, 'data') })).toBe(0);
    expect(err).toBe(
      `warning: 1 bar of ${PAIR} is beyond the filters of its market (catalogue), the first at ${file}:3: ` +
        'price must be at most 10000000, received 30000000 (imported all the same)\n',
    );
  });

  it('are none of a market that is inferred from them', async () => {
    const { folder, file } = await source(
      'id,is_buyer_maker,qty,price,time',
      `1,false,100000,60000000000,${START}`,
    );
    expect(await dataImport(file, { pair: 'BTC_EUR', out: join(folder, 'data') })).toBe(0);
    expect(err).toBe('');
  });
});

describe('prints with more digits than a grid', () => {
  const told = (what: string, step: string) =>
    `warning: ${what} of BTC_EUR have more digits than a grid holds: its market was inferred with a ${step} ` +
    '(--market FILE names the real one)\n';

  it('are imported, with a warning that tells the steps that were taken', async () => {
    const lines = [7, 11].map((n, at) => `${at},false,${n / 4200},${(n * 100) / 991},${START + at}`);
    const { folder, file } = await source('id,is_buyer_maker,qty,price,time', ...lines);
    expect(await dataImport(file, { pair: 'BTC_EUR', out: join(folder, 'data'), json: true })).toBe(0);
    expect(err).toBe(
      told('prices', 'price step of 0.00000001') + told('quantities', 'quantity step of 0.0000000001'),
    );
    expect(JSON.parse(out)).toMatchObject({
      finerThanGrid: { price: '0.00000001', quantity: '0.0000000001' },
    });
  });

  it('are a warning of bars, too, and none where the market is given', async () => {
    const bars = [7, 11].map((n, at) => `${START + at * 60_000},${`${n / 9},`.repeat(4)}5`);
    const { folder, file } = await source('time,open,high,low,close,volume', ...bars);
    expect(await dataImport(file, { pair: 'BTC_EUR', out: join(folder, 'data') })).toBe(0);
    expect(err).toBe(told('prices', 'price step of 0.00000001'));
    err = '';
    await dataImport(file, { pair: PAIR, out: join(folder, 'data'), json: true });
    expect(err).toBe('');
    expect(out.slice(out.indexOf('{'))).not.toContain('finerThanGrid');
  });
});

describe('the assets of a pair that nobody knows', () => {
  const BARE = ['id,is_buyer_maker,qty,price,time', `1,false,0.1,60000,${START}`] as const;

  it('are said where its name does not tell the quote asset', async () => {
    const { folder, file } = await source(...BARE);
    expect(await dataImport(file, { pair: 'GOLDBAR', out: join(folder, 'data') })).toBe(0);
    expect(err).toBe(
      'warning: --pair must tell base and quote asset, received GOLDBAR: taken for base GOLDBAR, quote USD ' +
        '(BASE_QUOTE names both, and so does --market FILE)\n',
    );
  });

  it('are no warning where it tells, or where the market is known', async () => {
    const { folder, file } = await source(...BARE);
    for (const pair of ['BTCUSDT', 'BTC-USDT', PAIR])
      expect(await dataImport(file, { pair, out: join(folder, 'data') })).toBe(0);
    expect(err).toBe('');
  });
});

describe('data check', () => {
  it('rounds the longest silence up: it is an upper bound', async () => {
    const { folder, file } = await source(HEADER, line(1, START), line(2, START + 5_948));
    const data = join(folder, 'data');
    await dataImport(file, { pair: PAIR, out: data });
    await dataCheck(data, {});
    expect(out).toContain('silence      at most 6s');
  });
});
