/** Checks that bars open at multiples of their length in UTC. */
import { dividesDay } from '../../model/bar.js';
import { durationText } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';

/** Why no backtest can read the bars: `length`: it does not divide a day; `offGrid`: some open between its multiples. */
export interface BarFault {
  readonly kind: 'length' | 'offGrid';
  /** How many bars are affected, and the opening time of the first of them, ms. */
  readonly bars: number;
  readonly first: number;
}

/** A bar and its place: `file:line`, or the file of a recording. */
export interface PlacedBar {
  readonly time: number;
  readonly where: string;
}

/**
 * The length of bars that are sorted by time: the most frequent step between two of them, the shortest of several. A
 * single misplaced bar makes one shorter step, and is then reported as off the grid.
 *
 * @throws UsageError when there is no step between two bars.
 */
export function lengthOf(bars: readonly PlacedBar[]): number {
  const steps = new Map<number, number>();
  for (let row = 1; row < bars.length; row++) {
    const step = (bars[row] as PlacedBar).time - (bars[row - 1] as PlacedBar).time;
    if (step > 0) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [most] = [...steps].sort(([a, times], [b, others]) => others - times || a - b);
  if (most === undefined) {
    throw dataError(
      `${bars[0]?.where} must be followed by another bar, which tells how long they are, received none`,
    );
  }
  return most[0];
}

/** @throws UsageError when the bars have a length, or opening times, that no backtest can read. */
export function demandGrid(bars: readonly PlacedBar[], barMs: number): void {
  if (!dividesDay(barMs)) {
    throw dataError(
      `${bars[0]?.where} must begin bars of a length that divides a day, like 1m, 1h or 1d, ` +
        `received bars of ${durationText(barMs)}`,
    );
  }
  for (const { time, where } of bars) {
    const late = time % barMs;
    if (late === 0) continue;
    throw dataError(
      `${where} must open at a multiple of ${durationText(barMs)} since 1970 UTC, received ${time}, ` +
        `which is ${durationText(late)} after one`,
    );
  }
}

/** Counts the bars of a recording that `demandGrid` would refuse, because files may come from other programs. */
export class GridWatch {
  readonly #barMs: number;
  #bars = 0;
  #first: number | undefined;
  #offGrid = 0;
  #firstOffGrid: number | undefined;

  constructor(barMs: number) {
    this.#barMs = barMs;
  }

  next(time: number): void {
    this.#bars += 1;
    this.#first ??= time;
    if (time % this.#barMs === 0) return;
    this.#offGrid += 1;
    this.#firstOffGrid ??= time;
  }

  get faults(): readonly BarFault[] {
    if (this.#first !== undefined && !dividesDay(this.#barMs))
      return [{ kind: 'length', bars: this.#bars, first: this.#first }];
    if (this.#firstOffGrid === undefined) return [];
    return [{ kind: 'offGrid', bars: this.#offGrid, first: this.#firstOffGrid }];
  }
}

function dataError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_DATA', message);
}
