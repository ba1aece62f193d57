import { expect, test } from 'vitest';
import { systemProcesses } from '../../src/platform/processes.js';
import { JournalHeld, lockJournal } from '../../src/storage/journal/journal-lock.js';
import type { Files } from '../../src/ports/files.js';
import { MemoryFiles } from '../support/memory-files.js';
import { FakeProcesses } from '../support/processes.js';

function desk() {
  const files = new MemoryFiles();
  const machine = new FakeProcesses();
  return { files, machine, lock: (name: string) => lockJournal(files, machine.start(name), '/bot/journal') };
}
const lockFiles = (files: MemoryFiles) => [...files.contents.keys()].filter((path) => path.includes('lock-'));

test('a journal has one writer until it lets go', async () => {
  const { files, lock } = desk();
  const first = await lock('a');
  await expect(lock('b')).rejects.toBeInstanceOf(JournalHeld);
  await expect(lock('b')).rejects.toThrow('received another one: a');
  expect(lockFiles(files)).toEqual([first.path]);
  await first.release();
  expect(lockFiles(files)).toEqual([]);
  await lock('b');
});

test('the same process does not get it twice', async () => {
  const { lock } = desk();
  await lock('a');
  await expect(lock('a')).rejects.toBeInstanceOf(JournalHeld);
});

test('a lock that was put in its place, and then failed, does not lock its own process out', async () => {
  const { files, machine } = desk();
  const process = machine.start('a');
  const unsynced: Files = Object.assign(Object.create(files) as Files, {
    async writeAtomic(...how: Parameters<Files['writeAtomic']>) {
      await files.writeAtomic(...how);
      throw new Error('the folder cannot be synced');
    },
  });
  await expect(lockJournal(unsynced, process, '/bot/journal')).rejects.toThrow('cannot be synced');
  expect(lockFiles(files)).toEqual([]);
  await lockJournal(files, process, '/bot/journal');
});

test('what a killed process left behind is taken over', async () => {
  const { files, machine, lock } = desk();
  await lock('a');
  machine.alive.delete('a');
  const second = await lock('b');
  expect(lockFiles(files)).toEqual([second.path]);
});

test('where nobody can look whether the writer is gone, a person has to say', async () => {
  const { files, machine, lock } = desk();
  const first = await lock('a');
  machine.elsewhere.add('a');
  await expect(lock('b')).rejects.toThrow(first.path);
  expect(lockFiles(files)).toEqual([first.path]);
});

test('of writers that come at once never two go on, in whatever order their calls are served', async () => {
  for (let order = 0; order < 64; order++) {
    const { files, machine, lock } = desk();
    await lock('dead');
    machine.alive.delete('dead');
    let calls = 0;
    const late =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        // Each call waits for so many turns of promises, by the bits of the order.
        const turns = ((order >> (calls++ % 6)) & 1) * 7;
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        return call(...args);
      };
    files.writeAtomic = late(files.writeAtomic.bind(files));
    files.list = late(files.list.bind(files));
    files.remove = late(files.remove.bind(files));
    const outcomes = await Promise.allSettled([lock('a'), lock('b'), lock('c')]);
    const winners = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(winners, `order ${order}`).toBeLessThanOrEqual(1);
    expect(lockFiles(files)).toHaveLength(winners);
  }
});

test('a process of this machine is known while it runs, and not taken for a later one of its id', () => {
  const { self } = systemProcesses;
  const stateOf = (name: string) => systemProcesses.stateOf(name);
  expect(stateOf(self)).toBe('alive');
  const [host, boot, pid, began] = self.split('/') as [string, string, string, string];
  expect(pid).toBe(String(process.pid));
  expect(stateOf(['another-host', boot, pid, began].join('/'))).toBe('unknown');
  expect(stateOf([host, 'another-boot', pid, began].join('/'))).toBe('gone');
  expect(stateOf([host, boot, '4194305', '1'].join('/'))).toBe('gone');
  expect(stateOf('not a name')).toBe('unknown');
  expect(stateOf([host, boot, 'x', ''].join('/'))).toBe('unknown');
  expect(stateOf([host, boot, pid, ''].join('/'))).toBe('alive');
  if (began !== '') expect(stateOf([host, boot, pid, `${began}1`].join('/'))).toBe('gone');
});
