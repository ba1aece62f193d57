/** A whole live session that starts on a full disk, over real HTTP: it cancels what another one left, and places nothing. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../src/cli/connection/connection.js';
import { startSession } from '../../../src/cli/session/session.js';
import { startSimulatedVenue } from '../../../src/cli/venue/simulated-venue.js';
import { loadStrategy } from '../../../src/cli/strategy/strategy.js';
import { type Machine, thisMachine } from '../../../src/cli/machine.js';
import { tickwright } from '../../../src/client/profile.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import type { Lots } from '../../../src/model/grid.js';
import { sleep } from '../../../src/ports/clock.js';
import { DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { CANARY } from '../../support/http-session.js';

/** One order, so far from the market that nothing fills it: it rests until somebody cancels it. */
const RESTING = `import { defineStrategy, orders } from 'tickwright';

export default defineStrategy({
  name: 'resting',
  create: () => ({
    onTicker: ({ bidPrice }) =>
      bidPrice === undefined ? undefined : orders([{ side: 'buy', quantity: 0.01, price: Math.floor(bidPrice / 2) }]),
  }),
});
`;

const machine = thisMachine();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-full-'));
  await writeFile(join(folder, 'resting.ts'), RESTING);
});
afterAll(() => rm(folder, { recursive: true }));

/** Asks until it is so; a test that waits for ever ends by its own deadline. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(machine.timers, 50);
}

it('comes up halted, cancels what rests, and places nothing', async () => {
  const source = { kind: 'synthetic', seed: 1, pairs: [DEFAULT_PAIR], intensity: 5 } as const;
  const venue = await startSimulatedVenue(machine, { source, port: 0, speed: 1, accounts: [CANARY] });
  const connection = connect(machine, {
    url: venue.url,
    profile: tickwright,
    credentials: { apiKey: CANARY.key, apiSecret: CANARY.secret },
  });
  const { api } = connection;
  try {
    const [market] = (await api.markets()).values();
    const start = async (on: Machine) =>
      startSession(on, {
        mode: 'live',
        connection,
        market: market!,
        strategy: await loadStrategy(machine, join(folder, 'resting.ts'), {}),
        limits: { ...NO_LIMITS, maxPosition: 50 as Lots },
        seed: '1',
        every: { trades: 50, position: 50, ticker: 50, orders: 50 },
        warmUpMs: 60_000,
        paper: { capital: '0', latencyMs: 0 },
        journal: folder,
        capture: { path: join(folder, 'unused.ndjson'), keepMs: undefined },
      });
    const first = await start(machine);
    await until(async () => first.openOrders().length > 0);
    const { leftOpen } = await first.stop('leave');
    expect(leftOpen).toHaveLength(1);

    const second = await start({ ...machine, disk: { freeBytes: () => Promise.resolve(0) } });
    const { state, permission, reason } = second.controls.standing();
    expect([state, permission]).toEqual(['HALTED', 'cancel-only']);
    expect(reason).toMatch(/^cancel: disk full: .* must have 256 MiB free, it has 0 MiB$/);
    await until(async () => (await api.orders('active', { pair: DEFAULT_PAIR })).length === 0);
    await sleep(machine.timers, 500);
    // Nothing that is not needed is written there.
    expect(second.controls.unrecorded()).toContain('must have 512 MiB free for a black box');
    const end = await second.stop();
    expect(end.counts.orders).toBe(0);
    expect(end.standstill?.haltEnds).toEqual(['room']);
    expect(end.captureFailure?.message).toContain('must have 512 MiB free for a black box');
  } finally {
    await connection.close();
    await venue.close();
  }
});
