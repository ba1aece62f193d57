import { expect, test } from 'vitest';
import { SILENT } from '../../src/ports/log.js';
import { DiskWatch } from '../../src/runner/disk-watch.js';
import { VirtualTime } from '../support/virtual-time.js';

const MIB = 1_048_576;

function desk() {
  const time = new VirtualTime();
  let free: number | undefined = 1_000 * MIB;
  const changes: (string | undefined)[] = [];
  const warnings: string[] = [];
  const watch = new DiskWatch({
    disk: {
      freeBytes: () => (free === undefined ? Promise.reject(new Error('EIO')) : Promise.resolve(free)),
    },
    directory: '/bot/journal',
    timers: time.timers,
    log: { ...SILENT, warn: (message) => warnings.push(message) },
    onChange: (reason) => changes.push(reason),
  });
  return { time, watch, changes, warnings, leave: (mib: number | undefined) => (free = mib && mib * MIB) };
}

test('risk stops within 10 s of the disk having less than 128 MiB, and is free again when it has', async () => {
  const { time, watch, changes, leave } = desk();
  await watch.watch();
  leave(128);
  await time.advance(10_000);
  expect(changes).toEqual([]);
  leave(127);
  await time.advance(10_000);
  expect(changes).toEqual(['the disk of /bot/journal must have 128 MiB free, it has 127 MiB']);
  await time.advance(60_000);
  expect(changes).toHaveLength(1);
  leave(128);
  await time.advance(10_000);
  expect(changes.slice(1)).toEqual([undefined]);
  watch.stop();
  leave(1);
  await time.advance(60_000);
  expect(changes).toHaveLength(2);
});

test('a disk that does not answer changes nothing, and is said once', async () => {
  const { time, watch, changes, warnings, leave } = desk();
  leave(100);
  await watch.watch();
  leave(undefined);
  await time.advance(60_000);
  expect(changes).toHaveLength(1);
  expect(warnings).toEqual(['nobody can say how much room the disk has']);
  watch.stop();
});
