import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeGaps } from '../../src/storage/rows/gap-file.js';
import { marketPath } from '../../src/storage/rows/layout.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { sharedFolder } from '../support/temp-folder.js';
import { files, PAIR, T0, trade } from './support.js';

const TRADES = 200_000;
const STEP_MS = 3;

describe('a stretch of a recording', () => {
  const shared = sharedFolder('storage');
  let directory = '';

  beforeAll(async () => {
    directory = await shared;
    const writer = await RecordingWriter.open(files, directory, PAIR);
    for (let i = 0; i < TRADES; i++) {
      // Now and then a hundred trades share a millisecond.
      const time = T0 + STEP_MS * (i % 1_000 < 100 ? i - (i % 1_000) : i);
      writer.add(trade(i + 1, time));
      if (writer.isFull) await writer.settle();
    }
    await writer.close();
    const spec = {
      pair: PAIR,
      base: 'BTC',
      quote: 'USD',
      price: { min: '1', max: '1000', step: '1' },
      quantity: { min: '1', max: '1000', step: '1' },
      fees: { maker: '0', taker: '0' },
    };
    await files.writeAtomic(
      marketPath(join(directory, PAIR)),
      JSON.stringify({ formatVersion: 1, source: 'given', spec }),
    );
  });

  it('is exactly the trades with from <= time < to, wherever its ends lie in full batches and days', async () => {
    const whole = (await idsAndTimes(-Infinity, Infinity)).map(([, time]) => time);
    expect(whole.length).toBe(TRADES);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -10, max: TRADES * STEP_MS + 10 }),
        fc.integer({ min: 0, max: TRADES * STEP_MS }),
        async (start, length) => {
          const [from, to] = [T0 + start, T0 + start + length];
          const first = whole.findIndex((time) => time >= from);
          const expected = whole.filter((time) => time >= from && time < to).length;
          const got = await idsAndTimes(from, to);
          expect(got.length).toBe(expected);
          expect(got[0]?.[0]).toBe(expected === 0 ? undefined : String(first + 1));
          expect(got.at(-1)?.[0]).toBe(expected === 0 ? undefined : String(first + expected));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('has the gaps that reach into it, not one whose ends are its own first trade or the last before it', async () => {
    const gap = { from: T0 + 3_000, to: T0 + 6_000, missing: undefined };
    await writeGaps(files, join(directory, PAIR), [gap]);
    const gapsIn = async (from: number, to: number) =>
      (await openRecording(files, [directory], { from, to })).gaps.length;
    expect(await gapsIn(gap.to, Infinity)).toBe(0);
    expect(await gapsIn(gap.to - 1, Infinity)).toBe(1);
    expect(await gapsIn(-Infinity, gap.from)).toBe(0);
    expect(await gapsIn(-Infinity, gap.from + 1)).toBe(1);
  });

  async function idsAndTimes(from: number, to: number): Promise<[id: string, time: number][]> {
    const rows: [string, number][] = [];
    for await (const chunk of (await openRecording(files, [directory], { from, to })).chunks()) {
      for (let row = 0; row < chunk.count; row++) rows.push([chunk.id(row), chunk.time[row] as number]);
    }
    return rows;
  }
});
