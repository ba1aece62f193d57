/** The texts of a card about a pair's position and orders, and their source. */
import type { PairStatus } from '../daemon-api.js';
import { decimalText, MOST_WHY, plain, toneOf } from './text.js';

export const NOT_KNOWN = 'not known yet';

/** Before a session has looked at the venue, the position is the journal's, or unknown. */
export function heldWords({
  position,
  positionLots,
  ownPosition,
  source,
}: Pick<PairStatus, 'position' | 'positionLots' | 'ownPosition' | 'source'>): string {
  const lots = positionLots === undefined ? undefined : `${decimalText(String(positionLots))} lots`;
  const held = position === undefined ? lots : positionText(position);
  if (held === undefined) return NOT_KNOWN;
  const own = ownPosition === undefined ? '' : ` (P&L counts ${positionText(ownPosition)})`;
  return source === 'journal' ? `${held} (journal)` : `${held}${own}`;
}

/** Why it stands where it does. */
export function whyWords({ failure, reason }: Pick<PairStatus, 'failure' | 'reason'>): string {
  return plain(failure ?? reason, MOST_WHY);
}

export interface OrderWords {
  readonly working: string;
  /** Text for a pair without working orders. */
  readonly none: string;
  /** Heading of the orders that the strategy does not know, such as those of an earlier life. */
  readonly others: string;
}

export function orderWords(
  { working, orders, source }: Pick<PairStatus, 'working' | 'orders' | 'source'>,
  otherCount: number,
): OrderWords {
  const isKnown = orders !== undefined || working.length > 0;
  return {
    working: isKnown ? `Working (${working.length})` : 'Working',
    none: isKnown ? 'none' : NOT_KNOWN,
    others: `${source === 'journal' ? 'By its journal' : 'Also at the venue'} (${otherCount})`,
  };
}

function positionText(position: string): string {
  const side = toneOf(position);
  if (side === 'even') return decimalText(position);
  return `${side === 'gain' ? 'long' : 'short'} ${decimalText(position.replace('-', ''))}`;
}
