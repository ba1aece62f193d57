/** Number of poll intervals that may pass without an answer; the same as for the data that a strategy decides on. */
const INTERVALS = 4;

/** How long a pair may be silent, ms. Rare polls bring rare news, so the bound grows with `pollMs`, their interval. */
export function longestSilence(leastMs: number, pollMs = 0): number {
  return Math.max(leastMs, INTERVALS * pollMs);
}
