/**
 * Checks whether the venue accepts our signature. Reads are not signed, so a wrong secret would show only at the first
 * write.
 */
import type { CancelOutcome, WriteCalls } from '../../ports/venue-api.js';
import { VenueError } from '../../ports/venue-api.js';
import { isKeyRefusal } from '../report-error.js';

/** An id that no order has. */
const NO_ORDER = 'tickwright-no-order-00000000';

/** Cancels an order that does not exist: the venue refuses this because of the id, or because of the signature. */
export function trySignature(api: Pick<WriteCalls, 'cancel'>): Promise<CancelOutcome> {
  return api.cancel(NO_ORDER);
}

/** @throws VenueError when the venue refuses the signature; an inconclusive answer counts as acceptance */
export async function demandSignature(api: Pick<WriteCalls, 'cancel'>): Promise<void> {
  const outcome = await trySignature(api);
  // Even with a profile that trusts no refusal about orders, this refusal is sufficient evidence about the key.
  if (outcome.kind !== 'answered' && isKeyRefusal(outcome)) {
    throw new VenueError('refused', outcome.reason, { isUnauthorized: true });
  }
}
