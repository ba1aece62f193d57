import type { TripRow } from '../series.js';
import { moment, number } from './numbers.js';

export interface TripsShown {
  readonly verb: 'marked' | 'drawn';
  readonly shown: number;
  /** In the order in which they ended. */
  readonly kept: readonly TripRow[];
  /** Of the run. */
  readonly all: number;
}

/**
 * How many of the round trips a chart shows; nothing where it shows all. Of a run with more than are kept they end before
 * it does, which looks as if the strategy had stopped trading: that is told, too.
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
