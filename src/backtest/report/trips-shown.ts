import type { TripRow } from '../series.js';
import { moment, number } from './numbers.js';

export interface TripsShown {
  readonly verb: 'marked' | 'drawn';
  readonly shown: number;
  /** The round trips that were kept, in the order in which they ended. */
  readonly kept: readonly TripRow[];
  /** Number of round trips in the run. */
  readonly all: number;
}

/**
 * States how many round trips a chart shows; empty if it shows all. If the run had more round trips than are kept, the
 * kept ones end before the run does. The note then says so, because the strategy would seem to have stopped trading.
 */
export function tripsShown({ verb, shown, kept, all }: TripsShown): string {
  if (shown === all) return '';
  const last = kept.at(-1);
  const end =
    kept.length < all && last !== undefined
      ? `, all among the first ${number(kept.length, 0)}: none that ended after ${moment(last.exitTime)}`
      : '';
  return `${number(shown, 0)} of ${number(all, 0)} round trips are ${verb}${end}.`;
}
