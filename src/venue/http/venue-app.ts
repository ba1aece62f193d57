import { UsageError } from '../../model/errors.js';
import { type Log, SILENT } from '../../ports/log.js';
import type { KeptAnswer } from '../faults/answer-history.js';
import { type ApiKey, Authentication } from './authentication.js';
import type { Endpoint } from './endpoint.js';
import { type Answer, envelopeOf, listEnvelope, Refused, Rows, statusOf } from './envelope.js';
import { httpDate } from './http-date.js';
import { RateLimit } from './rate-limit.js';
import { fieldsOf, MAX_BODY_BYTES, TOO_LARGE } from './request-fields.js';
import { ENDPOINTS } from './routes.js';
import { refuseStale } from './timestamp.js';
import { VenueHost, type VenueHostOptions } from './venue-host.js';
import type { Handle, WireRequest } from './wire.js';

export interface VenueAppOptions extends VenueHostOptions {
  readonly accounts: readonly ApiKey[];
  /** The most items that a list returns; default 1000. */
  readonly maxLimit?: number | undefined;
  /** Requests per second for each known key, and for all other requests together; `undefined`: no limit. */
  readonly rateLimit?: number | undefined;
  readonly log?: Log | undefined;
}

const DEFAULT_MAX_LIMIT = 1_000;
const UNKNOWN_PATH = Refused.because('unknown path: see the list of endpoints');
const INTERNAL = Refused.because('internal error');

/** The venue's HTTP interface without sockets, and its host. */
export interface VenueApp {
  readonly handle: Handle;
  /** Like `handle`, but does not count for the rate limit. For looking at the venue, not for its clients. */
  readonly probe: Handle;
  /** Like `probe`, for an answer to keep: the body of a list is joined only if somebody asks for it. */
  readonly keepsake: (request: WireRequest) => KeptAnswer;
  readonly host: VenueHost;
  /** The headers that every answer carries; `Date` follows the venue's clock. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/**
 * The venue's HTTP interface. It answers a request synchronously, at one moment of venue time. Requests execute in the
 * order in which they came in whole.
 */
export function venueApp(options: VenueAppOptions): VenueApp {
  const { core, accounts, maxLimit = DEFAULT_MAX_LIMIT, log = SILENT } = options;
  if (!(Number.isSafeInteger(maxLimit) && maxLimit > 0)) {
    throw new UsageError(
      'TICKWRIGHT_E_LIMIT',
      `maxLimit must be a whole number above 0, received ${maxLimit}`,
    );
  }
  const host = new VenueHost({
    ...options,
    onBehind: () =>
      log.warn('the market cannot keep up with its speed: it goes as fast as it can', {
        speed: options.speed,
      }),
    onEnd: (at) => log.warn('the tape is over: no trade comes any more, and the clock stands', { at }),
  });
  const authentication = new Authentication(core, accounts);
  const rateLimit =
    options.rateLimit === undefined ? undefined : new RateLimit(options.rateLimit, options.clock);
  const hasEnded = (pair: string) => host.hasEnded(pair);
  const date = new DateHeader(host);
  const routes = new Map(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint]));

  return {
    handle,
    probe: (request) => handle(request, false),
    keepsake,
    host,
    headers: () => date.headers(),
  };

  function keepsake(request: WireRequest): KeptAnswer {
    const answer = route(request, false);
    const status = statusOf(answer);
    const headers = date.headers();
    if (answer instanceof Rows) return { status, headers, rows: answer.texts, bodyOf: listEnvelope };
    return { status, headers, body: envelopeOf(answer) };
  }

  function handle(request: WireRequest, isMetered = true) {
    const answer = route(request, isMetered);
    return { status: statusOf(answer), body: envelopeOf(answer), headers: date.headers() };
  }

  function route(request: WireRequest, isMetered: boolean): Answer {
    const endpoint = routes.get(request.path);
    if (endpoint === undefined) return UNKNOWN_PATH;
    // HEAD is a GET whose answer the server sends without its body.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (endpoint.method !== method) {
      return Refused.because(`unknown path: ${endpoint.path} takes ${endpoint.method}`);
    }
    if (request.body.length > MAX_BODY_BYTES) return TOO_LARGE;
    try {
      return answer(request, endpoint, isMetered);
    } catch (error) {
      log.error('a venue endpoint threw', { path: endpoint.path, error });
      return INTERNAL;
    }
  }

  /** Checks in the order of `dialect.md` §7: rate limit, key, signature, age. Then the endpoint answers. */
  function answer(request: WireRequest, endpoint: Endpoint, isMetered: boolean): Answer {
    const now = host.catchUp();
    const wait = (isMetered ? rateLimit?.wait(authentication.callerOf(request)) : 0) ?? 0;
    if (wait > 0) return Refused.throttled(wait);
    const caller = authentication.caller(request, endpoint);
    if (caller instanceof Refused) return caller;
    const fields = fieldsOf(request);
    if (fields instanceof Refused) return fields;
    if (endpoint.method === 'POST') {
      const stale = refuseStale(fields, now);
      if (stale !== undefined) return stale;
    }
    const { markets } = host;
    if (endpoint.access === 'public')
      return endpoint.answer({ core, markets, fields, now, maxLimit, hasEnded });
    if (caller === undefined) return INTERNAL;
    return endpoint.answer({ core, markets, fields, now, maxLimit, hasEnded, account: caller.account });
  }
}

/** The headers of every answer, renewed once per second of venue time. */
class DateHeader {
  readonly #host: VenueHost;
  #second = Number.NaN;
  #headers: Readonly<Record<string, string>> = {};

  constructor(host: VenueHost) {
    this.#host = host;
  }

  headers(): Readonly<Record<string, string>> {
    const second = Math.floor(this.#host.clock.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#headers = {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        date: httpDate(second * 1_000),
      };
    }
    return this.#headers;
  }
}
