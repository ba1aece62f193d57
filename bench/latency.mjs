// From a poll's last byte to the order: `node bench/latency.mjs SAMPLES journal|none`. The product's own live session
// (client, feed, engine, gate, execution, journal) against a venue in a second process on loopback. Everything is taken at
// the sockets of this process: the read that brought the end of the answer to GET /trades, the call of the write that was
// handed the bytes of POST /auth/order, and its return: by then the kernel has carried them over loopback, and may have
// let the venue run meanwhile.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { defineStrategy, holdPosition } from '../dist/index.js';
import { connect } from '../dist/cli/compose/connection.js';
import { startSession } from '../dist/cli/compose/session.js';
import { thisMachine } from '../dist/cli/machine.js';
import { tickwright } from '../dist/client/profile.js';
import { NO_LIMITS } from '../dist/gate/limits.js';
import { bindStrategy } from '../dist/strategy/instance.js';

const [, , wanted, journal] = process.argv;
const PAIR = 'USD_BTC_PERP';
const key = 'bench-key';
const secret = 'bench-secret';
const POLL_MS = 5;
/** The venue's day goes faster, so that each poll brings something. */
const SPEED = 30;
const WARM_UP_SAMPLES = 1_000;
const LIMIT_MS = 120_000;

let readAt = 0;
/** The poll brought news that the strategy has not answered yet, and it has answered with an order that has not left. */
let news = false;
let ordered = false;
const handed = [];
const inKernel = [];
const paths = new WeakMap();

const { prototype } = Socket;
const write = Reflect.get(prototype, '_writeGeneric');
prototype._writeGeneric = function (writev, data, encoding, callback) {
  const head = String(writev ? data[0]?.chunk : data).slice(0, 40);
  const path = /^(?:GET|POST) (\/[a-z/]*)/.exec(head)?.[1];
  if (path !== undefined) paths.set(this, path);
  const isAnswer = path === '/auth/order' && ordered;
  if (isAnswer) handed.push(performance.now() - readAt);
  write.call(this, writev, data, encoding, callback);
  if (!isAnswer) return;
  inKernel.push(performance.now() - readAt);
  ordered = false;
};
const read = Reflect.get(prototype, 'read');
prototype.read = function (size) {
  const chunk = read.call(this, size);
  if (chunk !== null && paths.get(this) === '/trades') {
    readAt = performance.now();
    news = true;
    // An order that had to wait for something else is no answer to this poll.
    ordered = false;
  }
  return chunk;
};

const strategy = defineStrategy({
  name: 'in-and-out',
  create: (_, context) => ({
    onTrade() {
      if (!news) return undefined;
      news = false;
      ordered = true;
      return holdPosition(context.position > 0.0015 ? '0.001' : '0.002');
    },
  }),
});

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const market = ['--synthetic', '7', '--speed', String(SPEED), '--pair', PAIR];
const account = ['--account', `${key}:${secret}`, '--deposit', 'USD=1000000000'];
const venue = spawn(process.execPath, [program, 'venue', '--port', '0', ...market, ...account], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await new Promise((resolve) => {
  createInterface(venue.stdout).once('line', (text) => resolve([text]));
});
const { listening: url } = JSON.parse(line);
// Not in memory: the journal's fsync is part of what is measured.
const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), '.latency-'));

const machine = thisMachine();
const connection = connect(machine, {
  url,
  credentials: { apiKey: key, apiSecret: secret },
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
      file: fileURLToPath(import.meta.url),
      sha256: '0'.repeat(64),
      params: {},
      explain: (error) => error,
    },
    limits: NO_LIMITS,
    seed: '1',
    every: { trades: POLL_MS, position: 5_000, ticker: 1_000, orders: 1_000 },
    warmUpMs: 1_000,
    paper: { capital: '0', latencyMs: 0 },
    ...(journal === 'journal' ? { journal: join(folder, 'journal') } : {}),
    capture: { path: join(folder, 'capture'), keepMs: 10_000 },
  });
  const since = performance.now();
  const enough = async () => {
    while (handed.length < WARM_UP_SAMPLES + Number(wanted) && performance.now() - since < LIMIT_MS) {
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
if (handed.length < WARM_UP_SAMPLES + Number(wanted)) {
  throw new Error(`there must be ${wanted} orders, received ${handed.length - WARM_UP_SAMPLES}`);
}
function quantiles(samples) {
  const taken = samples.slice(WARM_UP_SAMPLES).sort((a, b) => a - b);
  const at = (share) => taken[Math.min(taken.length - 1, Math.floor(share * taken.length))];
  return {
    samples: taken.length,
    p10: at(0.1),
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: taken.at(-1),
  };
}
process.stdout.write(`${JSON.stringify({ handed: quantiles(handed), inKernel: quantiles(inKernel) })}\n`);
