/**
 * One coordinate in [0, 1) per dimension. In a dimension of levels, it is the middle of one of as many equal intervals.
 */
export type Point = readonly number[];

/** A dimension, as a sampler sees it. */
export interface Axis {
  /** Number of values; `undefined` for a continuous range. */
  readonly levels: number | undefined;
  /** Whether neighbouring levels are similar; false for words. */
  readonly isOrdered: boolean;
}

/** Proposes points. The same seed and the same scores give the same points, however long their trials take. */
export interface Sampler {
  /** Whether proposals depend on earlier scores. */
  readonly learns: boolean;
  /** Proposes `count` further points; fewer if no others exist. Points may repeat. */
  ask(count: number): readonly Point[];
  /**
   * Reports the score of a proposed point: higher is better, -Infinity if it has none. To be called in the order of the
   * proposals.
   */
  tell(point: Point, score: number): void;
}

/** The middle of the level that a coordinate in [0, 1) belongs to; on a continuous axis the coordinate itself. */
export function snapped(coordinate: number, { levels }: Axis): number {
  return levels === undefined ? coordinate : (levelOf(coordinate, levels) + 0.5) / levels;
}

/** The level of a coordinate, 0 to levels − 1. */
export function levelOf(coordinate: number, levels: number): number {
  return Math.min(levels - 1, Math.max(0, Math.floor(coordinate * levels)));
}
