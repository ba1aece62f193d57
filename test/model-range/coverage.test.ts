import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { Fill } from '../../src/model/fill.js';
import { backtestOf, cover, measuredDelays, ownTape } from './cover.js';
import { CoverageWorld } from './coverage-world.js';
import { FAMILIES, FAMILY_NAMES } from './families.js';
import { recordTape } from './record-tape.js';
import { runBot } from './run-bot.js';
import { impactOf, summaryOf, wilson } from './summary.js';

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
  it.each(FAMILY_NAMES)('gives a truth and three models for each kind of data: %s', async (family) => {
    const covered = await cover('7', MINUTES_3, FAMILIES[family]());
    expect(covered.fills).toBeGreaterThan(0);
    for (const { through, queue, touch } of Object.values(covered.ranges)) {
      for (const figure of [covered.truth, through, queue, touch]) expect(Number.isFinite(figure)).toBe(true);
    }
  });

  it('wants on the tape of the true run what was wanted there, when it reads only trades', async () => {
    const { ranges } = await cover('8', MINUTES_3, FAMILIES.taker());
    expect(ranges.replay.sameWants).toBe(true);
  });

  it('has the first fills of a maker on that tape to the millisecond, tick and lot', async () => {
    const strategy = FAMILIES.maker();
    const truth = await runBot('13', 20_000, strategy);
    const replayed: Fill[] = [];
    await backtestOf(ownTape(truth), strategy, truth, { onFill: (fill) => replayed.push(fill) });
    const facts = ({ time, side, ticks, lots, liquidity }: Fill) => ({ time, side, ticks, lots, liquidity });
    expect(truth.fills.length).toBeGreaterThan(4);
    expect(replayed.slice(0, 4).map(facts)).toEqual(truth.fills.slice(0, 4).map(facts));
  });

  it('gives the n-th command the n-th measured latency, and begins again where those end', () => {
    const delay = measuredDelays({ latencies: { place: [10, 20.4], cancel: [] } });
    const ms = (kind: 'place' | 'cancel', intentId: number) => delay({ kind, intentId });
    expect([1, 2, 3, 4].map((intent) => ms('place', intent))).toEqual([10, 20, 10, 20]);
    // Nothing was canceled: as long as an order.
    expect(ms('cancel', 2)).toBe(20);
    expect(measuredDelays({ latencies: { place: [], cancel: [] } })({ kind: 'place', intentId: 1 })).toBe(0);
  });
});

describe('the summary of many seeds', () => {
  const range = {
    through: -1,
    queue: 0,
    touch: 2,
    fills: { through: 1, queue: 3, touch: 4 },
    queueAhead: 'recorded',
    sameWants: true,
  } as const;
  const other = { ...range, queueAhead: 'estimated', sameWants: false } as const;
  const seed = { seed: '1', fills: 2, prints: 10, changed: 1, moved: -1 };
  const truths = [-1, 2, 0.5, 3, -5];
  const seeds = truths.map((truth) => ({
    ...seed,
    truth,
    ranges: { trades: range, ticker: range, depth: truth > 0 ? range : other, replay: range },
  }));

  it('counts what is within the range of the models, and misses on either side', () => {
    expect(summaryOf(seeds, 'trades')).toMatchObject({
      seeds: 5,
      coverage: 0.6,
      above: 1,
      below: 1,
      meanWidth: 3,
      // (1 above, 4 below) / 5
      meanMiss: 1,
      fillRatio: 1.5,
      recordedQueues: 1,
      sameWants: 1,
    });
    // Of -1, 0 and 2 less the mean truth of -0.1.
    const { bias } = summaryOf(seeds, 'trades');
    expect([bias.through, bias.queue, bias.touch].map((value) => value.toFixed(3))).toEqual([
      '-0.900',
      '0.100',
      '2.100',
    ]);
    expect(summaryOf(seeds, 'depth')).toMatchObject({ recordedQueues: 0.6, sameWants: 0.6 });
  });

  it('says what the bot changed: prints that were not there, and the last price, whichever way', () => {
    const impact = impactOf([{ ...seeds[0], moved: 3 } as (typeof seeds)[0], ...seeds.slice(1)]);
    expect(impact.changedPrints).toBeCloseTo(0.1, 12);
    expect(impact.meanMove).toBeCloseTo(1.4, 12);
    expect(impact.meanFills).toBe(2);
  });

  it('gives Wilson’s interval: 8 of 10 is 0.490 to 0.943, 0 of 10 is 0 to 0.278', () => {
    const [low, high] = wilson(8, 10);
    expect([low.toFixed(3), high.toFixed(3)]).toEqual(['0.490', '0.943']);
    expect(wilson(0, 10)[0]).toBe(0);
    expect(wilson(0, 10)[1]).toBeCloseTo(0.2775, 4);
  });
});
