/**
 * How far our records of a pair are known to agree with the venue (`reliability.md` a, c.1):
 *
 * - `BOOT`: nothing was compared yet · `RECONCILING`: the journal is being compared with the venue
 * - `SYNCED`: position, fills and orders agree with the venue's at the newest cut, and no order is in doubt
 * - `SUSPECT`: something is not proven (an order in doubt, outdated reads, a contradiction): no order may add risk
 * - `QUARANTINED`: something cannot be explained, and an operator has to look · `HALTED`: stopped until somebody resumes
 */
export type PairState = 'BOOT' | 'RECONCILING' | 'SYNCED' | 'SUSPECT' | 'QUARANTINED' | 'HALTED';

/**
 * Which commands may leave for a pair: all, those that can only make the position smaller and cancels, or cancels only.
 */
export type Permission = 'all' | 'reduce-only' | 'cancel-only';
