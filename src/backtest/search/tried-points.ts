import type { Random } from '../../model/random.js';
import { type Axis, levelOf, type Point } from './sampler.js';

/** The points that were proposed or scored, by value: two points in the same levels are equal. */
export class TriedPoints {
  readonly #axes: readonly Axis[];
  /** Number of points in the space; Infinity if an axis is continuous. */
  readonly #size: number;
  readonly #tried = new Set<string>();
  readonly #pending = new Map<string, Point[]>();

  constructor(axes: readonly Axis[]) {
    this.#axes = axes;
    this.#size = axes.reduce((size, { levels }) => size * (levels ?? Number.POSITIVE_INFINITY), 1);
  }

  ask(point: Point): void {
    const key = this.#keyOf(point);
    this.#tried.add(key);
    const same = this.#pending.get(key);
    if (same === undefined) this.#pending.set(key, [point]);
    else same.push(point);
  }

  tell(point: Point): void {
    const key = this.#keyOf(point);
    this.#tried.add(key);
    const same = this.#pending.get(key);
    if (same === undefined) return;
    same.pop();
    if (same.length === 0) this.#pending.delete(key);
  }

  has(point: Point): boolean {
    return this.#tried.has(this.#keyOf(point));
  }

  /** Points that were proposed, but not scored yet. */
  pending(): readonly Point[] {
    return [...this.#pending.values()].flat();
  }

  /**
   * A random point that was not tried, all equally likely; `undefined` if there is none, or if there are too many to
   * count.
   */
  another(random: Random): Point | undefined {
    const left = this.#size - this.#tried.size;
    if (left < 1 || !Number.isSafeInteger(left)) return undefined;
    let index = random.integer(0, left - 1);
    const taken = Array.from(this.#tried, (key) => this.#indexOf(key)).sort((a, b) => a - b);
    for (const each of taken) if (each <= index) index += 1;
    return this.#pointAt(index);
  }

  #keyOf(point: Point): string {
    return this.#axes
      .map(({ levels }, dimension) => {
        const coordinate = point[dimension] as number;
        return levels === undefined ? coordinate : levelOf(coordinate, levels);
      })
      .join();
  }

  /** A point of levels as one number, with the first dimension as its most significant digit. */
  #indexOf(key: string): number {
    return key
      .split(',')
      .reduce((index, level, dimension) => index * (this.#axes[dimension]?.levels ?? 1) + Number(level), 0);
  }

  #pointAt(index: number): Point {
    let rest = index;
    return this.#axes
      .toReversed()
      .map(({ levels = 1 }) => {
        const level = rest % levels;
        rest = Math.floor(rest / levels);
        return (level + 0.5) / levels;
      })
      .reverse();
  }
}
