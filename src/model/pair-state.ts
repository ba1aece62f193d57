/**
 * Where a pair stands between us and the venue (`reliability.md` a, c.1):
 *
 * - `BOOT`: nothing was looked at yet · `RECONCILING`: what the journal says is being held against the venue
 * - `SYNCED`: own position, fills and orders agree with the venue's at the newest cut, and no order is in doubt
 * - `SUSPECT`: something is not proven (an order in doubt, old reads, a contradiction): no order may add risk
 * - `QUARANTINED`: something cannot be explained; an operator has to look · `HALTED`: stopped for good, latched
 */
export type PairState = 'BOOT' | 'RECONCILING' | 'SYNCED' | 'SUSPECT' | 'QUARANTINED' | 'HALTED';

/** What may leave for a pair: everything, what can only make the position smaller (and cancels), or cancels only. */
export type Permission = 'all' | 'reduce-only' | 'cancel-only';
