/** A paper session that is long, over a tape and time of the test's own. */
import { thisMachine } from '../../../src/cli/machine.js';
import { PACKAGE_FOLDER } from '../../../src/cli/package.js';
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

/** `append` writes the capture; by default it is lost. */
export async function onPaper(
  append: AppendFile['append'] = () => Promise.resolve(),
  more: Partial<Pick<SessionPlan, 'haltFolder'>> = {},
) {
  const time = new VirtualTime();
  const venue = new FakeVenueApi(time, BTC);
  const files = new MemoryFiles();
  files.contents.set(join(PACKAGE_FOLDER, 'package.json'), Buffer.from('{"version":"0.0.0"}'));
  const kept: AppendFile = {
    size: () => 0,
    append,
    sync: () => Promise.resolve(),
    truncate: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  files.openAppend = () => Promise.resolve(kept);
  const warnings: string[] = [];
  const errors: string[] = [];
  const log = {
    ...SILENT,
    warn: (message: string) => warnings.push(message),
    error: (message: string) => errors.push(message),
  };
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
      ...more,
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
  return { session, prices, warnings, errors, time, files };
}
