import { describe, expect, it } from 'vitest';
import { Books } from '../../src/execution/books.js';
import { defineMarket } from '../../src/model/market.js';
import { gridRecordOf, onGridOfBooks } from '../../src/runner/journal-grid.js';
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
    expect(gridRecordOf(market, booksOn(2, 5))).toBeUndefined();
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
    expect(gridRecordOf(finer, booksOn(1, 3))).toEqual(FINE);
    expect(gridRecordOf(finer, new Books())).toEqual(FINE);
  });
});
