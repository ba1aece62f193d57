import type { Walk } from '../../market-data/trade-walker.js';

/** The last trade of a recording. */
export interface RecordingEnd {
  readonly id: string;
  /** Venue time, ms. */
  readonly time: number;
}

/**
 * What a walk adds to a recording, if it began at the recording's end or before it. If the recording's last trade did
 * not appear again, because the walk was cut or the venue has forgotten it, everything up to the next trade counts as a
 * gap. Gaps before the end are known already. `isJoined`: false while no trade has come that could end such a gap.
 */
export function carryOn(
  events: Walk['events'],
  end: RecordingEnd,
): { readonly events: Walk['events']; readonly isJoined: boolean } {
  const news = events.filter((event) => event.kind === 'trade' || event.gap.from >= end.time);
  const trades = events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));
  const next = trades.find(({ time }) => time >= end.time);
  if (next === undefined) return { events: news, isJoined: false };
  // A venue that was set up anew reuses ids, so the id alone does not identify a trade.
  if (trades.some(({ id, time }) => id === end.id && time === end.time))
    return { events: news, isJoined: true };
  const gap = { from: end.time, to: next.time, missing: undefined };
  return { events: [{ kind: 'gap', gap }, ...news], isJoined: true };
}
