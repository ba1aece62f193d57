import type { Fate, Reply } from '../faults/fate.js';
import { envelopeOf, Refused, statusOf } from './envelope.js';
import type { FaultyVenue } from './faulty-venue.js';
import type { WireAnswer } from './wire.js';

/** A reply that does not come from the venue. */
export type Substitute = Exclude<Reply, { kind: 'own' | 'nothing' | 'reset' }>;

/** The answer that a client gets in place of the venue's. `headers`: those that every answer of the venue carries. */
export function substituteAnswer(
  reply: Substitute,
  { skewMs }: Fate,
  { venue, headers }: { readonly venue: FaultyVenue; readonly headers: Readonly<Record<string, string>> },
): WireAnswer {
  if (reply.kind === 'page') {
    const { status, location } = reply;
    const pageHeaders = {
      ...headers,
      'content-type': 'text/html',
      ...(location === undefined ? {} : { location }),
    };
    return venue.skewed({ status, headers: pageHeaders, body: pageOf(status) }, skewMs);
  }
  const refused =
    reply.kind === 'throttled' ? Refused.throttled(reply.waitMs / 1_000) : Refused.because(reply.msg);
  return venue.skewed({ status: statusOf(refused), headers, body: envelopeOf(refused) }, skewMs);
}

const TITLES: Readonly<Record<number, string>> = {
  200: 'Welcome',
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/** An error page as reverse proxies send it. */
function pageOf(status: number): string {
  const title = `${status} ${TITLES[status] ?? 'Error'}`;
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr>\r\n</body>\r\n</html>\r\n`;
}
