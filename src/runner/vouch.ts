import type { Books } from '../execution/books.js';
import type { Lots } from '../model/grid.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { AttachReading } from './read-attach-plan.js';

/** With it goes that own orders which the venue does not know are over, with what is booked of them. */
export function endsOf(
  books: Books,
  pair: string,
  lost: ReadonlySet<string>,
  time: number,
): readonly Extract<JournalRecord, { kind: 'end' }>[] {
  return books
    .openOrders(pair)
    .filter(({ orderId }) => lost.has(orderId))
    .map(({ intent, orderId, fills }) => {
      const filled = fills.reduce((sum, { lots }) => sum + lots, 0) as Lots;
      return { kind: 'end', intent, orderId, status: 'canceled', filled, time };
    });
}

/**
 * The record with which a person vouches for the position that the cut shows: from here on fills are counted anew. It
 * never lies ahead of the venue's clock, which may have been ahead itself when it dated fills: what is traded until then
 * would be taken for part of the position.
 */
export function vouchFor(
  books: Books,
  { cut, venueTime }: Pick<AttachReading, 'cut' | 'venueTime'>,
  market: Market,
  { by, reason }: { readonly by: string; readonly reason: string },
): Extract<JournalRecord, { kind: 'checkpoint' }> {
  const { pair } = market;
  const state = books.fills(pair)?.state();
  const shown = cut.fills.map(({ id, time }) => [id, time] as const);
  const newest = shown.reduce((time, [, at]) => Math.max(time, at), state?.newest ?? 0);
  const time = Math.min(newest, venueTime);
  // Those from that millisecond on by name, also what the venue did not list again: another one may yet be in it.
  const ids = [...shown, ...(state?.known ?? [])].filter(([, at]) => at >= time).map(([id]) => id);
  const fillIds = [...new Set(ids)].sort();
  return { kind: 'checkpoint', pair, position: cut.position, time, fillIds, by, reason };
}
