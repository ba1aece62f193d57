/** Where bars may open: on the grid of their length, by the clock of UTC. */
import { dividesDay } from '../../model/bar.js';
import { durationText } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';

/** Why no backtest reads bars: `length` when theirs does not divide a day, `offGrid` when some open between its multiples. */
export interface BarFault {
  readonly kind: 'length' | 'offGrid';
  /** How many bars, and the opening of the first of them, ms. */
  readonly bars: number;
  readonly first: number;
}

/** A bar, and where it stands: `file:line`, or the file of a recording. */
export interface PlacedBar {
  readonly time: number;
  readonly where: string;
}

/**
 * The length of bars, which come by time: the most frequent step between two, of several the shortest. One bar in a wrong
 * place makes a step that is shorter, and is then the one that is off the grid.
 *
 * @throws UsageError when no step tells it.
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

/** @throws UsageError when bars are of a length, or open at times, that no backtest reads. */
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

/** Counts the bars of a recording that `demandGrid` would refuse: they may come from elsewhere. */
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
