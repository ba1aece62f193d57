import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { BARE_MS, SLACK } from './machine-speed.js';
import { MAIN } from './program.js';

const RUNS = 5;
/** Published for a machine that starts Node in so many ms; on a slower one it is as much longer. */
const BOUND_MS = 80;

function timeOf(args: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args);
  expect(status).toBe(0);
  return performance.now() - start;
}

const COMMANDS = [
  '',
  'demo',
  'run',
  'venue',
  'record',
  'backtest',
  'optimize',
  'parity',
  'init',
  'new',
  'check',
  'schema',
  'data',
  'data ls',
  'data check',
  'journal verify',
  'journal tail',
  'journal explain',
  'data import',
  'markets',
  'trades',
  'time',
  'orders',
  'positions',
  'order',
  'withdraw',
  'request',
  'help',
  'completion',
];

it.each(COMMANDS)('`tickwright %s --help` is instant', (command) => {
  const args = [MAIN, ...command.split(' ').filter(Boolean), '--help'];
  // In turns, so that others take as much from both; the quickest of each had to wait least.
  let bare = Number.POSITIVE_INFINITY;
  let help = Number.POSITIVE_INFINITY;
  const isInstant = () => help - bare < SLACK * BOUND_MS * Math.max(1, bare / BARE_MS);
  for (let run = 0; run < RUNS && !isInstant(); run++) {
    bare = Math.min(bare, timeOf(['-e', '0']));
    help = Math.min(help, timeOf(args));
  }
  expect(isInstant(), `${help} ms, ${bare} ms for Node alone`).toBe(true);
});
