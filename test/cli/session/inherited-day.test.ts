/** A live session that begins on an account of which another one has noted more, over real HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../src/cli/connection/connection.js';
import { startSession } from '../../../src/cli/session/session.js';
import { startSimulatedVenue } from '../../../src/cli/venue/simulated-venue.js';
import { loadStrategy } from '../../../src/cli/strategy/strategy.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { tickwright } from '../../../src/client/profile.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import { sleep } from '../../../src/ports/clock.js';
import type { SessionWatch } from '../../../src/runner/live-session.js';
import { DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { CANARY } from '../../support/http-session.js';

const machine = thisMachine();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-day-'));
  const idle = `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: 'idle', create: () => ({}) });`;
  await writeFile(join(folder, 'idle.ts'), idle);
});
afterAll(() => rm(folder, { recursive: true }));

it('counts the loss of the day and the fall from where the other one does, also after a restart', async () => {
  const source = { kind: 'synthetic', seed: 1, pairs: [DEFAULT_PAIR], intensity: 5 } as const;
  const venue = await startSimulatedVenue(machine, { source, port: 0, speed: 1, accounts: [CANARY] });
  const connection = connect(machine, {
    url: venue.url,
    profile: tickwright,
    credentials: { apiKey: CANARY.key, apiSecret: CANARY.secret },
  });
  try {
    const [market] = (await connection.api.markets()).values();
    /** What the session goes by once it knows the equity, and what it noted by then. */
    const life = async (name: string, watch: SessionWatch = {}) => {
      const session = await startSession(machine, {
        mode: 'live',
        connection,
        market: market!,
        strategy: await loadStrategy(machine, join(folder, 'idle.ts'), {}),
        limits: { ...NO_LIMITS, maxDailyLoss: 1_000, maxDrawdown: 1_000 },
        seed: '1',
        every: { trades: 50, position: 50, ticker: 50, orders: 50 },
        warmUpMs: 60_000,
        paper: { capital: '0', latencyMs: 0 },
        journal: join(folder, name),
        watch,
        capture: { path: join(folder, 'unused.ndjson'), keepMs: undefined },
      });
      const { core, controls } = session;
      const { day, drawdown } = core.risk;
      while (!core.isLive || day?.isKnown === false) await sleep(machine.timers, 20);
      await session.stop();
      return { loss: day?.loss, fall: drawdown?.fall, noted: controls.noted() };
    };
    const elder = await life('elder');
    expect(elder).toMatchObject({ loss: 0, fall: 0 });
    const noted = elder.noted!;
    const plus = (more: number) => String(Number(noted.equity) + more);
    const memory = { peak: plus(700), fell: false, losses: 0, pausedUntil: 0 };
    const asked: string[] = [];
    const others = (asset: string) => {
      asked.push(asset);
      return { baselines: [{ ...noted, equity: plus(500), memory }], isResumed: false };
    };
    expect(await life('late', { noted: others })).toMatchObject({ loss: 500, fall: 700 });
    expect(asked).toEqual([market!.quote]);
    expect(await life('late')).toMatchObject({ loss: 500, fall: 700 });
  } finally {
    await connection.close();
    await venue.close();
  }
});
