import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formBody } from '../../src/client/form-body.js';
import { bulkOrderBody, orderBody } from '../../src/client/order-body.js';
import { saysPlainly } from '../../src/client/plain-order-body.js';
import { cautious, tickwright } from '../../src/client/profile.js';
import { verifyBulkBody, verifyOrderBody } from '../../src/client/verify-order-body.js';
import { InvariantError } from '../../src/model/errors.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { PlaceOptions, PlaceRequest } from '../../src/ports/venue-api.js';
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

const body = (terms: OrderTerms, tag?: string, options?: PlaceOptions) =>
  orderBody(tickwright, MARKET, { terms, tag, options }, STAMP);
const fields = (text: string) => Object.fromEntries(new URLSearchParams(text));

describe('the body of an order', () => {
  it('of a side that is none is not made: whatever came by a cast must not leave as the other side', () => {
    const terms = { ...LIMIT, side: 'BUY' as never };
    expect(() => orderBody(tickwright, MARKET, { terms }, STAMP)).toThrow(
      /must be buy or sell, received BUY/,
    );
  });

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
    expect(orderBody(cautious, MARKET, { terms: LIMIT, tag: 's1-42' }, STAMP)).not.toContain('s1-42');
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
      orderBody(tickwright, tiny, { terms: { ...LIMIT, ticks: 1 as Ticks, lots: 1 as Lots } }, STAMP),
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
  const look = (text: string) => () => verifyOrderBody(tickwright, MARKET, { terms, tag: 'tag' }, text);

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
      verifyOrderBody(tickwright, MARKET, { terms: AT_MARKET }, `${body(AT_MARKET)}&price=1`),
    ).toThrow(/price/);
  });
});

describe('a profile that gives two fields one name', () => {
  it('cannot send an order: the finished body is looked at before it leaves', () => {
    const orderFields = { ...tickwright.orderFields, timeInForce: 'price' };
    expect(() => orderBody({ ...tickwright, orderFields }, MARKET, { terms: LIMIT }, STAMP)).toThrow(
      /price is twice/,
    );
  });
});

describe('the options of an order', () => {
  const trigger = { ticks: 605_000 as Ticks, event: 'index' } as const;
  const all: PlaceOptions = {
    hidden: true,
    icebergs: 4,
    trigger,
    closeOnTrigger: true,
    leverage: 12.5,
    oco: 'group',
  };

  it('go under the names of the profile', () => {
    expect(fields(body(LIMIT, 'tag', all))).toMatchObject({
      hidden: 'true',
      icebergs: '4',
      trigger_price: '60500',
      trigger_event: 'INDEX_PRICE',
      close_on_trigger: 'true',
      leverage: '12.5',
      oco: 'group',
    });
    const orderFields = { ...tickwright.orderFields, triggerPrice: 'stop', hidden: 'dark' };
    const sent = fields(
      orderBody({ ...tickwright, orderFields }, MARKET, { terms: LIMIT, options: all }, STAMP),
    );
    expect(sent).toMatchObject({ stop: '60500', dark: 'true' });
    expect(sent).not.toHaveProperty('trigger_price');
  });

  it('that ask for nothing say nothing', () => {
    const nothing = { hidden: false, closeOnTrigger: false };
    expect(body(LIMIT, undefined, nothing)).toBe(body(LIMIT));
  });

  it.each([
    ['mark', 'MARK_PRICE'],
    ['index', 'INDEX_PRICE'],
    ['last', 'LAST_PRICE'],
  ] as const)('watch the %s price as %s', (event, wire) => {
    expect(fields(body(AT_MARKET, undefined, { trigger: { ...trigger, event } }))['trigger_event']).toBe(
      wire,
    );
  });

  it('say a real group where the tag may not go, too', () => {
    const request = { terms: LIMIT, tag: 's1-42', options: { oco: 'group' } };
    expect(fields(orderBody(cautious, MARKET, request, STAMP))['oco']).toBe('group');
  });

  it('say slices as the quantity of one where the venue wants that, rounded up to a lot', () => {
    const shown = { ...tickwright, icebergs: 'displayQuantity' as const };
    const sent = (lots: number, icebergs: number) =>
      fields(
        orderBody(shown, MARKET, { terms: { ...LIMIT, lots: lots as Lots }, options: { icebergs } }, STAMP),
      )['icebergs'];
    // 250 lots of 0.001 in 4 are 62.5, so 63; in 5 exactly 50.
    expect([sent(250, 4), sent(250, 5)]).toEqual(['0.063', '0.05']);
  });

  it.each<[string, PlaceOptions]>([
    ['one slice', { icebergs: 1 }],
    ['more slices than lots', { icebergs: 251 }],
    ['half a slice', { icebergs: 2.5 }],
    ['a trigger price of 0', { trigger: { ...trigger, ticks: 0 as Ticks } }],
    ['close on a trigger that is not there', { closeOnTrigger: true }],
    ['no leverage', { leverage: 0 }],
    ['endless leverage', { leverage: Number.POSITIVE_INFINITY }],
    ['a group without a name', { oco: '' }],
  ])('cannot be %s', (_, options) => {
    expect(() => body(LIMIT, undefined, options)).toThrow(InvariantError);
  });

  const good = body(LIMIT, undefined, all);
  it.each([
    ['hidden lost', good.replace('&hidden=true', '')],
    ['slices changed', good.replace('icebergs=4', 'icebergs=5')],
    ['slices lost', good.replace('&icebergs=4', '')],
    ['trigger price lost', good.replace('&trigger_price=60500', '')],
    ['trigger price moved', good.replace('60500', '60500.5')],
    ['trigger event changed', good.replace('INDEX_PRICE', 'MARK_PRICE')],
    ['trigger event lost', good.replace('&trigger_event=INDEX_PRICE', '')],
    ['close on trigger lost', good.replace('&close_on_trigger=true', '')],
    ['leverage changed', good.replace('12.5', '125')],
    ['group changed', good.replace('oco=group', 'oco=grou')],
  ])('are looked at before they leave: stops %s', (_, text) => {
    const request = { terms: LIMIT, options: all };
    expect(() => verifyOrderBody(tickwright, MARKET, request, good)).not.toThrow();
    expect(() => verifyOrderBody(tickwright, MARKET, request, text)).toThrow(InvariantError);
  });

  it('that nobody asked for are stopped', () => {
    for (const extra of ['hidden=true', 'icebergs=2', 'trigger_event=MARK_PRICE', 'leverage=5', 'oco=x']) {
      expect(() => verifyOrderBody(tickwright, MARKET, { terms: LIMIT }, `${body(LIMIT)}&${extra}`)).toThrow(
        InvariantError,
      );
    }
  });
});

describe('an order with a trigger in its terms', () => {
  const trigger = { ticks: 605_000 as Ticks, event: 'last' } as const;
  const stop: OrderTerms = { ...AT_MARKET, side: 'sell', timeInForce: 'IOC', reduceOnly: true, trigger };
  const plain: OrderTerms = { ...stop, trigger: undefined };

  it('says it as the same trigger in its options does', () => {
    expect(body(stop, 'tag', { trigger })).toBe(body(plain, 'tag', { trigger }));
    expect(fields(body(stop, 'tag', { trigger }))).toMatchObject({
      trigger_price: '60500',
      trigger_event: 'LAST_PRICE',
    });
  });

  it.each<[string, PlaceOptions | undefined]>([
    ['no options', undefined],
    ['options without one', { hidden: false }],
    ['another price in them', { trigger: { ...trigger, ticks: 605_001 as Ticks } }],
    ['another event in them', { trigger: { ...trigger, event: 'mark' } }],
  ])('is never made with %s: it would leave as an order that is executed at once', (_, options) => {
    expect(() => body(stop, 'tag', options)).toThrow(InvariantError);
    const bulk = { ...stop, reduceOnly: false };
    expect(() => bulkOrderBody(tickwright, MARKET, [{ terms: bulk, options }], STAMP)).toThrow(
      InvariantError,
    );
    // The last gate, on a body that says what the options say.
    const request = { terms: stop, options };
    const text = body(plain, undefined, options);
    expect(() => verifyOrderBody(tickwright, MARKET, { ...request, terms: plain }, text)).not.toThrow();
    expect(() => verifyOrderBody(tickwright, MARKET, request, text)).toThrow(InvariantError);
    expect(saysPlainly(tickwright, MARKET, request, text)).toBe(false);
  });
});

describe('the body of a bulk order', () => {
  const requests = [
    { terms: LIMIT, tag: 'a' },
    { terms: { ...AT_MARKET, side: 'sell' as const }, options: { hidden: true } },
  ];
  const bulk = (list: readonly PlaceRequest[], profile = tickwright) =>
    bulkOrderBody(profile, MARKET, list, STAMP);
  const decoded = (text: string) => [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`);

  it('has its members by index and one timestamp', () => {
    expect(decoded(bulk(requests))).toEqual([
      `orders[0][pair]=${PAIR}`,
      'orders[0][qty]=0.25',
      'orders[0][side]=BUY',
      'orders[0][price]=61000.5',
      'orders[0][time_in_force]=GTC',
      'orders[0][oco]=a',
      `orders[1][pair]=${PAIR}`,
      'orders[1][qty]=0.25',
      'orders[1][side]=SELL',
      'orders[1][hidden]=true',
      'timestamp=1723075200123',
      'recv_window=5000',
    ]);
  });

  it('stamps each member where the profile says so', () => {
    const profile = {
      ...tickwright,
      bulk: { ...tickwright.bulk, stamp: 'order' as const, ordersField: 'list' },
    };
    const text = decoded(bulk(requests, profile));
    expect(text).toContain('list[1][timestamp]=1723075200123');
    expect(text).not.toContain('timestamp=1723075200123');
  });

  it('keeps eleven members apart', () => {
    const many = Array.from({ length: 11 }, (_, i) => ({ terms: { ...LIMIT, lots: (i + 1) as Lots } }));
    expect(decoded(bulk(many))).toContain('orders[10][qty]=0.011');
  });

  it.each<[string, readonly PlaceRequest[]]>([
    ['nothing', []],
    ['51 members', Array.from({ length: 51 }, () => ({ terms: LIMIT }))],
    ['a member that only reduces', [{ terms: { ...LIMIT, reduceOnly: true } }]],
    ['a member without a price', [{ terms: { ...LIMIT, ticks: undefined } }]],
  ])('cannot be made of %s', (_, list) => {
    expect(() => bulk(list)).toThrow(InvariantError);
  });

  const good = bulk(requests);
  it.each([
    ['a member lost', good.replace(/orders%5B1%5D[^=]*=[^&]*&/g, '')],
    ['a member added', `${good}&orders%5B2%5D%5Bpair%5D=${PAIR}`],
    ['a price lost', good.replace('&orders%5B0%5D%5Bprice%5D=61000.5', '')],
    [
      'members swapped',
      good.replaceAll('%5B0%5D', '%5Bx%5D').replaceAll('%5B1%5D', '%5B0%5D').replaceAll('%5Bx%5D', '%5B1%5D'),
    ],
    ['no timestamp', good.replace(/&timestamp=\d+/, '')],
  ])('is looked at before it leaves: stops %s', (_, text) => {
    expect(text).not.toBe(good);
    expect(() => verifyBulkBody(tickwright, MARKET, requests, good)).not.toThrow();
    expect(() => verifyBulkBody(tickwright, MARKET, requests, text)).toThrow(InvariantError);
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
