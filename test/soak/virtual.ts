/** Days of a daemon with many pairs in minutes: its own time is virtual, its memory, files and journal are real. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { KeyedConnection } from '../../src/cli/connection/connection.js';
import { startSession } from '../../src/cli/session/session.js';
import type { LoadedStrategy } from '../../src/cli/strategy/strategy.js';
import { createVenueClient } from '../../src/client/client.js';
import { tickwright } from '../../src/client/profile.js';
import { Daemon } from '../../src/daemon/daemon.js';
import type { DaemonEntry } from '../../src/daemon/daemon-entry.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Lots } from '../../src/model/grid.js';
import type { Market } from '../../src/model/market.js';
import { seededRandom } from '../../src/model/random.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { quote } from '../../src/strategy/want.js';
import { slopeOf } from './process-sample.js';
import { ACCOUNT, soakMarkets } from './venue-child.js';
import { VirtualMachine } from './virtual-machine.js';

export interface SoakDay {
  readonly day: number;
  /** At its end, compacted: what the engine reserves for garbage follows how fast time goes here. */
  readonly rssMiB: number;
  /** The median of its minutes, with that. */
  readonly busyRssMiB: number;
  /** In use after a collection, reserved for it then, and outside of it. */
  readonly heapMiB: number;
  readonly heapTotalMiB: number;
  readonly externalMiB: number;
  readonly timers: number;
  readonly exchanges: number;
  readonly listeners: number;
  readonly handles: number;
  readonly journalMiB: number;
  readonly requests: number;
  readonly faults: number;
  readonly orders: number;
  readonly fills: number;
  readonly synced: number;
}

export interface VirtualResult {
  readonly days: readonly SoakDay[];
  readonly pairs: number;
  readonly pollMs: number;
  /** From the second day to the last: least squares, times the days. */
  readonly rssGrowthMiB: number;
  readonly heapGrowthMiB: number;
  readonly mostJournalMiBPerDay: number;
  readonly ordersPerDay: number;
  readonly seconds: number;
  /** Of the daemon's process. */
  readonly cpuSeconds: number;
}

/** Quotes both sides of what it sees, each time it sees anything. */
const QUOTING = defineStrategy({
  name: 'soak',
  create: (_, context) => ({
    onTicker({ bidPrice, askPrice }) {
      if (bidPrice === undefined || askPrice === undefined) return undefined;
      const middle = (bidPrice + askPrice) / 2;
      const lean = 0.001 * context.position;
      const side = (factor: number) => ({ price: middle * (factor - lean), quantity: 0.05 });
      return quote({
        bid: context.position < 0.4 ? side(0.9996) : undefined,
        ask: context.position > -0.4 ? side(1.0004) : undefined,
      });
    },
  }),
});

const DAY_MS = 86_400_000;
const MIB = 2 ** 20;
const STATUS_MS = 60_000;
/** Until pages that are free are given back. */
const COLLECTIONS = 5;

export async function soakVirtual({
  days,
  pairs,
  pollMs,
  onDay,
  isEnough,
}: {
  readonly days: number;
  readonly pairs: number;
  readonly pollMs: number;
  readonly onDay: (day: SoakDay) => void;
  /** Asked after each day. */
  readonly isEnough: () => boolean;
}): Promise<VirtualResult> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-soak-'));
  const world = await VirtualMachine.start(pairs, folder);
  const { machine, time } = world;
  const strategy: LoadedStrategy = {
    definition: QUOTING,
    bound: bindStrategy(QUOTING),
    fresh: () => Promise.resolve(bindStrategy(QUOTING)),
    file: 'test/soak/virtual.ts',
    inputs: [],
    packages: [],
    sha256: 'soak',
    params: {},
    given: {},
    explain: (error) => error,
  };
  const entries = soakMarkets(pairs).map(entryOf);
  const daemon = new Daemon({
    ...machine,
    timers: world.lagTimers,
    mode: 'live',
    venue: 'virtual',
    version: 'soak',
    pid: process.pid,
    entries,
    // A look at it each second costs more than all else that second.
    gauge: () => ({ rssBytes: 0, heapBytes: 0 }),
    memoryCeilingBytes: Number.POSITIVE_INFINITY,
  });
  let told = 0;
  const release = daemon.listen(() => told++);
  const found: SoakDay[] = [];
  try {
    let isStarted = false;
    const starting = daemon.start().then(() => {
      isStarted = true;
    });
    await time.runUntilDone(() => isStarted, DAY_MS / 24);
    await starting;
    for (let day = 1; day <= days && !isEnough(); day++) {
      const before = { journal: world.journalBytes, requests: world.requests, faults: world.faults };
      const busy: number[] = [];
      for (let at = (day - 1) * DAY_MS + STATUS_MS; at <= day * DAY_MS; at += STATUS_MS) {
        await time.runUntil(at);
        daemon.status();
        busy.push(process.memoryUsage.rss());
      }
      collect();
      const { heapUsed, heapTotal, external, rss: heldBytes } = process.memoryUsage();
      const status = daemon.status();
      const sum = (name: 'orders' | 'fills') =>
        status.pairs.reduce((total, { counts }) => total + counts[name], 0);
      const sample: SoakDay = {
        day,
        rssMiB: round(heldBytes / MIB),
        busyRssMiB: round((busy.toSorted((a, b) => a - b)[busy.length >> 1] ?? 0) / MIB),
        heapMiB: round(heapUsed / MIB),
        heapTotalMiB: round(heapTotal / MIB),
        externalMiB: round(external / MIB),
        timers: time.waiting,
        exchanges: world.exchanges,
        listeners: process.eventNames().reduce((total, name) => total + process.listenerCount(name), 0),
        handles: process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length,
        journalMiB: round((world.journalBytes - before.journal) / MIB),
        requests: world.requests - before.requests,
        faults: world.faults - before.faults,
        orders: sum('orders'),
        fills: sum('fills'),
        synced: status.pairs.filter(({ state }) => state === 'SYNCED').length,
      };
      found.push(sample);
      onDay(sample);
    }
    release();
    const late = found.slice(1);
    const growth = (pick: (day: SoakDay) => number) => round(slopeOf(late.map(pick)) * (late.length - 1));
    const cpu = process.cpuUsage();
    return {
      days: found,
      pairs,
      pollMs,
      rssGrowthMiB: growth(({ rssMiB }) => rssMiB),
      heapGrowthMiB: growth(({ heapMiB }) => heapMiB),
      mostJournalMiBPerDay: Math.max(...found.map(({ journalMiB }) => journalMiB)),
      ordersPerDay: Math.round((found.at(-1)?.orders ?? 0) / found.length),
      seconds: Math.round((performance.now() - began) / 1_000),
      cpuSeconds: Math.round((cpu.user + cpu.system) / 1e6),
    };
  } finally {
    world.close();
    rmSync(folder, { recursive: true, force: true });
  }

  function entryOf(market: Market): DaemonEntry {
    const { pair } = market;
    return {
      pair,
      strategy: strategy.bound.name,
      params: strategy.params,
      sha256: strategy.sha256,
      async open(watch) {
        const state = join(folder, pair);
        const session = await startSession(machine, {
          mode: 'live',
          connection: connectionOf(pair),
          market,
          strategy,
          limits: {
            ...NO_LIMITS,
            maxPosition: 500 as Lots,
            maxOrderQuantity: 200 as Lots,
            maxOpenOrders: 10,
          },
          onQuarantine: 'watch',
          seed: '1',
          every: { trades: pollMs, orders: pollMs, ticker: pollMs, position: pollMs },
          warmUpMs: 3_600_000,
          paper: { capital: '100000', latencyMs: 50 },
          journal: state,
          watch,
          capture: { path: join(state, 'capture.ndjson'), keepMs: 600_000 },
        });
        return {
          ...session.controls,
          core: session.core,
          feed: session.feed,
          failed: session.failed,
          openOrders: () => session.openOrders(),
          stop: (orders) => session.stop(orders),
        };
      },
    };
  }

  function connectionOf(name: string): KeyedConnection {
    const { clock, timers, log } = machine;
    const { transport } = world;
    const url = 'http://127.0.0.1:1';
    const parts = {
      baseUrl: url,
      profile: tickwright,
      clock,
      timers,
      transport,
      log,
      random: seededRandom(name),
    };
    const credentials = { apiKey: ACCOUNT.key, apiSecret: ACCOUNT.secret };
    const clientOn: KeyedConnection['clientOn'] = (ports) =>
      createVenueClient({ ...parts, ...ports, credentials });
    return {
      url,
      profile: tickwright,
      api: clientOn(parts),
      transport,
      clientOn,
      close: () => Promise.resolve(),
    };
  }
}

/** Compacts first: pages of which a bit is in use come and go by more than a daemon may grow in a month. */
function collect(): void {
  setFlagsFromString('--compact-on-every-full-gc');
  globalThis.gc?.();
  setFlagsFromString('--no-compact-on-every-full-gc');
  for (let times = 0; times < COLLECTIONS; times++) globalThis.gc?.();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
