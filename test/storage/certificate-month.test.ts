import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/model/random.js';
import { batchMessage, END_MARK, schemaMessage } from '../../src/storage/rows/arrow-batch.js';
import { type Certificate, checkRecordings } from '../../src/storage/certificate/certificate.js';
import { DAY_MS, dayName, dayOf } from '../../src/storage/rows/day.js';
import { importTrades } from '../../src/storage/import/import-trades.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import type { Trade } from '../../src/model/trade.js';
import { files, folder, PAIR, trade } from './support.js';

const DAY_ONE = 1_717_200_000_000; // 2024-06-01
const TRADES = 120_000;
const FIRST_ID = 900_000_000;
const PAGE = 500;

/** A quiet month: some 4 000 trades a day, ids without a hole, no two in one millisecond. */
function month(seed: string): Trade[] {
  const source = seededRandom(seed);
  const random = () => source.next();
  let time = DAY_ONE;
  let price = 600_000;
  return Array.from({ length: TRADES }, (_, i) => {
    time += 1 + Math.floor((random() * 2 * 30 * DAY_MS) / TRADES);
    price += Math.floor(random() * 3) - 1;
    return trade(FIRST_ID + i, time, {
      price: price / 10,
      quantity: (1 + Math.floor(random() * 500)) / 1_000,
      isBuyerMaker: random() < 0.5,
    });
  });
}

/** Planted in a month, and what a certificate must say of it. */
function plant(clean: readonly Trade[]) {
  const id = (index: number) => (clean[index] as Trade).id;
  const time = (index: number) => (clean[index] as Trade).time;
  const gaps = [
    [7_001, 7_001],
    [20_000, 20_499],
    [64_321, 66_000],
    [110_003, 110_010],
  ] as const;
  const repeats = [12_345, 40_000, 99_999];
  /** A whole page that came twice, one behind the other. */
  const repeatedPage = 30_000;
  /** A page that came before the one in front of it. */
  const swapped = 51_000;
  /** Three pages in the order of a program that pages backwards: the newest first. */
  const backwards = 90_000;
  /** From here on the clock stands back, until the tape has caught up: ten trades are stamped earlier. */
  const jump = 80_000;
  const backMs = 5 + Math.ceil(time(jump - 1) - time(jump - 8));

  const shifted = clean.map((one, index) =>
    index >= jump && index < jump + 10
      ? { ...one, time: Math.min(time(jump + 10) - 1, time(jump - 1) - backMs + (index - jump)) }
      : one,
  );
  const rows: Trade[] = [];
  for (const [index, one] of shifted.entries()) {
    if (gaps.some(([first, last]) => index >= first && index <= last)) continue;
    rows.push(one);
    if (repeats.includes(index)) rows.push(one);
    if (index === repeatedPage + PAGE - 1) rows.push(...shifted.slice(repeatedPage, repeatedPage + PAGE));
  }
  const from = rows.findIndex((one) => one.id === id(swapped));
  const pages = rows.splice(from, 2 * PAGE);
  rows.splice(from, 0, ...pages.slice(PAGE), ...pages.slice(0, PAGE));
  const first = rows.findIndex((one) => one.id === id(backwards));
  const three = rows.splice(first, 3 * PAGE);
  rows.splice(first, 0, ...three.slice(2 * PAGE), ...three.slice(PAGE, 2 * PAGE), ...three.slice(0, PAGE));
  const stretch = (index: number, trades: number) => {
    const last = index + trades - 1;
    const times = [index, last].map((at) => (shifted[at] as Trade).time);
    return { firstId: id(index), lastId: id(last), from: times[0], to: times[1], trades };
  };
  return {
    rows,
    gaps: gaps.map(([first, last]) => ({
      from: time(first - 1),
      to: time(last + 1),
      missing: last - first + 1,
      evidence: 'ids',
      ids: [FIRST_ID + first, FIRST_ID + last],
    })),
    duplicates: [12_345, ...Array.from({ length: PAGE }, (_, i) => repeatedPage + i), 40_000, 99_999].map(
      (index) => ({ id: id(index), time: time(index) }),
    ),
    reordered: [
      stretch(swapped, PAGE),
      // The trades of the clock that went back stand behind later ones, too.
      stretch(jump, 10),
      // A step back begins another stretch.
      stretch(backwards + PAGE, PAGE),
      stretch(backwards, PAGE),
    ],
    jump: { id: id(jump), backMs: time(jump - 1) - (shifted[jump] as Trade).time },
  };
}

/** As a program that neither sorts nor looks would leave them. */
async function writeRaw(rows: readonly Trade[]): Promise<string> {
  const directory = await folder();
  await files.makeDirectory(join(directory, PAIR));
  const days = new Map<number, Trade[]>();
  for (const one of rows) days.set(dayOf(one.time), [...(days.get(dayOf(one.time)) ?? []), one]);
  for (const [day, ofDay] of days) {
    const columns = TradeColumns.of(ofDay);
    const parts = [schemaMessage(PAIR), batchMessage(PAIR, columns, 0, columns.count), END_MARK];
    await writeFile(join(directory, PAIR, `${dayName(day)}.arrow`), Buffer.concat(parts));
  }
  return directory;
}

async function certificateOf(directory: string): Promise<Certificate> {
  const [certificate] = await checkRecordings(files, [directory]);
  return certificate as Certificate;
}

describe('a month with planted faults', () => {
  const clean = month('a month');
  const planted = plant(clean);
  const distinct = new Set(planted.rows.map(({ id }) => id)).size;

  it('without them is clean', async () => {
    expect(await certificateOf(await writeRaw(clean))).toMatchObject({
      trades: TRADES,
      gaps: [],
      duplicates: 0,
      clockJumps: 0,
      outOfOrder: 0,
      reordered: [],
      contiguousIds: true,
    });
  });

  it('has each one named where the files hold them as they are', async () => {
    const certificate = await certificateOf(await writeRaw(planted.rows));
    expect(certificate.gaps).toEqual(planted.gaps);
    expect(certificate.duplicateTrades).toEqual(
      planted.duplicates.map((one) => ({ ...one, repaired: false })),
    );
    expect(certificate.jumps).toMatchObject([planted.jump]);
    expect(certificate).toMatchObject({ duplicates: 503, storedDuplicates: 503, clockJumps: 1 });
    expect(certificate.reordered).toEqual(planted.reordered.map((one) => ({ ...one, repaired: false })));
    expect(certificate.outOfOrder).toBe(3 * PAGE + 10);
  });

  it('has each one named after an import, which puts right what can be put right', async () => {
    const source = join(await folder(), 'month.csv');
    const lines = planted.rows.map(
      ({ id, price, quantity, time, isBuyerMaker }) =>
        `${id},${price},${quantity},${price * quantity},${time},${isBuyerMaker ? 'True' : 'False'}\n`,
    );
    await writeFile(source, `id,price,qty,quote_qty,time,is_buyer_maker\n${lines.join('')}`);
    const directory = await folder();
    for (const time of ['first', 'second']) {
      const result = await importTrades(files, { sources: [source], directory, pair: PAIR });
      if (time === 'first') expect(result).toMatchObject({ trades: distinct, duplicates: 503, gaps: 4 });
      const certificate = await certificateOf(directory);
      expect(certificate.gaps).toEqual(planted.gaps);
      expect(certificate.duplicateTrades).toEqual(
        planted.duplicates.map((one) => ({ ...one, repaired: true })),
      );
      expect(certificate.reordered).toEqual(planted.reordered.map((one) => ({ ...one, repaired: true })));
      expect(certificate.jumps).toMatchObject([planted.jump]);
      expect(certificate).toMatchObject({
        trades: distinct,
        duplicates: 503,
        storedDuplicates: 0,
        outOfOrder: 0,
        clockJumps: 1,
      });
    }
    // A backtest learns of the gaps without reading a single id.
    const recording = await openRecording(files, [directory]);
    expect(recording.gaps).toEqual(planted.gaps.map(({ from, to, missing }) => ({ from, to, missing })));
  });
});
