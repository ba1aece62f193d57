import { expect, it } from 'vitest';
import { proveCanceled } from '../../../src/cli/order/cancel-proof.js';
import { cautious, tickwright } from '../../../src/client/profile.js';
import type { OrderRecord } from '../../../src/model/venue-records.js';
import { VenueError } from '../../../src/ports/venue-api.js';
import { orderRecordOf } from '../../support/records.js';
import { VirtualTime } from '../../support/virtual-time.js';

const MONEY = { priceOriginal: 60_000, price: 60_000, quantity: 0.01, leavesQuantity: 0.01 };
const LIMIT = { pair: 'USD_BTC_PERP', side: 'buy', type: 'limit', time: 1_000, ...MONEY } as const;
const record = (id: string, status: OrderRecord['status']) => orderRecordOf({ id, ...LIMIT, status });
const busy = new VenueError('refused', 'The service is temporarily unavailable');
const notFound = new VenueError('refused', 'The order was not found.');

interface World {
  readonly order?: (id: string, now: number) => OrderRecord | VenueError;
  readonly listed?: (now: number) => readonly string[] | VenueError;
  readonly list?: { readonly pair?: string; readonly isAnswered: boolean };
  readonly profile?: typeof tickwright;
}

function prove(ids: readonly string[], { order, listed = () => [], list, profile = tickwright }: World) {
  const time = new VirtualTime();
  const { clock, timers } = time;
  const orThrow = <T>(value: T | VenueError): Promise<T> =>
    value instanceof VenueError ? Promise.reject(value) : Promise.resolve(value);
  const api = {
    order: (id: string) => orThrow(order?.(id, time.now) ?? record(id, 'CANCELLED')),
    orders: async () => (await orThrow(listed(time.now))).map((id) => record(id, 'ACTIVE')),
  };
  return time.until(proveCanceled(ids, { api, profile, clock, timers, list })).then((proof) => ({
    ...proof,
    found: proof.found.map(({ id, status }) => `${id} ${status}`),
    took: time.now,
  }));
}

it('proves an order by its record, as soon as that says it is done', async () => {
  const order = (id: string, now: number) => record(id, id === 'b' || now >= 600 ? 'CANCELLED' : 'ACTIVE');
  const proof = await prove(['a', 'b'], { order });
  expect(proof).toMatchObject({
    found: ['a CANCELLED', 'b CANCELLED'],
    unknown: [],
    open: [],
    unread: undefined,
  });
  expect(proof.took).toBeLessThan(1_000);
});

it('holds an order that cannot be read to be open, and says why', async () => {
  const proof = await prove(['a', 'b'], { order: (id) => (id === 'a' ? busy : record(id, 'CANCELLED')) });
  expect(proof).toMatchObject({ found: ['b CANCELLED'], unknown: [], open: ['a'], unread: busy.message });
});

it('reads again what could not be read, until the time is over', async () => {
  const unreachable = new VenueError('unreachable', 'no connection (ECONNRESET)');
  const proof = await prove(['a'], {
    order: (id, now) => (now < 1_500 ? unreachable : record(id, 'CANCELLED')),
  });
  expect(proof).toMatchObject({ found: ['a CANCELLED'], open: [], unread: undefined });
});

it('calls an order unknown only where the venue is known to say so of what it does not know', async () => {
  expect(await prove(['a'], { order: () => notFound })).toMatchObject({ unknown: ['a'], open: [], took: 0 });
  const careful = await prove(['a'], { order: () => notFound, profile: cautious });
  expect(careful).toMatchObject({ unknown: [], open: ['a'], unread: notFound.message });
});

it('takes a refusal of the key as no news of any order', async () => {
  await expect(prove(['a'], { order: () => new VenueError('refused', 'bad signature') })).rejects.toThrow(
    'bad signature',
  );
});

it('wants an empty list, too, where all were to be canceled', async () => {
  const list = { isAnswered: true };
  expect(await prove(['a'], { list })).toMatchObject({ open: [], took: 0 });
  const left = await prove(['a'], { list, listed: () => ['new'] });
  expect(left).toMatchObject({ found: ['a CANCELLED'], open: ['new'] });
  const broken = await prove(['a'], { list, listed: () => busy });
  expect(broken).toMatchObject({ open: [], unread: busy.message });
});

it('waits until a list shows all if the venue has not answered that all are canceled', async () => {
  const { visibilityLagMs } = cautious;
  const listed = (now: number) => (now < visibilityLagMs ? [] : ['hidden']);
  const list = { isAnswered: false };
  expect(await prove([], { list, listed, profile: cautious })).toMatchObject({ open: ['hidden'] });
  const none = await prove([], { list, profile: cautious });
  expect(none).toMatchObject({ open: [], unread: undefined });
  expect(none.took).toBeGreaterThanOrEqual(visibilityLagMs);
  expect(await prove([], { list: { isAnswered: true }, profile: cautious })).toMatchObject({
    open: [],
    took: 0,
  });
});
