import { describe, expect, test } from 'vitest';
import { type Cut, type CutOptions, type CutReads, readCut } from '../../src/execution/cut.js';
import type { FillRecord, OrderRecord, PositionRecord } from '../../src/model/venue-records.js';
import { type ListQuery, VenueError } from '../../src/ports/venue-api.js';
import { BTC } from '../support/markets.js';
import { fillRecordOf, orderRecordOf, positionRecordOf } from '../support/records.js';
import { VirtualTime } from '../support/virtual-time.js';

const { pair } = BTC;

interface Venue {
  fills?: readonly FillRecord[];
  /** What each read of the position shows; the last goes on. */
  positions?: readonly (readonly [size: number, direction?: PositionRecord['direction']])[];
  /** What each read of all lists shows. */
  orders?: readonly (readonly OrderRecord[])[];
  /** Rows that a page holds, whatever was asked for. */
  ignoresPair?: boolean;
}

const fill = (id: string, time: number, of = pair): FillRecord =>
  fillRecordOf({ id, pair: of, isBuyerMaker: true, quantity: 0.001, price: 60_000, netCommission: 0, time });

const order = (id: string, more: Partial<OrderRecord> = {}): OrderRecord =>
  orderRecordOf({
    id,
    pair,
    side: 'buy',
    type: 'limit',
    priceOriginal: 60_000,
    price: 60_000,
    quantity: 0.01,
    leavesQuantity: 0.01,
    time: 100,
    ...more,
  });

/** The newest rows of a list, as venues give them. */
function read(venue: Venue, more: Partial<CutOptions> = {}) {
  const asked: { kind: string; query: ListQuery }[] = [];
  let positions = 0;
  let lists = 0;
  const api: CutReads = {
    orders: async (state, query = {}) => {
      asked.push({ kind: state, query });
      return venue.orders?.[Math.min(lists++, venue.orders.length - 1)] ?? [];
    },
    position: async () => {
      const shown = venue.positions ?? [[0]];
      const [size, direction] = shown[Math.min(positions++, shown.length - 1)]!;
      return positionRecordOf({ pair, size, direction, averageEntry: 1 });
    },
    fills: async (query = {}) => {
      asked.push({ kind: 'fills', query });
      const { from = 0, to = Number.POSITIVE_INFINITY, limit = 100 } = query;
      return (venue.fills ?? [])
        .filter((each) => venue.ignoresPair === true || each.pair === query.pair)
        .filter(({ time }) => time >= from && time <= to)
        .sort((a, b) => a.time - b.time)
        .slice(-limit);
    },
  };
  const cut: Promise<Cut> = readCut({
    api,
    market: BTC,
    clock: new VirtualTime().clock,
    limit: 3,
    lists: ['active', 'all'],
    ordersFrom: 50.7,
    fillsFrom: 0.5,
    signal: new AbortController().signal,
    twice: true,
    ...more,
  });
  return { cut, asked };
}

const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id).sort();

describe('the fills of a cut', () => {
  test('are read page by page to the first that is not full', async () => {
    const fills = Array.from({ length: 10 }, (_, index) => fill(String(index), 10 * index));
    const { cut, asked } = read({ fills });
    const { fills: found, lack } = await cut;
    expect(ids(found)).toEqual(ids(fills));
    expect(lack).toBeUndefined();
    // Each page ends where the one before began, so that a millisecond that was cut is read whole.
    const pages = asked.filter(({ kind }) => kind === 'fills').map(({ query }) => [query.from, query.to]);
    expect(pages).toEqual([
      [0, undefined],
      [0, 70],
      [0, 50],
      [0, 30],
      [0, 10],
      // What changed while it was read is newest now.
      [90, undefined],
    ]);
  });

  test('may be cut off when one millisecond fills a page', async () => {
    const fills = ['a', 'b', 'c', 'd'].map((id) => fill(id, 10));
    await expect(read({ fills }).cut).resolves.toMatchObject({
      lack: 'fills of one millisecond are 3 or more: 10',
    });
    const two = [fill('a', 10), fill('b', 10), fill('c', 20), fill('d', 20)];
    const { fills: found, lack } = await read({ fills: two }).cut;
    expect(ids(found)).toEqual(['a', 'b', 'c', 'd']);
    expect(lack).toBeUndefined();
  });

  test('without a beginning are the newest page, and that is no lack', async () => {
    const fills = Array.from({ length: 10 }, (_, index) => fill(String(index), 10 * index));
    const { cut } = read({ fills }, { fillsFrom: undefined });
    const { fills: found, lack } = await cut;
    expect(ids(found)).toEqual(['7', '8', '9']);
    expect(lack).toBeUndefined();
  });

  test('of another pair are left out, and a page that they fill is full all the same', async () => {
    const fills = [fill('a', 10), fill('x', 20, 'OTHER'), fill('y', 30, 'OTHER'), fill('z', 40, 'OTHER')];
    const { fills: found } = await read({ fills, ignoresPair: true }).cut;
    expect(ids(found)).toEqual(['a']);
  });
});

describe('the orders of a cut', () => {
  test('are the union of its lists; only the list of active orders has no beginning', async () => {
    const { cut, asked } = read({ orders: [[order('1')], [order('2'), order('1')]] });
    expect(ids([...(await cut).orders.values()])).toEqual(['1', '2']);
    const orders = asked.filter(({ kind }) => kind !== 'fills');
    expect(orders.map(({ kind, query }) => [kind, query.from])).toEqual([
      ['active', undefined],
      ['all', 50],
      ['active', undefined],
      ['all', 50],
    ]);
  });

  test('are each as the newest record shows it, and of two of one time as the one that shows more', async () => {
    const old = order('1', { time: 100, filledQuantity: 0.001 });
    const more = order('1', { time: 100, filledQuantity: 0.002 });
    const newer = order('1', { time: 200, status: 'CANCELLED', filledQuantity: 0.002 });
    const one = async (...orders: OrderRecord[]) => {
      const { cut } = read({ orders: orders.map((each) => [each]) }, { twice: false });
      return (await cut).orders.get('1');
    };
    expect(await one(old, more)).toBe(more);
    expect(await one(more, old)).toBe(more);
    expect(await one(newer, more)).toBe(newer);
    expect(await one(more, newer)).toBe(newer);
  });

  test('of one millisecond that fills an answer may not be all, and it is said which', async () => {
    const orders = [[order('1'), order('2'), order('3')]];
    const { lack } = await read({ orders }).cut;
    expect(lack).toBe('orders (active) of one millisecond are 3 or more: 100');
    await expect(read({ orders }, { limit: 4 }).cut).resolves.toMatchObject({ lack: undefined });
  });

  test('of another pair are left out', async () => {
    const { orders } = await read({ orders: [[order('1', { pair: 'OTHER' })]] }).cut;
    expect(orders.size).toBe(0);
  });
});

describe('a cut', () => {
  const before = order('1');
  test.each<readonly [string, Venue, boolean]>([
    ['nothing moved', { positions: [[0.003], [0.003]], orders: [[before]] }, true],
    ['the position moved', { positions: [[0.003], [0.004]] }, false],
    ['an order came', { orders: [[], [], [before], [before]] }, false],
    ['an order went', { orders: [[before], [before], [], []] }, false],
    [
      'an order was filled',
      { orders: [[before], [before], [order('1', { filledQuantity: 0.001, time: 101 })]] },
      false,
    ],
    [
      'an order ended',
      { orders: [[before], [before], [order('1', { status: 'CANCELLED', time: 101 })]] },
      false,
    ],
  ])('is stable when %s: %o', async (_, venue, stable) => {
    expect((await read(venue).cut).stable).toBe(stable);
  });

  test('read once says nothing about orders that move', async () => {
    const venue = { orders: [[], [], [before], [before]] };
    expect((await read(venue, { twice: false }).cut).stable).toBe(true);
  });

  test('has the position in lots, as last read', async () => {
    await expect(read({ positions: [[0], [-0.012, 'sell']] }).cut).resolves.toMatchObject({ position: -12 });
  });

  test.each([
    [[0.1 + 0.2, 'buy'], 300],
    [[-2.7755575615628914e-17, 'buy'], 0],
    [[1e-11, 'sell'], 0],
  ] as const)('takes float noise of the position %o for none', async (position, lots) => {
    const cut = await read({ positions: [position] }).cut;
    expect(cut.position).toBe(lots);
  });

  test.each([
    [[0.01, 'sell'], 'agree with its direction'],
    [[-0.01, 'buy'], 'agree with its direction'],
    [[0.0105, 'buy'], 'on its lot grid'],
    [[Number.NaN, undefined], 'on its lot grid'],
  ] as const)('fails where the position %o contradicts itself', async (position, said) => {
    const error = await read({ positions: [position] }).cut.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VenueError);
    expect(error).toMatchObject({ kind: 'malformed', message: expect.stringContaining(said) });
  });

  test('reads nothing more once it is stopped', async () => {
    const stop = new AbortController();
    const { cut, asked } = read({}, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(cut).rejects.toThrow('stopped');
    expect(asked).toHaveLength(1);
  });
});
