/** One coordinate for each dimension, in [0, 1). Of a dimension of levels it is the middle of one of as many equal parts. */
export type Point = readonly number[];

/** What a sampler knows of a dimension. */
export interface Axis {
  /** How many values there are; `undefined`: any number of a range. */
  readonly levels: number | undefined;
  /** Neighbours are alike; false for words. */
  readonly isOrdered: boolean;
}

/** Proposes points, the same ones for the same seed and the same scores, however long each of them takes to be tried. */
export interface Sampler {
  /** What it proposes depends on what was told. */
  readonly learns: boolean;
  /** So many points more; fewer where there are no others. Points may come again. */
  ask(count: number): readonly Point[];
  /** What a point that was asked for came to: higher is better, -Infinity where there is no figure. In the order asked. */
  tell(point: Point, score: number): void;
}

/** The middle of the level that a coordinate in [0, 1) is in; of a range the coordinate itself. */
export function snapped(coordinate: number, { levels }: Axis): number {
  return levels === undefined ? coordinate : (levelOf(coordinate, levels) + 0.5) / levels;
}

/** 0 to levels − 1. */
export function levelOf(coordinate: number, levels: number): number {
  return Math.min(levels - 1, Math.max(0, Math.floor(coordinate * levels)));
}
