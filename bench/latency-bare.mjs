// What a machine gives without a bot: `node test/run.mjs bench/latency-bare.mjs SAMPLES journal|none POLL_MS`. The same polls and orders
// as `latency.mjs`, by the least that sends one: undici's dispatcher, JSON.parse, a form, an HMAC. Nothing is checked, booked
// or kept; with `journal` as many bytes as a record of ours has go to a file that has room for them, and to the disk.
import { createHmac } from 'node:crypto';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { BENCH_FOLDER } from './folder.mjs';
import { KEY, PAIR, print, probe, SECRET, startVenue, WARM_UP_SAMPLES } from './latency-probe.mjs';

/** As long as what the journal keeps of an order before it leaves. */
const RECORD = Buffer.alloc(400, 'x');
const wanted = Number(process.argv[2]);
const pollMs = Number(process.argv[4]);
const keep = process.argv[3] === 'journal' ? disk(wanted) : undefined;
const probed = probe();
const venue = await startVenue();
const polls = new Pool(venue.url, { connections: 1 });
const orders = new Pool(venue.url, { connections: 2 });

function ask(pool, request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))),
      onResponseError: (_, error) => reject(new Error('no answer', { cause: error })),
    });
  });
}

/** Room for the records of all orders, and what puts one there. */
function disk(orders) {
  const folder = mkdtempSync(join(BENCH_FOLDER, '.latency-'));
  const file = openSync(join(folder, 'records'), 'w');
  const room = Buffer.alloc(RECORD.length * 2 * (orders + WARM_UP_SAMPLES));
  writeSync(file, room, 0, room.length, 0);
  fdatasyncSync(file);
  let at = 0;
  return {
    record() {
      at += writeSync(file, RECORD, 0, RECORD.length, at);
      fdatasyncSync(file);
    },
    close() {
      closeSync(file);
      rmSync(folder, { recursive: true });
    },
  };
}

let side = 'SELL';
let clockOffset = 0;
function order() {
  side = side === 'BUY' ? 'SELL' : 'BUY';
  const timestamp = Math.round(Date.now() + clockOffset);
  const body = `pair=${PAIR}&side=${side}&qty=0.001&timestamp=${timestamp}&recv_window=60000`;
  const signature = createHmac('sha256', SECRET).update(body).digest('base64');
  probed.ordered();
  keep?.record();
  return ask(orders, {
    path: '/auth/order',
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-key': KEY,
      'x-signature': signature,
    },
    body,
  });
}

try {
  let newest;
  /** @type {Error | undefined} */
  let failure;
  while (probed.handed.length < WARM_UP_SAMPLES + wanted && failure === undefined) {
    const startedAt = performance.now();
    const since = newest === undefined ? '' : `&start=${newest.time - 100}`;
    const { result } = await ask(polls, { path: `/trades?pair=${PAIR}&limit=1000${since}`, method: 'GET' });
    const [trade] = result;
    if (trade !== undefined && trade.id !== newest?.id) {
      newest = trade;
      clockOffset = trade.time - Date.now();
      order().then(
        ({ code, msg }) => {
          if (code !== 200) failure = new Error(`an order must be taken, received ${code} ${msg}`);
        },
        (cause) => (failure = new Error('an order must be answered', { cause })),
      );
    }
    await sleep(Math.max(0, startedAt + pollMs - performance.now()));
  }
  if (failure !== undefined) throw failure;
} finally {
  await Promise.all([polls.destroy(), orders.destroy()]);
  venue.kill();
  keep?.close();
}
print(probed, wanted);
