import { UsageError } from '../../model/errors.js';
import type { FaultPlan } from '../faults/fault-plan.js';
import type { Log } from '../../ports/log.js';
import { ADMIN_ENDPOINTS } from './admin-endpoints.js';
import { type Answer, envelopeOf, Refused, statusOf } from './envelope.js';
import { refusalText } from '../core/refusals.js';
import { fieldsOf, MAX_BODY_BYTES, TOO_LARGE } from './request-fields.js';
import type { VenueHost } from './venue-host.js';
import { type Handle, headerOf, type WireRequest } from './wire.js';

export interface AdminAppOptions {
  readonly venue: VenueHost;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly log: Log;
  /** The plan that GET /faults reports on; `undefined` without one. */
  readonly faults?: FaultPlan | undefined;
}

const UNKNOWN_PATH = Refused.because(
  `unknown path: the admin door has GET /faults and POST ${ADMIN_ENDPOINTS.map(({ path }) => path).join(', ')}`,
);
const FOREIGN = Refused.because('not allowed: the admin door answers no web page');
const INTERNAL = Refused.because('internal error');

/**
 * The admin door of a venue: moves its index, credits deposits, confirms withdrawals. It asks for no key, because only
 * programs of this machine can reach it. A web page in a browser of this machine could reach it as well, so requests
 * with an `Origin` header are refused.
 */
export function adminApp({ venue, headers, log, faults }: AdminAppOptions): Handle {
  const routes = new Map(ADMIN_ENDPOINTS.map((endpoint) => [endpoint.path, endpoint]));
  return (request) => {
    const answer = route(request);
    return { status: statusOf(answer), body: envelopeOf(answer), headers: headers() };
  };

  function route(request: WireRequest): Answer {
    if (headerOf(request, 'origin') !== undefined) return FOREIGN;
    if (request.path === '/faults' && request.method === 'GET')
      return JSON.stringify(faults?.report() ?? null);
    const endpoint = routes.get(request.path);
    if (endpoint === undefined || request.method !== 'POST') return UNKNOWN_PATH;
    if (request.body.length > MAX_BODY_BYTES) return TOO_LARGE;
    const now = venue.catchUp();
    const fields = fieldsOf(request);
    if (fields instanceof Refused) return fields;
    try {
      return endpoint.answer({ core: venue.core, markets: venue.markets, fields, now });
    } catch (error) {
      if (error instanceof UsageError) return Refused.because(refusalText('malformed', error.message));
      log.error('an admin endpoint threw', { path: endpoint.path, error });
      return INTERNAL;
    }
  }
}
