/** The texts of a card about a pair's position and orders, and their source. */
import type { PairStatus } from '../daemon-api.js';
import { ageText, decimalText, MOST_WHY, plain, toneOf } from './text.js';

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

/** What the strategy sees of its orders besides stops, and the ids of those that it does not know. */
export function ordersOf({
  working,
  orders = [],
  leftStops = [],
}: Pick<PairStatus, 'working' | 'orders' | 'leftStops'>): {
  readonly working: PairStatus['working'];
  readonly others: readonly string[];
} {
  const ids = new Set([...working, ...leftStops].map(({ orderId }) => orderId));
  return {
    working: working.filter(({ triggerPrice }) => triggerPrice === undefined),
    others: orders.filter((order) => !ids.has(order) && !order.startsWith('intent ')),
  };
}

export interface Stops {
  readonly own: PairStatus['working'];
  /** Of an earlier session. */
  readonly left: NonNullable<PairStatus['leftStops']>;
  /** Whether the position is covered by its own stops; `undefined` where there is nothing to say. */
  readonly cover: { readonly tone: 'good' | 'warning' | 'bad'; readonly words: string } | undefined;
}

export function stopsOf({
  working,
  leftStops: left = [],
  position,
  ownPosition,
  bareMs,
}: Pick<PairStatus, 'working' | 'leftStops' | 'position' | 'ownPosition' | 'bareMs'>): Stops {
  const own = working.filter(({ triggerPrice }) => triggerPrice !== undefined);
  if (bareMs === undefined) {
    // Of what others traded the session knows no stop.
    const isCovered = own.length > 0 && Number(position) !== 0 && ownPosition === undefined;
    return {
      own,
      left,
      cover: isCovered ? { tone: 'good', words: 'the whole position is covered' } : undefined,
    };
  }
  const length = ageText(bareMs);
  if (own.length > 0) return { own, left, cover: { tone: 'bad', words: `not covered whole for ${length}` } };
  return left.length > 0
    ? { own, left, cover: { tone: 'warning', words: `this session has had none of its own for ${length}` } }
    : { own, left, cover: { tone: 'bad', words: `none at the venue: bare for ${length}` } };
}

/** These limits are in ms. */
const OF_TIME: ReadonlySet<string> = new Set<PairStatus['limits'][number]['rule']>([
  'max-bare-time',
  'same-side-repeat',
]);

/** How much of a limit is used. Two decimals are enough for large numbers. */
export function limitWords({ rule, used, bound }: PairStatus['limits'][number]): string {
  const short = (text: string) => decimalText(text, Math.abs(Number(text)) >= 1 ? 2 : 8);
  const time = (ms: number) => (ms < 1_000 ? `${ms} ms` : ageText(ms));
  return OF_TIME.has(rule)
    ? `${time(Number(used))} of ${time(Number(bound))}`
    : `${short(used)} of ${short(bound)}`;
}

function positionText(position: string): string {
  const side = toneOf(position);
  if (side === 'even') return decimalText(position);
  return `${side === 'gain' ? 'long' : 'short'} ${decimalText(position.replace('-', ''))}`;
}
