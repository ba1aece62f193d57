// A venue in one process, its load in another: `node test/run.mjs bench/http-load.mjs SECONDS`. Signed orders over keep-alive
// connections, each answer checked, while somebody else reads /trades and its time is taken.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { TICKWRIGHT } from './folder.mjs';

const seconds = Number(process.argv[2]);
const CONNECTIONS = 24;
const READ_EVERY_MS = 10;
const key = 'bench-key';
const secret = 'bench-secret';
const market = ['--port', '0', '--synthetic', '7', '--pair', 'USD_BTC_PERP'];
const account = ['--account', `${key}:${secret}`, '--deposit', 'USD=1000000000'];
const venue = spawn(process.execPath, [TICKWRIGHT, 'venue', ...market, ...account], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await new Promise((resolve) => {
  createInterface(venue.stdout).once('line', (text) => resolve([text]));
});
const { listening } = JSON.parse(line);
const orders = new Pool(listening, { connections: CONNECTIONS, pipelining: 1 });
const reads = new Pool(listening, { connections: 1, pipelining: 1 });

const ticker = await (await reads.request({ method: 'GET', path: '/ticker?pair=USD_BTC_PERP' })).body.json();
const price = ticker.result.USD_BTC_PERP.last_price;
let accepted = 0;
let sequence = 0;
const until = performance.now() + seconds * 1_000;
const deadline = () => performance.now() < until;

async function trader() {
  while (deadline()) {
    const n = sequence++;
    const side = n % 2 === 0 ? 'BUY' : 'SELL';
    // A third trades at once, the rest stands a little off and is cancelled below.
    const away = n % 3 === 0 ? -0.001 : 0.002 + (n % 50) / 10_000;
    const limit = (Math.round(price * (1 + (side === 'BUY' ? -away : away)) * 10) / 10).toFixed(1);
    const body = `pair=USD_BTC_PERP&qty=0.001&side=${side}&price=${limit}&timestamp=${Date.now()}&recv_window=60000`;
    const answer = await signed('/auth/order', body);
    if (answer.code !== 200) throw new Error(JSON.stringify(answer));
    accepted++;
    if (n % 500 === 499) await signed('/auth/cancel/bulk', '');
  }
}

async function signed(path, body) {
  const { body: stream } = await orders.request({
    method: 'POST',
    path,
    body,
    headers: {
      'x-api-key': key,
      'x-signature': createHmac('sha256', secret).update(body).digest('base64'),
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  return stream.json();
}

const readMs = [];
async function reader() {
  while (deadline()) {
    const start = performance.now();
    const { body } = await reads.request({ method: 'GET', path: '/trades?pair=USD_BTC_PERP' });
    const { code, result } = await body.json();
    if (code !== 200 || result.length !== 100) throw new Error('a page of trades must have 100');
    readMs.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
}

const start = performance.now();
try {
  await Promise.all([...Array.from({ length: CONNECTIONS }, trader), reader()]);
} finally {
  venue.kill();
}
const elapsed = (performance.now() - start) / 1_000;
readMs.sort((a, b) => a - b);
const quantile = (q) => readMs[Math.min(readMs.length - 1, Math.floor(q * readMs.length))];
await Promise.all([orders.close(), reads.close()]);
process.stdout.write(
  `${JSON.stringify({ ordersPerSecond: Math.round(accepted / elapsed), reads: readMs.length, p50: quantile(0.5), p99: quantile(0.99) })}\n`,
);
