import { NO_RATES } from '../../src/storage/facts/recorded-rates.js';
import { describe, expect, test } from 'vitest';
import { defineMarket } from '../../src/model/market.js';
import type { BarColumns } from '../../src/storage/rows/bar-columns.js';
import { inOnePass, type PassReader } from '../../src/storage/recording/one-pass.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';

const CHUNKS = 5;

/** Chunk n has one trade, at time n; `opened`, `closed` and `given` count what was done at the files. */
function recordingOf(failAt = Number.POSITIVE_INFINITY) {
  const counts = { opened: 0, closed: 0, given: 0 };
  const recording: Recording = {
    pair: 'USD_BTC_PERP',
    kind: 'trades',
    folders: [],
    days: [],
    market: defineMarket({
      pair: 'USD_BTC_PERP',
      base: 'BTC',
      quote: 'USD',
      price: { min: '0.1', max: '1000000', step: '0.1' },
      quantity: { min: '0.001', max: '100', step: '0.001' },
      fees: { maker: '0', taker: '0' },
    }),
    marketSource: 'given',
    rates: NO_RATES,
    marginChangedAt: undefined,
    gaps: [],
    barMs: undefined,
    async *chunks() {
      counts.opened++;
      const chunk = new TradeColumns(1);
      try {
        for (let n = 1; n <= CHUNKS; n++) {
          if (n === failAt) throw new Error(`chunk ${n} is torn`);
          counts.given++;
          chunk.clear();
          chunk.push({ id: String(n), time: n, price: 100, quantity: 1, isBuyerMaker: false });
          yield chunk;
        }
      } finally {
        counts.closed++;
      }
    },
    async *bars(): AsyncGenerator<BarColumns, void, undefined> {
      // A recording of trades has none.
    },
    async *facts() {
      // Nothing was recorded besides.
    },
  };
  return { recording, counts };
}

async function times(recording: Recording, pauses = 0): Promise<number[]> {
  const seen: number[] = [];
  for await (const { time } of recording.chunks()) {
    for (let i = 0; i < pauses; i++) await Promise.resolve();
    // After the pause: what it holds must not have been replaced meanwhile.
    seen.push(time[0] as number);
  }
  return seen;
}

describe('readers of a recording in one pass', () => {
  test('each see every chunk, however slow another one is, and it is read once', async () => {
    const { recording, counts } = recordingOf();
    const readers = inOnePass(recording, 3);
    const seen = await Promise.all(readers.map((reader, i) => times(reader.recording, i * 50)));
    expect(seen).toEqual([1, 2, 3].map(() => [1, 2, 3, 4, 5]));
    expect(counts).toEqual({ opened: 1, closed: 1, given: CHUNKS });
  });

  test('do not wait for one that leaves before it reads, or that stops in the middle', async () => {
    const { recording, counts } = recordingOf();
    const [first, second, third] = inOnePass(recording, 3) as [PassReader, PassReader, PassReader];
    const whole = times(first.recording);
    second.leave();
    for await (const { time } of third.recording.chunks()) {
      if (time[0] === 2) break;
    }
    expect(await whole).toEqual([1, 2, 3, 4, 5]);
    expect(counts.opened).toBe(1);
  });

  test('all get the error of a file that cannot be read', async () => {
    const { recording } = recordingOf(3);
    const results = await Promise.allSettled(
      inOnePass(recording, 2).map((reader) => times(reader.recording)),
    );
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: chunk 3 is torn',
      'Error: chunk 3 is torn',
    ]);
  });

  test('close what they read when the last one leaves', async () => {
    const { recording, counts } = recordingOf();
    const readers = inOnePass(recording, 2);
    await Promise.all(
      readers.map(async (reader) => {
        for await (const { time } of reader.recording.chunks()) if (time[0] === 2) break;
      }),
    );
    await Promise.resolve();
    expect(counts).toEqual({ opened: 1, closed: 1, given: 2 });
  });

  test('read again by themselves', async () => {
    const { recording, counts } = recordingOf();
    const [first, second] = inOnePass(recording, 2) as [PassReader, PassReader];
    await Promise.all([times(first.recording), times(second.recording)]);
    expect(await times(first.recording)).toEqual([1, 2, 3, 4, 5]);
    expect(counts.opened).toBe(2);
  });
});
