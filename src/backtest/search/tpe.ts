import { type Random, seededRandom } from '../../model/random.js';
import { type Estimate, parzenEstimate } from './parzen.js';
import type { Axis, Point, Sampler } from './sampler.js';
import { sobolSampler } from './sobol.js';
import { TriedPoints } from './tried-points.js';

// Chosen by the regrets of 80 to 300 points on functions like those of the test, 20 to 100 seeds each.
/**
 * The share of points that count as good, without hyperopt's upper bound of 25 points: with that bound, the median
 * regret of 250 and of 600 points was never lower.
 */
const GOOD_SHARE = 0.15;
/** Draws per dimension, of which the best is proposed. More of them keep proposals closer to the best points so far. */
const CANDIDATES = 8;
/** How often a proposal that was tried before is drawn again, before any untried point is taken. */
const ATTEMPTS = 16;

interface Told {
  readonly point: Point;
  readonly score: number;
}

/** Two densities of one dimension: of the good points, and of the others. */
interface Pair {
  readonly good: Estimate;
  readonly bad: Estimate;
}

/**
 * A tree-structured Parzen estimator. In each dimension separately, it proposes what is likely among the good points
 * and unlikely among the others. J. Bergstra et al., "Algorithms for Hyper-Parameter Optimization" (2011), section 4.
 */
export function tpeSampler(axes: readonly Axis[], seed: string): Sampler {
  const random = seededRandom(seed).fork('tpe');
  const start = sobolSampler(axes, seed);
  const startCount = Math.max(10, 2 * axes.length);
  const told: Told[] = [];
  const tried = new TriedPoints(axes);

  function propose(): Point {
    const source = told.length < startCount ? () => start.ask(1)[0] as Point : fromEstimates();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const point = source();
      if (!tried.has(point)) return point;
    }
    return tried.another(random) ?? source();
  }

  function fromEstimates(): () => Point {
    const { good, bad } = split(told);
    // A point without a score yet counts as bad, so that the next proposals lie elsewhere.
    const others = [...bad, ...tried.pending()];
    const pairs = axes.map((axis, dimension): Pair => {
      const along = (points: readonly Point[]) => points.map((point) => point[dimension] as number);
      return { good: parzenEstimate(along(good), axis), bad: parzenEstimate(along(others), axis) };
    });
    return () => pairs.map((pair) => likeliest(pair, random));
  }

  return {
    learns: true,
    ask: (count) =>
      Array.from({ length: count }, () => {
        const point = propose();
        tried.ask(point);
        return point;
      }),
    tell(point, score) {
      tried.tell(point);
      told.push({ point, score });
    },
  };
}

/**
 * Splits points into the best 15 % and the rest. Points without a score are never good. Of equal scores, the earlier is
 * better.
 */
function split(told: readonly Told[]): { good: readonly Point[]; bad: readonly Point[] } {
  // The difference of two infinite scores is NaN, which `toSorted` treats as 0.
  const ranked = told.toSorted((a, b) => b.score - a.score);
  const withFigure = ranked.filter(({ score }) => score > Number.NEGATIVE_INFINITY).length;
  const count = Math.min(Math.ceil(GOOD_SHARE * told.length), withFigure);
  const points = ranked.map(({ point }) => point);
  return { good: points.slice(0, count), bad: points.slice(count) };
}

/**
 * Draws from the density of the good points, and returns the draw with the highest ratio to the density of the others.
 */
function likeliest({ good, bad }: Pair, random: Random): number {
  let best = 0;
  let bestRatio = Number.NEGATIVE_INFINITY;
  for (let draw = 0; draw < CANDIDATES; draw++) {
    const coordinate = good.draw(random);
    const ratio = good.density(coordinate) / bad.density(coordinate);
    if (ratio > bestRatio) {
      best = coordinate;
      bestRatio = ratio;
    }
  }
  return best;
}
