/**
 * A request and its answer as plain data, without sockets. The server converts bytes to and from them, tests and the
 * contract suite build them directly, and the fault plan acts on them.
 */
export interface WireRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The text behind the `?`, not decoded; empty without one. */
  readonly query: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The exact bytes, which the signature covers. */
  readonly body: Uint8Array;
}

export interface WireAnswer {
  readonly status: number;
  /** The envelope, JSON. */
  readonly body: string;
  /** Header names are in lower case; the sender adds the length. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Handles a request synchronously, at one moment of venue time. */
export type Handle = (request: WireRequest) => WireAnswer;

export const NO_BODY = new Uint8Array(0);

/** The value of a header; `undefined` if it is absent or given several times. */
export function headerOf({ headers }: WireRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Path and query of the target in a request line. Of an absolute URL only path and query count. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const start = target.startsWith('/') ? 0 : pathOfAbsolute(target);
  const hash = target.indexOf('#', start);
  const end = hash < 0 ? target.length : hash;
  const mark = target.indexOf('?', start);
  if (mark < 0 || mark >= end) return { path: target.slice(start, end), query: '' };
  return { path: target.slice(start, mark), query: target.slice(mark + 1, end) };
}

function pathOfAbsolute(target: string): number {
  const scheme = /^https?:\/\//i.exec(target);
  if (scheme === null) return 0;
  const at = target.indexOf('/', scheme[0].length);
  return at < 0 ? target.length : at;
}
