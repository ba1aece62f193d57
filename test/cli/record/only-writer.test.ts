/** A recording has one writer: two of them would leave each trade twice, and out of order. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dataImport } from '../../../src/cli/commands/data-import.js';
import { asOnlyWriter } from '../../../src/cli/record/only-writer.js';
import { describeError } from '../../../src/cli/report-error.js';
import { systemProcesses } from '../../../src/platform/processes.js';
import { JournalHeld } from '../../../src/storage/journal/journal-lock.js';
import { MemoryFiles } from '../../support/memory-files.js';
import { FakeProcesses } from '../../support/processes.js';
import { folder, PAIR, T0 } from '../../storage/support.js';

const DEAD = 'lock-0123456789abcdef';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation((_: unknown, done?: unknown) => {
    if (typeof done === 'function') done();
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

function desk() {
  const files = new MemoryFiles();
  const all = new FakeProcesses();
  return {
    all,
    start: (name: string) => ({ files, processes: all.start(name) }),
    locks: () => [...files.contents.keys()].filter((path) => path.includes('lock-')),
  };
}

it('no second process writes a pair while a first one does, and it ends with 75', async () => {
  const { start, locks } = desk();
  const [first, second] = [start('a'), start('b')];
  await asOnlyWriter(first, 'data', ['A', 'B'], async () => {
    const refused = await asOnlyWriter(second, 'data', ['C', 'B'], () => Promise.resolve()).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(JournalHeld);
    expect(describeError(refused)).toMatchObject({
      exitCode: 75,
      text: expect.stringContaining('data/B must have one writer, received another one: a') as string,
    });
    // What it had taken before is free again.
    await asOnlyWriter(second, 'data', ['C'], () => Promise.resolve());
  });
  expect(locks()).toEqual([]);
});

it('a pair is free again when the work fails, and when its process has died', async () => {
  const { all, start, locks } = desk();
  const lost = asOnlyWriter(start('a'), 'data', ['A'], () => Promise.reject(new Error('lost')));
  await expect(lost).rejects.toThrow('lost');
  expect(locks()).toEqual([]);
  void asOnlyWriter(start('a'), 'data', ['A'], () => new Promise(() => undefined));
  await vi.waitFor(() => expect(locks()).toHaveLength(1));
  all.alive.delete('a');
  expect(await asOnlyWriter(start('b'), 'data', ['A'], () => Promise.resolve('done'))).toBe('done');
});

it('data import is a writer, too', async () => {
  const directory = await folder();
  const file = join(directory, 'new.csv');
  await writeFile(file, `id,pair,is_buyer_maker,qty,price,time\n1,${PAIR},true,1,100,${T0}\n`);
  await mkdir(join(directory, PAIR));
  // One of this host whose process is gone.
  const [host, boot] = systemProcesses.self.split('/');
  await writeFile(join(directory, PAIR, DEAD), `${host}/${boot}/4194304/1\n`);
  expect(await dataImport(file, { pair: PAIR, out: directory })).toBe(0);
  expect((await readdir(join(directory, PAIR))).filter((name) => name.startsWith('lock-'))).toEqual([]);
  await writeFile(join(directory, PAIR, DEAD), `${host}/${boot}/${process.ppid}/\n`);
  await expect(dataImport(file, { pair: PAIR, out: directory })).rejects.toBeInstanceOf(JournalHeld);
});
