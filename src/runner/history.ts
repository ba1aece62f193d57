import type { BookedBaseline } from '../execution/books-state.js';
import type { Chronicle } from '../execution/chronicle.js';
import { RESERVE_MS } from '../execution/pair-watch.js';
import type { Reserve } from '../gate/exposure.js';
import { HOUR_MS, type SentOrder } from '../gate/pace.js';

/** What the gate of a new session must know about earlier sessions. */
export interface History {
  /** As it was noted: money may have been paid in or out since. */
  readonly baseline: BookedBaseline | undefined;
  readonly reserves: readonly Reserve[];
  /** Orders of the last hour, oldest first: pace limits hold over all sessions. */
  readonly sent: readonly SentOrder[];
  /** For each of `sent`, how long ago it was sent, venue ms. */
  readonly earlier: readonly number[];
}

/**
 * `venueTime`: venue ms now, the clock by which sent orders are stamped. `undefined`: not known; then the newest order
 * counts as sent just now. Our own clock will not do: if it is ahead, all orders would look too old to count.
 */
export function historyOf({ books }: Chronicle, pair: string, venueTime: number | undefined): History {
  const intents = books.intents(pair);
  const now = venueTime ?? intents.reduce((time, { sentAt }) => Math.max(time, sentAt), 0);
  const sent = intents
    .filter(({ sentAt }) => sentAt > now - HOUR_MS)
    .map(({ sentAt, terms: { side, reduceOnly } }) => ({ sentAt, side, reduceOnly }))
    .sort((a, b) => a.sentAt - b.sentAt);
  return {
    baseline: books.baseline,
    // A reduce-only order adds nothing, however late it shows up.
    reserves: books
      .tombstones(pair, now - RESERVE_MS)
      .filter(({ terms }) => !terms.reduceOnly)
      .map(({ terms, judgedAt = now }) => ({
        intentId: undefined,
        side: terms.side,
        lots: terms.lots,
        until: judgedAt + RESERVE_MS,
      })),
    sent,
    earlier: sent.map(({ sentAt }) => now - sentAt),
  };
}
