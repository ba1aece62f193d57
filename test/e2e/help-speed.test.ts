import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { MAIN } from './program.js';

const RUNS = 5;
/** Five times the published bound of 80 ms, for machines that do other work. */
const MOST_MS = 400;

function medianMs(args: readonly string[]): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args);
    expect(status).toBe(0);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] as number;
}

const COMMANDS = [
  '',
  'demo',
  'run',
  'venue',
  'record',
  'backtest',
  'parity',
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
];

it.each(COMMANDS)('`tickwright %s --help` is instant', (command) => {
  const bare = medianMs(['-e', '0']);
  const help = medianMs([MAIN, ...command.split(' ').filter(Boolean), '--help']);
  expect(help - bare).toBeLessThan(MOST_MS);
});
