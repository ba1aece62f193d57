import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { JournalDamaged, JournalUnreadable } from '../../src/storage/journal/journal-errors.js';
import { LineSealer } from '../../src/storage/journal/journal-line.js';
import { readJournal } from '../../src/storage/journal/journal-reader.js';
import { verifyJournal } from '../../src/storage/journal/journal-report.js';
import { type JournalDesk, journalDesk } from '../support/journals.js';

const note = (text: string): JournalRecord => ({ kind: 'note', text, wall: 0 });
const LF = 0x0a;

/** A journal of notes n1, n2, …, cut into segments of so many records. */
async function notes(count: number, segmentBytes = 1_000_000): Promise<JournalDesk> {
  const desk = journalDesk();
  const { journal } = await desk.open({ segmentBytes });
  for (let index = 1; index <= count; index++) journal.append(note(`n${index}`), 'lazy');
  await journal.close();
  return desk;
}

/** Line ends of a segment: the byte after each. */
const endsOf = (bytes: Uint8Array) => [...bytes.keys()].filter((at) => bytes[at] === LF).map((at) => at + 1);

async function damageOf({ files, directory }: JournalDesk): Promise<JournalDamaged> {
  const error: unknown = await readJournal(files, directory).catch((reason: unknown) => reason);
  if (error instanceof JournalDamaged) return error;
  throw new Error(`expected a damage, received ${String(error)}`);
}

function turned(bytes: Uint8Array, at: number, value?: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = value ?? (copy[at] as number) ^ 1;
  return copy;
}

describe('a folder without a journal', () => {
  it('is one that begins', async () => {
    const { files, directory } = journalDesk();
    expect(await readJournal(files, directory)).toEqual({
      snapshot: undefined,
      records: [],
      nextSequence: 1,
      end: 0,
      tornTail: undefined,
      skippedSnapshots: [],
    });
  });
});

describe('a torn tail', () => {
  it('is told, cut when a bot starts, and noted in the journal', async () => {
    const desk = await notes(3);
    const whole = desk.segment();
    const ends = endsOf(whole);
    desk.put(whole.slice(0, -4));
    const { tornTail } = await readJournal(desk.files, desk.directory);
    const file = `${desk.directory}/segment-000000000001.journal`;
    expect(tornTail).toEqual({ file, offset: ends[1], bytes: whole.length - 4 - (ends[1] as number) });
    expect(desk.segment()).toHaveLength(whole.length - 4);
    const { journal } = await desk.open();
    journal.append(note('after'), 'durable');
    const { records } = await readJournal(desk.files, desk.directory);
    const texts = records.map(({ record }) => (record.kind === 'note' ? record.text : ''));
    const cut = `cut a torn tail of ${tornTail?.bytes} bytes off ${file} at byte ${ends[1]}`;
    expect(texts).toEqual(['n1', 'n2', cut, 'after']);
  });

  it('may be a whole record without its line end, zeros and a bit, or lines of an older file', async () => {
    const desk = await notes(3);
    const whole = desk.segment();
    const ends = endsOf(whole);
    const [first = 0, second = 0] = ends;
    const cases: (readonly [Uint8Array, number])[] = [
      [whole.slice(0, -1), 2],
      [new Uint8Array([...whole, ...new Uint8Array(5_000), 1]), 3],
      // A block that a removed file had: its lines are whole, and long known.
      [new Uint8Array([...whole, 0x7b, ...whole.subarray(first, second)]), 3],
    ];
    for (const [bytes, records] of cases) {
      desk.put(bytes);
      const contents = await readJournal(desk.files, desk.directory);
      expect(contents.records).toHaveLength(records);
      expect(contents.tornTail).toBeDefined();
    }
  });

  it('may be all of a new segment', async () => {
    const desk = await notes(3);
    desk.put(new Uint8Array([1, 2, 3]), 4);
    const { journal, contents } = await desk.open();
    expect(contents).toMatchObject({ nextSequence: 4, tornTail: { offset: 0, bytes: 3 } });
    await journal.close();
    expect((await readJournal(desk.files, desk.directory)).nextSequence).toBe(5);
  });
});

describe('damage', () => {
  it('with anything whole behind it stops the start, named by file, byte and sequence, and says what to do', async () => {
    const desk = await notes(4);
    const ends = endsOf(desk.segment());
    desk.put(turned(desk.segment(), (ends[0] as number) + 20));
    const damage = await damageOf(desk);
    expect(damage).toMatchObject({
      code: 'TICKWRIGHT_E_JOURNAL_DAMAGED',
      file: `${desk.directory}/segment-000000000001.journal`,
      offset: ends[0],
      sequence: 2,
    });
    expect(damage.message).toContain('tickwright journal verify');
    expect(damage.message).toContain('restore it from a backup');
  });

  it('of the line end before the last record is damage, though no later line begins where lines begin', async () => {
    const desk = await notes(3);
    const ends = endsOf(desk.segment());
    desk.put(turned(desk.segment(), (ends[1] as number) - 1));
    expect(await damageOf(desk)).toMatchObject({ sequence: 2, offset: ends[0] });
  });

  it('in the last record of a segment that has a follower is damage', async () => {
    const desk = await notes(6, 150);
    const first = desk.segment(1);
    const records = endsOf(first).length;
    desk.put(first.slice(0, -3), 1);
    expect(await damageOf(desk)).toMatchObject({ sequence: records });
  });

  it('is a record that is missing, twice there, or of another segment', async () => {
    const desk = await notes(4);
    const whole = desk.segment();
    const [a = 0, b = 0, c = 0] = endsOf(whole);
    const cases: (readonly [readonly Uint8Array[], number])[] = [
      [[whole.subarray(0, a), whole.subarray(b)], 2],
      [[whole.subarray(0, b), whole.subarray(a)], 3],
      [[whole.subarray(0, b), whole.subarray(0, a), whole.subarray(b, c)], 3],
      [[whole.subarray(a)], 1],
    ];
    for (const [parts, sequence] of cases) {
      desk.put(new Uint8Array(parts.flatMap((part) => [...part])));
      expect(await damageOf(desk)).toMatchObject({ sequence });
    }
  });

  it('is a segment that is missing: the first, one between, and all when a snapshot knows of them', async () => {
    const desk = await notes(9, 150);
    const segments = [...desk.files.contents.keys()].sort();
    const firstOf = (path: string | undefined) => Number(/segment-(\d+)/.exec(path ?? '')?.[1]);
    expect(segments.length).toBeGreaterThan(2);
    const keep = new Map(desk.files.contents);
    desk.files.contents.delete(segments[0] as string);
    expect((await damageOf(desk)).message).toContain(
      `the first record must be 1, received ${firstOf(segments[1])}`,
    );

    for (const [path, bytes] of keep) desk.files.set(path, bytes);
    desk.files.contents.delete(segments[1] as string);
    expect(await damageOf(desk)).toMatchObject({ sequence: firstOf(segments[1]) });

    for (const [path, bytes] of keep) desk.files.set(path, bytes);
    const { journal } = await desk.open();
    await journal.snapshot({});
    await journal.close();
    desk.files.contents.delete(segments.at(-1) as string);
    expect((await damageOf(desk)).reason).toContain('which a snapshot holds');
    for (const path of segments) desk.files.contents.delete(path);
    expect((await damageOf(desk)).reason).toContain('received no segment at all');
  });

  it('of all snapshots is none where the records are all there', async () => {
    const desk = await notes(4);
    const { journal } = await desk.open();
    await journal.snapshot({ a: 1 });
    await journal.close();
    desk.files.set(`${desk.directory}/snapshot-000000000004.journal`, new Uint8Array([1]));
    const { records, skippedSnapshots, snapshot } = await readJournal(desk.files, desk.directory);
    expect([records.length, skippedSnapshots.length, snapshot]).toEqual([4, 1, undefined]);
  });

  it('is found at every place by verify, which reads on behind it', async () => {
    const desk = await notes(9);
    const [a = 0, , c = 0, , , f = 0] = endsOf(desk.segment());
    let bytes = turned(desk.segment(), a + 15);
    bytes = turned(bytes, c + 15);
    bytes = turned(bytes, f + 15);
    desk.put(bytes);
    const { damages, records } = await verifyJournal(desk.files, desk.directory);
    expect(damages.map(({ sequence, offset }) => [sequence, offset])).toEqual([
      [2, a],
      [4, c],
      [7, f],
    ]);
    expect(records).toBe(6);
  });
});

describe('a record of a newer version', () => {
  it('is named by file and line, and is no damage', async () => {
    const desk = await notes(1);
    const newer = new LineSealer().seal(2, '{"kind":"funding","pair":"X"}');
    desk.put(new Uint8Array([...desk.segment(), ...newer]));
    const error: unknown = await readJournal(desk.files, desk.directory).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JournalUnreadable);
    expect(String(error)).toContain(
      `${desk.directory}/segment-000000000001.journal:2: record.kind must be one of`,
    );
    expect(String(error)).toContain('a newer version of tickwright may have written it');
    const { damages, unreadable } = await verifyJournal(desk.files, desk.directory);
    expect([damages.length, unreadable.length]).toEqual([0, 1]);
  });
});

describe('verify', () => {
  it('tells what is there', async () => {
    const desk = await notes(9, 150);
    const { journal } = await desk.open();
    await journal.snapshot({ a: 1 });
    await journal.close();
    const report = await verifyJournal(desk.files, desk.directory);
    expect(report).toMatchObject({
      firstSequence: 1,
      lastSequence: 9,
      records: 9,
      damages: [],
      unreadable: [],
    });
    expect(report.segments.map(({ first }) => first)).toEqual([1, 4, 7]);
    expect(report.snapshots).toEqual([
      { file: `${desk.directory}/snapshot-000000000009.journal`, sequence: 9, problem: undefined },
    ]);
  });

  it('knows that old segments may be gone where a snapshot holds their records, and else not', async () => {
    const desk = await notes(9, 150);
    const { journal } = await desk.open();
    await journal.snapshot({ a: 1 });
    await journal.close();
    desk.files.contents.delete(`${desk.directory}/segment-000000000001.journal`);
    expect((await verifyJournal(desk.files, desk.directory)).damages).toEqual([]);
    desk.files.contents.delete(`${desk.directory}/snapshot-000000000009.journal`);
    expect((await verifyJournal(desk.files, desk.directory)).damages).toMatchObject([{ sequence: 1 }]);
  });
});
