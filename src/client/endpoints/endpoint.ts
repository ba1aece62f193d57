import type { Priority } from '../budget.js';
import type { VenueProfile } from '../profile.js';
import type { Stamp } from '../stamp.js';

/** What a call must carry: nothing, the API key, or the key and a signature over the body. */
export type Auth = 'public' | 'key' | 'signed';

/** Query of a read, by parameter names of the wire. Undefined ones are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** No parameters. */
export type None = Readonly<Record<string, never>>;

interface Endpoint {
  readonly path: string;
  readonly priority: Priority;
  readonly deadlineMs: number;
  /** `described` in the specification, only `named` there (then `dialect.md` §3 decides), or an `extension` beside it. */
  readonly source: 'described' | 'named' | 'extension';
  /** The heading of the specification, or of `dialect.md`, that describes it. */
  readonly section: string;
  /** The client method that calls it. */
  readonly call: string;
}

/** A read with a decoded result. It may be repeated after a failure. */
export interface Read<A extends 'public' | 'key', Q extends Query, R> extends Endpoint {
  readonly method: 'GET';
  readonly auth: A;
  readonly decode: (result: unknown, query: Q) => R;
}

export type PublicRead<Q extends Query, R> = Read<'public', Q, R>;
export type KeyRead<Q extends Query, R> = Read<'key', Q, R>;

/** A write. It is sent at most once. */
export interface Write<A extends 'key' | 'signed', F, R> extends Endpoint {
  readonly method: 'POST';
  readonly auth: A;
  /** The body carries a timestamp, so the venue's time must be known. */
  readonly stamped: boolean;
  readonly body: (fields: F, context: WriteContext) => string;
  readonly decode: (result: unknown, profile: VenueProfile) => R;
}

export type SignedPost<F, R> = Write<'signed', F, R>;
/** A write for which the specification shows the key only; the profile says whether it is signed as well. */
export type KeyPost<F, R> = Write<'key', F, R>;

export interface WriteContext {
  readonly profile: VenueProfile;
  /** `undefined` for a write without a timestamp. */
  readonly stamp: Stamp | undefined;
}

export const READ_MS = 5_000;
export const LIST_MS = 8_000;
export const POST_MS = 10_000;

type Facts = Omit<Endpoint, 'path'>;

export function publicRead<Q extends Query, R>(
  path: string,
  facts: Facts,
  decode: (result: unknown, query: Q) => R,
): PublicRead<Q, R> {
  return { method: 'GET', auth: 'public', path, ...facts, decode };
}

export function keyRead<Q extends Query, R>(
  path: string,
  facts: Facts,
  decode: (result: unknown, query: Q) => R,
): KeyRead<Q, R> {
  return { method: 'GET', auth: 'key', path, ...facts, decode };
}

type WriteParts<F, R> = Pick<Write<'signed', F, R>, 'stamped' | 'body' | 'decode'>;

export function signedPost<F, R>(path: string, facts: Facts, parts: WriteParts<F, R>): SignedPost<F, R> {
  return { method: 'POST', auth: 'signed', path, ...facts, ...parts };
}

export function keyPost<F, R>(path: string, facts: Facts, parts: WriteParts<F, R>): KeyPost<F, R> {
  return { method: 'POST', auth: 'key', path, ...facts, ...parts };
}
