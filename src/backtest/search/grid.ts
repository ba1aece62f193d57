import { UsageError } from '../../model/errors.js';
import type { Axis, Point, Sampler } from './sampler.js';

/**
 * A sampler of all points of a grid, each once; the last dimension varies fastest.
 *
 * @throws UsageError when a dimension has no levels
 */
export function gridSampler(axes: readonly Axis[]): Sampler {
  const levels = axes.map((axis) => {
    if (axis.levels !== undefined) return axis.levels;
    throw new UsageError(
      'TICKWRIGHT_E_SEARCH',
      'a grid must have a step in each range, like threshold=0.1..0.9:0.1, received one without',
    );
  });
  const size = levels.reduce((product, count) => product * count, 1);
  let next = 0;
  return {
    learns: false,
    ask(count) {
      const points = Array.from({ length: Math.min(count, size - next) }, (_, at) =>
        pointAt(levels, next + at),
      );
      next += points.length;
      return points;
    },
    tell() {}, // The grid tries all points, whatever their scores.
  };
}

function pointAt(levels: readonly number[], number: number): Point {
  const point: number[] = [];
  let rest = number;
  for (const count of levels.toReversed()) {
    point.unshift(((rest % count) + 0.5) / count);
    rest = Math.floor(rest / count);
  }
  return point;
}
