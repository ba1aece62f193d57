import { UsageError } from '../../model/errors.js';
import type { Account } from '../core/account.js';
import type { VenueCore } from '../core/venue-core.js';
import type { Endpoint } from './endpoint.js';
import { Refused } from './envelope.js';
import { signatureHolds } from './signature.js';
import { headerOf, type WireRequest } from './wire.js';

/** An API key and the account that it belongs to. */
export interface ApiKey {
  readonly key: string;
  readonly secret: string;
  /** Name of an account of the core. */
  readonly account: string;
}

interface Caller {
  readonly secret: string;
  readonly account: Account;
}

const NO_KEY = Refused.because('missing key: the header x-api-key is required');
const UNKNOWN_KEY = Refused.because('unknown key: x-api-key must be a key of this venue');
const BAD_SIGNATURE = Refused.because(
  'bad signature: x-signature must be base64(HMAC-SHA256(secret, body)) of the exact bytes of the body',
);

/** Finds the account behind a request, by its key and, if required, its signature. */
export class Authentication {
  readonly #callers = new Map<string, Caller>();

  /** @throws UsageError for an empty key or secret, a key given twice, or an account that the core does not have. */
  constructor(core: VenueCore, keys: readonly ApiKey[]) {
    for (const { key, secret, account: name } of keys) {
      const account = core.account(name);
      if (account === undefined) {
        throw new UsageError(
          'TICKWRIGHT_E_ACCOUNT',
          `a key must belong to an account, received account ${name}`,
        );
      }
      if (key === '' || secret === '' || this.#callers.has(key)) {
        throw new UsageError(
          'TICKWRIGHT_E_ACCOUNT',
          `each key and secret must be given and no key twice, received such a one for account ${name}`,
        );
      }
      this.#callers.set(key, { secret, account });
    }
  }

  /**
   * The caller whose rate limit a request counts for, before anything about it is proven: its key if that is known,
   * else '' for all other callers together.
   */
  callerOf(request: WireRequest): string {
    const key = headerOf(request, 'x-api-key');
    return key !== undefined && this.#callers.has(key) ? key : '';
  }

  /**
   * Authenticates a request as its endpoint requires; `undefined` for a public endpoint. The signature of a POST is
   * verified wherever it is required or present; that of a GET is ignored (`dialect.md` §1).
   */
  caller(request: WireRequest, { method, access }: Endpoint): Caller | undefined | Refused {
    if (access === 'public') return undefined;
    const key = headerOf(request, 'x-api-key');
    if (key === undefined || key === '') return NO_KEY;
    const caller = this.#callers.get(key);
    if (caller === undefined) return UNKNOWN_KEY;
    if (method === 'GET') return caller;
    if (request.headers['x-signature'] === undefined && access === 'key') return caller;
    const signature = headerOf(request, 'x-signature') ?? '';
    return signatureHolds(caller.secret, request.body, signature) ? caller : BAD_SIGNATURE;
  }
}
