// One variant in a process of its own: `node bench/variant.mjs NAME TRADES`. Prints ns per trade by CPU time.
import { benchColumns } from './columns.mjs';

const [, , name, trades] = process.argv;
const columns = benchColumns(7, Number(trades));
const run =
  name === 'scan'
    ? (await import('./scan.mjs')).scan
    : (await import('./engine-variants.mjs')).runEngine.bind(undefined, name);

const start = process.cpuUsage();
const wall = performance.now();
const facts = run(columns);
const wallMs = performance.now() - wall;
const { user, system } = process.cpuUsage(start);
const rss = process.resourceUsage().maxRSS;
process.stdout.write(
  `${JSON.stringify({ ns: ((user + system) * 1_000) / columns.count, wallNs: (wallMs * 1e6) / columns.count, rssMiB: Math.round(rss / 1_024), ...facts })}\n`,
);
