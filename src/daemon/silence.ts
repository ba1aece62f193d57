/** So many intervals may pass between two polls that are answered, as for the data that a strategy decides on. */
const INTERVALS = 4;

/** How old news of a pair may be, ms: rare polls bring rare news. `pollMs`: start to start of its polls. */
export function longestSilence(leastMs: number, pollMs = 0): number {
  return Math.max(leastMs, INTERVALS * pollMs);
}
