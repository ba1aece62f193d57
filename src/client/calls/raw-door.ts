import { UsageError } from '../../model/errors.js';
import { LIST_MS, POST_MS, type Auth, type Query } from '../endpoints/endpoint.js';
import { formBody } from '../form-body.js';
import type { PostAnswer } from '../poster.js';
import type { Requester } from '../requester.js';

export interface RawRead<A extends Auth> {
  readonly method: 'GET';
  /** Path below the venue's address, e.g. `/orders`. */
  readonly path: string;
  readonly auth: Exclude<A, 'signed'>;
  readonly query?: Query;
}

export interface RawWrite<A extends Auth> {
  readonly method: 'POST';
  readonly path: string;
  readonly auth: Exclude<A, 'public'>;
  /** Fields of the body, in this order. Nothing is added: no timestamp, no recv_window. */
  readonly fields?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * A read resolves to the undecoded result of the envelope, or rejects with a `VenueError`. A write never rejects: it
 * resolves to the outcome of its one request.
 */
export interface RawDoor<A extends Auth> {
  (request: RawRead<A>): Promise<unknown>;
  (request: RawWrite<A>): Promise<PostAnswer>;
}

export function rawDoor<A extends Auth>(requester: Requester<A>): RawDoor<A> {
  function request(raw: RawRead<A>): Promise<unknown>;
  function request(raw: RawWrite<A>): Promise<PostAnswer>;
  async function request(raw: RawRead<A> | RawWrite<A>): Promise<unknown> {
    requirePath(raw.path);
    const { path } = raw;
    if (raw.method === 'GET') {
      const read = { auth: raw.auth, path, priority: 'history', deadlineMs: LIST_MS } as const;
      const { value } = await requester.read({ ...read, decode: (result) => result }, raw.query ?? {});
      return value;
    }
    const fields = Object.entries(raw.fields ?? {}).map(([name, value]) => [name, String(value)] as const);
    const post = { auth: raw.auth, path, priority: 'order', deadlineMs: POST_MS } as const;
    return requester.post(post, () => formBody(fields));
  }
  return request;
}

const PATH = /^(\/[a-z0-9_-]+)+$/i;
/** Refused here: only the entry point for withdrawals may ask for these paths. */
const CLOSED = /\/withdraw$/i;

function requirePath(path: string): void {
  if (PATH.test(path) && !CLOSED.test(path)) return;
  throw new UsageError(
    'TICKWRIGHT_E_PATH',
    `the path of a raw request must be words after slashes and not one that withdraws, received ${JSON.stringify(path)}`,
  );
}
