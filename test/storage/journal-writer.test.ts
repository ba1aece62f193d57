import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { nodeFiles } from '../../src/platform/files.js';
import { systemTimers } from '../../src/platform/timers.js';
import { systemClock } from '../../src/platform/clock.js';
import { JournalFailed } from '../../src/ports/bot-journal.js';
import { readJournal } from '../../src/storage/journal/journal-reader.js';
import { JournalWriter } from '../../src/storage/journal/journal-writer.js';
import { journalDesk, orderRecord } from '../support/journals.js';
import { folder } from './support.js';

const note = (text: string): JournalRecord => ({ kind: 'note', text, wall: 0 });
const halt: JournalRecord = {
  kind: 'halt',
  level: 'cancel',
  reason: 'the disk is full',
  by: 'supervisor',
  wall: 0,
};
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const DAY_MS = 86_400_000;

describe('a journal', () => {
  it('is lines of checksum, sequence and JSON', async () => {
    const { open, segment } = journalDesk();
    const { journal } = await open();
    for (let index = 0; index < 20; index++) journal.append(orderRecord(index), 'durable');
    const lines = textOf(segment()).split('\n');
    expect(lines.pop()).toBe('');
    for (const [index, line] of lines.entries()) {
      const body = `${index + 1} ${line.slice(9).split(' ').slice(1).join(' ')}`;
      expect(line).toBe(`${crc32(body).toString(16).padStart(8, '0')} ${body}`);
      expect(JSON.parse(body.slice(body.indexOf('{')))).toMatchObject({ kind: orderRecord(index).kind });
    }
    expect(lines).toHaveLength(20);
    expect(journal.sequence).toBe(20);
  });

  it('goes on where an earlier life stopped', async () => {
    const { open, files, directory } = journalDesk();
    const all = Array.from({ length: 30 }, (_, index) => orderRecord(index));
    for (const part of [all.slice(0, 1), all.slice(1, 17), [], all.slice(17)]) {
      const { journal, contents } = await open();
      expect(contents.nextSequence).toBe(journal.sequence + 1);
      for (const record of part) journal.append(record, 'lazy');
      await journal.close();
    }
    const { records, tornTail, nextSequence } = await readJournal(files, directory);
    expect(records.map(({ record }) => record)).toEqual(all);
    expect(records.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    expect(tornTail).toBeUndefined();
    expect(nextSequence).toBe(31);
  });

  it('takes nothing once it is closed', async () => {
    const { journal } = await journalDesk().open();
    await journal.close();
    await journal.close();
    expect(() => journal.append(halt, 'durable')).toThrow(JournalFailed);
    expect(journal.failure).toBeUndefined();
  });

  it('keeps secrets out of its lines, and its checksums hold all the same', async () => {
    const { open, files, directory, segment } = journalDesk();
    const { journal } = await open({ scrub: (text) => text.replaceAll('hunter2', '[redacted]') });
    journal.append(note('refused: hunter2 is no key'), 'durable');
    expect(textOf(segment())).not.toContain('hunter2');
    const { records } = await readJournal(files, directory);
    expect(records[0]?.record).toEqual(note('refused: [redacted] is no key'));
  });

  it('is for its owner only', async () => {
    const directory = `${await folder()}/bot/journal`;
    const options = {
      files: nodeFiles,
      timers: systemTimers,
      clock: systemClock,
      directory,
      ballastBytes: 1_000,
    };
    const { journal } = await JournalWriter.open(options);
    journal.append(note('a'), 'durable');
    await journal.snapshot({ a: 1 });
    await journal.close();
    expect((await nodeFiles.stat(directory))?.mode).toBe(0o700);
    const entries = await nodeFiles.list(directory);
    expect(entries.map(({ name, mode }) => [name, mode])).toEqual([
      ['ballast', 0o600],
      ['segment-000000000001.journal', 0o600],
      ['snapshot-000000000001.journal', 0o600],
    ]);
  });
});

describe('durability', () => {
  it('durable is synced when append returns, with all before it, in one sync', async () => {
    const { open, files } = journalDesk();
    const { journal } = await open();
    const before = files.calls.sync;
    journal.append(note('a'), 'lazy');
    journal.append(note('b'), 'soon');
    expect(files.calls.sync).toBe(before);
    journal.append(note('c'), 'durable');
    expect(files.calls.sync).toBe(before + 1);
  });

  it('soon is synced within 100 ms, once for all that came meanwhile, and lazy with it', async () => {
    const { open, files, time } = journalDesk();
    const { journal } = await open();
    const before = files.calls.sync;
    journal.append(note('a'), 'soon');
    await time.advance(30);
    journal.append(note('b'), 'soon');
    journal.append(note('c'), 'lazy');
    await time.advance(70);
    expect(files.calls.sync).toBe(before + 1);
    expect(time.pending).toBe(0);
    await time.advance(1_000);
    expect(files.calls.sync).toBe(before + 1);
  });

  it('soon needs no sync of its own when a durable record came first', async () => {
    const { open, files, time } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'soon');
    journal.append(note('b'), 'durable');
    const { sync } = files.calls;
    await time.advance(1_000);
    expect(files.calls.sync).toBe(sync);
  });

  it('lazy waits for another, or for the end', async () => {
    const { open, files, time } = journalDesk();
    const { journal } = await open();
    const { sync } = files.calls;
    journal.append(note('a'), 'lazy');
    await time.advance(10_000);
    expect(files.calls.sync).toBe(sync);
    await journal.close();
    expect(files.calls.sync).toBe(sync + 1);
  });

  it('what an earlier life left unsynced is synced before anything builds on it', async () => {
    const { open, files } = journalDesk();
    (await open()).journal.append(note('a'), 'lazy');
    const { sync } = files.calls;
    await open();
    expect(files.calls.sync).toBe(sync + 1);
  });
});

describe('room that is made ahead', () => {
  it('is no part of the records, is given back at the end, and is no torn tail when the power goes', async () => {
    const { open, files, directory, segment } = journalDesk();
    files.reserves = true;
    const { journal } = await open({ reserveBytes: 4_000 });
    for (let index = 0; index < 8; index++) journal.append(orderRecord(index), 'durable');
    expect(segment().length).toBeGreaterThanOrEqual(4_000);
    expect(segment().at(-1)).toBe(0);
    const { records, tornTail, end } = await readJournal(files, directory);
    expect(records).toHaveLength(8);
    expect(tornTail).toBeUndefined();
    expect(end).toBeLessThan(segment().length);
    // The power goes and comes back.
    const { journal: next, contents } = await open({ reserveBytes: 4_000 });
    expect(contents.records).toHaveLength(8);
    next.append(orderRecord(8), 'durable');
    await next.close();
    expect(segment().at(-1)).toBe(0x0a);
    expect((await readJournal(files, directory)).records).toHaveLength(9);
  });

  it('is made again when half of it is used, in a later turn, and in each new segment', async () => {
    const { open, files, time, segment } = journalDesk();
    files.reserves = true;
    const { journal } = await open({ reserveBytes: 4_000, segmentBytes: 20_000 });
    let index = 0;
    while (journal.sequence < 12) journal.append(orderRecord(index++), 'lazy');
    expect(segment().length).toBe(4_000);
    await time.advance(0);
    expect(segment().length).toBeGreaterThan(6_000);
    while (files.contents.size === 1) journal.append(orderRecord(index++), 'lazy');
    expect(segment(1).at(-1)).toBe(0x0a);
    await time.advance(0);
    expect(segment(journal.sequence).length).toBeGreaterThanOrEqual(4_000);
    await journal.close();
    expect(time.pending).toBe(0);
  });

  it('is not needed: a disk without room for it takes records as long as it can', async () => {
    const { open, files, directory } = journalDesk();
    files.reserves = true;
    files.capacity = 3_000;
    const { journal } = await open({ reserveBytes: 4_000 });
    expect(journal.failure).toBeUndefined();
    journal.append(orderRecord(0), 'durable');
    expect((await readJournal(files, directory)).records).toHaveLength(1);
  });

  it('that cannot be synced is a failure like any other', async () => {
    const { open, files, time } = journalDesk();
    files.reserves = true;
    const failures: JournalFailed[] = [];
    const { journal } = await open({ reserveBytes: 400, onFailure: (failure) => failures.push(failure) });
    journal.append(orderRecord(0), 'durable');
    files.fail('sync', 'EIO');
    await time.advance(0);
    expect(failures).toEqual([journal.failure]);
    expect(() => journal.append(halt, 'durable')).toThrow(JournalFailed);
  });
});

describe('a new segment', () => {
  it('begins when the old one is full, named by its first record, and nothing is lost between', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open({ segmentBytes: 1_000 });
    const all = Array.from({ length: 40 }, (_, index) => orderRecord(index));
    for (const record of all) journal.append(record, 'lazy');
    const segments = [...files.contents].map(([path, bytes]) => [path, bytes.length] as const);
    expect(segments.length).toBeGreaterThan(5);
    for (const [path, bytes] of segments) {
      expect(bytes).toBeLessThanOrEqual(1_000);
      const first = Number(/segment-(\d+)/.exec(path)?.[1]);
      expect(textOf(files.contents.get(path) as Uint8Array).split(' ')[1]).toBe(String(first));
    }
    const { records } = await readJournal(files, directory);
    expect(records.map(({ record }) => record)).toEqual(all);
  });

  it('begins with a UTC day, and not when the clock steps back', async () => {
    const { open, files, time } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'lazy');
    await time.advance(DAY_MS);
    journal.append(note('b'), 'lazy');
    expect(files.contents.size).toBe(2);
    await time.advance(-2 * DAY_MS);
    journal.append(note('c'), 'lazy');
    expect(files.contents.size).toBe(2);
  });

  it('holds a record that is larger than a segment', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open({ segmentBytes: 100 });
    const long = note('€'.repeat(10_000));
    for (const record of [note('a'), long, note('b')]) journal.append(record, 'durable');
    const { records } = await readJournal(files, directory);
    expect(records.map(({ record }) => record)).toEqual([note('a'), long, note('b')]);
  });

  it('is begun only when the old one is on the disk', async () => {
    const { open, files } = journalDesk();
    const { journal } = await open({ segmentBytes: 100 });
    journal.append(note('a'.repeat(80)), 'lazy');
    const { sync } = files.calls;
    journal.append(note('b'), 'lazy');
    expect(files.calls.sync).toBe(sync + 1);
    expect(files.contents.size).toBe(2);
  });

  it('may have been begun and not written when the power went', async () => {
    const { open, put, files, directory } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'durable');
    put(new Uint8Array(), 2);
    const { journal: again, contents } = await open();
    expect(contents.records).toHaveLength(1);
    again.append(note('b'), 'durable');
    expect((await readJournal(files, directory)).records.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });
});

describe('a journal that fails', () => {
  it('keeps nothing of a short write and takes no record any more', async () => {
    const { open, files, segment, directory } = journalDesk();
    const failures: string[] = [];
    const { journal } = await open({ onFailure: ({ message }) => failures.push(message) });
    journal.append(note('a'), 'durable');
    const whole = segment();
    files.failAfterBytes(9);
    expect(() => journal.append(note('b'), 'durable')).toThrow(/record 2 cannot be written: EIO/);
    expect(segment()).toEqual(whole);
    const { append } = files.calls;
    expect(() => journal.append(note('c'), 'durable')).toThrow(journal.failure);
    expect(() => journal.sync()).toThrow(journal.failure);
    await expect(journal.snapshot({})).rejects.toBe(journal.failure);
    expect(files.calls.append).toBe(append);
    expect(failures).toHaveLength(1);
    expect((await readJournal(files, directory)).records).toHaveLength(1);
  });

  it('still syncs what was promised soon before a write that failed', async () => {
    const { open, files, time } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'soon');
    files.failAfterBytes(0);
    expect(() => journal.append(note('b'), 'lazy')).toThrow(JournalFailed);
    const { sync } = files.calls;
    await time.advance(100);
    expect(files.calls.sync).toBe(sync + 1);
  });

  it('never syncs again after a sync that failed, though it would succeed', async () => {
    const { open, files, time } = journalDesk();
    const { journal } = await open();
    files.fail('sync', 'EIO');
    expect(() => journal.append(note('a'), 'durable')).toThrow(/records up to 1 cannot be synced: EIO/);
    files.heal();
    const { sync, append } = files.calls;
    expect(() => journal.append(note('b'), 'durable')).toThrow(JournalFailed);
    expect(() => journal.append(halt, 'durable')).toThrow(JournalFailed);
    await time.advance(1_000);
    await expect(journal.close()).rejects.toBe(journal.failure);
    expect(files.calls).toMatchObject({ sync, append });
  });

  it('says so at once when the sync of a group fails, between two appends', async () => {
    const { open, files, time } = journalDesk();
    const failures: JournalFailed[] = [];
    const { journal } = await open({ onFailure: (failure) => failures.push(failure) });
    journal.append(note('a'), 'soon');
    files.fail('sync', 'EIO');
    await time.advance(100);
    expect(failures).toEqual([journal.failure]);
    expect(() => journal.append(note('b'), 'lazy')).toThrow(JournalFailed);
  });

  it('writes no record of a halt behind bytes that it could not cut off', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'durable');
    files.failAfterBytes(5);
    files.fail('truncate', 'EIO');
    expect(() => journal.append(note('b'), 'durable')).toThrow(JournalFailed);
    files.heal();
    expect(() => journal.append(halt, 'durable')).toThrow(JournalFailed);
    expect(await readJournal(files, directory)).toMatchObject({ nextSequence: 2, tornTail: { bytes: 5 } });
  });

  it('refuses a record that could not be read again, and goes on: nothing was written', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open();
    const broken = { ...orderRecord(7), filled: Number.NaN } as unknown as JournalRecord;
    expect(() => journal.append(broken, 'durable')).toThrow('end.filled must be a whole number');
    journal.append(note('a'), 'durable');
    expect((await readJournal(files, directory)).records.map(({ sequence }) => sequence)).toEqual([1]);
  });
});

describe('a full disk', () => {
  const BALLAST = 4_096;

  it('stops records and not that of a halt: the ballast makes room for it', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open({ ballastBytes: BALLAST });
    files.capacity = files.used() + 3_000;
    const kept: JournalRecord[] = [];
    const fill = () => {
      for (let index = 0; index < 100; index++) {
        journal.append(orderRecord(index), 'durable');
        kept.push(orderRecord(index));
      }
    };
    expect(fill).toThrow(/ENOSPC/);
    expect(kept.length).toBeGreaterThan(8);
    journal.append(halt, 'durable');
    expect(() => journal.append(note('more room now'), 'durable')).toThrow(journal.failure);
    const { records } = await readJournal(files, directory);
    expect(records.map(({ record }) => record)).toEqual([...kept, halt]);
  });

  it('that a halt is the first to meet is no hindrance to it', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open({ ballastBytes: BALLAST });
    journal.append(note('a'), 'durable');
    files.capacity = files.used();
    const { sync } = files.calls;
    journal.append(halt, 'durable');
    expect(files.calls.sync).toBe(sync + 1);
    expect(journal.failure).toBeInstanceOf(JournalFailed);
    expect((await readJournal(files, directory)).records.map(({ record }) => record)).toEqual([
      note('a'),
      halt,
    ]);
  });

  it('in the middle of a turn to a new segment leaves no hole before the halt', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open({ ballastBytes: BALLAST, segmentBytes: 200 });
    journal.append(note('a'.repeat(120)), 'durable');
    files.fail('open', 'EMFILE');
    expect(() => journal.append(note('b'.repeat(120)), 'durable')).toThrow(/EMFILE/);
    files.heal();
    journal.append(halt, 'durable');
    const { records } = await readJournal(files, directory);
    expect(records.map(({ record }) => record.kind)).toEqual(['note', 'halt']);
    expect((await open({ ballastBytes: BALLAST })).contents.nextSequence).toBe(3);
  });

  it('at the start is a journal that has failed, with all that it holds', async () => {
    const { open, files } = journalDesk();
    (await open()).journal.append(note('a'), 'durable');
    files.capacity = files.used() + 100;
    const { journal, contents } = await open({ ballastBytes: BALLAST });
    expect(contents.records).toHaveLength(1);
    expect(journal.failure?.message).toContain(
      'there must be room for its newest segment and its ballast: ENOSPC',
    );
    expect(() => journal.append(note('b'), 'durable')).toThrow(JournalFailed);
  });

  it('at the start hinders neither the cut of a torn tail nor the record of a halt behind it', async () => {
    const { open, files, directory, segment, put } = journalDesk();
    const { journal } = await open({ ballastBytes: BALLAST });
    journal.append(note('a'), 'durable');
    journal.append(note('b'), 'durable');
    put(segment().slice(0, -1));
    files.capacity = files.used();
    const { journal: next } = await open({ ballastBytes: BALLAST });
    expect(next.failure?.message).toContain('ENOSPC');
    next.append(halt, 'durable');
    expect(await readJournal(files, directory)).toMatchObject({
      records: [{ record: note('a') }, { record: halt }],
      tornTail: undefined,
    });
  });

  it('has its ballast back at the next start', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open({ ballastBytes: BALLAST });
    files.capacity = files.used();
    journal.append(halt, 'durable');
    expect((await files.stat(`${directory}/ballast`))?.size).toBe(0);
    files.capacity = Number.POSITIVE_INFINITY;
    expect((await open({ ballastBytes: BALLAST })).journal.failure).toBeUndefined();
    expect((await files.stat(`${directory}/ballast`))?.size).toBe(BALLAST);
  });
});

describe('a snapshot', () => {
  it('stands for the records before it', async () => {
    const { open, time } = journalDesk();
    const { journal } = await open();
    for (let index = 0; index < 10; index++) journal.append(orderRecord(index), 'lazy');
    const state = { positions: { USD_BTC_PERP: 7 }, seen: ['a', 'b'] };
    await journal.snapshot(state);
    journal.append(orderRecord(10), 'lazy');
    await journal.close();
    const { contents } = await open();
    expect(contents.snapshot).toEqual({ sequence: 10, wall: time.clock.wall(), state });
    expect(contents.records).toEqual([{ sequence: 11, record: orderRecord(10) }]);
  });

  it('is of the moment when it was asked for, with its records on the disk', async () => {
    const { open, files } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'lazy');
    const state = { notes: ['a'] };
    const { sync } = files.calls;
    const written = journal.snapshot(state);
    expect(files.calls.sync).toBe(sync + 1);
    state.notes.push('b');
    journal.append(note('b'), 'durable');
    await written;
    const { contents } = await open();
    expect(contents.snapshot).toMatchObject({ sequence: 1, state: { notes: ['a'] } });
    expect(contents.records.map(({ sequence }) => sequence)).toEqual([2]);
  });

  it('that is damaged is passed over for the one before it, and this is said', async () => {
    const { open, files, directory } = journalDesk();
    const { journal } = await open();
    for (const text of ['a', 'b', 'c']) {
      journal.append(note(text), 'durable');
      if (text !== 'c') await journal.snapshot(text);
    }
    const path = `${directory}/snapshot-000000000002.journal`;
    const bytes = (files.contents.get(path) as Uint8Array).slice();
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      files.set(path, changed);
      const { snapshot, records, skippedSnapshots } = await readJournal(files, directory);
      expect(snapshot?.state).toBe('a');
      expect(records.map(({ sequence }) => sequence)).toEqual([2, 3]);
      expect(skippedSnapshots.map(({ file }) => file)).toEqual([path]);
    }
  });

  it('that cannot be written is no failure of the journal', async () => {
    const { open, files } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'durable');
    files.capacity = files.used() + 100;
    await expect(journal.snapshot({ large: 'x'.repeat(1_000) })).rejects.toThrow(/ENOSPC/);
    journal.append(note('b'), 'durable');
    expect(journal.failure).toBeUndefined();
  });

  it('lets go of what is older than 30 days and held by two', async () => {
    const { open, files, time, directory } = journalDesk();
    const { journal } = await open();
    for (let day = 0; day < 45; day++) {
      files.now = time.clock.wall();
      journal.append(note(`day ${day}`), 'durable');
      if (day % 10 === 5) await journal.snapshot(`up to day ${day}`);
      await time.advance(DAY_MS);
    }
    // Snapshots on days 5, 15, 25, 35; the last one looked at segments that were 30 days old on day 35.
    const names = [...files.contents.keys()].map((path) => path.slice(directory.length + 1)).sort();
    expect(names.filter((name) => name.startsWith('snapshot'))).toEqual([
      'snapshot-000000000026.journal',
      'snapshot-000000000036.journal',
    ]);
    expect(names.filter((name) => name.startsWith('segment'))[0]).toBe('segment-000000000006.journal');
    const { records, snapshot } = await readJournal(files, directory);
    expect(snapshot?.sequence).toBe(36);
    expect(records).toHaveLength(9);
  });

  it('does not let go of records that only one snapshot holds', async () => {
    const { open, files, time } = journalDesk();
    const { journal } = await open();
    journal.append(note('a'), 'durable');
    await time.advance(40 * DAY_MS);
    files.now = time.clock.wall();
    journal.append(note('b'), 'durable');
    await journal.snapshot('b');
    expect([...files.contents.keys()].filter((path) => path.includes('segment'))).toHaveLength(2);
    journal.append(note('c'), 'durable');
    await journal.snapshot('c');
    expect([...files.contents.keys()].filter((path) => path.includes('segment'))).toHaveLength(1);
  });
});
