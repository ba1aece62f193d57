/** FIX Side (54). */
export type Side = 'buy' | 'sell';

export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** +1 for a buy, −1 for a sell: the sign that a fill adds to a position. */
export function signOf(side: Side): 1 | -1 {
  return side === 'buy' ? 1 : -1;
}
