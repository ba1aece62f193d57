/** The venue without sockets: `venueApp.handle`, bytes in and bytes out. */
import { SILENT } from '../../../src/ports/log.js';
import { adminApp } from '../../../src/venue/http/admin-app.js';
import { venueApp } from '../../../src/venue/http/venue-app.js';
import { type Handle, splitTarget } from '../../../src/venue/http/wire.js';
import type { Door, Fields, RawReply, RawRequest } from '../door.js';
import { formText } from '../hmac.js';
import { keysOf, quietVenue } from '../quiet-venue.js';
import { parsed } from './envelope.js';
import { getRequest, postRequest } from './requests.js';

export function inProcessDoor(): Door {
  const { core, clock, accounts } = quietVenue();
  const venue = venueApp({ core, drivers: [], clock, accounts });
  const { host, headers } = venue;
  const admin = adminApp({ venue: host, headers, log: SILENT });
  return {
    name: 'in process',
    lacks: () => undefined,
    get: async (path, query, who) => exchange(venue.handle, getRequest(path, query, keyOf(who))),
    post: async (path, fields, who) => exchange(venue.handle, postRequest(path, fields, keysOf(who))),
    send: async (request) => exchange(venue.handle, request),
    credentials: keysOf,
    admin: async (path, fields) => exchange(admin, adminRequest(path, fields)),
    now: () => host.clock.now(),
    advance: async (ms) => clock.advance(ms),
    close: async () => undefined,
  };
}

function keyOf(who: Parameters<typeof keysOf>[0] | undefined): string | undefined {
  return who === undefined ? undefined : keysOf(who).key;
}

function adminRequest(path: string, fields: Fields): RawRequest {
  return { method: 'POST', target: path, body: formText(fields) };
}

function exchange(handle: Handle, { method, target, headers = {}, body = '' }: RawRequest): RawReply {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const answer = handle({ method, ...splitTarget(target), headers, body: bytes });
  return parsed(answer.status, answer.body, answer.headers);
}
