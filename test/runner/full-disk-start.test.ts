import { expect, test } from 'vitest';
import { Execution } from '../../src/execution/execution.js';
import { SILENT } from '../../src/ports/log.js';
import type { ExecutionReport } from '../../src/model/report.js';
import { openChronicle } from '../../src/runner/open-chronicle.js';
import { placeOf } from '../execution/harness.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { MemoryFiles } from '../support/memory-files.js';
import { FakeProcesses } from '../support/processes.js';
import { VirtualTime } from '../support/virtual-time.js';

const MIB = 1_048_576;

/** Lives of a bot on one disk, each killed by the next. */
function bot() {
  const files = new MemoryFiles();
  const machine = new FakeProcesses();
  const time = new VirtualTime();
  const venue = new FakeVenueApi(time, BTC);
  let free = 1_024 * MIB;
  let lives = 0;
  const start = async () => {
    machine.alive.delete(`bot ${lives}`);
    const session = `s${++lives}`;
    const ports = { files, timers: time.timers, clock: time.clock, log: SILENT };
    const processes = machine.start(`bot ${lives}`);
    const disk = { freeBytes: () => Promise.resolve(free) };
    const options = {
      ...ports,
      processes,
      disk,
      directory: '/bot/journal',
      session,
      engine: 'test',
      hashes: {},
    };
    const { chronicle } = await openChronicle({ ...options, snapshotEvery: 1_000 });
    const execution = new Execution({
      ...ports,
      api: venue,
      market: BTC,
      session,
      echo: 'oco',
      visibilityMs: 0,
      lateMs: 6_000,
      staleMs: 20_000,
      lists: ['active', 'all'],
      listLimit: 100,
      watchEveryMs: 1_000,
      chronicle,
    });
    const reports: ExecutionReport[] = [];
    execution.reports$.subscribe((report) => reports.push(report));
    execution.start();
    await time.until(execution.settled());
    return { execution, chronicle, reports };
  };
  const fill = (bytes: number) => {
    free = bytes;
    files.capacity = files.used() + bytes;
  };
  const resting = () => venue.truth().filter(({ status }) => status === 'ACTIVE').length;
  return { time, venue, start, fill, resting };
}

test.each([
  ['without a free byte', 0],
  ['with too little room', 200 * MIB],
])('a start on a disk %s cancels what rests and places nothing', async (_, bytes) => {
  const { time, venue, start, fill, resting } = bot();
  const first = await start();
  first.execution.send(placeOf(1));
  await time.advance(2_000);
  // The process dies with its order at the venue.
  await first.execution.stop(0);
  expect(resting()).toBe(1);
  fill(bytes);
  const second = await start();
  const { state, permission, reason } = second.execution.state();
  expect([state, permission]).toEqual(['HALTED', 'cancel-only']);
  expect(reason).toMatch(
    /^cancel: disk full: the disk of \/bot\/journal must have \d+ MiB free, it has \d+ MiB$/,
  );
  await time.advance(5_000);
  expect(resting()).toBe(0);
  const placed = venue.calls.filter(({ kind }) => kind === 'place').length;
  second.execution.send(placeOf(2, { reduceOnly: true }));
  await time.advance(5_000);
  expect(second.reports.at(-1)).toMatchObject({ kind: 'rejected', intentId: 2 });
  expect(venue.calls.filter(({ kind }) => kind === 'place')).toHaveLength(placed);
  await second.execution.stop(0);
  fill(1_024 * MIB);
  const third = await start();
  await time.advance(5_000);
  expect(third.execution.state()).toMatchObject({ state: 'SYNCED', permission: 'all' });
  third.execution.send(placeOf(1));
  await time.advance(1_000);
  expect(resting()).toBe(1);
});

test('a resume ends no halt for want of room: the life still places nothing, and the next one with room does', async () => {
  const { time, venue, start, fill, resting } = bot();
  fill(200 * MIB);
  const first = await start();
  first.execution.halt('pause', 'to see', 'anna');
  first.execution.resume('go on', 'anna');
  await time.advance(3_000);
  expect(first.chronicle.books.halts).toMatchObject([{ level: 'cancel', by: 'disk' }]);
  expect(first.execution.state().permission).toBe('cancel-only');
  first.execution.send(placeOf(1));
  await time.advance(1_000);
  expect(venue.calls.filter(({ kind }) => kind === 'place')).toEqual([]);
  await first.execution.stop(0);
  fill(1_024 * MIB);
  const second = await start();
  second.execution.send(placeOf(1));
  await time.advance(1_000);
  expect(resting()).toBe(1);
});

test('a person by the name of the disk halts no longer than anybody else', async () => {
  const { start } = bot();
  const { execution } = await start();
  execution.halt('pause', 'to see', 'disk');
  expect(execution.state().state).toBe('HALTED');
  execution.resume('seen', 'disk');
  expect(execution.state().permission).toBe('all');
});
