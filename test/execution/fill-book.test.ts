import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FillBook } from '../../src/execution/fill-book.js';
import { checkpointOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';

const DAY_MS = 86_400_000;

describe('a book of fills', () => {
  test('counts each id once, whatever time it is shown with', () => {
    const book = FillBook.empty(BTC.pair);
    expect(book.add('a', 10, 5)).toBe(true);
    expect(book.add('a', 10, 5)).toBe(false);
    expect(book.add('a', 11, 5)).toBe(false);
    expect(book.add('b', 9, -2)).toBe(true);
    expect(book.position).toBe(3);
    expect(book.newest).toBe(10);
  });

  test('begins behind its checkpoint: in its millisecond the named fills are in it, others are not', () => {
    const book = FillBook.from(checkpointOf(7, 100, ['a']));
    expect(book.add('old', 99, 1)).toBe(false);
    expect(book.add('a', 100, 1)).toBe(false);
    expect(book.add('b', 100, 1)).toBe(true);
    expect(book.add('c', 101, 1)).toBe(true);
    expect(book.position).toBe(9);
  });

  test('counts what cannot be in its checkpoint whatever its time says, and once', () => {
    const book = FillBook.from(checkpointOf(7, 100, ['a']));
    expect(book.addLater('a', 99, 1)).toBe(false);
    expect(book.addLater('b', 99, 1)).toBe(true);
    expect(book.knows('b')).toBe(true);
    expect(book.addLater('b', 99, 1)).toBe(false);
    expect(book.position).toBe(8);
    expect(book.newest).toBe(100);
  });

  test('never counts an id twice because it forgot it, and holds a bounded number of them', () => {
    const book = FillBook.empty(BTC.pair);
    const count = 130_000;
    const addAll = () => {
      let news = 0;
      for (let index = 0; index < count; index++) if (book.add(String(index), 1_000 + index, 1)) news++;
      return news;
    };
    expect(addAll()).toBe(count);
    expect(book.state().known.length).toBeLessThanOrEqual(50_001);
    expect(addAll()).toBe(0);
    expect(book.position).toBe(count);
    expect(book.add('next', 1_000 + count, 1)).toBe(true);
  });

  test('keeps the ids of a day behind what was agreed, however many days there were', () => {
    const book = FillBook.empty(BTC.pair);
    const days = 20;
    const perDay = 2_400;
    const everyMs = DAY_MS / perDay;
    for (let index = 0; index < days * perDay; index++) {
      const time = index * everyMs;
      expect(book.add(String(index), time, 1)).toBe(true);
      if (index % 100 === 0) book.agreedTo(time);
    }
    const { known } = book.state();
    // What came since they were last looked through comes on top.
    expect(known.length).toBeLessThan(perDay + 1_100);
    const ids = new Set(known.map(([id]) => id));
    for (let index = (days - 1) * perDay; index < days * perDay; index++) {
      expect(ids.has(String(index))).toBe(true);
    }
    for (let index = 0; index < days * perDay; index += 7) {
      expect(book.add(String(index), index * everyMs, 1)).toBe(false);
    }
    expect(book.position).toBe(days * perDay);
  });

  test('counts a fill of long ago as long as nothing was agreed since', () => {
    const book = FillBook.empty(BTC.pair);
    book.agreedTo(DAY_MS);
    for (let index = 0; index < 10_000; index++) book.add(String(index), DAY_MS + index * 100_000, 1);
    expect(book.state().known.length).toBe(10_000);
    expect(book.add('late', DAY_MS + 1, 1)).toBe(true);
    expect(book.position).toBe(10_001);
  });

  test('is not led ahead by one fill with a time that cannot be', () => {
    const book = FillBook.empty(BTC.pair);
    book.add('ahead', 100 * DAY_MS, 1);
    book.agreedTo(100 * DAY_MS);
    const count = 5_000;
    for (let index = 0; index < count; index++) expect(book.add(String(index), index * 1_000, 1)).toBe(true);
    expect(book.position).toBe(count + 1);
  });

  test('forgets nothing within one millisecond that it could not tell apart by time', () => {
    const book = FillBook.empty(BTC.pair);
    for (let index = 0; index < 50_010; index++) book.add(String(index), 5, 1);
    for (const id of ['0', '25000', '50009']) expect(book.add(id, 5, 1)).toBe(false);
    expect(book.add('new', 5, 1)).toBe(true);
    expect(book.position).toBe(50_011);
  });

  test('forgets after its state was put away what it would have forgotten without', () => {
    const perDay = 1_200;
    const feed = (book: FillBook, from: number, to: number) => {
      for (let index = from; index < to; index++) {
        const time = (index * DAY_MS) / perDay;
        book.add(String(index), time, 1);
        book.agreedTo(time);
      }
    };
    const book = FillBook.empty(BTC.pair);
    feed(book, 0, 2_900);
    const restored = FillBook.restore(
      JSON.parse(JSON.stringify(book.state())) as ReturnType<FillBook['state']>,
    );
    feed(book, 2_900, 5_000);
    feed(restored, 2_900, 5_000);
    expect(restored.state()).toEqual(book.state());
    expect(book.state().known.length).toBeLessThan(perDay + 1_000);
  });

  test('goes on from its state as if it had never been put away', () => {
    const adds = fc.array(fc.tuple(fc.nat(30), fc.nat(20), fc.integer({ min: -5, max: 5 })));
    fc.assert(
      fc.property(adds, adds, fc.nat(10), (before, after, time) => {
        const book = FillBook.from(checkpointOf(2, time, ['0']));
        for (const [id, at, lots] of before) book.add(String(id), at, lots);
        const restored = FillBook.restore(
          JSON.parse(JSON.stringify(book.state())) as ReturnType<FillBook['state']>,
        );
        for (const [id, at, lots] of after) {
          expect(restored.add(String(id), at, lots)).toBe(book.add(String(id), at, lots));
        }
        expect(restored.state()).toEqual(book.state());
      }),
    );
  });
});
