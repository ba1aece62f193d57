import { type DecimalSource, parseDecimal, plain } from '../../model/decimal.js';
import { InvariantError } from '../../model/errors.js';
import type { AccountRecord } from '../../model/venue-records.js';
import type { Log } from '../../ports/log.js';
import type { CancelOutcome, MarginOutcome, WriteCalls } from '../../ports/venue-api.js';
import { ENDPOINTS } from '../endpoints.js';
import type { Auth, Write } from '../endpoints/endpoint.js';
import {
  bulkOutcome,
  cancelAllOutcome,
  cancelOutcome,
  closeOutcome,
  placeOutcome,
  type Settled,
  settle,
} from '../outcome.js';
import type { VenueProfile } from '../profile.js';
import type { Requester } from '../requester.js';
import type { Stamper } from '../stamper.js';

const WRITES = ENDPOINTS.writes;

export interface WriteParts {
  readonly profile: VenueProfile;
  readonly log: Log;
  readonly stamper: Stamper;
}

export function writeCalls(requester: Requester<Auth>, parts: WriteParts): WriteCalls {
  const { profile, log } = parts;
  const write = writer(requester, parts);
  return {
    async place(market, terms, tag, options) {
      const request = { terms, tag, options };
      const settled = await write(WRITES.order, { market, ...request });
      return noted(placeOutcome(profile, market, request, settled), market.pair);
    },

    async placeMany(market, requests) {
      const settled = await write(WRITES.orderBulk, { market, requests });
      return noted(bulkOutcome(profile, market, requests, settled), market.pair);
    },

    async close(market, query = {}) {
      const { lots, ticks } = query;
      const settled = await write(WRITES.close, { market, lots, ticks });
      return noted(closeOutcome(market, query, settled), market.pair);
    },

    async cancel(orderId) {
      requireIds(orderId === '' ? [] : [orderId]);
      return cancelOutcome(orderId, await write(WRITES.cancel, { id: orderId }));
    },

    async cancelMany(orderIds) {
      requireIds(orderIds);
      const most = profile.bulk.maxIds;
      let worst: CancelOutcome['kind'] = 'answered';
      for (let from = 0; from < orderIds.length; from += most) {
        const part = orderIds.slice(from, from + most) as [string, ...string[]];
        const { kind } = cancelAllOutcome(await write(WRITES.cancelBulk, part));
        if (kind !== 'answered' && worst !== 'unanswered') worst = kind;
      }
      return worst;
    },

    cancelEverything: async () => cancelAllOutcome(await write(WRITES.cancelBulk, 'everything')),

    async setLeverage(pair, leverage) {
      const text = amountText('leverage', leverage, 'at least 0');
      const cross = profile.crossLeverage;
      if (text === '0' && cross === undefined) {
        return {
          kind: 'not-sent',
          reason: `the profile ${profile.name} does not say how to go back to cross`,
        };
      }
      const endpoint = withAuth(WRITES.leverage, profile.signed.leverage);
      const fields = { pair, leverage: text === '0' ? String(cross) : text };
      return noted(marginOutcome(await write(endpoint, fields)), pair);
    },

    async fund(pair, amount) {
      const endpoint = withAuth(WRITES.fund, profile.signed.fund);
      const fields = { pair, amount: amountText('amount', amount, 'above 0') };
      return noted(marginOutcome(await write(endpoint, fields)), pair);
    },

    async draw(pair, amount) {
      const endpoint = withAuth(WRITES.draw, profile.signed.draw);
      const fields = { pair, amount: amountText('amount', amount, 'above 0') };
      return noted(marginOutcome(await write(endpoint, fields)), pair);
    },
  };

  function noted<O extends { readonly kind: string; readonly reason?: string }>(outcome: O, pair: string): O {
    if (outcome.kind === 'in-doubt') log.warn('write in doubt', { pair, reason: outcome.reason });
    return outcome;
  }
}

/** Sends a row of the table with its fields, once, and says what its answer proves. */
export function writer(requester: Requester<Auth>, { profile, stamper }: Omit<WriteParts, 'log'>) {
  return async <F, R>(endpoint: Write<'key' | 'signed', F, R>, fields: F): Promise<Settled<R>> => {
    const trouble = endpoint.stamped ? await stamper.trouble() : undefined;
    if (trouble !== undefined) return { kind: 'not-sent', reason: trouble };
    const answer = await requester.post(endpoint, () =>
      endpoint.body(fields, { profile, stamp: endpoint.stamped ? stamper.stamp() : undefined }),
    );
    return settle(profile, answer, (result) => endpoint.decode(result, profile));
  };
}

/** A bulk cancel without ids would cancel every order of the account. */
function requireIds(ids: readonly string[]): void {
  if (ids.length === 0 || ids.includes('')) {
    throw new InvariantError('a cancel must name its orders, received none or an empty id');
  }
}

function withAuth<F, R>(endpoint: Write<'key', F, R>, signed: boolean): Write<'key' | 'signed', F, R> {
  return signed ? { ...endpoint, auth: 'signed' } : endpoint;
}

/** @throws InvariantError: what a person typed is checked before it comes here. */
function amountText(what: string, source: DecimalSource, bound: 'above 0' | 'at least 0'): string {
  const value = parseDecimal(source);
  if (value === undefined || value.isNegative() || (bound === 'above 0' && value.isZero())) {
    throw new InvariantError(`the ${what} must be a decimal ${bound}, received ${String(source)}`);
  }
  return plain(value);
}

function marginOutcome(settled: Settled<AccountRecord>): MarginOutcome {
  return settled.kind === 'result' ? { kind: 'done', account: settled.value } : settled;
}
