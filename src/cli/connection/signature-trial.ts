/** Whether the venue takes what is signed: reads carry the key alone, so a wrong secret shows at the first write only. */
import type { CancelOutcome, WriteCalls } from '../../ports/venue-api.js';
import { VenueError } from '../../ports/venue-api.js';
import { isKeyRefusal } from '../report-error.js';

/** No order of anybody has it. */
const NO_ORDER = 'tickwright-no-order-00000000';

/** Cancels an order that does not exist: the venue refuses it, for its id or for the signature. */
export function trySignature(api: Pick<WriteCalls, 'cancel'>): Promise<CancelOutcome> {
  return api.cancel(NO_ORDER);
}

/** @throws VenueError when the venue does not take the signature; what says nothing about it is taken for an answer */
export async function demandSignature(api: Pick<WriteCalls, 'cancel'>): Promise<void> {
  const outcome = await trySignature(api);
  // Where no error of the venue is trusted it proves nothing about an order, but enough about the key.
  if (outcome.kind !== 'answered' && isKeyRefusal(outcome)) {
    throw new VenueError('refused', outcome.reason, { isUnauthorized: true });
  }
}
