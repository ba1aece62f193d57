import type { Covered, DataName } from './cover.js';

/** What a family of strategies came to over its seeds, by one kind of data. Money in quote units. */
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
  /** Per model: mean of backtest less truth. */
  readonly bias: Readonly<Record<'through' | 'queue' | 'touch', number>>;
  /** Fills of the `queue` model for each true one. */
  readonly fillRatio: number;
  /** Of seeds whose queues ahead were all read off a recorded depth, and of those that wanted the same as in truth. */
  readonly recordedQueues: number;
  readonly sameWants: number;
}

/** The bot's own impact, which no backtest has: what the market was with it and without. */
export interface Impact {
  readonly meanTruth: number;
  readonly meanFills: number;
  /** Share of the prints with it that are not there without it, by time, price, quantity and aggressor. */
  readonly changedPrints: number;
  /** How far the last price is off, mean of absolute values. */
  readonly meanMove: number;
}

/** Amounts that differ by less are equal: sums of doubles against sums of whole units. */
const EQUAL = 1e-6;

export function summaryOf(seeds: readonly Covered[], data: DataName): CoverageSummary {
  const measured = seeds.map(({ truth, fills, ranges }) => {
    const range = ranges[data];
    const low = Math.min(range.through, range.queue, range.touch);
    const high = Math.max(range.through, range.queue, range.touch);
    const miss = truth > high + EQUAL ? truth - high : truth < low - EQUAL ? truth - low : 0;
    return { truth, fills, range, width: high - low, miss };
  });
  const above = measured.filter(({ miss }) => miss > 0).length;
  const below = measured.filter(({ miss }) => miss < 0).length;
  const inside = seeds.length - above - below;
  const bias = (model: 'through' | 'queue' | 'touch') =>
    mean(measured.map(({ range, truth }) => range[model] - truth));
  return {
    seeds: seeds.length,
    coverage: inside / seeds.length,
    interval: wilson(inside, seeds.length),
    above,
    below,
    meanWidth: mean(measured.map(({ width }) => width)),
    meanMiss: mean(measured.map(({ miss }) => Math.abs(miss))),
    bias: { through: bias('through'), queue: bias('queue'), touch: bias('touch') },
    fillRatio: sum(measured.map(({ range }) => range.fills.queue)) / sum(measured.map(({ fills }) => fills)),
    recordedQueues: mean(measured.map(({ range }) => (range.queueAhead === 'recorded' ? 1 : 0))),
    sameWants: mean(measured.map(({ range }) => (range.sameWants ? 1 : 0))),
  };
}

export function impactOf(seeds: readonly Covered[]): Impact {
  return {
    meanTruth: mean(seeds.map(({ truth }) => truth)),
    meanFills: mean(seeds.map(({ fills }) => fills)),
    changedPrints: sum(seeds.map(({ changed }) => changed)) / sum(seeds.map(({ prints }) => prints)),
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
