import type { Hearing } from '../../daemon/sentinel/breach-book.js';
import { VenueError } from '../../ports/venue-api.js';
import { type KeyedConnectionOptions, withConnection } from '../connection/connection.js';
import type { Machine } from '../machine.js';
import { VenueUnavailable } from '../report-error.js';

/** Asks the venue for something that needs the key, on a connection of its own. */
export async function hearVenue(machine: Machine, venue: KeyedConnectionOptions): Promise<Hearing> {
  try {
    await withConnection(machine, venue, ({ api }) => api.balances());
    return { answers: true };
  } catch (error) {
    const cause = error instanceof VenueUnavailable ? error.cause : undefined;
    return { answers: false, retryAfterMs: cause instanceof VenueError ? cause.retryAfterMs : undefined };
  }
}
