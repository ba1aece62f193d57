import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formBody, orderBody, verifyOrderBody } from '../../src/client/order-body.js';
import { cautious, tickwright } from '../../src/client/profile.js';
import { InvariantError } from '../../src/model/errors.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import type { OrderTerms } from '../../src/model/order.js';
import { MARKET, PAIR } from './fixtures.js';

const STAMP = { timestamp: 1_723_075_200_123, recvWindowMs: 5_000 };
const LIMIT: OrderTerms = {
  side: 'buy',
  type: 'limit',
  ticks: 610_005 as Ticks,
  lots: 250 as Lots,
  timeInForce: 'GTC',
  postOnly: false,
  reduceOnly: false,
};
const AT_MARKET: OrderTerms = { ...LIMIT, type: 'market', ticks: undefined };

const body = (terms: OrderTerms, tag?: string) => orderBody(tickwright, MARKET, terms, tag, STAMP);
const fields = (text: string) => Object.fromEntries(new URLSearchParams(text));

describe('the body of an order', () => {
  it('says pair, quantity, side, price and how long, in plain decimals', () => {
    expect(body(LIMIT)).toBe(
      `pair=${PAIR}&qty=0.25&side=BUY&price=61000.5&time_in_force=GTC&timestamp=1723075200123&recv_window=5000`,
    );
  });

  it('has no price for an order at market', () => {
    expect(body(AT_MARKET)).toBe(`pair=${PAIR}&qty=0.25&side=BUY&timestamp=1723075200123&recv_window=5000`);
    expect(fields(body({ ...AT_MARKET, timeInForce: 'IOC' }))['time_in_force']).toBe('IOC');
  });

  it('says post-only and reduce-only when they are wanted', () => {
    const sent = fields(body({ ...LIMIT, side: 'sell', postOnly: true, reduceOnly: true }));
    expect(sent).toMatchObject({ side: 'SELL', post_only: 'true', reduce_only: 'true' });
    expect(fields(body(LIMIT))).not.toHaveProperty('post_only');
  });

  it('carries the tag only where the venue shows it again', () => {
    expect(fields(body(LIMIT, 's1-42'))['oco']).toBe('s1-42');
    expect(orderBody(cautious, MARKET, LIMIT, 's1-42', STAMP)).not.toContain('s1-42');
  });

  it('never uses exponents', () => {
    const tiny = defineMarket({
      pair: 'TINY',
      base: 'A',
      quote: 'B',
      quotePrecision: 12,
      price: { min: '0.0000001', max: '1', step: '0.0000001' },
      quantity: { min: '0.00001', max: '1000', step: '0.00001' },
      fees: { maker: 0, taker: 0 },
    });
    const sent = fields(
      orderBody(tickwright, tiny, { ...LIMIT, ticks: 1 as Ticks, lots: 1 as Lots }, undefined, STAMP),
    );
    expect([sent['price'], sent['qty']]).toEqual(['0.0000001', '0.00001']);
  });

  it.each<[string, OrderTerms]>([
    ['a limit order without a price', { ...LIMIT, ticks: undefined }],
    ['a market order with a price', { ...AT_MARKET, ticks: 5 as Ticks }],
    ['a post-only market order', { ...AT_MARKET, postOnly: true }],
    ['no quantity', { ...LIMIT, lots: 0 as Lots }],
    ['a negative quantity', { ...LIMIT, lots: -5 as Lots }],
    ['a quantity that is no number', { ...LIMIT, lots: Number.NaN as Lots }],
    ['a broken lot', { ...LIMIT, lots: 1.5 as Lots }],
    ['a price of 0', { ...LIMIT, ticks: 0 as Ticks }],
  ])('cannot be made of %s', (_, terms) => {
    expect(() => body(terms)).toThrow(InvariantError);
  });

  it('says exactly what the terms say, for all terms', () => {
    const terms = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      ticks: fc.option(fc.integer({ min: 1, max: 2 ** 45 }), { nil: undefined }),
      lots: fc.integer({ min: 1, max: 2 ** 45 }),
      timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
      reduceOnly: fc.boolean(),
    });
    fc.assert(
      fc.property(terms, fc.option(fc.string({ minLength: 1 }), { nil: undefined }), (some, tag) => {
        const type = some.ticks === undefined ? ('market' as const) : ('limit' as const);
        const all = {
          ...some,
          type,
          ticks: some.ticks as Ticks | undefined,
          lots: some.lots as Lots,
          postOnly: false,
        };
        const sent = fields(body(all, tag));
        // Tenths and thousandths, counted in digits of the text and not by our own arithmetic.
        const digits = (text: string | undefined, places: number) => {
          const [whole, part = ''] = (text ?? '').split('.');
          return BigInt((whole ?? '') + part.padEnd(places, '0'));
        };
        expect(digits(sent['qty'], 3)).toBe(BigInt(some.lots));
        if (some.ticks === undefined) expect(sent).not.toHaveProperty('price');
        else expect(digits(sent['price'], 1)).toBe(BigInt(some.ticks));
        expect(sent['side']).toBe(some.side.toUpperCase());
        expect(sent['reduce_only'] ?? 'false').toBe(String(some.reduceOnly));
        expect(sent['oco']).toBe(tag);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the last look at a body', () => {
  const good = body({ ...LIMIT, reduceOnly: true }, 'tag');
  const terms = { ...LIMIT, reduceOnly: true };
  const look = (text: string) => () => verifyOrderBody(tickwright, MARKET, terms, 'tag', text);

  it('lets a body pass that says what was meant', () => {
    expect(look(good)).not.toThrow();
  });

  it.each([
    ['price lost', good.replace('&price=61000.5', '')],
    ['price of an order at market', `${body(AT_MARKET)}&price=1`],
    ['price moved', good.replace('61000.5', '61000.6')],
    ['price in exponents', good.replace('61000.5', '6.10005e4')],
    ['quantity moved', good.replace('qty=0.25', 'qty=2.5')],
    ['quantity below a lot', good.replace('qty=0.25', 'qty=0.2501')],
    ['side turned', good.replace('BUY', 'SELL')],
    ['another pair', good.replace(PAIR, 'USD_ETH_PERP')],
    ['reduce-only lost', good.replace('&reduce_only=true', '')],
    ['post-only added', `${good}&post_only=true`],
    ['time in force changed', good.replace('GTC', 'IOC')],
    ['tag lost', good.replace('&oco=tag', '')],
    ['a field twice', `${good}&qty=0.25`],
    ['a field nobody meant', `${good}&trigger_price=1`],
    ['no timestamp', good.replace(/&timestamp=\d+/, '')],
    ['a timestamp with a fraction', good.replace(/timestamp=\d+/, 'timestamp=1.5')],
  ])('stops %s', (_, text) => {
    expect(look(text)).toThrow(InvariantError);
  });

  it('stops a price on what must be an order at market', () => {
    expect(() =>
      verifyOrderBody(tickwright, MARKET, AT_MARKET, undefined, `${body(AT_MARKET)}&price=1`),
    ).toThrow(/price/);
  });
});

describe('a profile that gives two fields one name', () => {
  it('cannot send an order: the finished body is looked at before it leaves', () => {
    const orderFields = { ...tickwright.orderFields, timeInForce: 'price' };
    expect(() => orderBody({ ...tickwright, orderFields }, MARKET, LIMIT, undefined, STAMP)).toThrow(
      /price is twice/,
    );
  });
});

describe('a form body', () => {
  it('is encoded as forms are', () => {
    expect(
      formBody([
        ['a b', 'x y~*'],
        ['ids[0]', 'ü&='],
      ]),
    ).toBe('a+b=x+y%7E*&ids%5B0%5D=%C3%BC%26%3D');
  });
});
