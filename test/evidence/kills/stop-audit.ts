/** Holds the books of a bot that was stopped in order against what its venue has. */
import type { JournalRecord } from '../../../src/model/journal-record.js';
import type { Side } from '../../../src/model/side.js';
import type { FillRecord } from '../../../src/model/venue-records.js';
import { bookedPosition, inDoubt, unended } from './audit.js';
import { PAIR } from './scene.js';

/** An order as the venue has it. Quantity in base units. */
export interface SeenOrder {
  /** The intent it was sent for; '' for none. */
  readonly tag: string;
  readonly side: Side;
  readonly filledQuantity: number;
}

export interface VenueBooks {
  /** Ids of working orders. */
  readonly active: readonly string[];
  readonly fills: readonly Pick<FillRecord, 'id' | 'side' | 'quantity'>[];
  /** Base units, signed. */
  readonly position: number;
  readonly orders: ReadonlyMap<string, SeenOrder>;
}

/** Lots of one base unit. */
const LOTS = 1_000;
const DUST = 1e-9;

/**
 * What is wrong, in words. `left`: what the bot said it leaves open, by intent or by
 * the venue's id. Their orders may work, and of what they
 * filled nothing need be booked; all else must be the venue's as after any stop. A fill does not say whose it is, so
 * what is not booked of a side may be as much as these orders filled of it, and no more.
 */
export function wrongBooks(
  records: readonly JournalRecord[],
  { active, fills, position, orders }: VenueBooks,
  left: ReadonlySet<string>,
): readonly string[] {
  const wrong: string[] = [];
  const isLeft = (id: string) => left.has(id) || left.has(orders.get(id)?.tag ?? '');
  const working = active.filter((id) => !isLeft(id));
  if (working.length > 0) wrong.push(`working orders ${working.join(', ')}`);
  const booked = records.flatMap((record) => (record.kind === 'fill' ? [record.fill] : []));
  const known = new Set(booked.map(({ id }) => id));
  if (known.size !== booked.length) wrong.push('a fill is booked twice');

  let own = (bookedPosition(records, PAIR) ?? 0) / LOTS;
  const missing = fills.filter(({ id }) => !known.has(id));
  const unexplained = missing.filter(({ side }) => side === undefined);
  for (const [side, sign] of [
    ['buy', 1],
    ['sell', -1],
  ] as const) {
    const ofSide = missing.filter((fill) => fill.side === side);
    const quantity = ofSide.reduce((sum, fill) => sum + fill.quantity, 0);
    const theirs = [...orders].filter(([id, order]) => order.side === side && isLeft(id));
    const filled = theirs.reduce((sum, [, order]) => sum + order.filledQuantity, 0);
    const ids = new Set(theirs.map(([id]) => id));
    const bookedLots = booked.reduce((sum, { orderId, lots }) => sum + (ids.has(orderId) ? lots : 0), 0);
    if (quantity <= filled - bookedLots / LOTS + DUST) own += sign * quantity;
    else unexplained.push(...ofSide);
  }
  if (unexplained.length > 0) wrong.push(`fills not booked: ${unexplained.map(({ id }) => id).join(', ')}`);
  if (Math.abs(own - position) > DUST) wrong.push(`own position ${own}, the venue's ${position}`);
  return wrong;
}

/**
 * Whether a stop left something that the journal itself does not know the end of, and named each of it: intents in doubt,
 * and orders that are not done, as one whose cancel was not confirmed in time.
 */
export function namedAllThatIsLeft(records: readonly JournalRecord[], said: ReadonlySet<string>): boolean {
  const doubted = inDoubt(records);
  const open = unended(records);
  return (
    doubted.length + open.length > 0 &&
    doubted.every((intent) => said.has(intent)) &&
    open.every(({ intent, orderId }) => said.has(orderId) || said.has(intent))
  );
}

/**
 * Intents and order ids, among other words, that a program says may still be at the venue; empty when it says nothing of
 * the kind.
 */
export function saidToBeLeft(stderr: string): ReadonlySet<string> {
  const said = [...stderr.matchAll(/orders that may still be at the venue: (.*)/g)].at(-1)?.[1] ?? '';
  return new Set(said.split(/[\s,()]+/).filter((word) => word !== ''));
}
