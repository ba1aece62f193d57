import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkRecordings } from '../../src/storage/certificate/certificate.js';
import { type ImportOptions, importTrades } from '../../src/storage/import/import-trades.js';
import { readMarket } from '../../src/storage/rows/market-file.js';
import type { Files } from '../../src/ports/files.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { files, folder, PAIR, T0 } from './support.js';

const HEADER = 'id,pair,is_buyer_maker,is_best_match,qty,price,time';

async function bring(text: string | Uint8Array, options: Partial<ImportOptions> = {}) {
  const directory = options.directory ?? (await folder());
  const source = join(await folder(), 'trades.csv');
  await writeFile(source, text);
  const result = await importTrades(files, { sources: [source], pair: PAIR, ...options, directory });
  return { directory, source, result };
}

async function rows(directory: string) {
  const recording = await openRecording(files, [directory]);
  const all: unknown[] = [];
  for await (const chunk of recording.chunks()) {
    for (let i = 0; i < chunk.count; i++) {
      all.push([chunk.id(i), chunk.time[i], chunk.price[i], chunk.quantity[i], chunk.isBuyerMaker[i] === 1]);
    }
  }
  return all;
}

describe('a file of trades', () => {
  const csv = [
    HEADER,
    `7,${PAIR},false,true,0.006,61800.3,${T0}`,
    `8,${PAIR},true,true,0.199,61800.2,${T0 + 22}`,
  ].join('\n');
  const expected = [
    ['7', T0, 61800.3, 0.006, false],
    ['8', T0 + 22, 61800.2, 0.199, true],
  ];

  it.each<[string, string | Uint8Array]>([
    ['CSV with the specification’s fields', csv],
    [
      'the same with the line ends of Windows, a byte order mark and a line end at the end',
      `\ufeff${csv.replaceAll('\n', '\r\n')}\r\n`,
    ],
    ['the same, without a 0 before the point', csv.replaceAll(',0.', ',.')],
    ['the same, packed', gzipSync(csv)],
    ['the same, packed in two members', Buffer.concat([gzipSync(csv.slice(0, 77)), gzipSync(csv.slice(77))])],
    [
      'a public dump with other fields and no pair',
      `id,price,qty,quote_qty,time,is_buyer_maker\n7,61800.3,0.006,370.8,${T0},False\n8,61800.2,0.199,1,${T0 + 22},True`,
    ],
    [
      'a dump in microseconds',
      `agg_trade_id,price,quantity,transact_time,is_buyer_maker\n7,61800.3,0.006,${T0}123,0\n8,61800.2,0.199,${T0 + 22}999,1`,
    ],
    [
      'a dump in nanoseconds',
      `id,price,qty,time,is_buyer_maker\n7,61800.3,0.006,${T0}999999,0\n8,61800.2,0.199,${T0 + 22}000000,1`,
    ],
    [
      'NDJSON in nanoseconds, of which a double does not hold all digits',
      `{"id":7,"price":61800.3,"qty":0.006,"time":${T0}999999,"is_buyer_maker":false}\n` +
        `{"id":8,"price":61800.2,"qty":0.199,"is_buyer_maker":true,"time":${T0 + 22}000000}\n`,
    ],
    [
      'NDJSON with other figures of the same names inside',
      `{"id":7,"info":{"price":1,"qty":2,"id":3,"time":4},"price":61800.3,"qty":0.006,"time":${T0}999999,"is_buyer_maker":false}\n` +
        `{"id":8,"price":61800.2,"qty":0.199,"is_buyer_maker":true,"time":${T0 + 22}000000,"raw":{"time":${T0 + 7}000000}}\n`,
    ],
    [
      'a dump of contracts, with what each trade comes to in the base asset',
      `id,price,qty,base_qty,time,is_buyer_maker\n7,61800.3,4,0.006,${T0},False\n8,61800.2,123,0.199,${T0 + 22},True`,
    ],
    ['a blank behind each comma', csv.replaceAll(',', ', ')],
    ['the same with quotes', csv.replaceAll(',', ' , ').replaceAll('true', '"true"')],
    ['lines without anything but blanks', `\n \t\n${csv.replaceAll('\n', '\n \n\n')}\n  `],
    [
      'dumps that were joined, each under its header',
      `\ufeff${csv.split('\n').slice(0, 2).join('\n')}\n${HEADER} \n${csv.split('\n')[2]}\r\n\ufeff${HEADER}\n`,
    ],
    ['a header in capitals', csv.replace(HEADER, HEADER.toUpperCase())],
    [
      'a header in the capitals of another language',
      `id,Price,Qty,time,isBuyerMaker\n7,61800.3,0.006,${T0},False\n8,61800.2,0.199,${T0 + 22},True`,
    ],
    [
      'quoted fields',
      `"id","price","qty","time","is_buyer_maker","note"\n7,61800.3,"0.006",${T0},false,"a, ""b"""\n8,61800.2,0.199,${T0 + 22},true,""`,
    ],
    [
      'NDJSON as the venue answers',
      `{"id":"7","pair":"${PAIR}","price":61800.3,"qty":0.006,"time":${T0},"is_buyer_maker":false}\n` +
        `{"id":8,"price":"61800.2","qty":"1.99e-1","time":${T0 + 22},"is_buyer_maker":true}\n`,
    ],
    [
      'lines in the wrong order, one of them twice',
      [...csv.split('\n'), csv.split('\n')[1]]
        .toSorted((a, b) => (b === HEADER ? 1 : String(b).localeCompare(String(a))))
        .join('\n'),
    ],
  ])('%s', async (_, text) => {
    const { directory, result } = await bring(text);
    expect(await rows(directory)).toEqual(expected);
    expect(result).toMatchObject({
      pair: PAIR,
      trades: 2,
      skipped: 0,
      market: 'inferred',
      from: T0,
      to: T0 + 22,
    });
  });

  it('may have ids in which an e is a digit, and an exponent in prices and quantities', async () => {
    const { directory } = await bring(`${HEADER}\n12e45678,${PAIR},true,true,1e-3,6.18E+4,${T0}.0`);
    expect(await rows(directory)).toEqual([['12e45678', T0, 61_800, 0.001, true]]);
  });

  it('that comes again adds nothing', async () => {
    const { directory } = await bring(csv);
    expect((await bring(csv, { directory })).result).toMatchObject({ trades: 0, duplicates: 2 });
    expect(await rows(directory)).toEqual(expected);
  });

  it('whose ids are those of other trades is refused before anything of it is written', async () => {
    const { directory } = await bring(csv);
    const before = await rows(directory);
    for (const shift of [86_400_000, -86_400_000]) {
      const shifted = csv
        .replaceAll(String(T0 + 22), String(T0 + shift + 22))
        .replaceAll(`${T0}`, `${T0 + shift}`);
      await expect(bring(shifted, { directory })).rejects.toThrow(
        `trades.csv:2: ${PAIR}: trade 7 must be the same wherever it occurs, received one at ${T0 + shift}; the recording has the ids 7 to 8 from ${T0} to ${T0 + 22}`,
      );
      expect(await rows(directory)).toEqual(before);
    }
  });

  it('may hold other pairs, which are passed over and counted', async () => {
    const others = [`9,USD_ETH_PERP,true,true,1,2500,${T0}`, `,USD_ETH_PERP,true,true,0,0,${T0}`];
    const { result } = await bring([csv, ...others].join('\n'));
    expect(result).toMatchObject({ trades: 2, skipped: 2 });
  });

  it.each([
    [
      'no header',
      `7,61800.3\n`,
      ':1 must have a header with the columns id, time, price, qty, is_buyer_maker, received 7,61800.3 (no',
    ],
    ['a missing field', `${csv}\n9,${PAIR},true\n`, ':4 must have 7 fields, received 3'],
    [
      'a price that is none',
      `${HEADER}\n7,${PAIR},false,true,1,abc,${T0}`,
      ':2 must have price as a number above 0, received "abc"',
    ],
    ...['0x10', '-1', ' 1', '1e999', '1,5', '.', '.e1', '+.5', ''].map((price): [string, string, string] => [
      `the price ${JSON.stringify(price)}`,
      `${HEADER}\n7,${PAIR},false,true,1,"${price}",${T0}`,
      `:2 must have price as a number above 0, received ${JSON.stringify(price)}`,
    ]),
    [
      'a quantity of zero',
      `${HEADER}\n7,${PAIR},false,true,0,1,${T0}`,
      ':2 must have qty as a number above 0, received "0"',
    ],
    [
      'an infinite price',
      `{"id":1,"price":1e999,"qty":1,"time":${T0},"is_buyer_maker":true}`,
      ':1 must have price as a number above 0',
    ],
    [
      'an id that is too long',
      `${HEADER}\n${'7'.repeat(129)},${PAIR},true,true,1,1,${T0}`,
      `:2 must have id as a whole number or as text of 1 to 128 characters, received "77`,
    ],
    [
      'an aggressor that is none',
      `${HEADER}\n7,${PAIR},maybe,true,1,1,${T0}`,
      ':2 must have is_buyer_maker as true or false, received "maybe"',
    ],
    [
      'seconds',
      `${HEADER}\n7,${PAIR},true,true,1,1,1723161256`,
      ':2 must have time in whole ms, µs or ns since 1970, from 2000 to 2099, received "1723161256"',
    ],
    ...[
      `${T0}`.slice(0, -1),
      `${T0}0`,
      `${T0}12`,
      `${T0}1234`,
      `${T0}1234567`,
      '946684799999',
      '4102444800000',
    ].map((time): [string, string, string] => [
      `the time ${time}, which is no moment from 2000 to 2099`,
      `${HEADER}\n7,${PAIR},true,true,1,1,${T0}\n8,${PAIR},true,true,1,1,${time}`,
      `:3 must have time in whole ms, µs or ns since 1970, from 2000 to 2099, received "${time}"`,
    ]),
    ...['1.72316E+12', '1.72316e+12', '1.723161256322E12'].map((time): [string, string, string] => [
      `the time ${time}, of which a spreadsheet has cut digits`,
      `${HEADER}\n7,${PAIR},true,true,1,1,${time}`,
      `:2 must have time in whole ms, µs or ns since 1970, from 2000 to 2099, received "${time}" (an exponent cuts digits, as spreadsheets do: export the column as text)`,
    ]),
    ...['1.23457E+11', '"1,23457E+11"', '1e+20'].map((id): [string, string, string] => [
      `the id ${id}, of which a spreadsheet has cut digits`,
      `${HEADER}\n${id},${PAIR},true,true,1,1,${T0}`,
      `:2 must have id as a whole number or as text of 1 to 128 characters, received "${id.replaceAll('"', '')}" (an exponent cuts digits, as`,
    ]),
    [
      'a header of other columns in the middle',
      `${csv}\nid,price,qty,time,is_buyer_maker\n9,61800.3,1,${T0},true`,
      ':4 must have 7 fields, received 5',
    ],
    [
      'no id',
      `${HEADER}\n,${PAIR},true,true,1,1,${T0}`,
      ':2 must have id as a whole number or as text of 1 to 128 characters, received ""',
    ],
    ['a torn quote', `${HEADER}\n"7,${PAIR},true,true,1,1,${T0}`, ':2 must have quotes in pairs'],
    [
      'a JSON array',
      `[{"id":7,"price":1,"qty":1,"time":${T0},"is_buyer_maker":true},{"id":8}]`,
      ':1 must have CSV, or NDJSON with one object a line, received a JSON array',
    ],
    ['a JSON array of many lines', '[\n{"id":7}\n]', ':1 must have CSV, or NDJSON with one object a line'],
    ...[
      [';', 'semicolons'],
      ['\t', 'tabs'],
    ].map(([separator = '', name]): [string, string, string] => [
      `${name} instead of commas`,
      csv.replaceAll(',', separator),
      `:1 must have fields separated by commas, received ${HEADER.replaceAll(',', separator)} (separated by ${name}, it seems)`,
    ]),
    [
      'line ends of an old Mac',
      csv.replaceAll('\n', '\r'),
      ':1 must have lines that end with LF, or with CR and LF, received a line with CR alone in it (ends of an old Mac, it seems)',
    ],
    ['broken JSON', `{"id":1,\n`, ':1 must have a JSON object'],
    [
      'JSON with a key twice, of which the first value would be lost',
      `{"id":"1","time":${T0},"price":"1","qty":"1","note":{"qty":1,"a":["}:"]},"is_buyer_maker":true,"price":"2"}\n`,
      ':1 must have an object with each key once, received price more than once in {"id":"1"',
    ],
    ['JSON without a field', `{"id":1,"price":1}\n`, ':1 must have an object with time'],
    [
      'the same id with other facts',
      `${csv}\n7,${PAIR},false,true,0.006,61800.4,${T0}`,
      ':4: USD_BTC_PERP: trade 7 must be the same wherever it occurs',
    ],
    [
      'another pair only',
      csv.replaceAll(PAIR, 'USD_ETH_PERP'),
      ' must hold trades of USD_BTC_PERP, received USD_ETH_PERP',
    ],
    ['nothing', '', ' must hold trades of USD_BTC_PERP, received no trade'],
    [
      'a column twice',
      `id,price,time,price,qty,is_buyer_maker\n7,61800.3,${T0},1,0.006,false`,
      ':1 must have a header with each column once, received price more than once in id,price,time',
    ],
    [
      'contracts and no header',
      `7,61800.3,10,0.016,${T0},false\n`,
      ':1 must have price × quantity in its fourth column, or a header above it that names its columns, received 0.016 beside',
    ],
    [
      'other columns and no header',
      `1,${PAIR},false,0.01,50000,${T0}\n`,
      ':1 must have time in whole ms, µs or ns since 1970, from 2000 to 2099, received "50000" (there is no header line: the columns were taken for id,price,qty,quote_qty,time,is_buyer_maker)',
    ],
    ['torn gzip', gzipSync(csv).subarray(0, 60), ' must be whole gzip'],
    [
      'the columns of Parquet',
      Buffer.from('PAR1\u0015\u0004', 'latin1'),
      ' must be text, as it is or packed by gzip, received a Parquet file',
    ],
    [
      'what other programs pack',
      Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14]),
      ' must be text, as it is or packed by gzip, received a ZIP archive',
    ],
    ['other bytes than UTF-8', Buffer.from([0x69, 0x64, 0xff, 0xfe, 0x0a]), ':1 must be text in UTF-8'],
  ])('with %s is refused by file and line', async (_, text, message) => {
    await expect(bring(text)).rejects.toThrow(`trades.csv${message}`);
  });

  it('without a header is refused for its columns in the first line only', async () => {
    const dump = `7,61800.3,0.1,6180.03,${T0},false\n8,61800.3,0.1,6180.03,50000,false\n`;
    await expect(bring(dump)).rejects.toThrow(/:2 must have time in .*, received "50000"$/);
  });

  it('that does not exist is refused', async () => {
    const directory = await folder();
    await expect(importTrades(files, { sources: ['/no/such.csv'], directory, pair: PAIR })).rejects.toThrow(
      '/no/such.csv must be a file, received nothing there',
    );
  });
});

/** Files whose fourth write of rows fails, as if the process died in it. */
function dyingAtFourthAppend(): Files {
  let appends = 0;
  return {
    ...files,
    openAppend: async (path) => {
      const file = await files.openAppend(path);
      const append = (bytes: Uint8Array) => {
        appends++;
        return appends === 4 ? Promise.reject(new Error('killed')) : file.append(bytes);
      };
      return {
        append,
        size: () => file.size(),
        sync: () => file.sync(),
        truncate: (size) => file.truncate(size),
        close: () => file.close(),
      };
    },
  };
}

describe('an import that does not come to the end of its file', () => {
  const many = 140_000;
  /** More than waits in memory, without the ids 1001 to 1100. */
  const lines = Array.from(
    { length: many },
    (_, i) => `${i < 1_000 ? i + 1 : i + 101},${PAIR},false,true,0.001,61800.3,${T0 + i * 10}`,
  );
  const whole = [HEADER, ...lines].join('\n');

  it('because of a line that is no trade says what is in the recording, which knows its gaps and its market', async () => {
    const directory = await folder();
    const refusal =
      /trades\.csv:140002 must have .* \(65536 trades from before that, up to 2024-08-09 00:05:11 UTC, are in the recording now: /;
    await expect(bring(`${whole}\nnonsense`, { directory })).rejects.toThrow(refusal);
    const recording = await openRecording(files, [directory]);
    expect(recording.gaps).toEqual([{ from: T0 + 9_990, to: T0 + 10_000, missing: 100 }]);
    expect(recording.marketSource).toBe('inferred');
    expect(await rows(directory)).toHaveLength(65_536);
    const { result } = await bring(whole, { directory });
    expect(result).toMatchObject({ trades: many - 65_536, duplicates: 65_536, gaps: 1 });
  });

  it('because it died leaves a recording that nobody opens before it was imported again', async () => {
    const directory = await folder();
    const source = join(await folder(), 'trades.csv');
    await writeFile(source, whole);
    await expect(
      importTrades(dyingAtFourthAppend(), { sources: [source], pair: PAIR, directory }),
    ).rejects.toThrow('killed');
    const pairFolder = join(directory, PAIR);
    const unfinished = `${pairFolder} must be whole, received one with an import that still runs or was broken off`;
    await expect(openRecording(files, [directory])).rejects.toThrow(unfinished);
    const sources = [{ name: 'trades.csv', bytes: whole.length }];
    expect((await checkRecordings(files, [directory]))[0]?.unfinishedImports).toEqual([
      { folder: pairFolder, sources },
    ]);
    // One that is refused at once makes it no better.
    await expect(bring(`${HEADER}\nnonsense`, { directory })).rejects.toThrow('received 1: nonsense');
    await expect(openRecording(files, [directory])).rejects.toThrow(unfinished);
    await importTrades(files, { sources: [source], pair: PAIR, directory });
    expect((await openRecording(files, [directory])).gaps).toHaveLength(1);
    expect((await checkRecordings(files, [directory]))[0]?.unfinishedImports).toEqual([]);
  });

  it.each([
    ['another name', 'more.csv', ''],
    ['another size', 'trades.csv', '\n'],
  ])('because it died stays so when a file of %s is imported: the first one is owed', async (_, name, end) => {
    const directory = await folder();
    const source = join(await folder(), 'trades.csv');
    await writeFile(source, whole);
    const other = join(await folder(), name);
    await writeFile(other, `${HEADER}\n200000,${PAIR},false,true,0.001,61800.3,${T0 + 2_000_000}${end}`);
    const bringIn = (from: string, by: Files = files) =>
      importTrades(by, { sources: [from], pair: PAIR, directory });
    await expect(bringIn(source, dyingAtFourthAppend())).rejects.toThrow('killed');
    // Once as a whole, once up to a line that is refused.
    expect(await bringIn(other)).toMatchObject({
      trades: 1,
      owed: [{ name: 'trades.csv', bytes: whole.length }],
    });
    const later = lines.map(
      (_, i) => `${i + 300_000},${PAIR},false,true,0.001,61800.3,${T0 + 2_000_001 + i}`,
    );
    await expect(bring([HEADER, ...later, 'nonsense'].join('\n'), { directory })).rejects.toThrow(
      '(65536 trades from before that',
    );
    await expect(openRecording(files, [directory])).rejects.toThrow(
      `(tickwright data import of trades.csv (${whole.length} bytes) again: `,
    );
    const moved = join(await folder(), 'trades.csv');
    await writeFile(moved, whole);
    expect((await bringIn(moved)).owed).toEqual([]);
    expect(await rows(directory)).toHaveLength(many + 1 + 65_536);
  });
});

describe('a file in another order', () => {
  const line = (id: number) => `${id},${PAIR},false,true,1,61800,${T0 + id}`;
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const whole = { firstId: '1', lastId: '40', from: T0 + 1, to: T0 + 40, repaired: true };

  it.each([
    ['newest first', ids.toReversed(), 39],
    ['a block moved to the front', [...ids.slice(30), ...ids.slice(0, 30)], 30],
    ['newest first, one of them twice', [...ids.toReversed(), 7], 39],
  ])('%s, is sorted and said to have been so', async (_, order, trades) => {
    const { directory, result } = await bring([HEADER, ...order.map(line)].join('\n'));
    expect(result).toMatchObject({ trades: 40, reordered: 1, sorted: 1 });
    const [certificate] = await checkRecordings(files, [directory]);
    expect(certificate).toMatchObject({ outOfOrder: 0, reordered: [{ ...whole, trades }] });
  });

  it('is not one that is there twice', async () => {
    const { result } = await bring([HEADER, ...ids.map(line), ...ids.map(line)].join('\n'));
    expect(result).toMatchObject({ trades: 40, duplicates: 40, reordered: 0, sorted: 0 });
  });
});

it('a file longer than the buffer that is there twice is in no other order, also on a day that is there', async () => {
  const lines = Array.from(
    { length: 140_000 },
    (_, i) => `${i + 2},${PAIR},false,true,1,61800,${T0 + (i >> 9)}`,
  );
  const { directory } = await bring(`${HEADER}\n1,${PAIR},false,true,1,61800,${T0 - 1}`);
  const { result } = await bring([HEADER, ...lines, ...lines].join('\n'), { directory });
  expect(result).toMatchObject({ trades: 140_000, duplicates: 140_000, reordered: 0, sorted: 0 });
});

describe('the market of an import', () => {
  it('is inferred: the fewest digits that hold all prints', async () => {
    const { directory } = await bring(
      `${HEADER}\n1,${PAIR},true,true,0.25,61800.5,${T0}\n2,${PAIR},true,true,1.125,61800,${T0}`,
    );
    const market = await readMarket(files, join(directory, PAIR));
    expect(market).toMatchObject({
      source: 'inferred',
      spec: { base: 'BTC', quote: 'USD', price: { step: '0.1' }, quantity: { step: '0.001' } },
    });
  });

  it('has a tick of 0.5 and a lot of 0.02 when a thousand prints say so', async () => {
    const lines = Array.from(
      { length: 1_000 },
      (_, i) => `${i},${PAIR},true,true,${(((i % 7) + 1) * 2) / 100},${100 + i / 2},${T0 + i}`,
    );
    const { directory } = await bring([HEADER, ...lines].join('\n'));
    const recording = await openRecording(files, [directory]);
    expect(recording.market.filters.price.tickSize / recording.market.priceGrid.scale).toBe(0.5);
    expect(recording.market.filters.quantity.step / recording.market.quantityGrid.scale).toBe(0.02);
  });

  it('is inferred on the finest grid that there is, and float noise makes it no finer', async () => {
    const lines = ['0.0000098745', '0.0000098751', '0.30000000000000004'].map(
      (price, at) => `${at + 7},${PAIR},false,true,1000000,${price},${T0 + at}`,
    );
    const { directory, result } = await bring([HEADER, ...lines].join('\n'));
    const market = await readMarket(files, join(directory, PAIR));
    expect(market?.spec.price.step).toBe('0.0000000001');
    expect(market?.spec.quantity.step).toBe('1');
    expect(result.finerThanGrid).toBeUndefined();
  });

  it('has steps by size where its prints have more digits than a grid, and says so', async () => {
    // Quote amounts divided by prices, and the prices of a pool: no decimals, but quotients of doubles.
    const lines = [7, 11, 13, 17].map(
      (n, at) => `${at + 7},${PAIR},false,true,${n / 4200},${(n * 100) / 991},${T0 + at}`,
    );
    const { directory, result } = await bring([HEADER, ...lines].join('\n'));
    // The smallest are 0.706… and 0.001666…: eight digits of them, and ten times the largest on the same grid.
    const steps = { price: '0.00000001', quantity: '0.0000000001' };
    expect(result.finerThanGrid).toEqual(steps);
    const spec = (await readMarket(files, join(directory, PAIR)))?.spec;
    expect(spec?.price).toEqual({ min: steps.price, max: '17.15438951', step: steps.price });
    expect(spec?.quantity).toEqual({ min: steps.quantity, max: '0.0404761905', step: steps.quantity });
    expect(spec?.quotePrecision).toBe(18);
  });

  it('has steps by size where more than a hundredth of its prints are off every grid, and no common divisor then', async () => {
    const line = (price: number, id: number) => `${id},${PAIR},false,true,1,${price},${T0 + id}`;
    const clean = Array.from({ length: 1_485 }, (_, i) => 100 + i / 2);
    const noisy = (count: number) => Array.from({ length: count }, (_, i) => (300 * (i + 1)) / 17);
    const stepOf = async (prices: readonly number[]) => {
      const { directory, result } = await bring([HEADER, ...prices.map(line)].join('\n'));
      const spec = (await readMarket(files, join(directory, PAIR)))?.spec;
      return [spec?.price.step, result.finerThanGrid];
    };
    expect(await stepOf([...clean, ...noisy(15)])).toEqual(['0.5', undefined]);
    // The smallest is 17.6…
    expect(await stepOf([...clean, ...noisy(16)])).toEqual(['0.000001', { price: '0.000001' }]);
  });

  it.each([
    ['last', ['0.5', '25000.5', '0.000000000123']],
    ['first', ['0.000000000123', '0.5', '25000.5']],
  ])('is no finer than ten times its largest print allows, with the finest %s', async (_, quantities) => {
    const lines = quantities.map((each, at) => `${at + 7},${PAIR},false,true,${each},1,${T0 + at}`);
    const { directory, result } = await bring([HEADER, ...lines].join('\n'));
    // 250005 in steps of 10^-11 is above 2^53.
    expect((await readMarket(files, join(directory, PAIR)))?.spec.quantity).toEqual({
      min: '0.0000000001',
      max: '250005',
      step: '0.0000000001',
    });
    expect(result.finerThanGrid).toEqual({ quantity: '0.0000000001' });
  });

  it('is inferred from all prints, also those of earlier imports', async () => {
    const { directory } = await bring(`${HEADER}\n1,${PAIR},true,true,1,1.25,${T0}`);
    await bring(`${HEADER}\n2,${PAIR},true,true,1,3,${T0 + 1}`, { directory });
    expect((await readMarket(files, join(directory, PAIR)))?.spec.price).toMatchObject({ step: '0.01' });
  });

  it('that was given is kept, and not replaced by a guess', async () => {
    const spec = {
      pair: PAIR,
      base: 'BTC',
      quote: 'USD',
      price: { min: '0.5', max: '1000000', step: '0.5' },
      quantity: { min: '0.001', max: '100', step: '0.001' },
      fees: { maker: '0', taker: '0.0005' },
    };
    const text = `${HEADER}\n1,${PAIR},true,true,1,1.25,${T0}`;
    const { directory, result } = await bring(text, { market: { spec, source: 'given' } });
    expect(result.market).toBe('given');
    expect((await bring(text, { directory })).result.market).toBe('given');
    expect((await readMarket(files, join(directory, PAIR)))?.spec).toEqual(spec);
  });
});

const TAPE = fileURLToPath(
  new URL('../../../shared/data/USD_BTC_PERP-trades-20240808.csv.gz', import.meta.url),
);

it('a gap that only the files show is not kept: it is none once its day is there', async () => {
  const DAY_MS = 86_400_000;
  const tape = (day: number, ids: number) =>
    Array.from({ length: 10 }, (_, i) => `${ids + i},${PAIR},false,true,1,100,${T0 + day * DAY_MS + i}`);
  // The venue has counted anew, so that ids tell nothing of the day between.
  const { directory } = await bring([HEADER, ...tape(0, 11), ...tape(2, 1)].join('\n'));
  const gap = { from: T0 + 9, to: T0 + 2 * DAY_MS, missing: undefined };
  expect((await openRecording(files, [directory])).gaps).toEqual([gap]);
  const other = await bring([HEADER, ...tape(1, 21)].join('\n'));
  expect((await openRecording(files, [directory, other.directory])).gaps).toEqual([]);
});

describe('the real tape', () => {
  it.skipIf(!existsSync(TAPE) && process.env['CI'] !== 'true')(
    'has 21 313 trades and nothing twice, and its hash does not depend on how it was imported (skipped without the tape)',
    async () => {
      const [one, two] = [await folder(), await folder()];
      const result = await importTrades(files, { sources: [TAPE], directory: one, pair: PAIR });
      expect(result).toMatchObject({ trades: 21_313, duplicates: 0, late: 0, market: 'inferred' });
      // The second time from the middle on first, and then all of it.
      const text = await tapeText();
      const [header, ...lines] = text.trim().split('\n');
      const half = join(two, 'half.csv');
      await writeFile(half, [header, ...lines.slice(10_000).reverse()].join('\n'));
      await importTrades(files, { sources: [half, TAPE], directory: two, pair: PAIR });
      await files.remove(half);
      const [first] = await checkRecordings(files, [one]);
      const [second] = await checkRecordings(files, [two]);
      expect(first).toMatchObject({
        trades: 21_313,
        gaps: [],
        duplicates: 0,
        clockJumps: 0,
        outOfOrder: 0,
        contiguousIds: true,
      });
      expect(second?.hash).toBe(first?.hash);
      const { spec } = (await readMarket(files, join(one, PAIR))) ?? {};
      expect([spec?.price.step, spec?.quantity.step]).toEqual(['0.1', '0.001']);
    },
  );
});

async function tapeText(): Promise<string> {
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(await files.read(TAPE)).toString('utf8');
}
