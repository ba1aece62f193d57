import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trade } from '../../src/model/trade.js';
import { DAY_MS } from '../../src/storage/day.js';
import { type Certificate, checkRecordings } from '../../src/storage/certificate.js';
import { IdSequence } from '../../src/storage/id-sequence.js';
import { RecordingWriter } from '../../src/storage/recording-writer.js';
import { RowHash } from '../../src/storage/row-hash.js';
import { TradeColumns } from '../../src/storage/trade-columns.js';
import { files, folder, PAIR, T0, trade } from './support.js';

async function certify(
  trades: readonly Trade[],
  gaps: readonly [from: number, to: number][] = [],
): Promise<Certificate> {
  const directory = await folder();
  const writer = await RecordingWriter.open(files, directory, PAIR);
  for (const one of trades) writer.add(one);
  for (const [from, to] of gaps) await writer.gap({ from, to, missing: undefined });
  await writer.close();
  const [certificate] = await checkRecordings(files, [directory]);
  return certificate as Certificate;
}

const run = (first: number, last: number, time = (id: number) => T0 + id * 10) =>
  Array.from({ length: last - first + 1 }, (_, i) => trade(first + i, time(first + i)));

describe('a certificate', () => {
  it('of contiguous trades is clean', async () => {
    expect(await certify(run(1, 50))).toMatchObject({
      trades: 50,
      gaps: [],
      duplicates: 0,
      clockJumps: 0,
      outOfOrder: 0,
      contiguousIds: true,
      from: T0 + 10,
      to: T0 + 500,
      longestSilence: { from: T0 + 10, ms: 10 },
    });
  });

  it('names each gap by its ids and the times around it', async () => {
    const { gaps, longestSilence } = await certify([...run(1, 20), ...run(24, 60), ...run(62, 90)]);
    expect(gaps).toEqual([
      { from: T0 + 200, to: T0 + 240, missing: 3, evidence: 'ids', ids: [21, 23] },
      { from: T0 + 600, to: T0 + 620, missing: 1, evidence: 'ids', ids: [61, 61] },
    ]);
    expect(longestSilence).toEqual({ from: T0 + 200, ms: 40 });
  });

  it('adds what the recorder told, but for stretches that ids show to be whole', async () => {
    const told: [number, number][] = [
      [T0 + 100, T0 + 200], // nothing is missing there
      [T0 + 990, T0 + 5_000], // after the last trade: ids cannot tell
    ];
    expect((await certify(run(1, 50), told)).gaps).toEqual([
      { from: T0 + 990, to: T0 + 5_000, missing: undefined, evidence: 'recorder', ids: undefined },
    ]);
  });

  it('does not take jumps for gaps where ids are shared between pairs', async () => {
    const shared = Array.from({ length: 30 }, (_, i) => trade(i * 7, T0 + i));
    expect(await certify(shared)).toMatchObject({ gaps: [], contiguousIds: false });
  });

  it('counts trades that a clock which went back stamped too late', async () => {
    // Trade 25 was stamped 1 s late: 26 to 50 come before it.
    const late = run(1, 50).map((one) => (one.id === '25' ? { ...one, time: T0 + 1_250 } : one));
    expect(await certify(late)).toMatchObject({ clockJumps: 1, gaps: [], duplicates: 0, outOfOrder: 0 });
  });

  it('has one hash for the same trades and another one for any other', async () => {
    const trades = run(1, 40, (id) => T0 + id * (DAY_MS / 20));
    const { hash } = await certify(trades);
    expect((await certify([...trades.slice(17), ...trades.slice(0, 20)].reverse())).hash).toBe(hash);
    const changed = trades.map((one) => (one.id === '17' ? { ...one, isBuyerMaker: true } : one));
    expect((await certify(changed)).hash).not.toBe(hash);
  });
});

describe('the hash of rows', () => {
  it('is SHA-256 over the documented bytes', () => {
    const bytes = Buffer.alloc(29 + 2);
    bytes.writeDoubleLE(T0, 0);
    bytes.writeDoubleLE(61_800.3, 8);
    bytes.writeDoubleLE(0.25, 16);
    bytes.writeUInt8(1, 24);
    bytes.writeUInt32LE(2, 25);
    bytes.write('42', 29);
    const rows = TradeColumns.of([trade(42, T0, { price: 61_800.3, quantity: 0.25, isBuyerMaker: true })]);
    expect(new RowHash().update(rows).digest()).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('does not depend on how rows are cut', () => {
    const rows = TradeColumns.of(run(1, 5_000));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5_000 }), { maxLength: 5 }), (cuts) => {
        const hash = new RowHash();
        let from = 0;
        for (const to of [...cuts.sort((a, b) => a - b), 5_000]) {
          hash.update(rows, from, to);
          from = to;
        }
        expect(hash.digest()).toBe(new RowHash().update(rows).digest());
      }),
    );
  });
});

it('finds exactly the ids that are missing, twice there, or after a higher one (against sets)', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 40 }), (noise) => {
      // Mostly contiguous, so that gaps are reported; the noise is removed, and some of it comes back later.
      const removed = new Set(noise);
      const stream = [
        ...Array.from({ length: 1_000 }, (_, i) => i + 500),
        ...noise.filter((id) => id % 3 === 0).map((id) => id + 600),
      ];
      const ids = stream.filter((id, index) => index >= 1_000 || !removed.has(id - 600));
      const sequence = new IdSequence();
      for (const id of ids) sequence.next(String(id), T0);
      const seen = new Set<number>();
      let highest = -Infinity;
      let clockJumps = 0;
      let duplicates = 0;
      for (const id of ids) {
        if (seen.has(id)) duplicates += 1;
        else if (id < highest) clockJumps += 1;
        seen.add(id);
        highest = Math.max(highest, id);
      }
      const missing: number[] = [];
      for (let id = Math.min(...ids); id <= highest; id++) if (!seen.has(id)) missing.push(id);
      const found = sequence.gaps.flatMap(({ firstId, lastId }) =>
        Array.from({ length: lastId - firstId + 1 }, (_, i) => firstId + i),
      );
      expect(found).toEqual(sequence.isContiguous ? missing : []);
      expect([sequence.duplicates, sequence.clockJumps]).toEqual([duplicates, clockJumps]);
    }),
  );
});

it('an id below all others is out of order, and what lies between is missing', () => {
  const sequence = new IdSequence();
  for (const id of [...Array.from({ length: 50 }, (_, i) => i + 100), 97]) sequence.next(String(id), T0);
  expect(sequence.clockJumps).toBe(1);
  expect(sequence.gaps).toMatchObject([{ firstId: 98, lastId: 99 }]);
});
