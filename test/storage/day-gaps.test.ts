import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Trade, TradeGap } from '../../src/model/trade.js';
import { END_MARK } from '../../src/storage/rows/arrow-batch.js';
import { writeBarDay } from '../../src/storage/rows/bar-file.js';
import { checkRecordings } from '../../src/storage/certificate/certificate.js';
import { dayName } from '../../src/model/calendar.js';
import { DAY_MS } from '../../src/storage/rows/day.js';
import { writeGaps } from '../../src/storage/rows/gap-file.js';
import { barsPath, pairDirectory } from '../../src/storage/rows/layout.js';
import { writeMarket } from '../../src/storage/rows/market-file.js';
import { openRecording, type RecordingQuery } from '../../src/storage/recording/recording.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { files, folder, PAIR, trade } from './support.js';

const HOUR = 3_600_000;
/** 2024-08-08. */
const DAY0 = 19_943;

const MARKET = {
  source: 'given',
  spec: {
    pair: PAIR,
    base: 'BTC',
    quote: 'USD',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '1000', step: '0.001' },
    fees: { maker: '0', taker: '0' },
  },
} as const;

/** Of a day that many days after the first: at 1 h, 12 h and 23 h. */
const day = (after: number, ids: readonly (number | string)[]): readonly Trade[] =>
  ids.map((id, i) => trade(id, at(after, [1, 12, 23][i] as number)));

function at(after: number, hour: number): number {
  return (DAY0 + after) * DAY_MS + hour * HOUR;
}

async function recorded(...days: readonly (readonly Trade[])[]): Promise<string> {
  const directory = await folder();
  for (const trades of days) {
    const writer = await RecordingWriter.open(files, directory, PAIR);
    for (const one of trades) writer.add(one);
    await writer.close();
  }
  await writeMarket(files, pairDirectory(directory, PAIR), MARKET);
  return directory;
}

const gapsOf = async (paths: readonly string[], query: RecordingQuery = {}): Promise<readonly TradeGap[]> =>
  (await openRecording(files, paths, query)).gaps;

describe('a day that is not there', () => {
  const first = day(0, [1, 2, 3]);

  it.each([
    ['empty', 0],
    ['small and of no stream', 3_000],
    ['large and of no stream', 70_000],
  ])('is one too whose file is %s', async (_, bytes) => {
    const directory = await recorded(first, day(1, [4, 5, 6]), day(2, [7, 8, 9]));
    const path = join(pairDirectory(directory, PAIR), `${dayName(DAY0 + 1)}.arrow`);
    await files.writeAtomic(path, new Uint8Array(bytes).fill(7));
    expect(await gapsOf([directory])).toEqual([{ from: at(0, 23), to: at(2, 1), missing: 3 }]);
  });

  it('is a gap, with as many trades as contiguous ids say, and the certificate has it once', async () => {
    const rest = [3, 4, 5].map((after) =>
      day(
        after,
        [8, 9, 10].map((id) => id + after * 3),
      ),
    );
    const directory = await recorded(first, day(2, [14, 15, 16]), ...rest);
    const gap = { from: at(0, 23), to: at(2, 1), missing: 10 };
    expect(await gapsOf([directory])).toEqual([gap]);
    expect((await checkRecordings(files, [directory]))[0]?.gaps).toMatchObject([{ ...gap, evidence: 'ids' }]);
  });

  it('is one also with ids of sixteen digits, and none where these go on', async () => {
    const long = (...ids: number[]) => ids.map((id) => 9_007_199_254_740_900 + id);
    const before = day(0, long(1, 2, 3));
    const gap = { from: at(0, 23), to: at(2, 1), missing: 10 };
    expect(await gapsOf([await recorded(before, day(2, long(14, 15, 16)))])).toEqual([gap]);
    expect(await gapsOf([await recorded(before, day(2, long(4, 5, 6)))])).toEqual([]);
  });

  it('is a gap in the certificate too where ids tell nothing', async () => {
    const directory = await recorded(day(0, ['a', 'b', 'c']), day(2, ['d', 'e', 'f']));
    expect((await checkRecordings(files, [directory]))[0]?.gaps).toEqual([
      { from: at(0, 23), to: at(2, 1), missing: undefined, evidence: 'files', ids: undefined },
    ]);
  });

  it('is none where the ids go on: nobody traded', async () => {
    expect(await gapsOf([await recorded(first, day(2, [4, 5, 6]))])).toEqual([]);
  });

  it('is one of unknown size where ids tell nothing', async () => {
    const gap = { from: at(0, 23), to: at(2, 1), missing: undefined };
    expect(await gapsOf([await recorded(day(0, ['a', 'b', 'c']), day(2, ['d', 'e', 'f']))])).toEqual([gap]);
    expect(await gapsOf([await recorded(day(0, [1, 5, 9]), day(2, [40, 41, 42]))])).toEqual([gap]);
  });

  it('counts once where the recorder told of it', async () => {
    const directory = await recorded(first, day(2, [14, 15, 16]));
    const told = { from: at(0, 23), to: at(2, 1), missing: 10 };
    await writeGaps(files, pairDirectory(directory, PAIR), [told]);
    expect(await gapsOf([directory])).toEqual([told]);
  });

  it('is not looked for outside of the stretch that is asked for', async () => {
    const directory = await recorded(first, day(2, [14, 15, 16]), day(3, [17, 18, 19]));
    expect(await gapsOf([directory], { from: at(2, 0) })).toEqual([]);
    expect(await gapsOf([directory], { to: at(1, 0) })).toEqual([]);
    expect(await gapsOf([directory], { from: at(0, 12) })).toHaveLength(1);
  });
});

describe('a day that has lost its end', () => {
  const whole = [day(0, [1, 2, 3]), day(1, [4, 5, 6]), day(2, [7, 8, 9])];

  /** Days of which one is of a batch a trade, and has lost so many bytes. */
  async function torn(after: number, lost: number, days = whole): Promise<string> {
    const directory = await recorded(...days);
    const alone = await folder();
    const writer = await RecordingWriter.open(files, alone, PAIR);
    for (const one of days[after] ?? []) {
      writer.add(one);
      await writer.flush();
    }
    await writer.close();
    const name = join(PAIR, `${dayName(DAY0 + after)}.arrow`);
    const bytes = await files.read(join(alone, name));
    const left =
      lost === 0 ? Buffer.concat([bytes, END_MARK]) : bytes.subarray(0, Math.max(0, bytes.length - lost));
    await files.writeAtomic(join(directory, name), left);
    return directory;
  }

  it('is followed by a gap up to the next day, with as many trades as contiguous ids say', async () => {
    expect(await gapsOf([await torn(1, 1)])).toEqual([{ from: at(1, 12), to: at(2, 1), missing: 1 }]);
  });

  it('is no gap as long as all of it is there, nor where the ids go on', async () => {
    expect(await gapsOf([await torn(1, 0)])).toEqual([]);
    const rewritten = [day(0, [1, 2, 3]), day(1, [4, 5, 6]), day(2, [6, 7, 8])];
    expect(await gapsOf([await torn(1, 1, rewritten)])).toEqual([]);
  });

  it('has a gap of unknown size where ids tell nothing', async () => {
    const gap = { from: at(1, 12), to: at(2, 1), missing: undefined };
    const named = [day(0, ['a', 'b', 'c']), day(1, ['d', 'e', 'f']), day(2, ['g', 'h', 'i'])];
    expect(await gapsOf([await torn(1, 0, named)])).toEqual([]);
    expect(await gapsOf([await torn(1, 1, named)])).toEqual([gap]);
    const wide = [day(0, [1, 5, 9]), day(1, [14, 17, 30]), day(2, [40, 41, 42])];
    expect(await gapsOf([await torn(1, 0, wide)])).toEqual([]);
    expect(await gapsOf([await torn(1, 1, wide)])).toEqual([gap]);
  });

  it('is one that is not there where nothing of it can be read', async () => {
    const gap = { from: at(0, 23), to: at(2, 1), missing: 3 };
    expect(await gapsOf([await torn(1, 1_000_000)])).toEqual([gap]);
    const large = await torn(1, 1_000_000);
    const path = join(pairDirectory(large, PAIR), `${dayName(DAY0 + 1)}.arrow`);
    await files.writeAtomic(path, new Uint8Array(70_000).fill(0xff));
    expect(await gapsOf([large])).toEqual([gap]);
    expect(await gapsOf([large], { to: at(2, 0) })).toEqual([gap]);
  });

  it('counts once where the recorder told of it', async () => {
    const directory = await torn(1, 1);
    const told = { from: at(1, 12), to: at(2, 1), missing: 1 };
    await writeGaps(files, pairDirectory(directory, PAIR), [told]);
    expect(await gapsOf([directory])).toEqual([told]);
  });

  it('is so too where it ends behind a batch, without its end mark, and its certificate says it', async () => {
    const named = [day(0, ['a', 'b', 'c']), day(1, ['d', 'e', 'f']), day(2, ['g', 'h', 'i'])];
    const directory = await recorded(...named);
    const path = join(pairDirectory(directory, PAIR), `${dayName(DAY0 + 1)}.arrow`);
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, -END_MARK.length));
    const gap = { from: at(1, 23), to: at(2, 1), missing: undefined };
    expect(await gapsOf([directory])).toEqual([gap]);
    const [certificate] = await checkRecordings(files, [directory]);
    expect(certificate?.gaps).toMatchObject([{ ...gap, evidence: 'files' }]);
    expect(certificate?.unread).toMatchObject([{ kind: 'damaged', file: path, bytes: 0 }]);
    expect(certificate?.unread[0]?.why).toContain('must have an end mark');
  });

  it('is none as the newest of its folder, nor before a day of which a crash left nothing', async () => {
    const [one, other] = [await recorded(day(0, ['a', 'b'])), await recorded(day(1, ['c', 'd']))];
    expect(await gapsOf([one, other])).toEqual([]);
    expect((await checkRecordings(files, [one, other]))[0]).toMatchObject({ gaps: [], unread: [] });
    const path = join(pairDirectory(one, PAIR), `${dayName(DAY0 + 1)}.arrow`);
    await files.writeAtomic(path, new Uint8Array(0));
    expect((await checkRecordings(files, [one]))[0]).toMatchObject({ gaps: [], unread: [] });
    const next = await RecordingWriter.open(files, one, PAIR);
    await next.abandon();
    expect((await checkRecordings(files, [one]))[0]).toMatchObject({ gaps: [], unread: [] });
  });

  it('counts where its end is in the stretch that is asked for, though the next day is not', async () => {
    const gap = { from: at(1, 12), to: at(2, 1), missing: 1 };
    expect(await gapsOf([await torn(1, 1)], { to: at(2, 0) })).toEqual([gap]);
    expect(await gapsOf([await torn(1, 1)], { to: at(1, 12) })).toEqual([]);
    expect(await gapsOf([await torn(1, 0)], { to: at(2, 0) })).toEqual([]);
    // No day behind it tells where it would end.
    expect(await gapsOf([await torn(2, 1)])).toEqual([]);
  });
});

describe('two folders', () => {
  it('have a gap between adjacent days where contiguous ids show it, and else none', async () => {
    const one = await recorded(day(0, [1, 2, 3]));
    const between = async (ids: readonly (number | string)[]) => gapsOf([one, await recorded(day(1, ids))]);
    expect(await between([9, 10, 11])).toEqual([{ from: at(0, 23), to: at(1, 1), missing: 5 }]);
    expect(await between([4, 5, 6])).toEqual([]);
    expect(await between([9, 14, 15])).toEqual([]);
    expect(await between([1, 2, 3])).toEqual([]);
    expect(await between(['x', 'y', 'z'])).toEqual([]);
  });

  it('have a gap where a day between them is not there', async () => {
    const [one, other] = [await recorded(day(0, [1, 2, 3])), await recorded(day(2, [9, 10, 11]))];
    expect(await gapsOf([other, one])).toEqual([{ from: at(0, 23), to: at(2, 1), missing: 5 }]);
  });
});

describe('bars', () => {
  async function barsOf(...days: readonly (readonly [after: number, hours: readonly number[]])[]) {
    const directory = await folder();
    const pairFolder = pairDirectory(directory, PAIR);
    await files.makeDirectory(pairFolder);
    for (const [after, hours] of days) {
      const rows = hours.map((hour) => ({
        time: at(after, hour),
        open: 100,
        high: 101,
        low: 99,
        close: 100,
        volume: 1,
      }));
      await writeBarDay(files, barsPath(pairFolder, DAY0 + after), { pair: PAIR, barMs: HOUR, rows });
    }
    await writeMarket(files, pairFolder, MARKET);
    return directory;
  }

  it('have gaps where a day is not there, and between folders where their times show it', async () => {
    const one = await barsOf([0, [21, 22, 23]]);
    const gap = { from: at(1, 0), to: at(2, 0), missing: undefined };
    expect(await gapsOf([one, await barsOf([2, [0, 1]])])).toEqual([gap]);
    expect(await gapsOf([await barsOf([0, [22, 23]], [2, [0, 1]])])).toEqual([gap]);
    expect(await gapsOf([one, await barsOf([1, [0, 1]])])).toEqual([]);
    expect(await gapsOf([one, await barsOf([1, [3, 4]])])).toEqual([
      { from: at(1, 0), to: at(1, 3), missing: undefined },
    ]);
  });

  it('have each gap once where their folder tells of it', async () => {
    const directory = await barsOf([0, [22, 23]], [2, [0, 1]]);
    const told = { from: at(1, 0), to: at(2, 0), missing: undefined };
    await writeGaps(files, join(directory, PAIR), [told]);
    expect(await gapsOf([directory])).toEqual([told]);
  });

  it.each([
    ['nothing', 100, at(1, 0)],
    ['all rows, and no end mark,', 4, undefined],
  ])('of a day of which %s is left have the gap that this leaves, and say which file it is', async (_, cut, from) => {
    const directory = await barsOf([0, [22, 23]], [1, [0, 1, 23]], [2, [0, 1]]);
    const path = barsPath(pairDirectory(directory, PAIR), DAY0 + 1);
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, -cut));
    const told: unknown[] = [];
    const query: RecordingQuery = { onRest: (file, rest) => void told.push([file, rest.kind]) };
    const recording = await openRecording(files, [directory], query);
    expect(recording.gaps).toEqual(from === undefined ? [] : [{ from, to: at(2, 0), missing: undefined }]);
    let rows = 0;
    for await (const { count } of recording.bars()) rows += count;
    expect(rows).toBe(from === undefined ? 7 : 4);
    expect(told).toEqual([[path, 'damaged']]);
  });

  it('of a last day of which nothing is left have a gap up to what follows the stretch', async () => {
    const directory = await barsOf([0, [22, 23]], [1, [0, 1, 23]], [2, [0, 1]]);
    const path = barsPath(pairDirectory(directory, PAIR), DAY0 + 1);
    await writeFile(path, (await readFile(path)).subarray(0, -100));
    expect(await gapsOf([directory], { to: at(2, 0) })).toEqual([
      { from: at(1, 0), to: at(2, 0), missing: undefined },
    ]);
  });
});
