/** A live session with a journal against a simulated venue over real HTTP, in this process. */
import { join } from 'node:path';
import { connect } from '../../src/cli/connection/connection.js';
import type { SessionEnd } from '../../src/cli/session/running-session.js';
import { startSession } from '../../src/cli/session/session.js';
import { startSimulatedVenue } from '../../src/cli/venue/simulated-venue.js';
import { loadStrategy } from '../../src/cli/strategy/strategy.js';
import { thisMachine } from '../../src/cli/machine.js';
import { tickwright } from '../../src/client/profile.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Lots } from '../../src/model/grid.js';
import { sleep } from '../../src/ports/clock.js';
import { parseFaultPlan } from '../../src/config/fault-plan.js';
import { DEFAULT_PAIR } from '../../src/venue/catalogue.js';

export const CANARY = { key: 'canary-key-5a1f', secret: 'canary-secret-c0ffee-7b' } as const;

const LOOK_MS = 100;

export interface HttpSessionOptions {
  /** The bot's; what is recorded lies below. */
  readonly folder: string;
  readonly forMs: number;
  /** And for longer, where everything is slow, until so much has happened. */
  readonly least?: { readonly polls?: number; readonly orders?: number; readonly fills?: number } | undefined;
  readonly strategy: string;
  readonly pollMs: number;
  /** Default 1. */
  readonly seed?: number;
  /** Answers to orders are lost, too: each takes its whole deadline. */
  readonly losesAnswers?: boolean;
}

/** Each kind of fault often enough for seconds, all of them such that the session goes on. */
const FAULTS = (seed: number) => `version: 1
seed: ${seed}
rules:
  - { name: 503 before, fault: unavailable, executed: false, place: { path: /auth/order }, probability: 0.03 }
  - { name: 503 after, fault: unavailable, executed: true, place: { path: /auth/order }, probability: 0.03 }
  - { name: reset after, fault: reset, executed: true, place: { path: /auth/order }, probability: 0.02 }
  - { name: slow order, fault: delay, delay: [20ms, 200ms], place: { path: /auth/order }, probability: 0.3 }
  - { name: cancel 503, fault: unavailable, executed: true, place: { path: /auth/cancel }, probability: 0.05 }
  - { name: slow read, fault: delay, delay: [10ms, 150ms], place: { calls: read }, probability: 0.05 }
  - { name: read 503, fault: unavailable, executed: true, place: { calls: read }, probability: 0.01 }
  - { name: read cut, fault: truncated, keep: 0.6, place: { calls: read }, probability: 0.01 }
  - { name: orders later, fault: late-visibility, delay: [10ms, 50ms], place: { path: '*orders' }, probability: 0.1 }
`;

const LOST = `  - { fault: lost-response, place: { path: /auth/order }, probability: 0.01 }
  - { fault: lost-request, place: { path: /auth/order }, probability: 0.01 }
`;

/** @throws what the session threw. */
export async function httpSession(options: HttpSessionOptions): Promise<SessionEnd> {
  const { folder, forMs, least = {}, pollMs, seed = 1, losesAnswers = false } = options;
  const machine = thisMachine();
  const text = `${FAULTS(seed)}${losesAnswers ? LOST : ''}`;
  const faults = parseFaultPlan({ text, shown: 'faults', environment: {} });
  machine.scrubber.add(CANARY.secret);
  const venue = await startSimulatedVenue(machine, {
    source: { kind: 'synthetic', seed, pairs: [DEFAULT_PAIR], intensity: 5 },
    port: 0,
    speed: 1,
    accounts: [CANARY],
    faults,
  });
  const connection = connect(machine, {
    url: venue.url,
    profile: { ...tickwright, recvWindowMs: 500, visibilityLagMs: 50 },
    credentials: { apiKey: CANARY.key, apiSecret: CANARY.secret },
  });
  try {
    const market = await marketOf(connection.api);
    const session = await startSession(machine, {
      mode: 'live',
      connection,
      market,
      strategy: await loadStrategy(machine, options.strategy, {}),
      limits: { ...NO_LIMITS, maxPosition: 50 as Lots, maxOpenOrders: 20 },
      seed: String(seed),
      every: { trades: pollMs, position: pollMs, ticker: pollMs, orders: pollMs },
      warmUpMs: 60_000,
      paper: { capital: '0', latencyMs: 0 },
      journal: folder,
      capture: { path: join(folder, 'unused.ndjson'), keepMs: undefined },
    });
    const over = new AbortController();
    const isEnough = () =>
      session.feed.stats.polls >= (least.polls ?? 0) &&
      session.core.counts.orders >= (least.orders ?? 0) &&
      session.core.counts.fills >= (least.fills ?? 0);
    const enough = async () => {
      await sleep(machine.timers, forMs, over.signal);
      while (!isEnough()) await sleep(machine.timers, LOOK_MS, over.signal);
    };
    await Promise.race([session.failed, enough()]).finally(() => {
      over.abort(new Error('over'));
    });
    return await session.stop();
  } finally {
    await connection.close();
    await venue.close();
  }
}

/** The venue's only market, however often its faults strike. */
async function marketOf(api: Parameters<typeof firstMarket>[0]) {
  for (;;) {
    const market = await firstMarket(api).catch(() => undefined);
    if (market !== undefined) return market;
  }
}

async function firstMarket(api: ReturnType<typeof connect>['api']) {
  const [market] = (await api.markets()).values();
  return market;
}
