import { UsageError } from '../../model/errors.js';
import type { Axis, Point, Sampler } from './sampler.js';

/** Every point once, the last dimension first. @throws UsageError where a dimension has no levels */
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
    tell() {}, // all of them are tried, whatever the others came to
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
