import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMarket, type MarketSpec } from '../../src/model/market.js';
import { rateOf } from '../../src/model/money.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { END_MARK } from '../../src/storage/rows/arrow-batch.js';
import { checkRecordings } from '../../src/storage/certificate/certificate.js';
import { DAY_MS } from '../../src/storage/rows/day.js';
import { FactHash } from '../../src/storage/facts/fact-hash.js';
import {
  type DepthRow,
  type TickerRow,
  depthTable,
  tickerTable,
} from '../../src/storage/facts/fact-table.js';
import { FactWriter } from '../../src/storage/facts/fact-writer.js';
import { FundingWatch } from '../../src/storage/facts/funding-watch.js';
import { readMarketHistory } from '../../src/storage/facts/rare-facts.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { openRecording, type RecordingQuery } from '../../src/storage/recording/recording.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { files, folder, PAIR, trade } from './support.js';
import { NO_PRICES } from '../support/no-prices.js';

const DAY_ONE = 1_717_200_000_000; // 2024-06-01
const ticker = (time: number, facts: Partial<TickerRow['ticker']> = {}): TickerRow => ({
  ticker: { ...NO_PRICES, time, ...facts },
});

const depth = (time: number, bids: DepthRow['bids'], asks: DepthRow['asks']): DepthRow => ({
  kind: 'depth',
  time,
  bids,
  asks,
});

function spec(tick: string, taker = '0.0006'): MarketSpec {
  return {
    pair: PAIR,
    base: 'BTC',
    quote: 'USD',
    price: { min: tick, max: '1000000', step: tick },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    fees: { maker: '0', taker },
  };
}

/** A recording with one trade a day, so that it can be opened. */
async function recordingFolder(days = 1): Promise<string> {
  const directory = await folder();
  const writer = await RecordingWriter.open(files, directory, PAIR);
  for (let day = 0; day < days; day++) writer.add(trade(day + 1, DAY_ONE + day * DAY_MS + 500));
  await writer.close();
  const facts = await FactWriter.open(files, directory, PAIR);
  facts.market(DAY_ONE, spec('0.5'));
  await facts.close();
  return directory;
}

async function factsOf(directory: string, query: RecordingQuery = {}): Promise<WorldFact[]> {
  const recording = await openRecording(files, [directory], query);
  const all: WorldFact[] = [];
  for await (const some of recording.facts()) all.push(...some);
  return all;
}

const told = (facts: readonly WorldFact[]) => facts.map(({ kind, time }) => [kind, time - DAY_ONE]);

describe('what is recorded besides trades', () => {
  it('comes back as it was, ascending by time, rules before what was seen at the same time', async () => {
    const directory = await recordingFolder();
    const writer = await FactWriter.open(files, directory, PAIR);
    const full = {
      lastPrice: 61_800.3,
      markPrice: 61_800.25,
      indexPrice: 61_799.9,
      bidPrice: 61_800.2,
      bidQuantity: 0.001,
      askPrice: 61_800.3,
      askQuantity: 12.5,
    };
    writer.ticker({ ...ticker(DAY_ONE + 100, full), fundingRate: -0.0001, nextFundingTime: DAY_ONE + 200 });
    writer.ticker(ticker(DAY_ONE + 200, { markPrice: 1 }));
    writer.depth(
      depth(
        DAY_ONE + 200,
        [
          [100, 1],
          [99.5, 2.25],
        ],
        [],
      ),
    );
    writer.depth(depth(DAY_ONE + 300, [], [[101, 3]]));
    writer.funding({ time: DAY_ONE + 200, rate: '-0.0001' });
    writer.market(DAY_ONE + 200, spec('0.5', '0.0004'));
    await writer.close();
    const facts = await factsOf(directory);
    expect(told(facts)).toEqual([
      ['market', 0],
      ['ticker', 100],
      ['market', 200],
      ['funding', 200],
      ['ticker', 200],
      ['depth', 200],
      ['depth', 300],
    ]);
    expect(facts[1]).toEqual({
      kind: 'ticker',
      time: DAY_ONE + 100,
      ticker: { time: DAY_ONE + 100, ...full },
    });
    expect(facts[2]).toMatchObject({ market: { fees: { taker: rateOf('0.0004') } } });
    expect(facts[3]).toEqual({ kind: 'funding', time: DAY_ONE + 200, rate: rateOf('-0.0001') });
    expect(facts[4]).toEqual({
      kind: 'ticker',
      time: DAY_ONE + 200,
      ticker: { ...NO_PRICES, time: DAY_ONE + 200, markPrice: 1 },
    });
    expect(facts[5]).toEqual(
      depth(
        DAY_ONE + 200,
        [
          [100, 1],
          [99.5, 2.25],
        ],
        [],
      ),
    );
    expect(facts[6]).toEqual(depth(DAY_ONE + 300, [], [[101, 3]]));
  });

  it('is clipped to what is asked for, led by the market and the ticker that held then', async () => {
    const directory = await recordingFolder(3);
    const writer = await FactWriter.open(files, directory, PAIR);
    for (const day of [0, 1, 2]) {
      for (const at of [1_000, 2_000, DAY_MS - 60_001, DAY_MS - 60_000]) {
        writer.ticker(ticker(DAY_ONE + day * DAY_MS + at, { lastPrice: day }));
        writer.depth(depth(DAY_ONE + day * DAY_MS + at, [[1, 1]], []));
      }
      writer.funding({ time: DAY_ONE + day * DAY_MS + 1_000, rate: '0.0001' });
    }
    writer.market(DAY_ONE + 900, spec('0.5', '0.0005'));
    writer.market(DAY_ONE + 2 * DAY_MS + 1_500, spec('0.5', '0.0007'));
    await writer.close();
    const from = DAY_ONE + 2 * DAY_MS;
    const known = [
      ['market', 900],
      ['ticker', 2 * DAY_MS - 60_000],
      ['funding', 2 * DAY_MS + 1_000],
      ['ticker', 2 * DAY_MS + 1_000],
      ['depth', 2 * DAY_MS + 1_000],
    ];
    // Nobody trades by a market that came behind the last trade.
    expect(told(await factsOf(directory, { from, to: from + 2_000 }))).toEqual(known);
    const trades = await RecordingWriter.open(files, directory, PAIR);
    trades.add(trade(4, from + 1_500));
    await trades.close();
    expect(told(await factsOf(directory, { from, to: from + 2_000 }))).toEqual([
      ...known,
      ['market', 2 * DAY_MS + 1_500],
    ]);
    // A ticker tells of a minute, not of a day.
    expect(told(await factsOf(directory, { from: from + 1, to: from + 2 }))).toEqual([['market', 900]]);
    expect((await openRecording(files, [directory], { from })).market.fees.taker).toEqual(rateOf('0.0005'));
    expect((await openRecording(files, [directory])).market.fees.taker).toEqual(rateOf('0.0006'));
  });

  it('says when the first funding rate of what is asked for was paid, before any of it is read', async () => {
    const directory = await recordingFolder(3);
    const writer = await FactWriter.open(files, directory, PAIR);
    for (const day of [1, 2]) writer.funding({ time: DAY_ONE + day * DAY_MS, rate: '0.0001' });
    await writer.close();
    const first = async (query: RecordingQuery = {}) =>
      (await openRecording(files, [directory], query)).rates.from;
    expect(await first()).toBe(DAY_ONE + DAY_MS);
    expect(await first({ from: DAY_ONE + DAY_MS + 1 })).toBe(DAY_ONE + 2 * DAY_MS);
    expect(await first({ to: DAY_ONE + DAY_MS })).toBeUndefined();
  });

  it('says when margin rates of what is asked for changed, and of no other change', async () => {
    const directory = await recordingFolder(3);
    const writer = await FactWriter.open(files, directory, PAIR);
    const margin = (initial: string) => ({
      initial,
      maintenance: '0.005',
      initialRiskLimit: '0',
      maintenanceRiskLimit: '0',
    });
    writer.market(DAY_ONE + 5, { ...spec('0.5'), margin: margin('0.010') });
    writer.market(DAY_ONE + 10, { ...spec('0.5', '0.0005'), margin: margin('0.01') });
    writer.market(DAY_ONE + 20, { ...spec('0.5'), margin: margin('0.02') });
    writer.market(DAY_ONE + 30, { ...spec('0.5'), margin: margin('0.03') });
    await writer.close();
    const changed = async (query: RecordingQuery = {}) =>
      (await openRecording(files, [directory], query)).marginChangedAt;
    // Those of the folder's own market, which says none, are others.
    expect(await changed()).toBe(DAY_ONE + 5);
    const from = DAY_ONE + 6;
    expect(await changed({ from })).toBe(DAY_ONE + 20);
    expect(await changed({ from, to: DAY_ONE + 20 })).toBeUndefined();
    expect(await changed({ from: DAY_ONE + 21 })).toBe(DAY_ONE + 30);
    expect(await changed({ from: DAY_ONE + 31 })).toBeUndefined();
  });

  it('takes a market anew only when it has changed, also after a restart', async () => {
    const directory = await recordingFolder();
    const listed = (taker: string) => marketSpecOf(defineMarket(spec('0.5', taker)));
    for (const [at, taker] of ['0.0006', '0.0006', '0.0007', '0.0007', '0.0007'].entries()) {
      const writer = await FactWriter.open(files, directory, PAIR);
      expect(writer.market(DAY_ONE + 10 + at, listed(taker))).toBe(at === 2);
      await writer.close();
    }
    const history = await readMarketHistory(files, [join(directory, PAIR)]);
    expect(history.map(({ time }) => time)).toEqual([DAY_ONE, DAY_ONE + 12]);
  });

  it('has one grid for all its markets, the finest', async () => {
    const directory = await recordingFolder();
    const writer = await FactWriter.open(files, directory, PAIR);
    expect(writer.market(DAY_ONE + 5, spec('0.5'))).toBe(false);
    expect(writer.market(DAY_ONE + 9, spec('0.01'))).toBe(true);
    await writer.close();
    const [before, after] = await factsOf(directory);
    expect(before).toMatchObject({
      market: { priceGrid: { decimals: 2 }, filters: { price: { tickSize: 50 } } },
    });
    expect(after).toMatchObject({
      market: { priceGrid: { decimals: 2 }, filters: { price: { tickSize: 1 } } },
    });
    // Of the time before the change, the coarse grid is enough.
    const early = await openRecording(files, [directory], { to: DAY_ONE + 9 });
    expect(early.market.priceGrid.decimals).toBe(1);
  });

  it('of a day of deep books is never in memory as a whole, when the day is over or when it is read', async () => {
    const directory = await recordingFolder();
    const levels = Array.from({ length: 500 }, (_, level): [number, number] => [level + 0.5, 1]);
    const writer = await FactWriter.open(files, directory, PAIR);
    const rows = 900;
    for (let at = 0; at < rows; at++) {
      writer.depth(depth(DAY_ONE + at, levels, levels));
      if (at % 90 === 89) await writer.flush();
    }
    writer.depth(depth(DAY_ONE + DAY_MS, [], []));
    await writer.close();
    const bytes = await readFile(join(directory, PAIR, '2024-06-01.depth.arrow'));
    const lengths = tableFromIPC(bytes).batches.map(({ numRows }) => numRows);
    // 2 001 numbers a row.
    expect(lengths).toEqual([...Array.from({ length: 10 }, () => 82), 80]);
    let read = 0;
    const counting: typeof files = {
      ...files,
      read: (path) => Promise.reject(new Error(`${path} must not be read as a whole`)),
      async openRead(path) {
        const file = await files.openRead(path);
        return {
          size: file.size,
          async readInto(target, offset) {
            const filled = await file.readInto(target, offset);
            if (path.endsWith('.depth.arrow')) read += filled;
            return filled;
          },
          close: () => file.close(),
        };
      },
    };
    const recording = await openRecording(counting, [directory]);
    read = 0;
    const times: number[] = [];
    for await (const some of recording.facts()) {
      times.push(...some.filter(({ kind }) => kind === 'depth').map(({ time }) => time - DAY_ONE));
      if (times.length > 0 && times.length < 100) expect(read).toBeLessThan(bytes.length / 2);
    }
    expect(times).toEqual([...Array.from({ length: rows }, (_, at) => at), DAY_MS]);
  });

  it.each([
    'ticker',
    'depth',
  ] as const)('is carried on where a crash left no more than the schema: %s', async (kind) => {
    const directory = await recordingFolder();
    const { table } = kind === 'ticker' ? tickerTable(PAIR) : depthTable(PAIR);
    const path = join(directory, PAIR, `2024-06-01.${kind}.arrow`);
    await writeFile(path, table.schemaMessage());
    expect(told(await factsOf(directory))).toEqual([['market', 0]]);
    const writer = await FactWriter.open(files, directory, PAIR);
    if (kind === 'ticker') writer.ticker(ticker(DAY_ONE + 500));
    else writer.depth(depth(DAY_ONE + 500, [[1, 1]], []));
    await writer.close();
    expect(told(await factsOf(directory))).toEqual([
      ['market', 0],
      [kind, 500],
    ]);
  });

  it('is refused, and named by the certificate, where times of it go backwards', async () => {
    const directory = await recordingFolder();
    const writer = await FactWriter.open(files, directory, PAIR);
    writer.ticker(ticker(DAY_ONE + 500));
    await writer.close();
    const path = join(directory, PAIR, '2024-06-01.ticker.arrow');
    const { table, columnsOf } = tickerTable(PAIR);
    await appendFile(path, table.batchMessage(columnsOf([ticker(DAY_ONE + 400)]), 1));
    const why = `${path} must hold times that ascend, received ${DAY_ONE + 400} after ${DAY_ONE + 500}`;
    await expect(factsOf(directory)).rejects.toThrow(why);
    const [pair] = await checkRecordings(files, [directory]);
    expect(JSON.stringify(pair)).toContain('must hold times that ascend');
  });

  it('is nothing where nobody recorded it', async () => {
    const directory = await folder();
    const writer = await RecordingWriter.open(files, directory, PAIR);
    writer.add(trade(1, DAY_ONE));
    await writer.close();
    await writeFile(
      join(directory, PAIR, 'market.json'),
      JSON.stringify({ formatVersion: 1, source: 'given', spec: spec('0.5') }),
    );
    expect(await factsOf(directory)).toEqual([]);
  });

  it('is carried on after a restart: what is not newer is dropped, whatever was torn is cut', async () => {
    const directory = await recordingFolder();
    const path = join(directory, PAIR, '2024-06-01.ticker.arrow');
    const rows = Array.from({ length: 5 }, (_, i) => ticker(DAY_ONE + i * 10, { lastPrice: i + 1 }));
    const writer = await FactWriter.open(files, directory, PAIR);
    for (const row of rows) {
      writer.ticker(row);
      await writer.flush();
    }
    await writer.abandon();
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (length) => {
        await writeFile(path, whole.subarray(0, length));
        const left = (await factsOf(directory)).filter(({ kind }) => kind === 'ticker').length;
        const again = await FactWriter.open(files, directory, PAIR);
        for (const row of rows) again.ticker(row);
        await again.close();
        const facts = (await factsOf(directory)).filter((fact) => fact.kind === 'ticker');
        expect(left).toBeLessThanOrEqual(5);
        expect(facts.map((fact) => fact.ticker)).toEqual(rows.map((row) => row.ticker));
      }),
      { numRuns: 60 },
    );
    await appendFile(join(directory, PAIR, 'markets.ndjson'), '{"time":17');
    expect(told(await factsOf(directory))[0]).toEqual(['market', 0]);
    await truncate(path, 0);
    expect(told(await factsOf(directory))).toEqual([['market', 0]]);
  });

  it.each([
    '',
    'a torn head of the next day',
  ])('a day that was torn is over with the next start behind midnight; %s', async (head) => {
    const directory = await recordingFolder();
    const path = join(directory, PAIR, '2024-06-01.ticker.arrow');
    const writer = await FactWriter.open(files, directory, PAIR);
    for (let i = 0; i < 5; i++) {
      writer.ticker(ticker(DAY_ONE + DAY_MS - 5 + i, { bidPrice: i }));
      await writer.flush();
    }
    await writer.abandon();
    const bytes = await readFile(path);
    await truncate(path, bytes.length - 100);
    if (head !== '') {
      const next = join(directory, PAIR, '2024-06-02.ticker.arrow');
      await writeFile(next, Buffer.concat([bytes.subarray(0, 50), Buffer.alloc(20)]));
    }
    const again = await FactWriter.open(files, directory, PAIR);
    expect(again.newestTicker?.ticker.bidPrice).toBe(3);
    again.ticker(ticker(DAY_ONE + DAY_MS + 9, { bidPrice: 9 }));
    await again.close();
    const over = await readFile(path);
    expect(over.subarray(-END_MARK.length)).toEqual(Buffer.from(END_MARK));
    const table = tableFromIPC(over);
    expect([...(table.getChild('bid_price') ?? [])]).toEqual([0, 1, 2, 3]);
    expect(table.batches.length).toBe(1);
    const [certificate] = await checkRecordings(files, [directory]);
    expect(certificate?.unread).toEqual([]);
  });

  it('other bytes where the newest day should begin are refused, and left as they are', async () => {
    const directory = await recordingFolder();
    const path = join(directory, PAIR, '2024-06-01.ticker.arrow');
    await writeFile(path, 'worth a repair');
    await expect(FactWriter.open(files, directory, PAIR)).rejects.toThrow(
      `${path} must be whole but for its last batch, received damage from byte 0 on`,
    );
    expect(await readFile(path, 'utf8')).toBe('worth a repair');
  });

  it.each([
    ['newest', 0],
    ['newest, though over,', 1],
  ])('rows behind damage of the %s day are not cut off: it is refused', async (_, later) => {
    const directory = await recordingFolder();
    const path = join(directory, PAIR, '2024-06-01.ticker.arrow');
    const writer = await FactWriter.open(files, directory, PAIR);
    const ends: number[] = [];
    for (let i = 0; i < 3; i++) {
      writer.ticker(ticker(DAY_ONE + i, { bidPrice: i + 1 }));
      await writer.flush();
      ends.push((await readFile(path)).length);
    }
    await writer.abandon();
    const bytes = await readFile(path);
    bytes[ends[0] as number] = 0xfe;
    await writeFile(path, bytes);
    const row = ticker(DAY_ONE + later * DAY_MS + 9, { bidPrice: 9 });
    await expect(
      FactWriter.open(files, directory, PAIR).then((again) => {
        again.ticker(row);
        return again.close();
      }),
    ).rejects.toThrow(`received damage from byte ${ends[0]} on`);
    expect(await readFile(path)).toEqual(bytes);
    expect((await checkRecordings(files, [directory]))[0]?.unread).toMatchObject([
      { kind: 'damaged', file: path, at: ends[0] },
    ]);
  });

  it('a day that was damaged while it was written is not rewritten from what is left of it', async () => {
    const directory = await recordingFolder();
    const path = join(directory, PAIR, '2024-06-01.ticker.arrow');
    const writer = await FactWriter.open(files, directory, PAIR);
    for (let i = 0; i < 3; i++) {
      writer.ticker(ticker(DAY_ONE + i, { bidPrice: i + 1 }));
      await writer.flush();
    }
    const bytes = await readFile(path);
    bytes[bytes.indexOf(Buffer.from([0xff, 0xff, 0xff, 0xff]), 8)] = 0xfe;
    await writeFile(path, bytes);
    writer.ticker(ticker(DAY_ONE + DAY_MS, { bidPrice: 9 }));
    await expect(writer.close()).rejects.toThrow(`${path} must be whole but for its last batch`);
    expect(await readFile(path)).toEqual(bytes);
  });

  it('opens in Arrow as it is: a day that is open, and one that is over', async () => {
    const directory = await recordingFolder();
    const writer = await FactWriter.open(files, directory, PAIR);
    for (let i = 0; i < 5; i++) {
      writer.ticker(ticker(DAY_ONE + DAY_MS - 5 + i, { bidPrice: i }));
      await writer.flush();
    }
    writer.ticker(ticker(DAY_ONE + DAY_MS, { bidPrice: 9 }));
    await writer.close();
    const over = tableFromIPC(await readFile(join(directory, PAIR, '2024-06-01.ticker.arrow')));
    const open = tableFromIPC(await readFile(join(directory, PAIR, '2024-06-02.ticker.arrow')));
    expect([...(over.getChild('bid_price') ?? [])]).toEqual([0, 1, 2, 3, 4]);
    expect([...(over.getChild('ask_price') ?? [])]).toEqual([null, null, null, null, null]);
    expect([...(open.getChild('bid_price') ?? [])]).toEqual([9]);
    // Small batches of a day that is over became one.
    expect(over.batches.length).toBe(1);
  });

  it('says which file and line is none of ours', async () => {
    const directory = await recordingFolder();
    await writeFile(join(directory, PAIR, 'funding.ndjson'), '{"time":1,"rate":"x"}\n');
    await expect(factsOf(directory)).rejects.toThrow(/funding\.ndjson:1: .*rate must be a plain decimal/);
  });
});

describe('the hash of facts', () => {
  it('is one for equal facts, however they are cut, and another for any other', async () => {
    const directory = await recordingFolder();
    const facts = [
      ...(await factsOf(directory)),
      ...[1, 2].map((at): WorldFact => ({ kind: 'funding', time: at, rate: rateOf('0.1') })),
    ];
    const whole = new FactHash().update(facts).digest();
    expect(new FactHash().update(facts.slice(0, 1)).update(facts.slice(1)).digest()).toBe(whole);
    expect(new FactHash().update(facts.slice(0, 2)).digest()).not.toBe(whole);
  });
});

describe('funding is learned from tickers', () => {
  const row = (time: number, rate: number, due: number): TickerRow => ({
    ...ticker(time),
    fundingRate: rate,
    nextFundingTime: due,
  });

  it('as the last rate that was seen before it was due', () => {
    const watch = new FundingWatch();
    expect(watch.next(row(1_000, 0.0001, 3_600_000))).toBeUndefined();
    expect(watch.next(row(3_599_000, 0.0000001, 3_600_000))).toBeUndefined();
    expect(watch.next(row(3_601_000, 0.0003, 7_200_000))).toEqual({ time: 3_600_000, rate: '0.0000001' });
    expect(watch.next(row(3_602_000, 0.0003, 7_200_000))).toBeUndefined();
  });

  it('over a restart, from the newest ticker of the run before', () => {
    const due = row(3_601_000, 0.0003, 7_200_000);
    expect(new FundingWatch(row(3_500_000, 0.0001, 3_600_000)).next(due)).toEqual({
      time: 3_600_000,
      rate: '0.0001',
    });
    expect(new FundingWatch(row(3_400_000, 0.0001, 3_600_000)).next(due)).toBeUndefined();
  });

  it('and not at all where nobody looked for two minutes before', () => {
    const watch = new FundingWatch();
    watch.next(row(3_400_000, 0.0001, 3_600_000));
    expect(watch.next(row(3_601_000, 0.0003, 7_200_000))).toBeUndefined();
  });

  it('also where a ticker named the funding after it a moment before it was due', () => {
    const watch = new FundingWatch();
    watch.next(row(3_598_100, 0.0001, 3_600_000));
    expect(watch.next(row(3_599_960, 0.0003, 7_200_000))).toBeUndefined();
    expect(watch.next(row(3_601_960, 0.0004, 7_200_000))).toEqual({ time: 3_600_000, rate: '0.0001' });
    watch.next(row(7_199_000, 0.0002, 7_200_000));
    expect(watch.next(row(7_201_000, 0.0004, 10_800_000))).toEqual({ time: 7_200_000, rate: '0.0002' });
  });

  it('when it becomes due earlier than was said before', () => {
    const watch = new FundingWatch();
    watch.next(row(3_500_000, 0.0001, 28_800_000));
    watch.next(row(3_599_000, 0.0002, 3_600_000));
    expect(watch.next(row(3_601_000, 0.0003, 7_200_000))).toEqual({ time: 3_600_000, rate: '0.0002' });
  });

  it.each([
    ['still that of a funding that is over', 3_600_000],
    ['0, which stands for none', 0],
  ])('but not from a ticker whose next funding time is %s', (_, due) => {
    const watch = new FundingWatch();
    for (const time of [3_600_000, 4_200_000, 4_202_000]) {
      expect(watch.next(row(time, 0.0009, due))).toBeUndefined();
    }
  });
});
