import type { Covered } from './cover.js';

/** What a family of strategies came to over its seeds. Money in quote units. */
export interface CoverageSummary {
  readonly seeds: number;
  /** Seeds whose truth lay within the range of the three models, as a share, with its 95 % interval. */
  readonly coverage: number;
  readonly interval: readonly [low: number, high: number];
  /** Seeds whose truth was better than the best model, and worse than the worst. */
  readonly above: number;
  readonly below: number;
  readonly meanWidth: number;
  /** Of the truth from the nearest end of the range, outside it; 0 inside. */
  readonly meanMiss: number;
  readonly meanTruth: number;
  /** Fills of the `queue` model for each true one. */
  readonly fillRatio: number;
  /** Per model: mean of backtest less truth. */
  readonly bias: Readonly<Record<'through' | 'queue' | 'touch', number>>;
  /** The bot's own impact: share of prints with it that are not there without it, and how far it moved the last price. */
  readonly changedPrints: number;
  readonly meanMove: number;
}

/** Amounts that differ by less are equal: sums of doubles against sums of whole units. */
const EQUAL = 1e-6;

export function summaryOf(seeds: readonly Covered[]): CoverageSummary {
  const ranges = seeds.map(({ truth, through, queue, touch }) => {
    const low = Math.min(through, queue, touch);
    const high = Math.max(through, queue, touch);
    const miss = truth > high + EQUAL ? truth - high : truth < low - EQUAL ? truth - low : 0;
    return { width: high - low, miss };
  });
  const above = ranges.filter(({ miss }) => miss > 0).length;
  const below = ranges.filter(({ miss }) => miss < 0).length;
  const inside = seeds.length - above - below;
  const prints = sum(seeds.map((seed) => seed.prints));
  return {
    seeds: seeds.length,
    coverage: inside / seeds.length,
    interval: wilson(inside, seeds.length),
    above,
    below,
    meanWidth: mean(ranges.map(({ width }) => width)),
    meanMiss: mean(ranges.map(({ miss }) => Math.abs(miss))),
    meanTruth: mean(seeds.map(({ truth }) => truth)),
    fillRatio: sum(seeds.map(({ queueFills }) => queueFills)) / sum(seeds.map(({ fills }) => fills)),
    bias: {
      through: mean(seeds.map(({ through, truth }) => through - truth)),
      queue: mean(seeds.map(({ queue, truth }) => queue - truth)),
      touch: mean(seeds.map(({ touch, truth }) => touch - truth)),
    },
    changedPrints: sum(seeds.map(({ changed }) => changed)) / prints,
    meanMove: mean(seeds.map(({ moved }) => Math.abs(moved))),
  };
}

/** E. B. Wilson's interval of a share (1927), 95 %. */
export function wilson(successes: number, count: number): readonly [low: number, high: number] {
  const z = 1.959963984540054;
  const share = successes / count;
  const denominator = 1 + z ** 2 / count;
  const centre = (share + z ** 2 / (2 * count)) / denominator;
  const half = (z / denominator) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
