// Runs nothing: what it makes of a job is said by the scenario's name. Numbers as WorkMark has them.
import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';

const words = new Float64Array(workerData.mark);
const [CALLS, PART, TIME] = [0, 1, 2];
const ON_TRADE = 2;
let runs = 0;
/** What the test has heard of. */
const heard = new Set();
let tell = () => undefined;
const test = new BroadcastChannel('scripted');
test.onmessage = ({ data }) => {
  heard.add(data);
  tell();
};

parentPort.on('message', ({ job, scenario, seed }) => {
  if (scenario === 'fails')
    parentPort.postMessage({ kind: 'failed', code: 'TICKWRIGHT_E_TEST', message: 'it fails' });
  else if (scenario === 'dies') process.exit(3);
  else if (scenario === 'hangs') {
    words[TIME] = 4_500;
    words[PART] = ON_TRADE;
    for (;;);
  } else if (scenario === 'toils') {
    // Each call ends, but all of them together take longer than one may.
    const until = Date.now() + 600;
    while (Date.now() < until) {
      words[CALLS] += 1;
      words[PART] = ON_TRADE;
    }
    words[PART] = 0;
    ended(job, scenario, seed);
  } else ended(job, scenario, seed);
});
parentPort.postMessage({ kind: 'ready' });

function ended(job, scenario, seed) {
  runs += 1;
  const figures = {
    // Of this thread.
    orders: runs,
    fills: 0,
    refusals: {},
    position: 0,
    nakedMs: 0,
    ordersPerMinute: 0,
    requestsPerMinute: 0,
  };
  const end = { scenario, seed, faults: 'none', breaches: [], figures, ranMs: 1 };
  tell = () => {
    if (scenario === 'last' && !heard.has('b')) return;
    tell = () => undefined;
    parentPort.postMessage({ kind: 'run', job, end });
  };
  tell();
}
