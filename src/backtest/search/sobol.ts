import { UsageError } from '../../model/errors.js';
import { seededRandom } from '../../model/random.js';
import { type Axis, type Point, type Sampler, snapped } from './sampler.js';

const TWO_TO_32 = 4_294_967_296;

/**
 * For each dimension after the first: the inner coefficients of its primitive polynomial as the bits of a number, then
 * the initial direction numbers, as many as the polynomial's degree. These are the first 20 rows of
 * new-joe-kuo-6.21201: S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections"
 * (2008).
 */
const DIRECTIONS: readonly (readonly [number, ...number[]])[] = [
  [0, 1],
  [1, 1, 3],
  [1, 1, 3, 1],
  [2, 1, 1, 1],
  [1, 1, 1, 3, 3],
  [4, 1, 3, 5, 13],
  [2, 1, 1, 5, 5, 17],
  [4, 1, 1, 5, 5, 5],
  [7, 1, 1, 7, 11, 19],
  [11, 1, 1, 5, 1, 1],
  [13, 1, 1, 1, 3, 11],
  [14, 1, 3, 5, 5, 31],
  [1, 1, 3, 3, 9, 7, 49],
  [13, 1, 1, 1, 15, 21, 21],
  [16, 1, 3, 1, 13, 27, 49],
  [19, 1, 1, 1, 15, 7, 5],
  [22, 1, 3, 1, 15, 13, 25],
  [25, 1, 1, 5, 5, 19, 61],
  [1, 1, 3, 7, 11, 23, 15, 103],
  [4, 1, 3, 7, 13, 13, 15, 69],
];

/**
 * A sampler of points that cover the space evenly, however many are drawn. The seed shifts all of them. At most 21
 * axes.
 */
export function sobolSampler(axes: readonly Axis[], seed: string): Sampler {
  const random = seededRandom(seed);
  const points = sobolPoints(
    axes.length,
    axes.map(() => random.next() * TWO_TO_32),
  );
  return {
    learns: false,
    ask: (count) =>
      Array.from({ length: count }, () => {
        const point = points.next().value;
        return axes.map((axis, dimension) => snapped(point[dimension] as number, axis));
      }),
    tell() {}, // The next point does not depend on earlier scores.
  };
}

/**
 * The Sobol sequence in the Gray-code order of I. A. Antonov and V. M. Saleev (1979), from the origin on, 2³² points. A
 * digital shift flips the same 32 bits of a dimension in every point, which keeps the points as evenly spread as
 * before.
 *
 * @throws UsageError for more than 21 dimensions.
 */
export function sobolPoints(dimensions: number, shift: readonly number[] = []): Iterator<Point, never> {
  if (dimensions > DIRECTIONS.length + 1) {
    throw new UsageError(
      'TICKWRIGHT_E_SEARCH',
      `a search must be over ${DIRECTIONS.length + 1} dimensions or fewer, received ${dimensions}`,
    );
  }
  return pointsFrom(Array.from({ length: dimensions }, (_, dimension) => shift[dimension] ?? 0));
}

function* pointsFrom(state: number[]): Generator<Point, never> {
  const directions = state.map((_, dimension) => directionsOf(dimension));
  for (let number = 1; ; number++) {
    yield state.map((bits) => (bits >>> 0) / TWO_TO_32);
    // Consecutive Gray codes differ in one bit: the position of the lowest set bit in the number of the next point.
    const changed = 31 - Math.clz32(number & -number);
    for (const [dimension, words] of directions.entries()) {
      state[dimension] = (state[dimension] as number) ^ (words[changed] as number);
    }
  }
}

/** One word per bit of a point's Gray code, the lowest bit first, in units of 2⁻³². */
function directionsOf(dimension: number): Uint32Array {
  const words = new Uint32Array(32);
  const [polynomial, ...initial] = DIRECTIONS[dimension - 1] ?? [0];
  const degree = initial.length;
  for (let bit = 0; bit < 32; bit++) {
    if (degree === 0) {
      words[bit] = 1 << (31 - bit); // The first dimension is van der Corput's sequence.
    } else if (bit < degree) {
      words[bit] = (initial[bit] as number) << (31 - bit);
    } else {
      const before = words[bit - degree] as number;
      let word = before ^ (before >>> degree);
      for (let back = 1; back < degree; back++) {
        if ((polynomial >>> (degree - 1 - back)) & 1) word ^= words[bit - back] as number;
      }
      words[bit] = word;
    }
  }
  return words;
}
