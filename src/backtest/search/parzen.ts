import type { Random } from '../../model/random.js';
import { normalCdf, normalQuantile } from '../statistics/normal.js';
import { type Axis, levelOf, snapped } from './sampler.js';

const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI);
/** The largest double below 1. */
const LAST = 1 - Number.EPSILON / 2;

/** A probability density of one dimension, on [0, 1). */
export interface Estimate {
  readonly density: (coordinate: number) => number;
  /** Draws a coordinate; in a dimension of levels, the middle of a level. */
  readonly draw: (random: Random) => number;
}

/** Estimates the density of the coordinates seen on an axis; uniform if there are none. */
export function parzenEstimate(seen: readonly number[], axis: Axis): Estimate {
  const { levels, isOrdered } = axis;
  return levels === undefined || isOrdered ? bells(seen, axis) : counts(seen, levels);
}

/** A normal distribution around a coordinate, truncated at 0 and 1. */
interface Bell {
  readonly centre: number;
  readonly width: number;
  /** Probability below 0 of the untruncated distribution. */
  readonly low: number;
  /** Probability between 0 and 1 of the untruncated distribution. */
  readonly inside: number;
}

/**
 * A normal distribution around each coordinate and a uniform density, all with equal weight: the adaptive Parzen
 * estimator of J. Bergstra et al., "Algorithms for Hyper-Parameter Optimization" (2011), section 4.2, with a uniform
 * prior in place of its broad normal one.
 */
function bells(seen: readonly number[], axis: Axis): Estimate {
  const all = bellsOf(Float64Array.from(seen).sort());
  return {
    density(coordinate) {
      let sum = 1;
      for (const { centre, width, inside } of all) {
        const away = (coordinate - centre) / width;
        sum += Math.exp((-away * away) / 2) / (ROOT_OF_TWO_PI * width * inside);
      }
      return sum / (all.length + 1);
    },
    draw(random) {
      const bell = all[random.integer(0, all.length)];
      const share = random.next();
      if (bell === undefined) return snapped(share, axis);
      const coordinate = bell.centre + bell.width * normalQuantile(bell.low + share * bell.inside);
      return snapped(Math.min(LAST, Math.max(0, coordinate)), axis);
    },
  };
}

/** The width of each is the distance to its further neighbour; 0 and 1 count as neighbours, too. */
function bellsOf(centres: Float64Array): readonly Bell[] {
  // The lower bound of hyperopt, its authors' program. Without it, points that repeat would have distributions without
  // width.
  const narrowest = 1 / Math.min(100, centres.length + 2);
  return Array.from(centres, (centre, index) => {
    const below = centre - (centres[index - 1] ?? 0);
    const above = (centres[index + 1] ?? 1) - centre;
    const width = Math.max(narrowest, below, above);
    const low = normalCdf(-centre / width);
    return { centre, width, low, inside: normalCdf((1 - centre) / width) - low };
  });
}

/** Frequencies of unordered levels, each counted once more: no level is nearer to one than to another. */
function counts(seen: readonly number[], levels: number): Estimate {
  const times = new Float64Array(levels).fill(1);
  for (const coordinate of seen) {
    const level = levelOf(coordinate, levels);
    times[level] = (times[level] as number) + 1;
  }
  const total = seen.length + levels;
  return {
    density: (coordinate) => ((times[levelOf(coordinate, levels)] as number) * levels) / total,
    draw(random) {
      let rest = random.integer(1, total);
      let level = 0;
      for (; rest > (times[level] as number); level++) rest -= times[level] as number;
      return (level + 0.5) / levels;
    },
  };
}
