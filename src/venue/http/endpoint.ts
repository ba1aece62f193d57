import type { Market } from '../../model/market.js';
import type { Account } from '../core/account.js';
import type { VenueCore } from '../core/venue-core.js';
import type { Answer } from './envelope.js';
import type { Form } from './form.js';

/** A request as an endpoint sees it: authenticated, decoded, and at one moment of venue time. */
export interface PublicRequest {
  readonly core: VenueCore;
  readonly markets: ReadonlyMap<string, Market>;
  /** The query of a GET or the body of a POST. */
  readonly fields: Form;
  /** Venue time of the request's arrival, ms; everything due by then has happened. */
  readonly now: number;
  /** The most items that a list returns. */
  readonly maxLimit: number;
  /** Whether the pair's tape is over, so that nothing trades there any more. */
  readonly hasEnded: (pair: string) => boolean;
}

export interface AccountRequest extends PublicRequest {
  /** The account that the request's key belongs to. */
  readonly account: Account;
}

/**
 * One row of the venue's route table. `public` requires no header. `key` requires x-api-key; a POST may also be signed.
 * `signed` requires x-api-key, and x-signature over the body.
 */
export type Endpoint =
  | {
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly access: 'public';
      readonly answer: (request: PublicRequest) => Answer;
    }
  | {
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly access: 'key' | 'signed';
      readonly answer: (request: AccountRequest) => Answer;
    };
