import type { Books } from '../execution/books.js';
import type { Lots } from '../model/grid.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { AttachReading } from './read-attach-plan.js';

/** The records that end own orders which the venue has forgotten, with the fills that are booked: they go with a vouch. */
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
 * The checkpoint by which a person vouches for the position of the cut: fills count from its time on. That time is never
 * ahead of the venue's clock, although fills may be dated ahead by a clock that was: every fill until then would be taken
 * for part of the position.
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
  // Known fills from that millisecond on are named by id, even those that the venue did not list again, since further fills
  // may still get the same time.
  const ids = [...shown, ...(state?.known ?? [])].filter(([, at]) => at >= time).map(([id]) => id);
  const fillIds = [...new Set(ids)].sort();
  return { kind: 'checkpoint', pair, position: cut.position, time, fillIds, by, reason };
}
