/** Protocol T over many seeds: `node test/run.mjs test/model-range/main.ts --seeds 200 --minutes 10 [--first 1000] [--slippage 1]`. */
import { parseArgs } from 'node:util';
import { type Covered, cover } from './cover.js';
import { type Family, FAMILIES, FAMILY_NAMES } from './families.js';
import { recordTape } from './record-tape.js';
import { type CoverageSummary, summaryOf } from './summary.js';

// Constants of the world and of the strategies were chosen while seeds below 1000 were looked at.
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '10' },
    slippage: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.first);
const durationMs = Number(values.minutes) * 60_000;

const covered: Record<Family, Covered[]> = { maker: [], taker: [], mixed: [] };
for (let seed = first; seed < first + seeds; seed++) {
  const alone = await recordTape(String(seed), durationMs);
  for (const family of FAMILY_NAMES) {
    const one = await cover(String(seed), durationMs, FAMILIES[family](), {
      alone,
      slippageTicks: Number(values.slippage),
    });
    covered[family].push(one);
    if (values.json) process.stdout.write(`${JSON.stringify({ family, ...one })}\n`);
  }
  process.stderr.write(`seed ${seed}\r`);
}
for (const family of FAMILY_NAMES) process.stdout.write(`${lineOf(family, summaryOf(covered[family]))}\n`);

function lineOf(family: Family, summary: CoverageSummary): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const money = (amount: number) => amount.toFixed(2);
  const [low, high] = summary.interval;
  const { through, queue, touch } = summary.bias;
  return [
    `${family}: ${summary.seeds} seeds of ${values.minutes} min`,
    `coverage ${percent(summary.coverage)} (95 %: ${percent(low)} to ${percent(high)})`,
    `misses above ${summary.above}, below ${summary.below}`,
    `mean width ${money(summary.meanWidth)}, mean distance of the truth ${money(summary.meanMiss)} USD`,
    `mean truth ${money(summary.meanTruth)}, backtest less truth: through ${money(through)}, queue ${money(queue)}, touch ${money(touch)}`,
    `${summary.fillRatio.toFixed(2)} fills of queue for each true one`,
    `own impact: ${percent(summary.changedPrints)} of prints are others, last price ${money(summary.meanMove)} off`,
  ].join('; ');
}
