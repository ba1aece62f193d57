import { type Axis, levelOf, type Point } from '../../../src/backtest/search/sampler.js';

/** A function whose highest value is known. */
export interface Problem {
  readonly name: string;
  readonly axes: readonly Axis[];
  readonly best: number;
  score(point: Point): number;
}

const RANGE: Axis = { levels: undefined, isOrdered: true };

/** Three equal hills. L. C. W. Dixon and G. P. Szegö, "Towards Global Optimisation 2" (1978). */
const branin: Problem = {
  name: 'Branin, 2 ranges',
  axes: [RANGE, RANGE],
  best: -0.39788735772973816,
  score([u = 0, v = 0]) {
    const x = 15 * u - 5;
    const valley = 15 * v - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6;
    return -(valley ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10);
  },
};

/** Four hills of unlike shapes. J. S. Hartman, "Some experiments in global optimization" (1973). */
const hartmann: Problem = {
  name: 'Hartmann, 3 ranges',
  axes: [RANGE, RANGE, RANGE],
  best: 3.8627797873326,
  score: (point) =>
    [
      { height: 1, steepness: [3, 10, 30], top: [0.3689, 0.117, 0.2673] },
      { height: 1.2, steepness: [0.1, 10, 35], top: [0.4699, 0.4387, 0.747] },
      { height: 3, steepness: [3, 10, 30], top: [0.1091, 0.8732, 0.5547] },
      { height: 3.2, steepness: [0.1, 10, 35], top: [0.0381, 0.5743, 0.8828] },
    ].reduce((sum, { height, steepness, top }) => {
      const away = steepness.map((each, i) => each * ((point[i] as number) - (top[i] as number)) ** 2);
      return sum + height * Math.exp(-away.reduce((all, each) => all + each, 0));
    }, 0),
};

/** Where the hill of each word has its top, on the middles of the levels, and how high that is. */
const HILLS = [
  { top: [0.21, 0.725, 0.4], height: 0.8 },
  { top: [0.81, 0.325, 0.6], height: 0.9 },
  { top: [0.51, 0.525, 0.2], height: 1 },
  { top: [0.65, 0.175, 0.85], height: 0.7 },
  { top: [0.31, 0.325, 0.3], height: 0.6 },
] as const;

const wordHills: Problem = {
  name: 'a hill for each of 5 words, over 50 steps, 20 steps and a range',
  axes: [
    { levels: HILLS.length, isOrdered: false },
    { levels: 50, isOrdered: true },
    { levels: 20, isOrdered: true },
    RANGE,
  ],
  best: 1,
  score([word = 0, x = 0, y = 0, z = 0]) {
    const { top, height } = HILLS[levelOf(word, HILLS.length)] as (typeof HILLS)[number];
    return height - (x - top[0]) ** 2 - 2 * (y - top[1]) ** 2 - (z - top[2]) ** 2;
  },
};

export const PROBLEMS: readonly Problem[] = [branin, hartmann, wordHills];
