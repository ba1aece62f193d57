import type { Market } from '../model/market.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Books } from './books.js';
import type { BookedIntent, BookedOrder } from './books-state.js';
import { isOrderOf } from './fingerprint.js';

/** What an order at the venue is to us. */
export interface Claim {
  readonly intent: BookedIntent;
  readonly as: BookedOrder['as'];
  readonly evidence: string;
}

/** The intent that an order no id of ours stands for belongs to; `undefined`: it is somebody else's. */
export function claimOf(books: Books, market: Market, echo: boolean, record: OrderRecord): Claim | undefined {
  if (echo) {
    const intent = record.oco === undefined ? undefined : books.intent(record.oco);
    if (intent?.pair !== market.pair) return undefined;
    return { intent, as: roleOf(intent), evidence: `the order carries its tag` };
  }
  // What is in doubt comes before what was given up: the position is the same either way.
  const open = books.intents(market.pair).filter(({ orderId }) => orderId === undefined);
  const intent = [
    ...open.filter(({ stage }) => stage === 'sent' || stage === 'in-doubt'),
    ...open.filter(({ stage }) => stage === 'not-placed' || stage === 'disputed'),
  ].find((each) => isOrderOf(market, { ...each, tag: undefined }, record));
  if (intent === undefined) return undefined;
  return { intent, as: roleOf(intent), evidence: 'the order is what it asked for, and of no other intent' };
}

function roleOf({ stage, orderId }: BookedIntent): BookedOrder['as'] {
  if (orderId !== undefined) return 'surplus';
  return stage === 'sent' || stage === 'in-doubt' ? 'own' : 'late';
}
