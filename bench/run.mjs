#!/usr/bin/env node
// `npm run bench [-- --rounds N]`: what a trade costs, each variant in its own process, in turn, medians of several.
// Ratios to the bare scan of the same run are what counts: they hold on any machine.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds must be a whole number of at least 1, received '${options.rounds}'`);
  process.exit(2);
}
const variant = fileURLToPath(new URL('./variant.mjs', import.meta.url));

// Ten million trades, as `performance` figures are given for: compiling costs some 400 ms of CPU once in a process, on
// whatever thread, and is counted.
const VARIANTS = [
  { name: 'scan', trades: 10_000_000, what: 'bare columnar scan: SMA 10/30 and fills inline' },
  { name: 'handlers', trades: 10_000_000, what: 'crossover on every trade, as handlers', floor: 12e6 },
  {
    name: 'streams',
    trades: 10_000_000,
    what: 'crossover on every trade, as streams over trades$',
    floor: 5e6,
  },
  { name: 'market-maker', trades: 1_000_000, what: 'market maker, requotes on every trade', floor: 300e3 },
];

const results = new Map(VARIANTS.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const { name, trades } of VARIANTS) {
    const child = spawnSync(process.execPath, [variant, name, String(trades)], { encoding: 'utf8' });
    if (child.status !== 0) throw new Error(`${name} failed:\n${child.stderr}`);
    results.get(name).push(JSON.parse(child.stdout));
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const scanNs = median(results.get('scan').map(({ ns }) => ns));
console.log(`Node ${process.version}, ${rounds} rounds, CPU time, medians\n`);
console.log('ns/trade   x scan   M trades/s   per 100 trades           peak MiB  what');
let short = 0;
for (const { name, what, floor } of VARIANTS) {
  const runs = results.get(name);
  const ns = median(runs.map((run) => run.ns));
  const { trades } = VARIANTS.find((other) => other.name === name);
  const last = runs.at(-1);
  const per100 = (count) => ((100 * count) / trades).toFixed(1);
  const activity =
    name === 'scan'
      ? `crosses ${per100(last.crosses)}`
      : `orders ${per100(last.orders)}, fills ${per100(last.fills)}`;
  const rate = 1e9 / ns;
  const misses = floor !== undefined && rate < floor;
  if (misses) short++;
  console.log(
    [
      ns.toFixed(1).padStart(8),
      (ns / scanNs).toFixed(1).padStart(8),
      (rate / 1e6).toFixed(2).padStart(12),
      `   ${activity}`.padEnd(28),
      String(median(runs.map((run) => run.rssMiB))).padStart(8),
      ` ${what}${floor === undefined ? '' : ` (at least ${floor / 1e6} M: ${misses ? 'SHORT' : 'met'})`}`,
    ].join(' '),
  );
}
if (short > 0) console.log(`\n${short} of the published floors not met on this machine`);
