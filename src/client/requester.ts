import type { Auth } from './endpoints/endpoint.js';
import { type Post, poster } from './poster.js';
import { type Read, reader } from './reader.js';
import { type RequesterOptions, requestLine } from './request-line.js';
import type { KeyHolder, Signer } from './signer.js';

/**
 * The one place where requests are made: budget, deadline, headers, and retries of reads; never a retry of a write. `A`
 * names the credentials that it has: a call that needs more does not compile.
 */
export interface Requester<in A extends Auth> {
  readonly read: Read<A>;
  readonly post: Post<A>;
}

export function createPublicRequester(options: RequesterOptions): Requester<'public'> {
  return requesterWith(options, undefined, undefined);
}

export function createKeyRequester(options: RequesterOptions, key: KeyHolder): Requester<'public' | 'key'> {
  return requesterWith(options, key, undefined);
}

export function createSignedRequester(options: RequesterOptions, signer: Signer): Requester<Auth> {
  return requesterWith(options, signer, signer);
}

function requesterWith(
  options: RequesterOptions,
  key: KeyHolder | undefined,
  signer: Signer | undefined,
): Requester<Auth> {
  const line = requestLine(options);
  return { read: reader(line, key), post: poster(line, key, signer) };
}
