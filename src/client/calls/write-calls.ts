import { type DecimalSource, parseDecimal, plain } from '../../model/decimal.js';
import { InvariantError } from '../../model/errors.js';
import type { AccountRecord, OrderRecord } from '../../model/venue-records.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { CancelAllOutcome, LastWord, MarginOutcome, WriteCalls } from '../../ports/venue-api.js';
import type { Breakers, PostEnd } from '../breakers.js';
import { ENDPOINTS } from '../endpoints.js';
import { isStampRefusal, isThrottle } from '../envelope.js';
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
import { LeavingBody } from '../leaving-body.js';
import { isAuthRefusal, type VenueProfile } from '../profile.js';
import type { PostAnswer } from '../poster.js';
import type { Requester } from '../requester.js';
import type { Stamper } from '../stamper.js';

const WRITES = ENDPOINTS.writes;

export interface WriteParts {
  readonly profile: VenueProfile;
  readonly log: Log;
  readonly stamper: Stamper;
  readonly breakers: Breakers;
  readonly clock: Clock;
}

export function writeCalls(requester: Requester<Auth>, parts: WriteParts): WriteCalls {
  const { profile, log } = parts;
  const write = writer(requester, parts);
  return {
    async place(market, terms, tag, options, lastWord) {
      const request = { terms, tag, options };
      // A reduce-only order leaves even while the order breaker is open, since it is the way to get rid of risk.
      const how = { lastWord, always: terms.reduceOnly };
      const judge = (settled: Settled<OrderRecord>) => placeOutcome(profile, market, request, settled);
      return noted(await write(WRITES.order, { market, terms, tag, options }, judge, how), market.pair);
    },

    async placeMany(market, requests) {
      const judge = (settled: Settled<readonly OrderRecord[]>) =>
        bulkOutcome(profile, market, requests, settled);
      return noted(await write(WRITES.orderBulk, { market, requests }, judge), market.pair);
    },

    async close(market, query = {}) {
      const { lots, ticks } = query;
      const judge = (settled: Settled<OrderRecord>) => closeOutcome(market, query, settled);
      return noted(await write(WRITES.close, { market, lots, ticks }, judge, { always: true }), market.pair);
    },

    async cancel(orderId) {
      requireIds(orderId === '' ? [] : [orderId]);
      return cancelOutcome(orderId, await write(WRITES.cancel, { id: orderId }, asIs));
    },

    async cancelMany(orderIds) {
      requireIds(orderIds);
      const most = profile.bulk.maxIds;
      const outcomes: CancelAllOutcome[] = [];
      for (let from = 0; from < orderIds.length; from += most) {
        const part = orderIds.slice(from, from + most) as [string, ...string[]];
        outcomes.push(cancelAllOutcome(await write(WRITES.cancelBulk, part, asIs)));
      }
      const worst = outcomes.find(isOf('unanswered')) ?? outcomes.find(isOf('refused'));
      return worst ?? { kind: 'answered', orders: outcomes.flatMap(ordersOf) };
    },

    cancelEverything: async () => cancelAllOutcome(await write(WRITES.cancelBulk, 'everything', asIs)),

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
      return noted(await write(endpoint, fields, marginOutcome), pair);
    },

    async fund(pair, amount) {
      const endpoint = withAuth(WRITES.fund, profile.signed.fund);
      const fields = { pair, amount: amountText('amount', amount, 'above 0') };
      return noted(await write(endpoint, fields, marginOutcome), pair);
    },

    async draw(pair, amount) {
      const endpoint = withAuth(WRITES.draw, profile.signed.draw);
      const fields = { pair, amount: amountText('amount', amount, 'above 0') };
      return noted(await write(endpoint, fields, marginOutcome), pair);
    },
  };

  function noted<O extends { readonly kind: string; readonly reason?: string }>(outcome: O, pair: string): O {
    if (outcome.kind === 'in-doubt') log.warn('write in doubt', { pair, reason: outcome.reason });
    return outcome;
  }
}

/** Options of sending a write. */
export interface WriteOptions {
  readonly lastWord?: LastWord | undefined;
  /** Send even while the order breaker is open, for writes that lower risk. Cancels are always sent. */
  readonly always?: boolean;
}

/** Sends a row of the table with its fields, once; `judge` says what its answer proves. */
export function writer(
  requester: Requester<Auth>,
  { profile, stamper, breakers, clock }: Omit<WriteParts, 'log'>,
) {
  return async <F, R, O extends { readonly kind: string }>(
    endpoint: Write<'key' | 'signed', F, R>,
    fields: F,
    judge: (settled: Settled<R>) => O,
    { lastWord, always = false }: WriteOptions = {},
  ): Promise<O> => {
    const isCancel = endpoint.priority === 'cancel';
    const waitsFor = () => (isCancel || always ? undefined : breakers.orderRefusal()?.reason);
    const needsTime = endpoint.stamped && !stamper.isReady;
    const held = waitsFor() ?? (needsTime ? await stamper.trouble() : undefined);
    if (held !== undefined) return judge({ kind: 'not-sent', reason: held });
    let told: ((end: PostEnd) => void) | undefined;
    let sentAt = 0;
    let validUntil: number | undefined;
    const makeBody = () => {
      const stamp = endpoint.stamped ? stamper.stamp() : undefined;
      validUntil = stamp && stamp.timestamp + stamp.recvWindowMs;
      const body = endpoint.body(fields, { profile, stamp });
      // The outcome of a cancel says nothing about orders and is not counted. That of a reduce-only order is, and it may be
      // the one order that tests whether the breaker can close.
      if (!isCancel) told = breakers.enterOrder();
      // The breaker may have opened while the request waited for the budget.
      const waits = told === undefined ? waitsFor() : undefined;
      if (waits !== undefined) throw new Error(waits);
      sentAt = clock.monotonic();
      return body;
    };
    const veto = lastWord && ((body: string) => lastWord(new LeavingBody(body, validUntil)));
    const answer = await requester.post(endpoint, makeBody, veto);
    const share = (clock.monotonic() - sentAt) / endpoint.deadlineMs;
    if (answer.kind === 'error' && isStampRefusal(answer)) stamper.doubt();
    const outcome = judge(settle(profile, answer, (result) => endpoint.decode(result, profile)));
    told?.(endOf(profile, answer, outcome, share));
    return outcome;
  };
}

function endOf(
  profile: VenueProfile,
  answer: PostAnswer,
  outcome: { readonly kind: string; readonly reason?: string },
  share: number,
): PostEnd {
  if (answer.kind === 'not-sent') {
    return answer.tried ? { kind: 'unreachable', reason: answer.reason } : { kind: 'none' };
  }
  if ((answer.kind === 'error' || answer.kind === 'unreadable') && isThrottle(answer))
    return { kind: 'none' };
  if (answer.kind === 'error' && isAuthRefusal(profile, answer))
    return { kind: 'unauthorized', message: answer.message };
  if (outcome.kind === 'in-doubt') return { kind: 'doubt', reason: outcome.reason ?? '' };
  return { kind: 'answered', share };
}

function isOf(kind: CancelAllOutcome['kind']) {
  return (outcome: CancelAllOutcome) => outcome.kind === kind;
}

function ordersOf(outcome: CancelAllOutcome): readonly OrderRecord[] {
  return outcome.kind === 'answered' ? outcome.orders : [];
}

/** For writes whose caller judges the outcome itself. */
export function asIs<R>(settled: Settled<R>): Settled<R> {
  return settled;
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

/** @throws InvariantError for a wrong amount: callers check what a person typed before. */
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
