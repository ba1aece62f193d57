/** Query set Q4 of the lists (`dialect.md` §1). */
import type { RecordQuery } from '../core/venue-core.js';
import { refusalText } from '../core/refusals.js';
import type { Market } from '../../model/market.js';
import type { PublicRequest } from './endpoint.js';
import { Refused } from './envelope.js';
import { requiredText, text, whole } from './fields.js';
import type { Form } from './form.js';

const DEFAULT_LIMIT = 100;

/** The market that the required field `pair` names. */
export function requiredMarket(request: PublicRequest): Market | Refused {
  return marketField(request, request.fields);
}

/** Like `requiredMarket`, from the given fields, such as those of one order in a bulk. */
export function marketField(request: Pick<PublicRequest, 'markets'>, fields: Form): Market | Refused {
  const pair = requiredText(fields, 'pair', 'a pair of this venue');
  return pair instanceof Refused ? pair : marketOf(request, pair);
}

export function optionalMarket(request: PublicRequest): Market | undefined | Refused {
  const pair = text(request.fields, 'pair');
  return pair === undefined || pair instanceof Refused ? pair : marketOf(request, pair);
}

/** The query of a list. `start` and `end` are inclusive ms. A limit above the venue's maximum means the maximum. */
export function listQuery(
  { fields, maxLimit }: PublicRequest,
  pair: string | undefined,
  defaultLimit = DEFAULT_LIMIT,
): RecordQuery | Refused {
  const from = whole(fields, 'start', 'whole milliseconds since 1970', 0);
  if (from instanceof Refused) return from;
  const to = whole(fields, 'end', 'whole milliseconds since 1970', 0);
  if (to instanceof Refused) return to;
  const limit = whole(fields, 'limit', 'a whole number of at least 1', 1);
  if (limit instanceof Refused) return limit;
  return { pair, from, to, limit: Math.min(limit ?? defaultLimit, maxLimit) };
}

/** The list query of account lists, where `pair` is optional. */
export function accountListQuery(request: PublicRequest): RecordQuery | Refused {
  const market = optionalMarket(request);
  return market instanceof Refused ? market : listQuery(request, market?.pair);
}

function marketOf({ markets }: Pick<PublicRequest, 'markets'>, pair: string): Market | Refused {
  const market = markets.get(pair);
  if (market !== undefined) return market;
  const known = [...markets.keys()].join(', ');
  return Refused.because(
    refusalText('unknownPair', `pair must be one of ${known}, received ${JSON.stringify(pair.slice(0, 40))}`),
  );
}
