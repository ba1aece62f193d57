import { describe, expect, it } from 'vitest';
import { Books } from '../../src/execution/books.js';
import { defineMarket } from '../../src/model/market.js';
import { gridRecordsOf, onGridOfBooks } from '../../src/runner/journal-grid.js';
import { marketSpecOf, parseMarketSpec, sessionSpecOf } from '../../src/storage/market-spec.js';
import { BTC } from '../support/markets.js';

const { pair } = BTC;
const spec = marketSpecOf(BTC);
const FINE = { kind: 'grid', pair, price: 2, quantity: 5 } as const;

function booksOn(price: number, quantity: number): Books {
  const books = new Books();
  books.apply({ kind: 'grid', pair, price, quantity });
  return books;
}

describe('a market whose journal counts in finer steps', () => {
  const market = onGridOfBooks(BTC, booksOn(2, 5));

  it('is on the grids of the journal, with filters that are the same prices and quantities', () => {
    expect([market.priceGrid.decimals, market.quantityGrid.decimals]).toEqual([2, 5]);
    expect(market.filters.price.tickSize).toBe(10);
    expect(market.filters.quantity).toEqual({ min: 100, max: 10_000_000, step: 100 });
    expect(marketSpecOf(market)).toMatchObject({ price: spec.price, quantity: spec.quantity });
  });

  it('has money for a tick of a lot, also where the venue has fewer digits', () => {
    expect(onGridOfBooks(BTC, booksOn(4, 6)).quotePrecision).toBe(10);
    expect(market.quotePrecision).toBe(BTC.quotePrecision);
  });

  it('comes out of a file on the same grids', () => {
    const read = defineMarket(parseMarketSpec(JSON.parse(JSON.stringify(sessionSpecOf(market))), 'market'));
    expect(read).toEqual(market);
  });

  it('needs no record: the journal knows', () => {
    expect(gridRecordsOf(market, booksOn(2, 5))).toEqual([]);
  });
});

describe('a market whose venue made its steps finer than the journal counts', () => {
  const finer = defineMarket({
    ...spec,
    price: { ...spec.price, step: '0.01' },
    quantity: { ...spec.quantity, step: '0.00001' },
  });

  it('stays as it is, and has it written down', () => {
    expect(onGridOfBooks(finer, booksOn(1, 3))).toBe(finer);
    expect(gridRecordsOf(finer, new Books())).toEqual([FINE]);
  });

  it('has written down beside it what the journal counted in till then: where it said so may be gone', () => {
    expect(gridRecordsOf(finer, booksOn(1, 3))).toEqual([{ ...FINE, price: 1, quantity: 3 }, FINE]);
  });

  it('is not counted in what the journal is too fine for', () => {
    for (const books of [booksOn(2, 3), booksOn(1, 4)])
      expect(() => gridRecordsOf(BTC, books)).toThrow(
        'USD_BTC_PERP must be counted in steps as fine as its journal has',
      );
  });
});

describe('a journal of an earlier version, which does not say what it counts in', () => {
  const noted = { price: 1, quantity: 3 };
  const finer = defineMarket({ ...spec, quantity: { ...spec.quantity, step: '0.00001' } });

  it('counts in what was noted beside it, and says so before anything else', () => {
    expect(gridRecordsOf(finer, new Books(), noted)).toEqual([
      { kind: 'grid', pair, price: 1, quantity: 3 },
      { kind: 'grid', pair, price: 1, quantity: 5 },
    ]);
    expect(gridRecordsOf(BTC, new Books(), noted)).toEqual([{ kind: 'grid', pair, price: 1, quantity: 3 }]);
  });

  it('keeps that where the venue has become coarser, and what it says itself counts more', () => {
    expect(onGridOfBooks(BTC, new Books(), { price: 2, quantity: 5 }).quantityGrid.decimals).toBe(5);
    expect(onGridOfBooks(BTC, booksOn(1, 3), { price: 2, quantity: 5 })).toBe(BTC);
    expect(gridRecordsOf(BTC, booksOn(1, 3), { price: 2, quantity: 5 })).toEqual([]);
  });
});
