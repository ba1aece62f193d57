// What the latency programs share: the moments at the sockets of this process, and a venue in a second process.
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { TICKWRIGHT } from './folder.mjs';

export const PAIR = 'USD_BTC_PERP';
export const KEY = 'bench-key';
export const SECRET = 'bench-secret';
export const WARM_UP_SAMPLES = 1_000;
/** The venue's day goes faster, so that each poll brings something. */
const SPEED = 30;

/**
 * ms from the read that brought the end of an answer to GET /trades to the call of the write that was handed the bytes of
 * POST /auth/order, and to that call's return: by then the kernel has carried them over loopback, and may have let the
 * venue run meanwhile. Only of orders that `ordered` announced since the read; `onNews` is called at each read.
 */
export function probe(onNews = () => undefined) {
  const handed = [];
  const inKernel = [];
  const paths = new WeakMap();
  let readAt = 0;
  let isOrdered = false;
  const { prototype } = Socket;
  const write = Reflect.get(prototype, '_writeGeneric');
  prototype._writeGeneric = function (writev, data, encoding, callback) {
    const calledAt = performance.now();
    const head = String(writev ? data[0]?.chunk : data).slice(0, 40);
    const path = /^(?:GET|POST) (\/[a-z/]*)/.exec(head)?.[1];
    if (path !== undefined) paths.set(this, path);
    const isAnswer = path === '/auth/order' && isOrdered;
    if (isAnswer) handed.push(calledAt - readAt);
    write.call(this, writev, data, encoding, callback);
    if (!isAnswer) return;
    inKernel.push(performance.now() - readAt);
    isOrdered = false;
  };
  const read = Reflect.get(prototype, 'read');
  prototype.read = function (size) {
    const chunk = read.call(this, size);
    if (chunk !== null && paths.get(this) === '/trades') {
      readAt = performance.now();
      onNews();
      // An order that had to wait for something else is no answer to this poll.
      isOrdered = false;
    }
    return chunk;
  };
  return {
    handed,
    inKernel,
    ordered() {
      isOrdered = true;
    },
  };
}

/** Its address, and what ends it. */
export async function startVenue() {
  const market = ['--synthetic', '7', '--speed', String(SPEED), '--pair', PAIR];
  const account = ['--account', `${KEY}:${SECRET}`, '--deposit', 'USD=1000000000'];
  const venue = spawn(process.execPath, [TICKWRIGHT, 'venue', '--port', '0', ...market, ...account], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve) => {
    createInterface(venue.stdout).once('line', resolve);
  });
  return { url: JSON.parse(line).listening, kill: () => venue.kill() };
}

/** Prints the quantiles; throws when there are fewer samples than wanted. */
export function print({ handed, inKernel }, wanted) {
  if (handed.length < WARM_UP_SAMPLES + wanted) {
    throw new Error(`there must be ${wanted} orders, received ${handed.length - WARM_UP_SAMPLES}`);
  }
  process.stdout.write(`${JSON.stringify({ handed: quantiles(handed), inKernel: quantiles(inKernel) })}\n`);
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
