/** Answers that come in one piece and are not true, or not true any more. */
import { afterEach, describe, expect, test } from 'vitest';
import type { FaultEffect, FaultRule } from '../../../src/model/fault-rule.js';
import type { VenueServerOptions } from '../../../src/venue/http/server.js';
import { TapePlayer } from '../../../src/venue/tape-player.js';
import { ANNA, BERT, PAIR, print, tapeCore } from './desk.js';
import { BUY, FaultyServer, rule } from './faulty-server.js';

const running: FaultyServer[] = [];

afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

async function start(
  rules: readonly FaultRule[],
  options?: Partial<VenueServerOptions>,
): Promise<FaultyServer> {
  const started = await FaultyServer.start(rules, options);
  running.push(started);
  return started;
}

const stale = (ageMs: number | undefined): FaultEffect => ({
  kind: 'stale-read',
  ageMs: ageMs === undefined ? undefined : [ageMs, ageMs],
});
const lateVisible = (ms: number): FaultEffect => ({ kind: 'late-visibility', delayMs: [ms, ms] });
const READS = { calls: 'read' } as const;

interface Row {
  readonly id: string;
  readonly price: number;
  readonly time: number;
  readonly status?: string;
  readonly qty_filled?: number;
}

/** Anna sells resting, bert buys: a trade, a fill for each, and a position. */
async function trade(venue: FaultyServer, price: number): Promise<void> {
  await venue.post(`pair=${PAIR}&side=SELL&qty=0.1&price=${price}`, ANNA);
  await venue.post(`pair=${PAIR}&side=BUY&qty=0.1&price=${price}`, BERT);
}

describe('a stale read', () => {
  test('of a position shows what was so long ago, whoever read in between', async () => {
    const venue = await start([rule(stale(5_000), { place: READS })]);
    const size = async () =>
      (await venue.read<{ readonly size: number }>(`/position?pair=${PAIR}`, BERT)).size;
    expect(await size()).toBe(0);
    venue.time.advance(10_000);
    await trade(venue, 60_000);
    venue.time.advance(1_000);
    await trade(venue, 60_000);
    // Nobody reads for a while: what the position was then is known all the same.
    venue.time.advance(4_500);
    expect(await size()).toBe(0.1);
    venue.time.advance(500);
    expect(await size()).toBe(0.2);
    await trade(venue, 60_000);
    venue.time.advance(4_999);
    expect(await size()).toBe(0.2);
    venue.time.advance(1);
    expect(await size()).toBe(0.3);
  });

  test('of orders shows their states of then, within the bounds that are asked for', async () => {
    const venue = await start([rule(stale(5_000), { place: READS })]);
    const prices = async (query = '') =>
      (await venue.read<readonly Row[]>(`/active_orders${query}`)).map(({ price }) => price - 50_000);
    await prices();
    const placed: number[] = [];
    for (let n = 1; n <= 4; n++) {
      venue.time.advance(1_000);
      await venue.post(BUY.replace('50000', String(50_000 + n)));
      placed.push(venue.time.wall());
    }
    expect(await prices()).toEqual([]);
    venue.time.advance(3_000);
    expect(await prices()).toEqual([2, 1]);
    expect(await prices('?limit=1')).toEqual([2]);
    expect(await prices(`?end=${placed[0]}`)).toEqual([1]);
    expect(await prices(`?start=${placed[1]}`)).toEqual([2]);
    await venue.post('', ANNA, '/auth/cancel/bulk');
    expect(await prices()).toEqual([2, 1]);
    // Bounds that nobody asked for before.
    expect(await prices(`?start=${placed[0]}&end=${placed[1]}`)).toEqual([2, 1]);
    venue.time.advance(2_000);
    expect(await prices()).toEqual([4, 3, 2, 1]);
    venue.time.advance(3_000);
    expect(await prices()).toEqual([]);
  });

  test('of trades and fills needs no earlier read, because they never change', async () => {
    const venue = await start([rule(stale(5_000), { place: READS })]);
    for (let n = 0; n < 4; n++) {
      await trade(venue, 60_000 + n);
      venue.time.advance(2_000);
    }
    // 8 s after the first, 2 s after the last: those of 5 s ago are two.
    for (const path of ['/trades', '/fills']) {
      const prices = async (query = '') =>
        (await venue.read<readonly Row[]>(`${path}?pair=${PAIR}${query}`)).map(({ price }) => price - 60_000);
      expect(await prices()).toEqual([1, 0]);
      expect(await prices('&limit=1')).toEqual([1]);
      expect(await prices(`&end=${venue.time.wall()}`)).toEqual([1, 0]);
      expect(await prices(`&end=${venue.time.wall() - 7_000}`)).toEqual([0]);
      expect(await venue.send('GET', `${path}?pair=${PAIR}&end=soon`, ANNA)).toMatchObject({ status: 503 });
    }
  });

  test('of an order that was not placed then does not know it', async () => {
    const venue = await start([rule(stale(5_000), { place: READS })]);
    const seen = await venue.post();
    const { id } = orderOf(seen);
    expect(await venue.send('GET', `/order?id=${id}`, ANNA)).toMatchObject({
      status: 503,
      body: expect.stringContaining('The order was not found'),
    });
    venue.time.advance(5_000);
    expect(await venue.send('GET', `/order?id=${id}`, ANNA)).toMatchObject({ status: 200 });
  });

  test('without an age stands still at the beginning of its window', async () => {
    const window = { fromMs: 5_000, untilMs: 60_000 };
    const venue = await start([rule(stale(undefined), { place: READS, when: { window } })]);
    const last = async () => {
      const tickers = await venue.read<Record<string, { readonly last_price: number }>>(
        `/ticker?pair=${PAIR}`,
      );
      return tickers[PAIR]?.last_price;
    };
    await trade(venue, 60_000);
    expect(await last()).toBe(60_000);
    venue.time.advance(4_000);
    await trade(venue, 60_001);
    venue.time.advance(2_000);
    for (let n = 2; n < 12; n++) {
      await trade(venue, 60_000 + n);
      venue.time.advance(5_000);
      expect(await last()).toBe(60_001);
    }
    venue.time.advance(10_000);
    expect(await last()).toBe(60_011);
  });

  test('shows each account its own past, and refuses whom the venue refuses', async () => {
    const venue = await start([rule(stale(5_000), { place: READS })]);
    const size = async (who: typeof ANNA | typeof BERT) =>
      (await venue.read<{ readonly size: number }>(`/position?pair=${PAIR}`, who)).size;
    await size(ANNA);
    await size(BERT);
    await trade(venue, 60_000);
    venue.time.advance(5_000);
    await trade(venue, 60_000);
    expect([await size(ANNA), await size(BERT)]).toEqual([-0.1, 0.1]);
    expect(await venue.send('GET', `/position?pair=${PAIR}`)).toMatchObject({ status: 503 });
    expect(await venue.send('GET', '/position?pair=NONE', BERT)).toMatchObject({ status: 503 });
  });

  test('knows how the market moved meanwhile, though nobody looked', async () => {
    const core = tapeCore();
    const tape = new TapePlayer(core, PAIR, [
      print(1, 1_000, 60_000),
      print(2, 4_000, 60_001),
      print(3, 7_000, 60_002),
      print(4, 20_000, 60_003),
    ]);
    const venue = await start([rule(stale(5_000), { place: READS })], { core, drivers: [tape] });
    const last = async () => {
      const tickers = await venue.read<Record<string, { readonly last_price: number }>>(
        `/ticker?pair=${PAIR}`,
      );
      return tickers[PAIR]?.last_price;
    };
    expect(await last()).toBe(60_000);
    venue.time.advance(8_500);
    expect(await last()).toBe(60_001);
  });

  test.each([
    ['a stale one', stale(5_000)],
    ['one without what is new', lateVisible(5_000)],
  ])('costs its client no more of the rate limit than a true one: %s', async (_name, effect) => {
    const venue = await start([rule(effect, { place: READS })], { rateLimit: 3 });
    const statuses = async (count: number) => {
      const seen = await Promise.all(
        Array.from({ length: count }, () => venue.send('GET', '/active_orders', ANNA)),
      );
      return seen.map((each) => (each.kind === 'answer' ? each.status : 0)).toSorted((a, b) => a - b);
    };
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    venue.time.advance(1_000);
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  });
});

describe('late visibility', () => {
  test('hides what is new, in lists and alone, and nothing that is old', async () => {
    const venue = await start([rule(lateVisible(3_000), { place: READS })]);
    const old = orderOf(await venue.post(BUY.replace('50000', '50001')));
    venue.time.advance(2_000);
    const young = orderOf(await venue.post(BUY.replace('50000', '50002')));
    const ids = async (path: string) => (await venue.read<readonly Row[]>(path)).map(({ id }) => id);
    venue.time.advance(1_000);
    expect(await ids('/orders')).toEqual([old.id]);
    expect(await ids('/active_orders?limit=1')).toEqual([old.id]);
    expect(await venue.send('GET', `/order?id=${young.id}`, ANNA)).toMatchObject({ status: 503 });
    expect(await venue.send('GET', `/order?id=${old.id}`, ANNA)).toMatchObject({ status: 200 });
    venue.time.advance(1_999);
    expect(await ids('/orders')).toEqual([old.id]);
    venue.time.advance(1);
    expect(await ids('/orders')).toEqual([young.id, old.id]);
  });

  test('leaves an old order where it is when it is filled, and its fill comes later', async () => {
    const venue = await start([rule(lateVisible(3_000), { place: READS })]);
    await venue.post(`pair=${PAIR}&side=SELL&qty=0.3&price=60000`, ANNA);
    venue.time.advance(5_000);
    await venue.post(`pair=${PAIR}&side=BUY&qty=0.1&price=60000`, BERT);
    const rows = async (path: string) =>
      venue.read<readonly (Row & { readonly fills: readonly Row[] })[]>(path);
    expect(await rows('/orders')).toMatchObject([{ qty_filled: 0.1, fills: [] }]);
    expect(await rows('/fills')).toEqual([]);
    expect(await rows(`/trades?pair=${PAIR}`)).toEqual([]);
    venue.time.advance(3_000);
    expect(await rows('/orders')).toMatchObject([{ qty_filled: 0.1, fills: [{ price: 60_000 }] }]);
    expect(await rows('/fills')).toHaveLength(1);
    expect(await rows(`/trades?pair=${PAIR}`)).toHaveLength(1);
  });

  test('gives as many rows as are asked for when so many are visible', async () => {
    const venue = await start([rule(lateVisible(3_000), { place: READS })]);
    for (let n = 1; n <= 4; n++) {
      await venue.post(BUY.replace('50000', String(50_000 + n)));
      venue.time.advance(1_000);
    }
    const prices = async (path: string) =>
      (await venue.read<readonly Row[]>(path)).map(({ price }) => price - 50_000);
    // Ages: 4, 3, 2 and 1 s.
    expect(await prices('/orders?limit=2')).toEqual([2, 1]);
    expect(await prices('/orders?limit=1')).toEqual([2]);
  });

  test('of a list that the venue cuts goes on behind the cut', async () => {
    const venue = await start([rule(lateVisible(3_000), { place: READS })], { maxLimit: 3 });
    const placed: number[] = [];
    for (let n = 1; n <= 6; n++) {
      await venue.post(BUY.replace('50000', String(50_000 + n)));
      placed.push(venue.time.wall());
      venue.time.advance(1_000);
    }
    // The venue's three newest have ages of 1 to 3 s: one of them is visible; older ones are there by their bounds.
    const prices = async (query: string) =>
      (await venue.read<readonly Row[]>(`/orders?${query}`)).map(({ price }) => price - 50_000);
    expect(await prices(`end=${placed[2]}`)).toEqual([3, 2, 1]);
    expect(await prices(`end=${placed[3]}&limit=2`)).toEqual([4, 3]);
  });

  test('of a list that the venue cuts within a millisecond goes on in the middle of it', async () => {
    const venue = await start([rule(lateVisible(1_000), { place: READS })], { maxLimit: 10 });
    const member = (index: number) =>
      `orders[${index}][pair]=${PAIR}&orders[${index}][side]=BUY&orders[${index}][qty]=0.001&orders[${index}][price]=50000`;
    const placed: number[] = [];
    for (let bulk = 0; bulk < 3; bulk++) {
      venue.time.advance(60_000);
      placed.push(venue.time.wall());
      await venue.send('POST', '/auth/order/bulk', ANNA, [0, 1, 2, 3].map(member).join('&'));
    }
    venue.time.advance(60_000);
    // Of the oldest bulk the whole list holds two.
    const rows = await venue.read<readonly Row[]>(`/orders?end=${placed[0]}`);
    expect(rows.map(({ id }) => id)).toEqual(['4', '3', '2', '1']);
  });

  test.each([
    '/filled_orders',
    '/completed_orders',
  ])('of %s fills the page up with older ones', async (path) => {
    const venue = await start([rule(lateVisible(1_000), { place: READS })]);
    const take = async () => {
      await trade(venue, 60_000);
      venue.time.advance(10);
    };
    for (let n = 0; n < 5; n++) await take();
    venue.time.advance(60_000);
    const ids = async (limit: number) =>
      (await venue.read<readonly Row[]>(`${path}?limit=${limit}`)).map(({ id }) => id);
    const old = await ids(2);
    expect(old).toHaveLength(2);
    for (let n = 0; n < 2; n++) await take();
    expect(await ids(2)).toEqual(old);
  });

  test('does not touch what is no list of records, nor a write', async () => {
    const venue = await start([rule(lateVisible(3_000))]);
    await trade(venue, 60_000);
    expect(await venue.read(`/position?pair=${PAIR}`, BERT)).toMatchObject({ size: 0.1 });
    expect(orderOf(await venue.post()).status).toBe('ACTIVE');
    const depth = await venue.read<{ readonly bids: readonly unknown[] }>(`/depth?pair=${PAIR}`);
    expect(depth.bids).toHaveLength(1);
  });
});

describe('rows', () => {
  async function withTrades(...effects: readonly FaultEffect[]): Promise<FaultyServer> {
    const place = { paths: ['/trades', '/depth', '/order', '/auth/order'] };
    const venue = await start(effects.map((effect) => rule(effect, { place })));
    for (let n = 0; n < 12; n++) await trade(venue, 60_000 + n);
    return venue;
  }
  const prices = async (venue: FaultyServer) =>
    (await venue.read<readonly Row[]>(`/trades?pair=${PAIR}`)).map(({ price }) => price - 60_000);
  const TRUE = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

  test('come in another order', async () => {
    const venue = await withTrades({ kind: 'reordered-rows', order: 'shuffle' });
    const first = await prices(venue);
    expect(first).not.toEqual(TRUE);
    expect(first.toSorted((a, b) => b - a)).toEqual(TRUE);
    expect(await prices(venue)).not.toEqual(first);
    expect(await prices(await withTrades({ kind: 'reordered-rows', order: 'reverse' }))).toEqual(
      TRUE.toReversed(),
    );
  });

  test('come twice', async () => {
    const seen = await prices(await withTrades({ kind: 'duplicated-rows', share: 0.2 }));
    expect(seen.length).toBeGreaterThan(TRUE.length);
    expect([...new Set(seen)]).toEqual(TRUE);
  });

  test('have a status that nobody knows, in answers to writes too', async () => {
    const venue = await withTrades({ kind: 'unknown-status', status: 'ODD', share: 1 });
    const placed = orderOf(await venue.post());
    expect(placed.status).toBe('ODD');
    expect(await venue.read(`/order?id=${placed.id}`)).toMatchObject({ status: 'ODD' });
    expect(await venue.read('/orders?limit=1')).toMatchObject([{ status: 'ACTIVE' }]);
  });

  test('have a price that cannot be', async () => {
    const venue = await withTrades({ kind: 'altered-field', field: 'price', value: -1, share: 1 });
    expect(await prices(venue)).toEqual(TRUE.map(() => -60_001));
  });

  test('may have all of it at once, and numbers that are not touched stay as they are', async () => {
    const venue = await withTrades(
      { kind: 'reordered-rows', order: 'reverse' },
      { kind: 'duplicated-rows', share: 1 },
      { kind: 'altered-field', field: 'qty', value: 'much', share: 1 },
    );
    const rows = await venue.read<readonly (Row & { readonly qty: unknown })[]>(`/trades?pair=${PAIR}`);
    expect(rows.map(({ price }) => price - 60_000)).toEqual(
      TRUE.toReversed().flatMap((each) => [each, each]),
    );
    expect(rows.every(({ qty }) => qty === 'much')).toBe(true);
  });
});

function orderOf(seen: Awaited<ReturnType<FaultyServer['post']>>): Row {
  if (seen.kind !== 'answer') throw new Error(`an order must be accepted here, received ${seen.reason}`);
  return (JSON.parse(seen.body) as { readonly result: { readonly order: Row } }).result.order;
}
