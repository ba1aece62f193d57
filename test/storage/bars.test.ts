import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { type BarRow, barRow } from '../../src/storage/rows/bar-columns.js';
import { writeBarDay } from '../../src/storage/rows/bar-file.js';
import { checkRecordings } from '../../src/storage/certificate/certificate.js';
import {
  type BarImportOptions,
  type BarImportResult,
  importData,
} from '../../src/storage/import/import-bars.js';
import { readMarket } from '../../src/storage/rows/market-file.js';
import { openRecording, type RecordingQuery } from '../../src/storage/recording/recording.js';
import { files, folder, PAIR, T0 } from './support.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const OPEN = 1_640_995_200_000; // 2022-01-01

async function bring(text: string | Uint8Array, options: Partial<BarImportOptions> = {}) {
  const directory = options.directory ?? (await folder());
  const source = join(await folder(), 'bars.csv');
  await writeFile(source, text);
  const result = await importData(files, { sources: [source], pair: PAIR, ...options, directory });
  return { directory, source, result: result as BarImportResult };
}

async function barsOf(directory: string, query: RecordingQuery = {}): Promise<(BarRow & { end: number })[]> {
  const recording = await openRecording(files, [directory], query);
  const rows: (BarRow & { end: number })[] = [];
  for await (const bars of recording.bars()) {
    for (let row = 0; row < bars.count; row++)
      rows.push({ ...barRow(bars, row), end: bars.end[row] as number });
  }
  return rows;
}

const csv = (rows: readonly (readonly number[])[], head = 'time,open,high,low,close,volume') =>
  `${head}\n${rows.map((row) => row.join(',')).join('\n')}\n`;

const THREE = [
  [OPEN, 100, 103, 99, 101, 5],
  [OPEN + MINUTE, 101, 102, 100, 100.5, 0],
  [OPEN + 3 * MINUTE, 100.5, 100.5, 100.5, 100.5, 1.25],
] as const;

const withQuoteVolume = (volumes: readonly string[], head = 'quote_volume') =>
  [`time,open,high,low,close,volume,${head}`, ...THREE.map((row, at) => `${row.join()},${volumes[at]}`)].join(
    '\n',
  );

/** Of a market that is margined in coins: 3000 contracts of 100 USD, which are 5 BTC. */
const CONTRACTS = [0, 1, 2].map((bar) => {
  const time = OPEN + bar * MINUTE;
  return `${time},60000,60100,59900,60000,3000,${time + MINUTE - 1},5.0,10,1500,2.5,0`;
});
const KLINES =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';

const expected = THREE.map(([time, open, high, low, close, volume]) => ({
  time,
  open,
  high,
  low,
  close,
  volume,
  end: time + MINUTE,
}));

describe('a file of bars', () => {
  it.each<[string, string | Uint8Array]>([
    ['CSV in ms', csv(THREE)],
    ['the same, packed', gzipSync(csv(THREE))],
    ['a blank behind each comma', csv(THREE).replaceAll(',', ', ')],
    ['in seconds', csv(THREE.map(([time, ...rest]) => [time / 1_000, ...rest]))],
    ['with lines of blanks', ` \n${csv(THREE).replaceAll('\n', '\n\t\n')}  `],
    ['joined, each part under its header', csv([THREE[0]]) + csv([THREE[1]]) + csv([THREE[2]])],
    ['in nanoseconds', csv(THREE).replaceAll(/^\d{13}/gm, '$&000000')],
    ['in any order, one of them twice', csv([THREE[2], THREE[0], THREE[1], THREE[0]])],
    [
      'with times as text',
      'date,open,high,low,close,volume\n2022-01-01 00:00:00+00:00,100,103,99,101,5\n' +
        '2022-01-01T00:01:00Z,101,102,100,100.5,0\n2022-01-01T00:03,100.5,100.5,100.5,100.5,1.25\n',
    ],
    [
      'a public dump without a header',
      THREE.map(
        ([t, o, h, l, c, v]) => `${t},${o},${h},${l},${c},${v},${t + MINUTE - 1},${v * c},1,1,1,0`,
      ).join('\n'),
    ],
    ['a quote_volume that is rounded', withQuoteVolume(['510', '0', '126'])],
    ['a quote_volume that says nothing', withQuoteVolume(['', 'null', '125.625'])],
    ['a bar without volume, whatever its quote_volume', withQuoteVolume(['505', '7', '125.625'])],
    [
      'NDJSON of the venue’s own candles',
      THREE.map(([t, o, h, l, c, v]) =>
        JSON.stringify({
          open_time: t,
          open: o,
          high: h,
          low: l,
          close: c,
          base_volume: String(v),
          quote_volume: '9',
        }),
      ).join('\n'),
    ],
  ])('%s', async (_, text) => {
    const { directory, result } = await bring(text);
    expect(await barsOf(directory)).toEqual(expected);
    expect(result).toMatchObject({ kind: 'bars', bars: 3, barMs: MINUTE, volume: 'base', from: OPEN });
  });

  it('with volumes in quote units has them divided by the typical price', async () => {
    const { directory, result } = await bring(csv(THREE), { volume: 'quote' });
    expect(result.volume).toBe('quote');
    // (103 + 99 + 101) / 3 = 101
    expect((await barsOf(directory)).map(({ volume }) => volume)).toEqual([5 / 101, 0, 1.25 / 100.5]);
  });

  it('that counts contracts is taken where its columns are named for what they count', async () => {
    const named = KLINES.replace('volume,', 'contracts,').replace('quote_volume', 'base_volume');
    const { directory } = await bring([named, ...CONTRACTS].join('\n'));
    expect((await barsOf(directory)).map(({ volume }) => volume)).toEqual([5, 5, 5]);
  });

  it.each<[string, (volume: number) => object]>([
    ['volume', (volume) => ({ volume: 3000 + volume, base_volume: volume })],
    ['volume_base', (volume) => ({ volume: 3000 + volume, volume_base: volume })],
    [
      'quote_volume',
      (volume) => ({ volume: 3000 + volume, base_volume: volume, quote_volume: 100 * volume }),
    ],
  ])('that has base units beside %s is taken by its base units', async (_, volumes) => {
    const lines = THREE.map(([time, open, high, low, close, volume]) =>
      JSON.stringify({ time, open, high, low, close, ...volumes(volume) }),
    );
    const { directory, result } = await bring(lines.join('\n'));
    expect((await barsOf(directory)).map(({ volume }) => volume)).toEqual([5, 0, 1.25]);
    expect(result.volume).toBe('base');
  });

  it('whose volume is said to be in quote units is taken by it, whatever stands beside it', async () => {
    const lines = THREE.map(
      ([time, open, high, low, close, volume]) => `${[time, open, high, low, close, volume, 7].join()}\n`,
    );
    const text = `time,open,high,low,close,volume,base_volume\n${lines.join('')}`;
    const { directory } = await bring(text, { volume: 'quote' });
    expect((await barsOf(directory))[0]?.volume).toBe(5 / 101);
  });

  it('whose volume is said to be in quote units must have the same in a column quote_volume', async () => {
    const volume = 'quote';
    const { directory } = await bring(withQuoteVolume(['5', '0', '1.25']), { volume });
    expect((await barsOf(directory))[0]?.volume).toBe(5 / 101);
    await expect(bring([KLINES, ...CONTRACTS].join('\n'), { volume })).rejects.toThrow(
      'bars.csv:2 must have a quote_volume that is its volume, received 5.0 beside a volume of 3000',
    );
  });

  it('is merged with what is there, and comes back by time in what is asked for', async () => {
    const { directory } = await bring(csv(THREE.slice(0, 2)));
    const { result } = await bring(csv(THREE.slice(1)), { directory });
    expect(result).toMatchObject({ bars: 1, duplicates: 1 });
    expect(await barsOf(directory)).toEqual(expected);
    const some = await barsOf(directory, { from: OPEN + MINUTE, to: OPEN + 3 * MINUTE });
    expect(some).toEqual([expected[1]]);
    const recording = await openRecording(files, [directory]);
    expect([recording.kind, recording.barMs]).toEqual(['bars', MINUTE]);
    expect((await recording.chunks().next()).done).toBe(true);
    // The close of a bar that ends behind the bound is not known by then.
    const cut = await barsOf(directory, { to: OPEN + 2 * MINUTE - 1 });
    expect(cut).toEqual(expected.slice(0, 1));
  });

  it('mends a day that has lost its end mark alone', async () => {
    for (const lost of [4, 8]) {
      const { directory } = await bring(csv(THREE));
      const [path = ''] = (await openRecording(files, [directory])).days.map((day) => day.path);
      await writeFile(path, (await readFile(path)).subarray(0, -lost));
      const [damaged] = await checkRecordings(files, [directory]);
      expect(damaged?.unread).toMatchObject([{ kind: 'damaged', file: path }]);
      await bring(csv(THREE), { directory });
      const [mended] = await checkRecordings(files, [directory]);
      expect([mended?.unread, mended?.bars]).toEqual([[], 3]);
    }
  });

  it('leaves a day as it is of which bars cannot be read', async () => {
    const { directory } = await bring(csv(THREE));
    const [path = ''] = (await openRecording(files, [directory])).days.map((day) => day.path);
    const bytes = await readFile(path);
    const flipped = Buffer.from(bytes);
    const batch = flipped.indexOf(Buffer.from([0xff, 0xff, 0xff, 0xff]), 4);
    flipped[batch] = 0xfe;
    for (const [damaged, at] of [
      [flipped, batch],
      [bytes.subarray(0, -100), batch],
      [Buffer.concat([bytes, Buffer.from('more than a mark')]), bytes.length],
    ] as const) {
      await writeFile(path, damaged);
      await expect(bring(csv([[OPEN + 2 * MINUTE, 100, 101, 99, 100, 1]]), { directory })).rejects.toThrow(
        `${path} must be whole where bars are added to it, received damage from byte ${at} on`,
      );
      expect(await readFile(path)).toEqual(damaged);
    }
    expect((await files.list(join(directory, PAIR))).map(({ name }) => name)).not.toContain(
      'import-unfinished.json',
    );
  });

  it('has a certificate that names what is missing', async () => {
    const { directory } = await bring(csv(THREE));
    const [certificate] = await checkRecordings(files, [directory]);
    expect(certificate).toMatchObject({
      kind: 'bars',
      bars: 3,
      barMs: MINUTE,
      trades: 0,
      gaps: [{ from: OPEN + 2 * MINUTE, to: OPEN + 3 * MINUTE, missing: 1, evidence: 'times' }],
      barFaults: [],
      from: OPEN,
      to: OPEN + 4 * MINUTE,
    });
  });

  it('has gaps that a backtest learns of', async () => {
    const { directory } = await bring(csv(THREE));
    expect((await openRecording(files, [directory])).gaps).toEqual([
      { from: OPEN + 2 * MINUTE, to: OPEN + 3 * MINUTE, missing: undefined },
    ]);
  });

  it('opens in Arrow as it is', async () => {
    const { directory } = await bring(csv(THREE));
    const table = tableFromIPC(await readFile(join(directory, PAIR, '2022-01-01.bars.arrow')));
    expect([...(table.getChild('close') ?? [])]).toEqual([101, 100.5, 100.5]);
    expect(table.schema.metadata.get('tickwright.barMs')).toBe('60000');
  });

  it.each<[string, string, RegExp]>([
    [
      'no column of volume',
      csv(THREE, 'time,open,high,low,close,shares'),
      /volume, base_volume or quote_volume/,
    ],
    [
      'no price',
      csv([[OPEN, 0, 1, 1, 1, 1]]),
      /bars\.csv:2 must have open as a number above 0, received "0"/,
    ],
    [
      'a low above its close',
      csv([[OPEN, 100, 103, 102, 101, 5]]),
      /bars\.csv:2 must have open and close between low and high, received open 100, high 103, low 102, close 101/,
    ],
    ...[
      '164099520000',
      '16409952000000',
      '164099520',
      '2022-02-30',
      '1999-12-31T23:59:00Z',
      '2100-01-01',
    ].map((time): [string, string, RegExp] => [
      `the time ${time}`,
      `${csv(THREE)}${time},1,1,1,1,1`,
      new RegExp(
        `bars\\.csv:5 must have time in ms, µs, ns or s since 1970, from 2000 to 2099, .* received "${time}"`,
      ),
    ]),
    ...['1.6409952E+12', '1.64E+09'].map((time): [string, string, RegExp] => [
      `the time ${time}, of which a spreadsheet has cut digits`,
      `${csv(THREE)}${time},1,1,1,1,1`,
      /bars\.csv:5 must have time in ms, .* received "1\.64.*E\+\d+" \(an exponent cuts digits, as spreadsheets do: export the column as text\)/,
    ]),
    [
      'a JSON array of bars',
      `[{"time":${OPEN},"open":1,"high":1,"low":1,"close":1,"volume":1}]`,
      /bars\.csv:1 must have CSV, or NDJSON with one object a line, received a JSON array/,
    ],
    [
      'semicolons',
      csv(THREE).replaceAll(',', ';'),
      /bars\.csv:1 must have fields separated by commas, .*semicolons, it seems/,
    ],
    [
      'volumes that count contracts',
      [KLINES, ...CONTRACTS].join('\n'),
      /bars\.csv:2 must have a quote_volume of its volume × a price between low and high, received 5\.0 beside a volume of 3000 between 59900 and 60100 \(a volume that counts contracts .*\)$/,
    ],
    [
      'volumes that count contracts, and no header',
      CONTRACTS.join('\n'),
      /bars\.csv:1 must have a quote_volume of .* \(there is no header line: the columns were taken for open_time/,
    ],
    ...['quote asset volume', 'Quote_Asset_Volume', 'quoteVolume'].map((head): [string, string, RegExp] => [
      `volumes in base units that its ${head} contradicts`,
      withQuoteVolume(['505', '0', '99'], head),
      /bars\.csv:4 must have a quote_volume of .* received 99 beside a volume of 1\.25 between 100\.5 and 100\.5/,
    ]),
    [
      'a key twice, in NDJSON',
      `{"open_time":${T0},"open":1,"high":2,"low":1,"close":1,"volume":3,"close":2}\n`,
      /bars\.csv:1 must have an object with each key once, received close more than once in \{"open_time"/,
    ],
    [
      'volumes that count contracts, in NDJSON',
      `{"time":${OPEN},"open":60000,"high":60100,"low":59900,"close":60000,"volume":3000,"quoteVolume":5}`,
      /bars\.csv:1 must have a quote_volume of .* received 5 beside a volume of 3000/,
    ],
    ['one bar only', csv([THREE[0]]), /bars\.csv:2 must be followed by another bar/],
    [
      'other columns than those of the public dumps, and no header',
      `${OPEN},5,103,99,100,101,${OPEN + MINUTE - 1},7,1,1,1,0\n`,
      /bars\.csv:1 must have open and close between low and high, .* \(there is no header line: the columns were taken for open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_base,taker_quote,ignore\)/,
    ],
    [
      'times off the grid',
      csv([THREE[0], THREE[1], [OPEN + 150_000, 1, 1, 1, 1, 1]]),
      /bars\.csv:4 must open at a multiple of 1m since 1970 UTC, received 1640995350000, which is 30s after one/,
    ],
    [
      'two bars of one time that differ',
      csv([...THREE, [OPEN, 100, 103, 99, 101, 6]]),
      /bars\.csv:5: the bar of 1640995200000 must be the same wherever it occurs/,
    ],
  ])('with %s is refused with file and line', async (_, text, message) => {
    await expect(bring(text)).rejects.toThrow(message);
  });

  it('of which one contradicts a bar of a later day is refused before anything of it is written', async () => {
    const DAY = 86_400_000;
    const { directory } = await bring(csv([...THREE, [OPEN + 2 * DAY, 1, 2, 1, 2, 5]]));
    const before = [await barsOf(directory), (await openRecording(files, [directory])).gaps];
    const other = [OPEN + 2 * DAY, 1, 2, 1, 2, 6] as const;
    const between = [0, 1, 2].map((i) => [OPEN + DAY + i * MINUTE, 1, 2, 1, 2, 5] as const);
    await expect(bring(csv([...between, other]), { directory })).rejects.toThrow('must be the same wherever');
    expect([await barsOf(directory), (await openRecording(files, [directory])).gaps]).toEqual(before);
  });

  it('with bars of another length is refused in a recording', async () => {
    const { directory } = await bring(csv(THREE));
    const longer = THREE.map(([time, ...rest]) => [OPEN + (time - OPEN) * 5, ...rest]);
    await expect(bring(csv(longer), { directory })).rejects.toThrow(
      /must hold bars of 1m, as the recording does, received bars of 5m/,
    );
  });

  it.each([
    [
      '17 s late',
      MINUTE,
      17_000,
      /bars\.csv:2 must open at a multiple of 1m since 1970 UTC, received 1640995217000, which is 17s after one/,
    ],
    [
      'of 7 minutes',
      7 * MINUTE,
      0,
      /bars\.csv:2 must begin bars of a length that divides a day, like 1m, 1h or 1d, received bars of 7m/,
    ],
    [
      'of a week',
      7 * DAY,
      4 * DAY,
      /bars\.csv:2 must begin bars of a length that divides a day, .* received bars of 7d/,
    ],
    [
      'of local days',
      DAY,
      -60 * MINUTE,
      /bars\.csv:2 must open at a multiple of 1d since 1970 UTC, .* which is 23h after one/,
    ],
  ])('that no backtest reads, with bars %s, is refused at its line', async (_, length, late, message) => {
    const rows = [0, 1, 2].map((bar) => [OPEN + bar * length + late, 100, 103, 99, 101, 5]);
    await expect(bring(csv(rows))).rejects.toThrow(message);
  });

  it('with one bar in a wrong place is refused at that one, whatever steps it makes', async () => {
    const rows = Array.from({ length: 50 }, (_, bar) => [
      OPEN + bar * MINUTE + (bar === 10 ? 1 : 0),
      1,
      1,
      1,
      1,
      1,
    ]);
    await expect(bring(csv(rows))).rejects.toThrow(
      'bars.csv:12 must open at a multiple of 1m since 1970 UTC, received 1640995800001, which is 1ms after one',
    );
  });

  it('keeps the fraction of a second of a time that is text', async () => {
    const rows = ['00.000', '00.500', '01.000'].map((second) => `2022-01-01T00:00:${second}Z,1,1,1,1,1`);
    const { directory } = await bring(['date,open,high,low,close,volume', ...rows].join('\n'));
    expect((await barsOf(directory)).map(({ time }) => time - OPEN)).toEqual([0, 500, 1_000]);
  });

  it('of half a second is taken: a bar of 1 s is made of two', async () => {
    const rows = [0, 1, 2].map((bar) => [OPEN + bar * 500, 100, 103, 99, 101, 5]);
    expect((await bring(csv(rows))).result).toMatchObject({ bars: 3, barMs: 500 });
  });

  it('tells whether it had to be sorted', async () => {
    expect((await bring(csv(THREE))).result.sorted).toBe(0);
    expect((await bring(csv([THREE[0], THREE[0], THREE[1]]))).result.sorted).toBe(0);
    expect((await bring(csv([THREE[0], THREE[2], THREE[1]]))).result.sorted).toBe(1);
  });

  it.each([
    ['offGrid', MINUTE, 17_000],
    ['length', 7 * MINUTE, 0],
  ])('is not added to a recording that no backtest reads (%s), whose certificate says so', async (kind, barMs, late) => {
    const directory = await folder();
    const row = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
    const path = join(directory, PAIR, '2022-01-01.bars.arrow');
    await files.makeDirectory(join(directory, PAIR));
    await writeBarDay(files, path, {
      pair: PAIR,
      barMs,
      rows: [0, 1].map((bar) => ({ time: OPEN + late + bar * barMs, ...row })),
    });
    const [certificate] = await checkRecordings(files, [directory]);
    expect(certificate?.barFaults).toEqual([{ kind, bars: 2, first: OPEN + late }]);
    const text = csv([3, 4, 5].map((bar) => [OPEN + bar * barMs, 1, 1, 1, 1, 1]));
    await expect(bring(text, { directory })).rejects.toThrow(`${path} must`);
  });

  it('is none whose bars overlap: such a recording was not written by us', async () => {
    const { directory } = await bring(csv(THREE));
    const row = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
    await writeBarDay(files, join(directory, PAIR, '2022-01-02.bars.arrow'), {
      pair: PAIR,
      barMs: MINUTE,
      rows: [OPEN + 1_440 * MINUTE, OPEN + 1_440 * MINUTE + 30_000].map((time) => ({ time, ...row })),
    });
    await expect(barsOf(directory)).rejects.toThrow(
      `2022-01-02.bars.arrow must hold bars in order of time, each after the end of the one before, ` +
        `received one at ${OPEN + 1_440 * MINUTE + 30_000} after one that ends at ${OPEN + 1_441 * MINUTE} in row 2`,
    );
  });

  describe('of several pairs', () => {
    const OTHER = 'USD_ETH_PERP';
    // Bars of the other pair come more often, newest first, open off the grid of the minute, and one has no price.
    const others = [5, 4, 3, 2, 1].map(
      (at) => [OTHER, OPEN + at * 17_000, 9, 9, at === 3 ? 0 : 9, 9, 1] as const,
    );
    const own = THREE.map((row) => [PAIR, ...row] as const);
    const rows = [...others.slice(0, 2), ...own, ...others.slice(2)];
    const NAMES = ['pair', 'time', 'open', 'high', 'low', 'close', 'volume'];
    const asJson = (row: readonly (string | number)[]) =>
      JSON.stringify(Object.fromEntries(NAMES.map((name, at) => [name, row[at]])));
    const forms = {
      CSV: (lines: typeof rows) => [NAMES.join(), ...lines.map((row) => row.join())].join('\n'),
      NDJSON: (lines: typeof rows) => lines.map(asJson).join('\n'),
    };

    it.each(Object.entries(forms))('in %s has those of the pair imported', async (_, textOf) => {
      const { directory, result } = await bring(textOf(rows));
      expect(await barsOf(directory)).toEqual(expected);
      expect(result).toMatchObject({ bars: 3, barMs: MINUTE, duplicates: 0, sorted: 0, skipped: 5 });
      expect(result.withoutLineEnd).toEqual([]);
    });

    it.each(Object.entries(forms))('in %s is refused without one of the pair', async (_, textOf) => {
      const directory = await folder();
      await expect(bring(textOf(others), { directory })).rejects.toThrow(
        `bars.csv must hold bars of ${PAIR}, received ${OTHER}`,
      );
    });
  });

  it('is refused in a recording of trades, and trades in one of bars', async () => {
    const trades = `id,price,qty,time,is_buyer_maker\n7,100,1,${T0},false\n`;
    const { directory } = await bring(trades);
    await expect(bring(csv(THREE), { directory })).rejects.toThrow(
      /must be a recording of bars, received one of trades/,
    );
    const { directory: ofBars } = await bring(csv(THREE));
    await expect(bring(trades, { directory: ofBars })).rejects.toThrow(
      /must be a recording of trades, received one of bars/,
    );
    await expect(bring(trades, { volume: 'quote' })).rejects.toThrow(/--volume must be given for bars only/);
  });

  it('without a known market has one that its prices show', async () => {
    const { directory } = await bring(csv(THREE), { pair: 'X_Y_PERP' });
    const market = await readMarket(files, join(directory, 'X_Y_PERP'));
    expect(market).toMatchObject({
      source: 'inferred',
      spec: { price: { step: '0.1' }, quantity: { step: '0.001' } },
    });
  });

  it('of prices in single precision has a market that they differ on', async () => {
    const prices = [1.2345678, 1.4037168, 1.5993412].map(Math.fround);
    const rows = prices.map((price, at) => [OPEN + at * MINUTE, price, price, price, price, 5]);
    const { directory, result } = await bring(csv(rows), { pair: 'X_Y_PERP' });
    const market = await readMarket(files, join(directory, 'X_Y_PERP'));
    // The largest is 1.59934115…, and the filter ends at the step above ten times that.
    expect(market?.spec.price).toMatchObject({ step: '0.0000001', max: '15.9934116' });
    expect(result.finerThanGrid).toEqual({ price: '0.0000001' });
  });

  it.each([5_123.4, 27_123.4, 65_000.3])('of %d in single precision, too', async (first) => {
    const rows = Array.from({ length: 4 }, (_, at) => {
      const price = Math.fround(first + at / 10);
      return [OPEN + at * MINUTE, price, price, price, price, 5];
    });
    const { result } = await bring(csv(rows), { pair: 'X_Y_PERP' });
    // The smallest begins with thousands or ten thousands: eight digits of it.
    expect(result.finerThanGrid).toEqual({ price: first < 10_000 ? '0.0001' : '0.001' });
  });

  it('of halves, quarters and eighths has what they show', async () => {
    const prices = [27_123.5, 27_123.25, 27_123.125, 104_123.625];
    const rows = prices.map((price, at) => [OPEN + at * MINUTE, price, price, price, price, 5]);
    const { directory, result } = await bring(csv(rows), { pair: 'X_Y_PERP' });
    expect((await readMarket(files, join(directory, 'X_Y_PERP')))?.spec.price.step).toBe('0.001');
    expect(result.finerThanGrid).toBeUndefined();
  });
});

const REAL = fileURLToPath(
  new URL('../../../shared/data/USD_BTC_PERP-ohlcv-1m-202201.csv.gz', import.meta.url),
);
const inCi = process.env['CI'] === 'true';

describe.skipIf(!existsSync(REAL) && !inCi)('the month of real bars', () => {
  it('has 45 031 minutes with volumes in base units (skipped without the file)', async () => {
    const directory = await folder();
    const result = await importData(files, { sources: [REAL], directory, pair: PAIR, volume: 'quote' });
    const lines = gunzipSync(await readFile(REAL))
      .toString()
      .trimEnd()
      .split('\n')
      .slice(1);
    expect(result).toMatchObject({ kind: 'bars', bars: lines.length, barMs: MINUTE, duplicates: 0 });
    expect(lines.length).toBe(45_031);
    const bars = await barsOf(directory);
    const rows = lines.map(
      (line) => line.split(',').map(Number) as [number, number, number, number, number, number],
    );
    expect(bars.map(({ time, open, high, low, close }) => [time, open, high, low, close])).toEqual(
      rows.map(([time, open, high, low, close]) => [time, open, high, low, close]),
    );
    for (const [index, [, , high, low, close, volume]] of rows.entries()) {
      expect(bars[index]?.volume).toBeCloseTo((volume * 3) / (high + low + close), 8);
    }
  });
});
