import type { Chronicle } from '../execution/chronicle.js';
import { RESERVE_MS } from '../execution/pair-watch.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import type { Reserve } from '../gate/exposure.js';
import { HOUR_MS, type SentOrder } from '../gate/pace.js';

/** What the gate of a new session must know of the ones before. */
export interface History {
  readonly baseline: DayBaseline | undefined;
  readonly reserves: readonly Reserve[];
  /** Orders of the last hour, oldest first: the limits of how many may leave hold over all sessions. */
  readonly sent: readonly SentOrder[];
}

/** `now`: venue ms, or our own clock's where the venue's is not known yet: an age too small errs to the safe side. */
export function historyOf({ books }: Chronicle, pair: string, now: number): History {
  return {
    baseline: books.baseline,
    reserves: books.tombstones(pair, now - RESERVE_MS).map(({ terms, judgedAt = now }) => ({
      intentId: undefined,
      side: terms.side,
      lots: terms.lots,
      until: judgedAt + RESERVE_MS,
    })),
    sent: books
      .intents(pair)
      .filter(({ sentAt }) => sentAt > now - HOUR_MS)
      .map(({ sentAt, terms: { side, reduceOnly } }) => ({ sentAt, side, reduceOnly }))
      .sort((a, b) => a.sentAt - b.sentAt),
  };
}
