import type { Market } from '../model/market.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Books } from './books.js';
import type { BookedIntent, BookedOrder } from './books-state.js';
import { isOrderOf, SKEW_MS } from './fingerprint.js';

/** What an order at the venue is to us. */
export interface Claim {
  readonly intent: BookedIntent;
  readonly as: BookedOrder['as'];
  readonly evidence: string;
}

/** The bound on late execution where no other is known, ms. */
const LATE_MS = 60_000;

/** The intent that an order no id of ours stands for belongs to; `undefined`: it is somebody else's. */
export function claimOf(
  books: Books,
  market: Market,
  { echo, lateMs = LATE_MS }: { readonly echo: boolean; readonly lateMs?: number },
  record: OrderRecord,
): Claim | undefined {
  if (echo) {
    const intent = record.oco === undefined ? undefined : books.intent(record.oco);
    if (intent?.pair !== market.pair) return undefined;
    return { intent, as: roleOf(intent), evidence: `the order carries its tag` };
  }
  const alike = books
    .intents(market.pair)
    .filter((each) => each.orderId === undefined && isOrderOf(market, { ...each, tag: undefined }, record));
  // Of twins, one that was sent too long ago for it comes last; not never, since a record's time is its last update's.
  const inTime = ({ sentAt }: BookedIntent) => record.time <= sentAt + lateMs + SKEW_MS;
  // What is in doubt comes before what was given up: the position is the same either way.
  const inDoubt = alike.filter(({ stage }) => stage === 'sent' || stage === 'in-doubt');
  const givenUp = alike.filter(({ stage }) => stage === 'not-placed' || stage === 'disputed');
  const intent = inDoubt.find(inTime) ?? inDoubt[0] ?? givenUp.find(inTime) ?? givenUp[0];
  if (intent === undefined) return undefined;
  return { intent, as: roleOf(intent), evidence: 'the order is what it asked for, and of no other intent' };
}

function roleOf({ stage, orderId }: BookedIntent): BookedOrder['as'] {
  if (orderId !== undefined) return 'surplus';
  return stage === 'sent' || stage === 'in-doubt' ? 'own' : 'late';
}
