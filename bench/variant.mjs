// One variant in a process of its own: `node test/run.mjs bench/variant.mjs NAME TRADES [PASSES]`. Prints ns per trade by
// CPU time: of the first pass, which compiles, and the median of those after it.
import { benchColumns, benchIds } from './columns.mjs';
import { runEngine } from './engine-variants.mjs';
import { scan } from './scan.mjs';

const [, , name, trades, passes = '1'] = process.argv;
const columns = { ...benchColumns(7, Number(trades)), ids: benchIds(Number(trades)) };
const run = name === 'scan' ? scan : runEngine.bind(undefined, name);

let facts;
const costs = Array.from({ length: Number(passes) }, () => {
  const start = process.cpuUsage();
  facts = run(columns);
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1_000) / columns.count;
});
const [first, ...later] = costs;
const steady = later.sort((a, b) => a - b)[Math.floor(later.length / 2)];
const rss = process.resourceUsage().maxRSS;
process.stdout.write(`${JSON.stringify({ first, steady, rssMiB: Math.round(rss / 1_024), ...facts })}\n`);
