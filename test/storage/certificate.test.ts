import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trade } from '../../src/model/trade.js';
import { DAY_MS } from '../../src/storage/rows/day.js';
import { type Certificate, checkRecordings } from '../../src/storage/certificate/certificate.js';
import { addFaults } from '../../src/storage/certificate/fault-file.js';
import { IdSequence } from '../../src/storage/certificate/id-sequence.js';
import { writeGaps } from '../../src/storage/rows/gap-file.js';
import { pairDirectory } from '../../src/storage/rows/layout.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { RowHash } from '../../src/storage/certificate/row-hash.js';
import { asTold } from '../../src/storage/rows/trade-identity.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { files, folder, PAIR, T0, trade } from './support.js';

async function certify(
  trades: readonly Trade[],
  gaps: readonly [from: number, to: number][] = [],
): Promise<Certificate> {
  const directory = await folder();
  const writer = await RecordingWriter.open(files, directory, PAIR, {
    identity: asTold(() => undefined),
  });
  for (const one of trades) writer.add(one);
  for (const [from, to] of gaps) writer.gap({ from, to, missing: undefined });
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

  it('shows gaps up to the largest id that a double holds exactly, and none beyond', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    const time = (id: number) => T0 + (id - last + 100) * 10;
    const trades = [...run(last - 90, last - 40, time), ...run(last - 37, last, time)];
    const { gaps, contiguousIds } = await certify(trades);
    const ids = [last - 39, last - 38];
    expect(gaps).toEqual([{ from: T0 + 600, to: T0 + 630, missing: 2, evidence: 'ids', ids }]);
    expect(contiguousIds).toBe(true);
    const beyond = trades.map((one) => ({ ...one, id: String(BigInt(one.id) + 100n) }));
    expect(await certify(beyond)).toMatchObject({ gaps: [], contiguousIds: false, duplicates: 0 });
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

  it('keeps what the recorder told where the venue counted anew: the ids of before hide what is missing', async () => {
    const year = 365 * DAY_MS;
    // After the silence the same ids come again, and of those 21 to 30 are known from before only.
    const anew = [...run(1, 20), ...run(31, 40)].map((one) => ({ ...one, time: one.time + year }));
    const told: [number, number][] = [
      [T0 + 500, T0 + year + 10],
      [T0 + year + 200, T0 + year + 310],
    ];
    const certificate = await certify([...run(1, 50), ...anew], told);
    expect(certificate).toMatchObject({ storedDuplicates: 30, contiguousIds: true });
    expect(certificate.gaps.map(({ from, to, evidence }) => [from, to, evidence])).toEqual(
      told.map((gap) => [...gap, 'recorder']),
    );
  });

  it('keeps what the recorder told beside a gap that ids show', async () => {
    const told: [number, number][] = [[T0 + 500, T0 + 900]]; // behind the last trade
    // The trade after the one gap is the one before the other.
    expect((await certify([...run(1, 30), ...run(50, 50)], told)).gaps).toMatchObject([
      { from: T0 + 300, to: T0 + 500, evidence: 'ids' },
      { from: T0 + 500, to: T0 + 900, evidence: 'recorder' },
    ]);
  });

  it('does not take jumps for gaps where ids are shared between pairs', async () => {
    const shared = Array.from({ length: 30 }, (_, i) => trade(i * 7, T0 + i));
    expect(await certify(shared)).toMatchObject({ gaps: [], contiguousIds: false });
  });

  it('names where a clock that went back shows', async () => {
    // Trade 25 was stamped 1 s late: 26 to 50 come before it.
    const late = run(1, 50).map((one) => (one.id === '25' ? { ...one, time: T0 + 1_250 } : one));
    expect(await certify(late)).toMatchObject({
      clockJumps: 1,
      jumps: [{ id: '26', time: T0 + 260, backMs: 990 }],
      gaps: [],
      duplicates: 0,
      outOfOrder: 0,
    });
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
  it('is what its documentation says, computed the slow way', () => {
    const facts = [
      trade(42, T0, { price: 61_800.3, quantity: 0.25, isBuyerMaker: true }),
      trade('abcdefghi', T0 + 5, { price: 1e-7, quantity: 3 }),
    ];
    const [p1, p2, size] = [0x9e3779b1n, 0x85ebca77n, 1n << 32n];
    const mix = (lane: bigint, word: bigint, beside: bigint) => {
      const sum = (lane + (word ^ beside) * p2) % size;
      return ((((sum << 13n) | (sum >> 19n)) % size) * p1) % size;
    };
    let lanes = Array.from({ length: 8 }, (_, lane) => (BigInt(lane + 1) * p1) % size);
    for (const { id, time, price, quantity, isBuyerMaker } of facts) {
      const numbers = Buffer.alloc(24);
      for (const [index, value] of [time, price, quantity].entries()) numbers.writeDoubleLE(value, index * 8);
      const idBytes = Buffer.from(id);
      const padded = Buffer.concat([idBytes, Buffer.alloc(4)]);
      const words = [0, 4, 8, 12, 16, 20].map((at) => BigInt(numbers.readUInt32LE(at)));
      words.push(BigInt(padded.readUInt32LE(0)), BigInt(idBytes.length * 2 + (isBuyerMaker ? 1 : 0)));
      const before = lanes;
      lanes = words.map((word, lane) => mix(before[lane] ?? 0n, word, before[(lane + 7) % 8] ?? 0n));
      for (let at = 4; at < idBytes.length; at += 4) {
        lanes[6] = mix(lanes[6] ?? 0n, BigInt(padded.readUInt32LE(at)), lanes[7] ?? 0n);
      }
    }
    const bytes = Buffer.alloc(40);
    for (const [lane, value] of lanes.entries()) bytes.writeUInt32LE(Number(value), lane * 4);
    bytes.writeDoubleLE(facts.length, 32);
    expect(new RowHash().update(TradeColumns.of(facts)).digest()).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
  });

  it('changes with any one value', () => {
    const rows = run(1, 40);
    const whole = new RowHash().update(TradeColumns.of(rows)).digest();
    fc.assert(
      fc.property(
        fc.nat({ max: 39 }),
        fc.constantFrom<(one: Trade) => Trade>(
          (one) => ({ ...one, id: `${one.id}0` }),
          (one) => ({ ...one, id: `1${one.id.slice(1)}x` }),
          (one) => ({ ...one, time: one.time + 1 }),
          (one) => ({ ...one, price: one.price + 0.1 }),
          (one) => ({ ...one, quantity: one.quantity * 2 }),
          (one) => ({ ...one, isBuyerMaker: !one.isBuyerMaker }),
        ),
        (at, change) => {
          const changed = rows.map((one, index) => (index === at ? change(one) : one));
          expect(new RowHash().update(TradeColumns.of(changed)).digest()).not.toBe(whole);
        },
      ),
    );
    expect(new RowHash().update(TradeColumns.of(rows.slice(0, 39))).digest()).not.toBe(whole);
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

it('finds exactly the ids that are missing or twice there, and where the clock went back (against sets)', () => {
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
      for (const [index, id] of ids.entries()) sequence.next(String(id), T0 + index);
      const times = new Map<number, number>();
      let duplicates = 0;
      for (const [index, id] of ids.entries()) {
        if (times.has(id)) duplicates += 1;
        else times.set(id, T0 + index);
      }
      const known = [...times].sort(([a], [b]) => a - b);
      const jumps = known.flatMap(([id, time], index) => {
        const before = known[index - 1]?.[1] ?? -Infinity;
        return before > time ? [{ id: String(id), time, backMs: before - time }] : [];
      });
      const missing: number[] = [];
      for (let id = Math.min(...ids); id <= Math.max(...ids); id++) if (!times.has(id)) missing.push(id);
      const found = sequence.gaps.flatMap(({ firstId, lastId }) =>
        Array.from({ length: lastId - firstId + 1 }, (_, i) => firstId + i),
      );
      expect(found).toEqual(sequence.isContiguous ? missing : []);
      expect([sequence.duplicates, sequence.clockJumps]).toEqual([duplicates, jumps.length]);
      expect(sequence.jumps.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(jumps);
    }),
  );
});

it('an id below all others is out of order, and what lies between is missing', () => {
  const sequence = new IdSequence();
  const ids = [...Array.from({ length: 50 }, (_, i) => i + 100), 97];
  for (const [index, id] of ids.entries()) sequence.next(String(id), T0 + index);
  expect(sequence.jumps).toEqual([{ id: '100', time: T0, backMs: 50 }]);
  expect(sequence.gaps).toMatchObject([{ firstId: 98, lastId: 99 }]);
});

it('takes as many gaps and repairs as a recording has', async () => {
  const directory = await folder();
  const writer = await RecordingWriter.open(files, directory, PAIR);
  for (const one of run(1, 3)) writer.add({ ...one, id: `a${one.id}` });
  await writer.close();
  const many = 150_000;
  const pairFolder = pairDirectory(directory, PAIR);
  const times = Array.from({ length: many }, (_, i) => T0 + 10 * i);
  await writeGaps(
    files,
    pairFolder,
    times.map((from) => ({ from, to: from + 1, missing: undefined })),
  );
  await addFaults(
    files,
    pairFolder,
    times.map((time, i) => ({ kind: 'duplicate', id: `d${i}`, time, source: 'day.csv' })),
  );
  const [certificate] = await checkRecordings(files, [directory]);
  expect(certificate).toMatchObject({ trades: 3, duplicates: many });
  expect(certificate?.gaps).toHaveLength(many);
});

describe('more gaps than are listed', () => {
  const HOLES = 210_000;
  const RUN = 11;
  /** Runs of ids, each with a missing one behind it; the clock goes back by 50 ms over the hole before run 100. */
  const timeOf = (hole: number, at: number) => T0 + hole * 100 + at - (hole === 100 ? 150 : 0);
  const sequence = new IdSequence();
  for (let hole = 0; hole <= HOLES; hole++) {
    for (let at = 0; at < RUN; at++) sequence.next(String(hole * (RUN + 1) + at), timeOf(hole, at));
  }
  const missing = () => sequence.gaps.reduce((sum, gap) => sum + gap.missing, 0);

  it('are told with all that is missing, neighbours as one', () => {
    expect(sequence.isContiguous).toBe(true);
    expect(missing()).toBe(HOLES);
    expect(sequence.gaps.length).toBeGreaterThan(50_000);
    expect(sequence.gaps.length).toBeLessThanOrEqual(100_000);
    // All of them are of like width: none has swallowed a part of the tape.
    expect(Math.max(...sequence.gaps.map((gap) => gap.missing))).toBeLessThanOrEqual(8);
    const last = sequence.gaps.at(-1);
    expect(last?.lastId).toBe(HOLES * (RUN + 1) - 1);
    expect(last?.to).toBe(timeOf(HOLES, 0));
  });

  it('hide no clock that went back, no repeat and no late trade', () => {
    expect(sequence.jumps).toEqual([
      { id: String(100 * (RUN + 1)), time: timeOf(100, 0), backMs: timeOf(99, RUN - 1) - timeOf(100, 0) },
    ]);
    expect(sequence.next('5', T0)).toBe(false);
    expect(sequence.next(String(RUN), T0 + 20)).toBe(true);
    expect(sequence.next(String(RUN), T0 + 20)).toBe(false);
    expect(sequence.duplicates).toBe(2);
    expect(missing()).toBe(HOLES - 1);
  });

  it('mean nothing where ids are shared between pairs', () => {
    const shared = new IdSequence();
    for (let id = 0; id < 150_000; id++) shared.next(String(id * 7), T0 + id);
    expect([shared.isContiguous, shared.gaps.length]).toEqual([false, 0]);
  });
});
