import { createServer, type Server } from 'node:http';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stateChecks } from '../../../src/cli/doctor/doctor-state.js';
import { daemonLockPath, forgetDeadDaemon } from '../../../src/cli/daemon/end-daemon.js';
import { SentinelLook } from '../../../src/cli/daemon/sentinel-look.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { writeDaemonFile } from '../../../src/daemon/daemon-file.js';
import type { Processes } from '../../../src/ports/processes.js';
import { lockJournal } from '../../../src/storage/journal/journal-lock.js';
import { folder } from '../../storage/support.js';

/** A daemon on a full disk: it answers, and has neither a file nor a lock. */
let lives: ReturnType<Processes['stateOf']>;
let says: string;
let server: Server;
let state: string;
const machine = thisMachine('error');
const { self } = machine.processes;
const watching = { ...machine, processes: { ...machine.processes, stateOf: () => lives } };

beforeEach(async () => {
  state = join(await folder(), 'state');
  await mkdir(state);
  lives = 'alive';
  says = 'running';
  server = createServer((_, answer) => void answer.end(JSON.stringify({ process: self, state: says })));
  await new Promise<void>((resolve) => void server.listen(join(state, 'control.sock'), resolve));
});

async function silence(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
afterEach(silence);

it('a daemon without a file that was seen is silent while it lives, and dead once it is gone', async () => {
  const look = new SentinelLook(watching, state);
  expect(await look.look()).toMatchObject({ kind: 'answer', process: self });
  await silence();
  expect(await look.look()).toEqual({ kind: 'silent', process: self });
  lives = 'gone';
  for (let times = 0; times < 2; times++) expect(await look.look()).toEqual({ kind: 'dead', process: self });
});

it('one that never answered and has not written that it is ready is starting', async () => {
  await lockJournal(machine.files, machine.processes, daemonLockPath(state));
  await silence();
  const look = new SentinelLook(watching, state);
  expect(await look.look()).toEqual({ kind: 'silent', process: self, isStarting: true });
  await writeDaemonFile(machine.files, state, {
    formatVersion: 1,
    pid: process.pid,
    process: self,
    version: '0',
    mode: 'live',
    venue: 'http://127.0.0.1:1',
    startedAt: 1,
    socket: join(state, 'control.sock'),
    url: undefined,
  });
  expect(await look.look()).toEqual({ kind: 'silent', process: self });
});

it('one that was stopping, and one that was never seen, are not dead', async () => {
  const look = new SentinelLook(watching, state);
  says = 'stopping';
  expect(await look.look()).toMatchObject({ kind: 'answer' });
  await silence();
  lives = 'gone';
  expect(await look.look()).toEqual({ kind: 'absent' });
  expect(await new SentinelLook(watching, state).look()).toEqual({ kind: 'absent' });
});

it('one that has the lock and no file yet is only starting: gone before the next look, it ended in order', async () => {
  const look = new SentinelLook(watching, state);
  says = 'starting';
  const lock = await lockJournal(machine.files, machine.processes, daemonLockPath(state));
  expect(await look.look()).toMatchObject({ kind: 'answer', process: self });
  await silence();
  await lock.release();
  lives = 'gone';
  expect(await look.look()).toEqual({ kind: 'absent' });
});

it('one that is killed while it starts left its lock, which says so until somebody has seen to what it left', async () => {
  const first = new SentinelLook(watching, state);
  await lockJournal(machine.files, machine.processes, daemonLockPath(state));
  says = 'starting';
  expect(await first.look()).toMatchObject({ kind: 'answer', process: self });
  await silence();
  lives = 'gone';
  for (const look of [first, first, new SentinelLook(watching, state)])
    expect(await look.look()).toEqual({ kind: 'dead', process: self });
  await forgetDeadDaemon(watching, state);
  expect(await first.look()).toEqual({ kind: 'absent' });
});

it('of two that died it is the one that had the lock, not the one that was ready before it', async () => {
  const before = self.replace(/\d+$/, '1');
  await lockJournal(machine.files, machine.processes, daemonLockPath(state));
  await writeDaemonFile(machine.files, state, {
    formatVersion: 1,
    pid: 1,
    process: before,
    version: '0.0.0',
    mode: 'live',
    venue: 'http://127.0.0.1:1',
    startedAt: 0,
    socket: 'none',
    url: undefined,
  });
  await silence();
  lives = 'gone';
  expect(await new SentinelLook(watching, state).look()).toEqual({ kind: 'dead', process: self });
});

it('doctor does not say that the lock is free while such a daemon runs', async () => {
  const checks = await stateChecks(machine, { state, strategies: [], file: 'bot.yaml' }, { live: false });
  const lock = checks.find(({ name }) => name === 'lock');
  expect(lock?.detail).toContain(`the daemon runs, process ${process.pid}`);
});
