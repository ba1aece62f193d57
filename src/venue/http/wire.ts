/**
 * One request and its answer as plain data, without sockets: what the server turns bytes into, what tests and the
 * contract suite build by hand, and where the fault plan stands between the two.
 */
export interface WireRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** What stands behind the `?`, not decoded; empty when there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came: the signature covers them. */
  readonly body: Uint8Array;
}

export interface WireAnswer {
  readonly status: number;
  /** The envelope, JSON. */
  readonly body: string;
  /** Names in lower case; the length is the sender's to add. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers at once: a request is executed in one turn, at one moment of venue time. */
export type Handle = (request: WireRequest) => WireAnswer;

export const NO_BODY = new Uint8Array(0);

/** A header that stands once; `undefined` when it is absent or given several times. */
export function headerOf({ headers }: WireRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Path and query of a request line's target; the absolute form is taken for its path. */
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
