/** What a daemon that began on a full disk writes later, and what of it others see meanwhile. */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDaemon } from '../../../src/cli/daemon/daemon-lock.js';
import { runningDaemon } from '../../../src/cli/daemon/end-daemon.js';
import { LateWriting } from '../../../src/cli/daemon/late-writing.js';
import { whatRan } from '../../../src/cli/daemon/what-ran.js';
import { type Machine, thisMachine } from '../../../src/cli/machine.js';
import { controlSocketPath } from '../../../src/daemon/daemon-file.js';
import { JournalHeld, lockJournal } from '../../../src/storage/journal/journal-lock.js';
import { VirtualTime } from '../../support/virtual-time.js';

const machine = thisMachine('error');
const { files, processes } = machine;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Machine['log'];
const GONE = processes.self.replace(/\d+$/, (start) => String(Number(start) + 1));
let state: string;
let server: Server | undefined;

beforeEach(async () => {
  state = await files.temporaryDirectory('late-');
});
afterEach(async () => {
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
  await files.remove(state);
});

/** A daemon that has neither file nor lock, and answers. */
async function answering(document: object): Promise<void> {
  const own = createServer((_, answer) => void answer.end(JSON.stringify(document)));
  server = own;
  await new Promise<void>((resolve) => void own.listen(controlSocketPath(state), resolve));
}

describe('a daemon without file and lock', () => {
  it('is found by what it answers, with its mode and venue', async () => {
    await answering({ process: processes.self, mode: 'live', venue: 'https://venue.example' });
    expect(await runningDaemon(machine, state)).toBe(processes.self);
    const seen = { isAlive: true, mode: 'live', venue: 'https://venue.example' };
    expect(await whatRan(machine, state)).toEqual(seen);
  });

  it('is nobody where it does not say which process it is, or none of this machine', async () => {
    await answering({ pid: 1 });
    expect(await runningDaemon(machine, state)).toBeUndefined();
    await new Promise((resolve) => server?.close(resolve));
    await answering({ process: GONE });
    expect(await runningDaemon(machine, state)).toBeUndefined();
    await new Promise((resolve) => server?.close(resolve));
    await answering({ process: 'elsewhere/boot/7/1' });
    expect(await runningDaemon(machine, state)).toBeUndefined();
  });
});

describe('the lock of a daemon on a full disk', () => {
  async function lockOnFullDisk() {
    let isFull = true;
    const full: Machine = {
      ...machine,
      log: SILENT,
      disk: { freeBytes: () => Promise.resolve(0) },
      files: {
        ...files,
        writeAtomic: (...args) =>
          isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : files.writeAtomic(...args),
      },
    };
    const lock = await lockDaemon(full, state);
    return {
      lock,
      makeRoom: () => {
        isFull = false;
      },
    };
  }

  it('is taken once there is room, and released like any other', async () => {
    const { lock, makeRoom } = await lockOnFullDisk();
    expect(lock.isHeld).toBe(false);
    await expect(lock.take()).rejects.toThrow('ENOSPC');
    makeRoom();
    await lock.take();
    expect(lock.isHeld).toBe(true);
    expect(await runningDaemon(machine, state)).toBe(processes.self);
    await lock.release();
    expect(await runningDaemon(machine, state)).toBeUndefined();
  });

  it('is not taken from whoever came meanwhile', async () => {
    const { lock, makeRoom } = await lockOnFullDisk();
    const other = await lockJournal(files, processes, join(state, 'lock'));
    makeRoom();
    await expect(lock.take()).rejects.toThrow(JournalHeld);
    await other.release();
  });
});

describe('what there was no room for', () => {
  it('is tried until it is written, then no more', async () => {
    const time = new VirtualTime();
    const late = new LateWriting({ timers: time.timers, log: SILENT });
    let tries = 0;
    late.add({
      what: 'a file',
      write: () => (++tries < 3 ? Promise.reject(new Error('ENOSPC')) : Promise.resolve()),
    });
    await time.advance(60_000);
    expect(tries).toBe(3);
    expect(time.pending).toBe(0);
  });

  it('is given up where trying again would be wrong', async () => {
    const time = new VirtualTime();
    const late = new LateWriting({ timers: time.timers, log: SILENT });
    let tries = 0;
    late.add({
      what: 'a file',
      write: () => Promise.reject(new Error(`try ${++tries}`)),
      isOver: (error) => (error as Error).message === 'try 2',
    });
    await time.advance(60_000);
    expect(tries).toBe(2);
  });

  it('is not written after the end, which waits for what is being written', async () => {
    const time = new VirtualTime();
    const late = new LateWriting({ timers: time.timers, log: SILENT });
    let finish: () => void = () => undefined;
    let isWritten = false;
    late.add({
      what: 'a file',
      write: () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }).then(() => {
          isWritten = true;
        }),
    });
    await time.advance(2_000);
    const stopped = late.stop().then(() => expect(isWritten).toBe(true));
    finish();
    await stopped;
    late.add({ what: 'another', write: () => Promise.reject(new Error('never')) });
    expect(time.pending).toBe(0);
  });
});
