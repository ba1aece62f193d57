/** What needs credentials does not compile without them. These lines are checked by tsc, and run where they can. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  createKeyClient,
  createPublicClient,
  createVenueClient,
  type KeyClient,
  type PublicClient,
  type VenueClient,
} from '../../src/client/client.js';
import { ENDPOINTS } from '../../src/client/endpoints.js';
import type { Auth } from '../../src/client/endpoints/endpoint.js';
import type { Requester } from '../../src/client/requester.js';
import type {
  KeyCalls,
  OrderVenueApi,
  PublicCalls,
  VenueApi,
  WriteCalls,
} from '../../src/ports/venue-api.js';

type Options = Parameters<typeof createPublicClient>[0];

/** Never called: the compiler is what it is for. */
export function neverCompiled(
  options: Options,
  clients: { open: PublicClient; key: KeyClient; whole: VenueClient },
  requesters: { open: Requester<'public'>; key: Requester<'public' | 'key'>; whole: Requester<Auth> },
): unknown[] {
  const { open, key, whole } = clients;
  return [
    // @ts-expect-error -- a public client takes no credentials
    createPublicClient({ ...options, credentials: { apiKey: 'k', apiSecret: 's' } }),
    // @ts-expect-error -- a key client needs a key
    createKeyClient(options),
    // @ts-expect-error -- a signed client needs a key and a secret
    createVenueClient({ ...options, credentials: { apiKey: 'k' } }),

    // @ts-expect-error -- a key call on a public client
    open.fills(),
    // @ts-expect-error -- a write on a public client
    open.cancel('1'),
    // @ts-expect-error -- a key read by name on a public client
    open.raw('fills', {}),
    // @ts-expect-error -- a raw key read on a public client
    open.request({ method: 'GET', path: '/x', auth: 'key' }),
    // @ts-expect-error -- a raw write on a public client
    open.request({ method: 'POST', path: '/x', auth: 'signed' }),

    // @ts-expect-error -- a write on a client with a key only
    key.cancel('1'),
    // @ts-expect-error -- a raw signed write on a client with a key only
    key.request({ method: 'POST', path: '/x', auth: 'signed' }),

    // @ts-expect-error -- a read is never signed
    whole.request({ method: 'GET', path: '/x', auth: 'signed' }),
    // @ts-expect-error -- a write is never public
    whole.request({ method: 'POST', path: '/x', auth: 'public' }),
    // @ts-expect-error -- a read has a query, not fields
    whole.request({ method: 'GET', path: '/x', auth: 'key', fields: { a: 1 } }),
    // @ts-expect-error -- parameters are typed by the row
    whole.raw('order', {}),
    // @ts-expect-error -- withdrawing is not in any client that programs load
    whole.withdraw,

    // @ts-expect-error -- a key read through a requester without a key
    requesters.open.read(ENDPOINTS.key.fills, {}),
    // @ts-expect-error -- a signed write through a requester with a key only
    requesters.key.post(ENDPOINTS.writes.order, () => ''),
    // @ts-expect-error -- a requester without a key where one with a key is wanted
    requesters.open satisfies Requester<'key'>,
    // The other way round is how clients are made.
    requesters.whole satisfies Requester<'public'>,
  ];
}

describe('kinds of credentials', () => {
  it('are told apart by the types of the clients', () => {
    expectTypeOf<VenueClient>().toExtend<KeyClient>();
    expectTypeOf<KeyClient>().toExtend<PublicClient>();
    expectTypeOf<PublicClient>().not.toExtend<KeyCalls>();
    expectTypeOf<KeyClient>().not.toExtend<WriteCalls>();
    expectTypeOf<VenueClient>().toExtend<VenueApi & PublicCalls & KeyCalls & WriteCalls>();
    // What execution is given cannot cancel everything.
    expectTypeOf<OrderVenueApi>().not.toHaveProperty('cancelEverything');
    expectTypeOf<VenueApi>().not.toHaveProperty('cancelEverything');
    expectTypeOf<VenueApi>().not.toHaveProperty('request');
  });

  it('are in the table as types', () => {
    expectTypeOf(ENDPOINTS.public.trades.auth).toEqualTypeOf<'public'>();
    expectTypeOf(ENDPOINTS.key.fills.auth).toEqualTypeOf<'key'>();
    expectTypeOf(ENDPOINTS.writes.order.auth).toEqualTypeOf<'signed'>();
    expectTypeOf(ENDPOINTS.writes.draw.auth).toEqualTypeOf<'key'>();
  });

  it('are checked by the compiler in a function of this file', () => {
    expect(neverCompiled).toBeTypeOf('function');
  });
});
