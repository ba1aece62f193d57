import type { Random } from '../../model/random.js';
import { normalCdf, normalQuantile } from '../statistics/normal.js';
import { type Axis, levelOf, snapped } from './sampler.js';

const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI);
/** The last double below 1. */
const LAST = 1 - Number.EPSILON / 2;

/** A probability density of one dimension, on [0, 1). */
export interface Estimate {
  readonly density: (coordinate: number) => number;
  /** Of a dimension of levels the middle of one. */
  readonly draw: (random: Random) => number;
}

/** The density that the coordinates seen on an axis may have come from; an even one where there are none. */
export function parzenEstimate(seen: readonly number[], axis: Axis): Estimate {
  const { levels, isOrdered } = axis;
  return levels === undefined || isOrdered ? bells(seen, axis) : counts(seen, levels);
}

/** A normal distribution about a coordinate, cut off at 0 and 1. */
interface Bell {
  readonly centre: number;
  readonly width: number;
  /** What lies below 0 of one that is not cut off. */
  readonly low: number;
  /** What lies between 0 and 1 of it. */
  readonly inside: number;
}

/**
 * A bell about each coordinate and an even density, all of the same weight: the adaptive Parzen estimator of J. Bergstra
 * et al., "Algorithms for Hyper-Parameter Optimization" (2011), section 4.2, with an even prior for its broad normal one.
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

/** Each is as wide as its neighbour is away, the further one of the two; 0 and 1 are neighbours, too. */
function bellsOf(centres: Float64Array): readonly Bell[] {
  // the bound of hyperopt, its authors' program: where a point comes again and again, its bells would have no width
  const narrowest = 1 / Math.min(100, centres.length + 2);
  return Array.from(centres, (centre, index) => {
    const below = centre - (centres[index - 1] ?? 0);
    const above = (centres[index + 1] ?? 1) - centre;
    const width = Math.max(narrowest, below, above);
    const low = normalCdf(-centre / width);
    return { centre, width, low, inside: normalCdf((1 - centre) / width) - low };
  });
}

/** How often each level was seen, and once more: of words none is nearer to another. */
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
