import { readFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { systemClock } from '../../src/platform/clock.js';
import { nodeDiskSpace } from '../../src/platform/disk-space.js';
import { nodeFiles } from '../../src/platform/files.js';
import { systemTimers } from '../../src/platform/timers.js';
import { readJournal } from '../../src/storage/journal/journal-reader.js';
import { shortageToGoOn } from '../../src/storage/journal/journal-space.js';
import { JournalWriter } from '../../src/storage/journal/journal-writer.js';
import { orderRecord } from '../support/journals.js';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../support/small-disk.js';
import { sharedFolder } from '../support/temp-folder.js';

const KIB = 1_024;
const mountPoint = await sharedFolder('storage');
const mounted = mountsSmallDisks && mountSmallDisk(mountPoint, '256k');

afterAll(() => {
  if (mounted) unmountSmallDisk(mountPoint);
});

it.skipIf(!mounted)(
  'a disk that is really full keeps every record, refuses the next, and takes that of a halt (skipped where a small disk cannot be mounted)',
  async () => {
    const directory = `${mountPoint}/journal`;
    const options = {
      directory,
      files: nodeFiles,
      timers: systemTimers,
      clock: systemClock,
      ballastBytes: 32 * KIB,
    };
    const { journal } = await JournalWriter.open(options);
    const acknowledged: JournalRecord[] = [];
    const fillTheDisk = () => {
      for (let index = 0; index < 10_000; index++) {
        journal.append(orderRecord(index), 'durable');
        acknowledged.push(orderRecord(index));
      }
    };
    expect(fillTheDisk).toThrow(/ENOSPC/);
    expect(acknowledged.length).toBeGreaterThan(500);
    expect(() => journal.append(orderRecord(0), 'durable')).toThrow(journal.failure);
    expect(await nodeDiskSpace.freeBytes(directory)).toBeLessThan(4 * KIB);
    expect(await shortageToGoOn(nodeDiskSpace, directory)).toContain('must have 128 MiB free');

    const contents = await readJournal(nodeFiles, directory);
    expect(contents.records.map(({ record }) => record)).toEqual(acknowledged);
    expect(contents.tornTail).toBeUndefined();

    const halt: JournalRecord = { kind: 'halt', level: 'cancel', reason: 'no room', by: 'a test', wall: 0 };
    journal.append(halt, 'durable');
    expect(() => journal.append(orderRecord(0), 'durable')).toThrow(journal.failure);
    await journal.close();
    const after = await readJournal(nodeFiles, directory);
    expect(after.records.at(-1)?.record).toEqual(halt);
    expect(after.records).toHaveLength(acknowledged.length + 1);
    const [segment] = (await nodeFiles.list(directory)).filter(({ name }) => name.startsWith('segment'));
    expect((await readFile(segment?.path ?? '', 'utf8')).endsWith('\n')).toBe(true);
  },
);
