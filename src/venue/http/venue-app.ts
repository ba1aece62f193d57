import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { UsageError } from '../../model/errors.js';
import type { AssetRecord } from '../../model/venue-records.js';
import { type Log, SILENT } from '../../ports/log.js';
import { ACCOUNT_ENDPOINTS } from './account-endpoints.js';
import { type ApiKey, Authentication, type HeaderReader } from './authentication.js';
import type { Endpoint } from './endpoint.js';
import { type Answer, envelopeOf, Refused, statusOf } from './envelope.js';
import { malformed } from './fields.js';
import { Form } from './form.js';
import { httpDate } from './http-date.js';
import { ORDER_ENDPOINTS } from './order-endpoints.js';
import { PUBLIC_ENDPOINTS } from './public-endpoints.js';
import { RateLimit } from './rate-limit.js';
import { refuseStale } from './timestamp.js';
import { VenueHost, type VenueHostOptions } from './venue-host.js';

export interface VenueAppOptions extends VenueHostOptions {
  /** Facts of the assets, for /assets; default: none. */
  readonly assets?: readonly AssetRecord[] | undefined;
  readonly accounts: readonly ApiKey[];
  /** The most items a list gives; default 1000. */
  readonly maxLimit?: number | undefined;
  /** Requests a second for each key, and for all that come without one; default: no limit. */
  readonly rateLimit?: number | undefined;
  readonly log?: Log | undefined;
}

/** The whole route table. A new endpoint is a new row. */
const ENDPOINTS: readonly Endpoint[] = [...PUBLIC_ENDPOINTS, ...ACCOUNT_ENDPOINTS, ...ORDER_ENDPOINTS];

const DEFAULT_MAX_LIMIT = 1_000;
const UNKNOWN_PATH = Refused.because('unknown path: see the list of endpoints');
const OTHER_METHOD = new Map(
  ENDPOINTS.map(({ method, path }) => [path, Refused.because(`unknown path: ${path} takes ${method}`)]),
);
const INTERNAL = Refused.because('internal error');
const NO_BODY = new Uint8Array(0);
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Bodies beyond this are refused unread. */
export const MAX_BODY_BYTES = 65_536;
export const TOO_LARGE = malformed('body', `at most ${MAX_BODY_BYTES} bytes`, 'more');

type Env = { Bindings: Partial<HttpBindings> };
type VenueContext = Context<Env>;

/** A venue as an HTTP application, with or without sockets, and what hosts it. */
export interface VenueApp {
  readonly app: Hono<Env>;
  readonly host: VenueHost;
  /** The headers that every answer carries, `Date` by the venue's clock. */
  readonly headers: () => Record<string, string>;
}

/**
 * The venue's HTTP interface. Handlers are synchronous: a request is answered in one turn, at one moment of venue
 * time, and requests execute in the order in which they came in whole.
 */
export function venueApp(options: VenueAppOptions): VenueApp {
  const { core, accounts, maxLimit = DEFAULT_MAX_LIMIT, log = SILENT, assets = [] } = options;
  if (!(Number.isSafeInteger(maxLimit) && maxLimit > 0)) {
    throw new UsageError(
      'TICKWRIGHT_E_LIMIT',
      `maxLimit must be a whole number above 0, received ${maxLimit}`,
    );
  }
  const host = new VenueHost(options);
  const authentication = new Authentication(core, accounts);
  const rateLimit =
    options.rateLimit === undefined ? undefined : new RateLimit(options.rateLimit, options.clock);
  const hasEnded = (pair: string) => host.hasEnded(pair);
  const date = new DateHeader(host);

  const app = new Hono<Env>();
  for (const endpoint of ENDPOINTS) {
    if (endpoint.method === 'GET') app.get(endpoint.path, (c) => respond(readQuery(c, endpoint)));
    else app.post(endpoint.path, (c) => withBody(c, (body) => respond(readForm(c, endpoint, body))));
  }
  app.notFound((c) => respond(OTHER_METHOD.get(c.req.path) ?? UNKNOWN_PATH));
  app.onError((error) => {
    log.error('a venue endpoint threw', { error });
    return respond(INTERNAL);
  });
  return { app, host, headers: () => date.headers() };

  function respond(answer: Answer): Response {
    return new Response(envelopeOf(answer), { status: statusOf(answer), headers: date.headers() });
  }

  function readQuery(c: VenueContext, endpoint: Endpoint): Answer {
    const url = c.req.url;
    const at = url.indexOf('?');
    return answer(c, endpoint, NO_BODY, () => Form.parse(at < 0 ? '' : withoutFragment(url.slice(at + 1))));
  }

  function readForm(c: VenueContext, endpoint: Endpoint, body: Uint8Array): Answer {
    if (body.length > MAX_BODY_BYTES) return TOO_LARGE;
    return answer(c, endpoint, body, () => {
      const type = c.req.header('content-type');
      if (type !== undefined && body.length > 0 && !type.toLowerCase().startsWith(FORM_TYPE)) {
        return malformed('content-type', FORM_TYPE, type);
      }
      const text = decodeUtf8(body);
      return text === undefined ? undefined : Form.parse(text);
    });
  }

  /** The order of `dialect.md` §7: throttle, key, signature, age; then the endpoint's own. */
  function answer(
    c: VenueContext,
    endpoint: Endpoint,
    body: Uint8Array,
    decode: () => Form | Refused | undefined,
  ): Answer {
    const now = host.catchUp();
    const header: HeaderReader = (name) => c.req.header(name);
    const wait = rateLimit?.wait(authentication.callerOf(header)) ?? 0;
    if (wait > 0) return Refused.throttled(wait);
    const caller =
      endpoint.access === 'public'
        ? undefined
        : endpoint.access === 'key'
          ? authentication.byKey(header)
          : authentication.bySignature(header, body);
    if (caller instanceof Refused) return caller;
    const fields = decode();
    if (fields === undefined) return malformed('parameters', 'percent-encoded UTF-8');
    if (fields instanceof Refused) return fields;
    if (endpoint.access === 'signed') {
      const stale = refuseStale(fields, now);
      if (stale !== undefined) return stale;
    }
    const request = { core, markets: host.markets, assets, fields, now, maxLimit, hasEnded };
    if (endpoint.access === 'public') return endpoint.answer(request);
    return caller === undefined ? INTERNAL : endpoint.answer({ ...request, account: caller.account });
  }
}

/** The server hands the body over whole; without sockets it is read here. */
function withBody(c: VenueContext, then: (body: Uint8Array) => Response): Response | Promise<Response> {
  const incoming = c.env?.incoming as { rawBody?: Uint8Array } | undefined;
  if (incoming?.rawBody !== undefined) return then(incoming.rawBody);
  return c.req.raw.arrayBuffer().then((buffer) => then(new Uint8Array(buffer)));
}

/** Made once a second of venue time. */
class DateHeader {
  readonly #host: VenueHost;
  #second = Number.NaN;
  #headers: Record<string, string> = {};

  constructor(host: VenueHost) {
    this.#host = host;
  }

  headers(): Record<string, string> {
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

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function withoutFragment(query: string): string {
  const at = query.indexOf('#');
  return at < 0 ? query : query.slice(0, at);
}
