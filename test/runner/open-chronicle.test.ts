import { expect, test } from 'vitest';
import { SILENT } from '../../src/ports/log.js';
import { booksIn, type ChronicleOptions, openChronicle } from '../../src/runner/open-chronicle.js';
import { readJournal } from '../../src/storage/journal/journal-reader.js';
import { Books } from '../../src/execution/books.js';
import { orderRecord } from '../support/journals.js';
import { MemoryFiles } from '../support/memory-files.js';
import { FakeProcesses } from '../support/processes.js';
import { VirtualTime } from '../support/virtual-time.js';

const DIRECTORY = '/bot/journal';
const MIB = 1_048_576;

function desk() {
  const files = new MemoryFiles();
  const time = new VirtualTime();
  const machine = new FakeProcesses();
  files.now = time.clock.wall();
  let lives = 0;
  const open = (more: Partial<ChronicleOptions> = {}) =>
    openChronicle({
      files,
      timers: time.timers,
      clock: time.clock,
      log: SILENT,
      directory: DIRECTORY,
      session: `s${++lives}`,
      engine: 'test',
      hashes: {},
      ...more,
    });
  const snapshots = () => [...files.contents.keys()].filter((path) => path.includes('snapshot-')).length;
  return { files, time, machine, open, snapshots };
}

/** Every record that was ever written, into books that began with none. */
async function foldOfAll(files: MemoryFiles): Promise<unknown> {
  const bare = new MemoryFiles();
  for (const [path, bytes] of files.contents) if (!path.includes('snapshot-')) bare.set(path, bytes);
  const books = new Books();
  for (const { record } of (await readJournal(bare, DIRECTORY)).records) books.apply(record);
  return plain(books.state());
}

/** As it comes out of a file. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a clean stop leaves a snapshot, and with it the next start knows what all records say', async () => {
  const { files, open, snapshots } = desk();
  const first = await open();
  for (let index = 0; index < 3_000; index++) first.chronicle.note(orderRecord(index));
  await first.close();
  expect(snapshots()).toBe(1);
  const contents = await readJournal(files, DIRECTORY);
  expect(contents.records).toEqual([]);
  expect(plain(booksIn(contents).state())).toEqual(await foldOfAll(files));
  const second = await open();
  for (let index = 3_000; index < 3_100; index++) second.chronicle.note(orderRecord(index));
  expect(plain(second.chronicle.books.state())).toEqual(await foldOfAll(files));
});

test('a bot that is always killed reads its snapshots and the rest, which together are the whole', async () => {
  const { files, time, open, snapshots } = desk();
  let index = 0;
  for (let life = 1; life <= 6; life++) {
    const { chronicle } = await open({ snapshotEvery: 100 });
    expect(plain(chronicle.books.state())).toEqual(await foldOfAll(files));
    for (let n = 0; n < 70 + life; n++) {
      chronicle.note(orderRecord(index++));
      await time.advance(1);
    }
  }
  expect(snapshots()).toBe(2);
  const contents = await readJournal(files, DIRECTORY);
  expect(contents.records.length).toBeLessThan(110);
  expect(plain(booksIn(contents).state())).toEqual(await foldOfAll(files));
});

test('a day begins with a snapshot', async () => {
  const { time, open, snapshots } = desk();
  const { chronicle } = await open();
  await time.advance(86_400_000);
  expect(snapshots()).toBe(0);
  chronicle.note({ kind: 'note', text: 'a new day', wall: time.clock.wall() });
  await time.advance(1);
  expect(snapshots()).toBe(1);
});

test('a snapshot that cannot be written is no reason to fail', async () => {
  const { files, open, snapshots } = desk();
  const story = await open();
  story.chronicle.note({ kind: 'note', text: 'x', wall: 1 });
  files.capacity = files.used();
  await story.close();
  expect(snapshots()).toBe(0);
  files.capacity = Number.POSITIVE_INFINITY;
  await (await open()).close();
});

test('there is one bot at a time on a journal, and the next one does not wait for a dead one', async () => {
  const { machine, open } = desk();
  const first = await open({ processes: machine.start('a') });
  await expect(open({ processes: machine.start('b') })).rejects.toMatchObject({
    code: 'TICKWRIGHT_E_JOURNAL_HELD',
  });
  await first.close();
  await open({ processes: machine.start('b') });
  machine.alive.delete('b');
  await open({ processes: machine.start('c') });
});

test('a life on a disk with less than 256 MiB only cancels, and the next one with room is free', async () => {
  const { machine, open, snapshots } = desk();
  let free = 255 * MIB;
  const disk = { freeBytes: () => Promise.resolve(free) };
  const processes = machine.start('a');
  const cramped = await open({ disk, processes });
  const shortage = 'disk full: the disk of /bot/journal must have 256 MiB free, it has 255 MiB';
  expect(cramped.shortage).toBe(shortage);
  expect(cramped.chronicle.books).toMatchObject({ halt: 'cancel', haltReason: shortage });
  // There is room for a record all the same.
  cramped.chronicle.vow({ kind: 'note', text: 'x', wall: 1 });
  await cramped.close();
  expect(snapshots()).toBe(0);
  free = 256 * MIB;
  const next = await open({ disk, processes });
  expect(next.shortage).toBeUndefined();
  expect(next.chronicle.books.halt).toBeUndefined();
  await next.close();
});

test('where there is no room for a lock nothing is written, and another bot on the journal is still seen', async () => {
  const { files, machine, open } = desk();
  const disk = { freeBytes: () => Promise.resolve(0) };
  const first = await open({ processes: machine.start('a') });
  first.chronicle.note(orderRecord(1), 'durable');
  files.capacity = files.used();
  await expect(open({ disk, processes: machine.start('b') })).rejects.toMatchObject({
    code: 'TICKWRIGHT_E_JOURNAL_HELD',
  });
  const before = plain(first.chronicle.books.state()) as object;
  machine.alive.delete('a');
  const written = files.used();
  const { chronicle } = await open({ disk, processes: machine.start('c') });
  expect(chronicle.failure).toBe('there is no room for the lock of /bot/journal');
  expect(plain(chronicle.books.state())).toMatchObject({
    ...before,
    halt: 'cancel',
    halts: [{ level: 'cancel', by: 'disk' }],
  });
  expect(() => chronicle.vow({ kind: 'note', text: 'x', wall: 1 })).toThrow('no room');
  expect(files.used()).toBeLessThanOrEqual(written);
});
