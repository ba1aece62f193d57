/**
 * What changes something. Every one is sent at most once. Errors of every one: missing or unknown key, bad signature,
 * a stale timestamp (HTTP 408, code 414) where it carries one, and HTTP 503: a refusal is definite only where the
 * profile's list says so, everything else is doubt (`dialect.md` §2).
 */
import { InvariantError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { PlaceRequest } from '../../ports/venue-api.js';
import { decodeAccount } from '../decode-account.js';
import { orderIn, ordersIn } from '../decode-results.js';
import { type Field, formBody } from '../form-body.js';
import { bulkOrderBody, type CloseFields, closeBody, orderBody } from '../order-body.js';
import { type Stamp, stampFields } from '../stamp.js';
import { keyPost, POST_MS, READ_MS, signedPost, type WriteContext } from './endpoint.js';

export interface OrderFields extends PlaceRequest {
  readonly market: Market;
}

export interface BulkOrderFields {
  readonly market: Market;
  readonly requests: readonly PlaceRequest[];
}

/** Plain decimal text. */
export interface MarginFields {
  readonly pair: string;
  /** USD. */
  readonly amount: string;
}

export interface LeverageFields {
  readonly pair: string;
  readonly leverage: string;
}

const other = { source: 'named', section: 'Other endpoints' } as const;

export const WRITES = {
  /**
   * Places one order: quantity in base units, prices in quote units, on the market's filters. It may come back
   * cancelled at once, with the reason. Auth: signed. Refused: `dialect.md` §7. Specification: Other endpoints, Order.
   */
  order: signedPost(
    '/auth/order',
    { priority: 'order', deadlineMs: POST_MS, ...other, call: 'place' },
    {
      stamped: true,
      body: (order: OrderFields, context) =>
        orderBody(context.profile, order.market, order, stampOf(context)),
      decode: (result, profile) => orderIn(profile, result),
    },
  ),
  /**
   * Places up to 50 orders of one market, none reduce-only, all or nothing where the profile says so. Auth: signed.
   * Refused: as for one order, and the rules of a bulk. Specification: Other endpoints; `dialect.md` §2.
   */
  orderBulk: signedPost(
    '/auth/order/bulk',
    { priority: 'order', deadlineMs: POST_MS, ...other, call: 'placeMany' },
    {
      stamped: true,
      body: ({ market, requests }: BulkOrderFields, context) =>
        bulkOrderBody(context.profile, market, requests, stampOf(context)),
      decode: (result, profile) => ordersIn(profile, result),
    },
  ),
  /**
   * Cancels one order. The record it gives may still read ACTIVE: read the order again. Auth: signed, without a
   * timestamp. Refused: not found, already done. Specification: Signed endpoints.
   */
  cancel: signedPost(
    '/auth/cancel',
    {
      priority: 'cancel',
      deadlineMs: READ_MS,
      source: 'described',
      section: 'Signed endpoints',
      call: 'cancel',
    },
    {
      stamped: false,
      body: ({ id }: { readonly id: string }) => {
        if (id === '') throw new InvariantError('a cancel must name an order, received an empty id');
        return formBody([['id', id]]);
      },
      decode: (result, profile) => orderIn(profile, result),
    },
  ),
  /**
   * Cancels orders by id; those that are unknown or done are skipped. Without ids it cancels every working order of the
   * account and leaves waiting triggers, so that form has to be asked for by name. Auth: signed. Specification: Other
   * endpoints; `dialect.md` §3.
   */
  cancelBulk: signedPost(
    '/auth/cancel/bulk',
    { priority: 'cancel', deadlineMs: READ_MS, ...other, call: 'cancelMany, cancelEverything' },
    {
      stamped: false,
      body: (ids: readonly [string, ...string[]] | 'everything', { profile: { bulk } }) => {
        if (ids === 'everything') return '';
        if (ids.length === 0 || ids.some((id) => id === '')) {
          throw new InvariantError('a bulk cancel must name its orders, received none or an empty id');
        }
        return formBody(ids.map((id, i): Field => [`${bulk.idsField}[${i}]`, id]));
      },
      decode: (result, profile) => ordersIn(profile, result),
    },
  ),
  /**
   * Closes a position, or part of it, with a reduce-only order: whole and at market unless told otherwise. Auth: signed.
   * Refused: as for an order. Specification: Other endpoints; `dialect.md` §3.
   */
  close: signedPost(
    '/auth/close',
    { priority: 'order', deadlineMs: POST_MS, ...other, call: 'close' },
    {
      stamped: true,
      body: (fields: CloseFields, context) => closeBody(context.profile, fields, stampOf(context)),
      decode: (result, profile) => orderIn(profile, result),
    },
  ),
  /**
   * Adds margin (USD) to an isolated position. Auth: key, signed where the profile says so. Refused: not isolated,
   * insufficient balance. Specification: Other endpoints; `dialect.md` §3.
   */
  fund: keyPost(
    '/fund',
    { priority: 'order', deadlineMs: POST_MS, ...other, call: 'fund' },
    {
      stamped: true,
      body: marginBody,
      decode: decodeAccount,
    },
  ),
  /**
   * Takes margin (USD) out of an isolated position, which raises its leverage. Auth: key, signed where the profile says
   * so. Refused: not isolated, not enough margin. Specification: API-key endpoints (POST /draw).
   */
  draw: keyPost(
    '/draw',
    {
      priority: 'order',
      deadlineMs: POST_MS,
      source: 'described',
      section: 'API-key endpoints',
      call: 'draw',
    },
    {
      stamped: true,
      body: marginBody,
      decode: decodeAccount,
    },
  ),
  /**
   * Makes a position isolated at a leverage above 0, or cross again at the profile's number for that. Auth: key, signed
   * where the profile says so. Refused: leverage above the maximum. Specification: Other endpoints; `dialect.md` §3.
   */
  leverage: keyPost(
    '/leverage',
    { priority: 'order', deadlineMs: POST_MS, ...other, call: 'setLeverage' },
    {
      stamped: true,
      body: ({ pair, leverage }: LeverageFields, context) =>
        formBody([['pair', pair], ['leverage', leverage], ...stampFields(context.profile, stampOf(context))]),
      decode: decodeAccount,
    },
  ),
} as const;

function marginBody({ pair, amount }: MarginFields, context: WriteContext): string {
  return formBody([['pair', pair], ['qty', amount], ...stampFields(context.profile, stampOf(context))]);
}

function stampOf({ stamp }: WriteContext): Stamp {
  if (stamp === undefined) throw new InvariantError('a stamped body must have a stamp, received none');
  return stamp;
}
