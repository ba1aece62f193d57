import type { Market } from '../model/market.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Books } from './books.js';
import type { BookedIntent, BookedOrder } from './books-state.js';
import { isOrderOf, SKEW_MS } from './fingerprint.js';

/** The intent that an order at the venue belongs to, and the order's role for that intent. */
export interface Claim {
  readonly intent: BookedIntent;
  readonly as: BookedOrder['as'];
  readonly evidence: string;
}

/** Default of `lateMs`: how long after its sending the venue may still execute a request, ms. */
const LATE_MS = 60_000;

/** Finds the intent of an order whose id is not bound yet; `undefined`: the order is somebody else's. */
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
  // Of intents with equal terms, one that was sent too long ago to be executed at the record's time comes last. It stays a
  // candidate, since a record's time is that of its last update.
  const inTime = ({ sentAt }: BookedIntent) => record.time <= sentAt + lateMs + SKEW_MS;
  // An intent in doubt comes before one that was given up: whichever gets the order, the position is the same.
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
