import type { Walk } from '../../market-data/trade-walker.js';

/** The trade that a recording ends with. */
export interface RecordingEnd {
  readonly id: string;
  /** Venue ms. */
  readonly time: number;
}

/**
 * What a walk that began at a recording's end, or some way before it, adds to the recording. Where that very trade did
 * not come back (the walk was cut, or the venue has forgotten it), whatever lies between it and the next one is a gap.
 * Gaps before the end were told by whoever recorded it. `isJoined`: false as long as nothing came that the gap could
 * end with.
 */
export function carryOn(
  events: Walk['events'],
  end: RecordingEnd,
): { readonly events: Walk['events']; readonly isJoined: boolean } {
  const news = events.filter((event) => event.kind === 'trade' || event.gap.from >= end.time);
  const trades = events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));
  const next = trades.find(({ time }) => time >= end.time);
  if (next === undefined) return { events: news, isJoined: false };
  // A venue that was set up anew uses ids again: by its id alone another trade would be taken for it.
  if (trades.some(({ id, time }) => id === end.id && time === end.time))
    return { events: news, isJoined: true };
  const gap = { from: end.time, to: next.time, missing: undefined };
  return { events: [{ kind: 'gap', gap }, ...news], isJoined: true };
}
