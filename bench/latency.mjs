// From a poll's last byte to the order: `node test/run.mjs bench/latency.mjs SAMPLES journal|none POLL_MS`. The product's own live
// session (client, feed, engine, gate, execution, journal) against a venue in a second process on loopback. Everything is taken at
// the sockets of this process: the read that brought the end of the answer to GET /trades, the call of the write that was
// handed the bytes of POST /auth/order, and its return: by then the kernel has carried them over loopback, and may have
// let the venue run meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineStrategy, holdPosition } from '../src/index.ts';
import { connect } from '../src/cli/connection/connection.ts';
import { startSession } from '../src/cli/session/session.ts';
import { thisMachine } from '../src/cli/machine.ts';
import { tickwright } from '../src/client/profile.ts';
import { NO_LIMITS } from '../src/gate/limits.ts';
import { bindStrategy } from '../src/strategy/instance.ts';
import { BENCH_FOLDER, THIS_PROGRAM } from './folder.mjs';
import { KEY, PAIR, print, probe, SECRET, startVenue, WARM_UP_SAMPLES } from './latency-probe.mjs';

const [, , wanted, journal, pollMs] = process.argv;
const LIMIT_MS = 120_000;

/** The poll brought news that the strategy has not answered yet. */
let news = false;
const probed = probe(() => {
  news = true;
});

const strategy = defineStrategy({
  name: 'in-and-out',
  create: (_, context) => ({
    onTrade() {
      if (!news) return undefined;
      news = false;
      probed.ordered();
      return holdPosition(context.position > 0.0015 ? '0.001' : '0.002');
    },
  }),
});

const venue = await startVenue();
// Not in memory: the journal's fsync is part of what is measured.
const folder = mkdtempSync(join(BENCH_FOLDER, '.latency-'));

const machine = thisMachine();
const connection = connect(machine, {
  url: venue.url,
  credentials: { apiKey: KEY, apiSecret: SECRET },
  // The bench polls faster than anybody should.
  profile: { ...tickwright, budget: { perSecond: 10_000, burst: 10_000 } },
});
try {
  connection.api.expectOrders(true);
  const session = await startSession(machine, {
    mode: 'live',
    connection,
    market: (await connection.api.markets()).get(PAIR),
    strategy: {
      definition: strategy,
      bound: bindStrategy(strategy, {}),
      file: THIS_PROGRAM,
      sha256: '0'.repeat(64),
      params: {},
      explain: (error) => error,
    },
    limits: NO_LIMITS,
    seed: '1',
    every: { trades: Number(pollMs), position: 5_000, ticker: 1_000, orders: 1_000 },
    warmUpMs: 1_000,
    paper: { capital: '0', latencyMs: 0 },
    ...(journal === 'journal' ? { journal: join(folder, 'journal') } : {}),
    capture: { path: join(folder, 'capture'), keepMs: 10_000 },
  });
  const since = performance.now();
  const enough = async () => {
    while (probed.handed.length < WARM_UP_SAMPLES + Number(wanted) && performance.now() - since < LIMIT_MS) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.race([enough(), session.failed]);
  await session.stop();
} finally {
  await connection.close();
  venue.kill();
  rmSync(folder, { recursive: true });
}
print(probed, Number(wanted));
