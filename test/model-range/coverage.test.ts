import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { cover } from './cover.js';
import { CoverageWorld } from './coverage-world.js';
import { FAMILIES, FAMILY_NAMES } from './families.js';
import { recordTape } from './record-tape.js';
import { runBot } from './run-bot.js';
import { summaryOf, wilson } from './summary.js';

const MINUTES_3 = 180_000;

describe('the world of protocol T', () => {
  it('has the same tape for the same seed, as it is read over the network', async () => {
    const [one, again, other] = [
      await recordTape('1', 60_000),
      await recordTape('1', 60_000),
      await recordTape('2', 60_000),
    ];
    expect(again.tape).toEqual(one.tape);
    expect(other.tape).not.toEqual(one.tape);
    expect(one.tape.length).toBeGreaterThan(100);
    // Every print of it: ids count.
    expect(one.tape.map(({ id }) => Number(id))).toEqual(one.tape.map((_, i) => Number(one.tape[0]?.id) + i));
  });

  it('is made without any fill model: what is judged has no part in the judge', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('coverage-world.ts', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    const files = Object.keys(metafile.inputs);
    expect(files.some((file) => file.endsWith('src/venue/core/matcher.ts'))).toBe(true);
    expect(files.filter((file) => /src\/(?:venue\/tape|backtest)\//.test(file))).toEqual([]);
  });

  it('hides at least a tenth of what rests', () => {
    const { market } = new CoverageWorld('1');
    market.advanceTo(market.nextTime + 600_000);
    expect(market.street.veiled / market.street.rested).toBeGreaterThan(0.1);
  });

  it('has the same fair price, to the last bit, whether or not a bot trades in it', async () => {
    const { world: without } = await recordTape('3', MINUTES_3);
    const { world: within, fills } = await runBot('3', MINUTES_3, FAMILIES.maker());
    expect(fills.length).toBeGreaterThan(0);
    const length = Math.min(without.market.path.length, within.market.path.length);
    expect(length).toBeGreaterThan(900);
    expect(within.market.path.slice(0, length)).toEqual(without.market.path.slice(0, length));
  });
});

describe('a seed of protocol T', () => {
  it.each(FAMILY_NAMES)('gives a truth and three backtests of it: %s', async (family) => {
    const covered = await cover('7', MINUTES_3, FAMILIES[family]());
    process.stdout.write(`${family}: ${JSON.stringify(covered)}\n`);
    expect(covered.fills).toBeGreaterThan(0);
    for (const figure of [covered.truth, covered.through, covered.queue, covered.touch]) {
      expect(Number.isFinite(figure)).toBe(true);
    }
  });
});

describe('the summary of many seeds', () => {
  const seed = {
    seed: '1',
    through: -1,
    queue: 0,
    touch: 2,
    fills: 2,
    queueFills: 3,
    prints: 10,
    changed: 1,
    moved: -1,
  };

  it('counts what is within the range of the models, and misses on either side', () => {
    const truths = [-1, 2, 0.5, 3, -5];
    expect(summaryOf(truths.map((truth) => ({ ...seed, truth })))).toMatchObject({
      seeds: 5,
      coverage: 0.6,
      above: 1,
      below: 1,
      meanWidth: 3,
      // (1 above, 4 below) / 5
      meanMiss: 1,
      fillRatio: 1.5,
      changedPrints: 0.1,
      meanMove: 1,
    });
  });

  it('gives Wilson’s interval: 8 of 10 is 0.490 to 0.943, 0 of 10 is 0 to 0.278', () => {
    const [low, high] = wilson(8, 10);
    expect([low.toFixed(3), high.toFixed(3)]).toEqual(['0.490', '0.943']);
    expect(wilson(0, 10)[0]).toBe(0);
    expect(wilson(0, 10)[1]).toBeCloseTo(0.2775, 4);
  });
});
