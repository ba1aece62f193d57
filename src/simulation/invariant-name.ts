/**
 * The invariants of `reliability.md` b.6. The journal's own tests prove I12, that a journal replays to the same state.
 */
export type InvariantName = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I11';
