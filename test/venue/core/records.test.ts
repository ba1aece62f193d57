import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Candles } from '../../../src/venue/core/candles.js';
import { History } from '../../../src/venue/core/history.js';
import { TradeLog } from '../../../src/venue/core/trade-log.js';
import { BTC, Desk } from './desk.js';

const MINUTE = 60_000;

describe('a history', () => {
  it('holds the newest of what was pushed and says what it had to forget', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.nat(30), (limit, count) => {
        const history = new History<number>(limit);
        const pushed: number[] = [];
        for (let i = 0; i < count; i++) {
          const forgotten = history.push(i);
          pushed.push(i);
          expect(forgotten).toBe(pushed.length > limit ? pushed[pushed.length - limit - 1] : undefined);
          const newest = Array.from({ length: history.size }, (_, n) => history.newest(n));
          expect(newest).toEqual(limit === 0 ? [] : pushed.slice(-limit).reverse());
        }
        expect(history.newest(-1)).toBeUndefined();
        expect(history.newest(history.size)).toBeUndefined();
      }),
    );
  });
});

describe('the public trades', () => {
  it('answer like a filtered list, however many were forgotten', () => {
    const query = fc.record({ limit: fc.nat(12), from: fc.nat(60), to: fc.nat(60) });
    fc.assert(
      fc.property(
        fc.array(fc.nat(3), { maxLength: 40 }),
        fc.constantFrom(0, 1, 7, 1_500, Infinity),
        query,
        (gaps, keep, q) => {
          const log = new TradeLog(keep);
          const all: { id: string; time: number }[] = [];
          let time = 0;
          for (const [i, gap] of gaps.entries()) {
            time += gap;
            log.push(i, time, 100 + i, i / 8, i % 2 === 0);
            all.push({ id: String(i), time });
          }
          const kept = keep === 0 ? [] : all.slice(-Math.min(keep, all.length));
          const expected = kept
            .filter((each) => each.time >= q.from && each.time <= q.to)
            .reverse()
            .slice(0, q.limit);
          expect(log.newest(q.limit, q.from, q.to).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        },
      ),
    );
  });

  it('keep their columns together while they grow', () => {
    const log = new TradeLog(Infinity);
    for (let i = 0; i < 5_000; i++) log.push(String(i), i, i / 10, i / 1_000, i % 3 === 0);
    expect(log.newest(1, 0, 2_500)).toEqual([
      { id: '2500', time: 2_500, price: 250, quantity: 2.5, isBuyerMaker: false },
    ]);
    expect(log.size).toBe(5_000);
  });
});

describe('candles', () => {
  const candles = new Candles();
  const start = 600 * MINUTE;
  candles.add(start + 1, 10, 1);
  candles.add(start + 2, 12, 2);
  candles.add(start + MINUTE - 1, 9, 1);
  candles.add(start + MINUTE, 11, 1);
  candles.add(start + 6 * MINUTE + 5, 8, 4);

  it('hold [open, end): a trade at the end belongs to the next', () => {
    expect(candles.list(MINUTE, { from: 0, to: start + MINUTE, limit: 2, now: start + 7 * MINUTE })).toEqual([
      {
        openTime: start,
        open: 10,
        high: 12,
        low: 9,
        close: 9,
        baseVolume: 4,
        quoteVolume: 10 + 24 + 9,
        trades: 3,
        lastQuantity: 1,
      },
      {
        openTime: start + MINUTE,
        open: 11,
        high: 11,
        low: 11,
        close: 11,
        baseVolume: 1,
        quoteVolume: 11,
        trades: 1,
        lastQuantity: 1,
      },
    ]);
  });

  it('join minutes into longer intervals that start at multiples of their length', () => {
    const joined = candles.list(5 * MINUTE, { from: 0, to: Infinity, limit: 100, now: start + 7 * MINUTE });
    expect(
      joined.map(({ openTime, open, high, low, close, baseVolume, trades }) => [
        openTime - start,
        [open, high, low, close],
        baseVolume,
        trades,
      ]),
    ).toEqual([
      [0, [10, 12, 9, 11], 5, 4],
      [5 * MINUTE, [8, 8, 8, 8], 4, 1],
    ]);
  });

  it('have no holes: where nothing traded they show the close before', () => {
    const list = candles.list(MINUTE, {
      from: start + 2 * MINUTE,
      to: Infinity,
      limit: 100,
      now: start + 8 * MINUTE,
    });
    expect(list.map(({ openTime, close, trades }) => [(openTime - start) / MINUTE, close, trades])).toEqual([
      [2, 11, 0],
      [3, 11, 0],
      [4, 11, 0],
      [5, 11, 0],
      [6, 8, 1],
      [7, 8, 0],
      [8, 8, 0],
    ]);
  });

  it('are the newest that fit the limit, and none before the first trade', () => {
    const query = { from: 0, to: Infinity, now: start + 7 * MINUTE };
    expect(
      candles.list(MINUTE, { ...query, limit: 2 }).map(({ openTime }) => (openTime - start) / MINUTE),
    ).toEqual([6, 7]);
    expect(candles.list(MINUTE, { ...query, limit: 500 })).toHaveLength(8);
    expect(new Candles().list(MINUTE, { ...query, limit: 5 })).toEqual([]);
  });

  it('sum up everything since a time', () => {
    expect(candles.since(start + MINUTE)).toMatchObject({
      open: 11,
      high: 11,
      low: 8,
      close: 8,
      baseVolume: 5,
      trades: 2,
    });
    expect(candles.since(start + 10 * MINUTE)).toBeUndefined();
  });

  it('add volumes up as decimals, not as doubles', () => {
    const many = new Candles();
    for (let i = 0; i < 600; i++) many.add(i * 1_000, 60_000.1, 0.1);
    const [first] = many.list(MINUTE, { from: 0, to: 0, limit: 1, now: 10 * MINUTE });
    const [joined] = many.list(5 * MINUTE, { from: 0, to: 0, limit: 1, now: 10 * MINUTE });
    const whole = many.since(0);
    // Plainly added, 60 doubles of 0.1 are 5.99999999999999 at the 15 digits of the wire.
    expect(
      [first, joined, whole].map((candle) =>
        [candle?.baseVolume, candle?.quoteVolume].map((volume) => Number(volume?.toPrecision(15))),
      ),
    ).toEqual([
      [6, 360_000.6],
      [30, 1_800_003],
      [60, 3_600_006],
    ]);
    expect(Object.keys(whole ?? {}).sort()).toEqual(Object.keys(first ?? {}).sort());
    // Whoever asks changes nothing.
    expect(many.since(0)).toEqual(whole);
  });

  it('of the past stand before the first trade', () => {
    const past = new Candles();
    const bar = {
      openTime: 0,
      endTime: 5 * MINUTE,
      intervalMs: 5 * MINUTE,
      open: 1,
      high: 3,
      low: 1,
      close: 2,
      volume: 6,
    };
    past.addBar({ ...bar, trades: 9, empty: false, complete: true });
    past.add(5 * MINUTE, 4, 1);
    const list = past.list(5 * MINUTE, { from: 0, to: Infinity, limit: 10, now: 5 * MINUTE });
    expect(list.map(({ open, close, baseVolume, trades }) => [open, close, baseVolume, trades])).toEqual([
      [1, 2, 6, 9],
      [4, 4, 1, 1],
    ]);
  });
});

describe('records of an account', () => {
  function traded() {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    const resting = desk.buy(a, 1, 90);
    const partial = desk.sell(a, 2, 100);
    const full = desk.sell(a, 1, 101);
    desk.buy(b, 1, 100);
    desk.core.cancel(a, partial.id, ++desk.now);
    desk.buy(b, 1, 101);
    const gone = desk.buy(a, 1, 80);
    desk.core.cancel(a, gone.id, ++desk.now);
    return { desk, a, resting, partial, full, gone };
  }

  it('are listed by state, newest change first', () => {
    const { desk, a, resting, partial, full, gone } = traded();
    expect(desk.core.orders(a, 'all')).toEqual([gone, full, partial, resting]);
    expect(desk.core.orders(a, 'active')).toEqual([resting]);
    expect(desk.core.orders(a, 'completed')).toEqual([full]);
    expect(desk.core.orders(a, 'canceled')).toEqual([gone, partial]);
    expect(desk.core.orders(a, 'filled')).toEqual([full, partial]);
    expect(desk.core.orders(a, 'partial')).toEqual([partial]);
  });

  it('are the newest inside inclusive bounds', () => {
    const { desk, a, partial, full, gone } = traded();
    expect(desk.core.orders(a, 'all', { limit: 2 })).toEqual([gone, full]);
    expect(desk.core.orders(a, 'all', { from: partial.updatedAt, to: full.updatedAt })).toEqual([
      full,
      partial,
    ]);
    expect(desk.core.orders(a, 'all', { pair: 'OTHER' })).toEqual([]);
    const [newest, oldest] = desk.core.fills(a);
    expect([newest?.orderId, oldest?.orderId]).toEqual([full.id, partial.id]);
    expect(desk.core.fills(a, { to: oldest?.time })).toEqual([oldest]);
    expect(desk.core.fills(a, { from: newest?.time })).toEqual([newest]);
  });

  it('are forgotten beyond the limit, working orders never', () => {
    const desk = new Desk({ historyLimit: 2 });
    const a = desk.open('a');
    const kept = desk.buy(a, 1, 50);
    const ids = [1, 2, 3].map(() => {
      const { id } = desk.buy(a, 1, 60);
      desk.core.cancel(a, id, ++desk.now);
      return id;
    });
    expect(ids.map((id) => desk.core.order(a, id)?.id)).toEqual([undefined, ids[1], ids[2]]);
    expect(desk.core.order(a, kept.id)).toBe(kept);
  });

  it('keep an old working order within reach of its id after thousands of others came and went', () => {
    const desk = new Desk({ historyLimit: 0 });
    const a = desk.open('a');
    const kept = desk.buy(a, 1, 50);
    for (let i = 0; i < 5_000; i++) desk.core.cancel(a, desk.buy(a, 1, 60).id, desk.now);
    expect(desk.core.order(a, '5001')).toBeUndefined();
    expect(desk.core.order(a, kept.id)).toBe(kept);
    expect(desk.core.cancel(a, kept.id, desk.now).kind).toBe('canceled');
    expect(desk.core.order(a, desk.buy(a, 1, 60).id)?.id).toBe('5002');
  });

  it('show a tag as it came', () => {
    const desk = new Desk();
    const placement = desk.place(desk.open('a'), { side: 'buy', quantity: 1, price: 50 }, BTC, 'tw-17');
    expect(placement.kind === 'accepted' ? placement.order.tag : undefined).toBe('tw-17');
  });
});
