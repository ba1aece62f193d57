/** A paper session whose position the simulated venue takes, over a tape and time of the test's own. */
import { expect, it } from 'vitest';
import { thisMachine } from '../../../src/cli/machine.js';
import { PACKAGE_FOLDER } from '../../../src/cli/package.js';
import type { RunningSession } from '../../../src/cli/session/running-session.js';
import { startSession } from '../../../src/cli/session/session.js';
import type { SessionPlan } from '../../../src/cli/session/session-plan.js';
import { tickwright } from '../../../src/client/profile.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import { join } from 'node:path';
import type { AppendFile } from '../../../src/ports/files.js';
import { SILENT } from '../../../src/ports/log.js';
import { defineStrategy } from '../../../src/strategy/definition.js';
import { bindStrategy } from '../../../src/strategy/instance.js';
import { holdPosition } from '../../../src/strategy/want.js';
import { FakeVenueApi } from '../../support/fake-venue-api.js';
import { BTC } from '../../support/markets.js';
import { MemoryFiles } from '../../support/memory-files.js';
import { VirtualTime } from '../../support/virtual-time.js';

/** 0.01 at 60 000 with 100 in the account: liquidated below some 50 300. */
const LONG = defineStrategy({
  name: 'long',
  create: () => ({ onTrade: () => holdPosition('0.01') }),
});
const CAPITAL = '100';

async function onPaper() {
  const time = new VirtualTime();
  const venue = new FakeVenueApi(time, BTC);
  const files = new MemoryFiles();
  files.contents.set(join(PACKAGE_FOLDER, 'package.json'), Buffer.from('{"version":"0.0.0"}'));
  const kept: AppendFile = {
    size: () => 0,
    append: () => Promise.resolve(),
    sync: () => Promise.resolve(),
    truncate: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  files.openAppend = () => Promise.resolve(kept);
  const errors: string[] = [];
  const log = { ...SILENT, error: (message: string) => errors.push(message) };
  const machine = { ...thisMachine('error'), clock: time.clock, timers: time.timers, files, log };
  const strategy = { bound: bindStrategy(LONG), file: 'long.ts', sha256: 'ab', params: {}, given: {} };
  const session = await time.until(
    startSession(machine, {
      mode: 'paper',
      connection: { api: venue, profile: tickwright },
      market: BTC,
      strategy,
      limits: NO_LIMITS,
      seed: '1',
      every: { trades: 100, ticker: 10_000, orders: 100 },
      warmUpMs: 0,
      paper: { capital: CAPITAL, latencyMs: 10 },
      capture: { path: '/capture.ndjson', keepMs: undefined },
    } as unknown as SessionPlan),
  );
  let prints = 0;
  /** So many prints of a price, a second apart. */
  const prices = async (price: number, count: number) => {
    for (let i = 0; i < count; i++) {
      prints++;
      const trade = {
        id: String(prints),
        time: venue.venueTime,
        price,
        quantity: 5,
        isBuyerMaker: i % 2 === 0,
      };
      venue.print(trade);
      await time.advance(1_000);
    }
  };
  return { session, prices, errors, time };
}

const held = ({ core }: RunningSession) => core.engine.position.lots;

it('is halted by a liquidation, as a live one is, until somebody resumes', async () => {
  const { session, prices, errors, time } = await onPaper();
  await prices(60_000, 5);
  expect(held(session)).toBe(10);
  expect(session.controls.standing()).toMatchObject({ state: 'SYNCED', permission: 'all' });
  await prices(50_000, 5);
  expect(held(session)).toBe(0);
  expect(session.controls.halts()).toEqual([
    { level: 'pause', reason: 'the position on paper was liquidated', by: 'liquidation' },
  ]);
  expect(session.controls.standing()).toMatchObject({ state: 'HALTED', permission: 'reduce-only' });
  expect(errors).toEqual(['the position on paper was liquidated']);
  await prices(50_000, 5);
  const { orders, refusals, fills } = session.core.counts;
  expect([orders, fills]).toEqual([1, 2]);
  expect(held(session)).toBe(0);
  session.controls.resume('seen', 'anna');
  expect(session.controls.halts()).toEqual([]);
  expect(session.controls.standing()).toMatchObject({ state: 'SYNCED', permission: 'all' });
  // There is nothing left to pay an order with, but it is tried again.
  await prices(50_000, 5);
  expect(session.core.counts.orders + session.core.counts.refusals).toBeGreaterThan(orders + refusals);
  await time.until(session.stop());
});

it('ends in a standstill when it ends so, as a live one does', async () => {
  const { session, prices, time } = await onPaper();
  await prices(60_000, 5);
  await prices(50_000, 5);
  const { standstill } = await time.until(session.stop());
  expect(standstill).toMatchObject({
    quarantine: undefined,
    halt: 'pause (the position on paper was liquidated)',
    haltEnds: ['resume'],
  });
});
