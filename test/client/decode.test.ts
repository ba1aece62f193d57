import { describe, expect, it } from 'vitest';
import { decodePersonal, decodePosition } from '../../src/client/decode-account.js';
import {
  decodeAssets,
  decodeCandles,
  decodeDepth,
  decodeTicker,
  decodeTime,
} from '../../src/client/decode-market-data.js';
import { decodeFill, decodeFills, decodeOrder, decodeOrders } from '../../src/client/decode-orders.js';
import { decodeTrades } from '../../src/client/decode-trades.js';
import { DecodeError, untrusted } from '../../src/client/wire.js';
import { PAIR, WIRE_FILL, WIRE_ORDER, WIRE_POSITION, WIRE_TRADE } from './fixtures.js';

describe('an order', () => {
  it('has the fields of the specification in our words', () => {
    expect(decodeOrder(WIRE_ORDER)).toEqual({
      quantityUsd: 15_250.13,
      hidden: false,
      closeOnTrigger: false,
      icebergs: undefined,
      triggerPrice: undefined,
      triggerEvent: undefined,
      leverage: 0,
      customerId: 'c1',
      liquidation: false,
      wire: WIRE_ORDER,
      id: '77',
      pair: PAIR,
      side: 'buy',
      type: 'limit',
      priceOriginal: 61_000.5,
      price: 61_000.5,
      quantity: 0.25,
      filledQuantity: 0.1,
      leavesQuantity: 0.15,
      status: 'ACTIVE',
      time: 1_723_075_200_123,
      timeInForce: 'GTC',
      postOnly: true,
      reduceOnly: false,
      oco: undefined,
      message: undefined,
      fills: [],
    });
  });

  it('may come in an array of one', () => {
    expect(decodeOrder([WIRE_ORDER])).toEqual(decodeOrder(WIRE_ORDER));
  });

  it('may have a status, a time in force, a type, a trigger event and fields that nobody knows', () => {
    const order = decodeOrder({
      ...WIRE_ORDER,
      status: 'UNTRIGGERED',
      time_in_force: 'GTD',
      type: 'STOP',
      trigger_event: 'MOON_PRICE',
      new_field: { a: 1 },
    });
    const { status, timeInForce, type, triggerEvent, wire } = order;
    expect([status, timeInForce, type, triggerEvent]).toEqual(['UNTRIGGERED', 'GTD', 'STOP', 'MOON_PRICE']);
    expect(wire['new_field']).toEqual({ a: 1 });
  });

  it('at market has no price', () => {
    const order = decodeOrder({ ...WIRE_ORDER, type: 'MARKET', price: null, price_orig: null });
    expect([order.type, order.price, order.priceOriginal]).toEqual(['market', 0, 0]);
  });

  it('keeps a numeric id only while doubles tell neighbours apart', () => {
    expect(decodeOrder({ ...WIRE_ORDER, id: 9_007_199_254_740_991 }).id).toBe('9007199254740991');
    expect(decodeOrder({ ...WIRE_ORDER, id: '90071992547409931' }).id).toBe('90071992547409931');
    const text = JSON.stringify(WIRE_ORDER).replace('"id":"77"', '"id":9007199254740993');
    expect(() => decodeOrder(JSON.parse(text))).toThrow(/order\.id must be an id/);
  });

  it('carries what was cancelled and why, made printable', () => {
    const order = decodeOrder({
      ...WIRE_ORDER,
      status: 'CANCELLED',
      msg: 'post-only\nwould trade\u001b[31m',
    });
    expect(order.message).toBe('post-only\\u000awould trade\\u001b[31m');
  });

  it('carries its fills, which need not repeat the pair', () => {
    const { pair: _, ...fill } = WIRE_FILL;
    expect(decodeOrder({ ...WIRE_ORDER, fills: [fill] }).fills?.[0]?.pair).toBe(PAIR);
  });

  it.each([
    ['id', undefined],
    ['id', ''],
    ['id', -1],
    ['id', 1.5],
    ['pair', 7],
    ['side', 'NONE'],
    ['type', null],
    ['price_orig', 0],
    ['qty_orig', 0],
    ['qty_orig', '0x10'],
    ['qty_filled', -0.1],
    ['qty_filled', null],
    ['qty_remaining', Number.POSITIVE_INFINITY],
    ['time', 'yesterday'],
    ['status', null],
    ['post_only', 'yes'],
  ])('is refused when %s is %j', (name, value) => {
    expect(() => decodeOrder({ ...WIRE_ORDER, [name]: value })).toThrow(DecodeError);
  });

  it('is refused when a number overflows to infinity', () => {
    const text = JSON.stringify(WIRE_ORDER).replace('"qty_orig":0.25', '"qty_orig":1e999');
    expect(() => decodeOrder(JSON.parse(text))).toThrow(
      'order.qty_orig must be a finite number, received Infinity',
    );
  });

  it('is completed though float noise of its parts is below 0', () => {
    const wire = { ...WIRE_ORDER, status: 'COMPLETED', qty_orig: 0.3, qty_filled: 0.3 };
    const [order] = decodeOrders([{ ...wire, qty_remaining: -2.7755575615628914e-17 }]);
    expect([order?.filledQuantity, order?.leavesQuantity]).toEqual([0.3, 0]);
    expect(decodeOrder({ ...wire, qty_filled: -5.5e-17 }).filledQuantity).toBe(0);
    expect(() => decodeOrder({ ...wire, qty_remaining: -0.001 })).toThrow(/qty_remaining must be at least 0/);
    expect(() => decodeOrder({ ...wire, qty_filled: -1e-9 })).toThrow(/qty_filled must be at least 0/);
  });

  it('takes nothing from a prototype that an answer brings along', () => {
    const text = `{"__proto__":${JSON.stringify(WIRE_ORDER)},"constructor":{"prototype":{"x":1}}}`;
    expect(() => decodeOrder(JSON.parse(text))).toThrow(DecodeError);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('a list', () => {
  it('of orders must be an array', () => {
    expect(decodeOrders([WIRE_ORDER, { ...WIRE_ORDER, id: '78' }]).map(({ id }) => id)).toEqual(['77', '78']);
    expect(decodeOrders([])).toEqual([]);
    expect(() => decodeOrders({ orders: [] })).toThrow(DecodeError);
  });
});

describe('a fill', () => {
  it('has a side when the venue says one', () => {
    expect(decodeFill(WIRE_FILL).side).toBeUndefined();
    expect(decodeFill({ ...WIRE_FILL, side: 'SELL' }).side).toBe('sell');
  });

  it('takes the gross commission when there is no net one, and is refused with neither', () => {
    expect(decodeFill({ ...WIRE_FILL, net_commission: null, gross_commission: 0.5 }).netCommission).toBe(0.5);
    expect(() => decodeFill({ ...WIRE_FILL, net_commission: null, gross_commission: null })).toThrow(
      DecodeError,
    );
  });

  it.each(['id', 'pair', 'is_buyer_maker', 'qty', 'price', 'time'])('is refused without %s', (name) => {
    expect(() => decodeFills([{ ...WIRE_FILL, [name]: undefined }])).toThrow(`fill.${name} must be`);
  });
});

describe('a position', () => {
  it('has its figures in our words', () => {
    expect(decodePosition(WIRE_POSITION, PAIR)).toEqual({
      free: 152.5,
      locked: 3,
      statsSize: 0.25,
      direction: 'buy',
      notional: 15_250,
      margin: 152.5,
      pnl: 20,
      realizedTotal: 7.25,
      equity: 165.25,
      roe: 0.13,
      leverage: 92,
      bankruptcyPrice: 60_390,
      fills: undefined,
      wire: WIRE_POSITION,
      pair: PAIR,
      size: 0.25,
      realized: 12.5,
      funding: -1.25,
      fees: -4,
      averageEntry: 61_000,
      markPrice: 61_051,
      liquidationPrice: 60_500,
      unrealized: 12.75,
    });
  });

  it.each([
    [0.25, 'BUY', 0.25],
    [0.25, 'SELL', -0.25],
    [-0.25, 'SELL', -0.25],
    [-0.25, null, -0.25],
    [0.25, undefined, 0.25],
  ])('of size %d and direction %s is %d', (size, direction, signed) => {
    expect(
      decodePosition({ ...WIRE_POSITION, size, stats: { ...WIRE_POSITION.stats, direction } }, PAIR).size,
    ).toBe(signed);
  });

  it('is refused when size and direction contradict each other', () => {
    expect(() => decodePosition({ ...WIRE_POSITION, size: -1 }, PAIR)).toThrow(/direction must be SELL/);
  });

  it('is flat when its size is only float noise, whatever its direction says', () => {
    const sizeOf = (size: number, direction: string) =>
      decodePosition({ size, stats: { direction } }, PAIR).size;
    expect(sizeOf(-2.7755575615628914e-17, 'BUY')).toBe(0);
    expect(sizeOf(5.5e-17, 'SELL')).toBe(0);
  });

  it('is left to those who know its lots when it is so small that its direction may be old', () => {
    const tiny = { ...WIRE_POSITION, size: -1e-11 };
    expect(decodePosition(tiny, PAIR)).toMatchObject({ size: -1e-11, direction: 'buy' });
  });

  it('may be flat without any figures', () => {
    const flat = decodePosition({ size: 0, stats: null }, PAIR);
    expect([flat.size, flat.averageEntry, flat.liquidationPrice]).toEqual([0, 0, undefined]);
    expect(decodePosition({ size: -0 }, PAIR).size).toBe(0);
  });

  it('is refused without a size, or with one but no entry', () => {
    expect(() => decodePosition({}, PAIR)).toThrow(/position\.size/);
    expect(() => decodePosition({ size: 1 }, PAIR)).toThrow(/avg_entry/);
  });

  it('may come keyed by pair or in an array', () => {
    expect(decodePosition({ [PAIR]: WIRE_POSITION }, PAIR).size).toBe(0.25);
    expect(decodePosition([WIRE_POSITION], PAIR).size).toBe(0.25);
  });
});

describe('balances', () => {
  it('are listed by asset, whatever the asset is called', () => {
    const account = JSON.parse(
      '{"email":"a@b","balances":{"USD":{"free":100.5,"locked":2,"fees":1},"__proto__":{"free":1},"toString":{"free":2}}}',
    ) as unknown;
    const none = { locked: 0, withdrawn: 0, pnl: 0, margin: 0, fees: 0 };
    expect(decodePersonal(account).balances).toMatchObject([
      { ...none, asset: 'USD', free: 100.5, locked: 2, fees: 1 },
      { ...none, asset: '__proto__', free: 1 },
      { ...none, asset: 'toString', free: 2 },
    ]);
  });

  it('are refused when they are not there', () => {
    expect(() => decodePersonal({ email: 'a@b' })).toThrow(DecodeError);
  });
});

describe('a ticker', () => {
  const wire = {
    last_price: 10,
    mark_price: 11,
    bid_price: 9.5,
    bid_qty: 2,
    ask_price: 0,
    close_time: 1_000,
    volatility: 3,
  };

  it('is found under its pair; an empty side of the book is absent', () => {
    expect(decodeTicker({ [PAIR]: wire }, PAIR)).toEqual({
      time: 1_000,
      lastPrice: 10,
      markPrice: 11,
      indexPrice: undefined,
      bidPrice: 9.5,
      bidQuantity: 2,
      askPrice: undefined,
      askQuantity: undefined,
    });
  });

  it('of another pair is refused', () => {
    expect(() => decodeTicker({ OTHER: wire }, PAIR)).toThrow(DecodeError);
    expect(() => decodeTicker({}, 'toString')).toThrow(DecodeError);
  });
});

describe('depth', () => {
  it('has bids descending and asks ascending in any order and form, without empty levels', () => {
    const depth = decodeDepth({
      bids: [{ price: 1, qty: 1 }, [3, 1], { price: '2', qty: '1.5' }, { price: 2.5, qty: 0 }],
      asks: [
        { price: 9, qty: 1 },
        { price: 8, qty: 1 },
      ],
    });
    expect(depth.bids.map(({ price }) => price)).toEqual([3, 2, 1]);
    expect(depth.asks.map(({ price }) => price)).toEqual([8, 9]);
  });
});

describe('the time', () => {
  it.each([
    1_723_075_200_123,
    [1_723_075_200_123],
    { time: 1_723_075_200_123 },
    { serverTime: '1723075200123' },
  ])('may be %j', (result) => {
    expect(decodeTime(result)).toBe(1_723_075_200_123);
  });

  it.each([null, 'soon', -5, {}, Number.NaN])('may not be %j', (result) => {
    expect(() => decodeTime(result)).toThrow(DecodeError);
  });
});

describe('assets and candles', () => {
  it('come with numbers as numbers or as text, candles ascending', () => {
    const candle = {
      open: 1,
      high: 3,
      low: 1,
      close: 2,
      base_volume: '5.5',
      quote_volume: 11,
      open_time: 300,
      close_time: 600,
    };
    const candles = decodeCandles([candle, { ...candle, open_time: 0, close_time: 300 }]);
    expect(candles.map(({ openTime }) => openTime)).toEqual([0, 300]);
    expect(candles[1]?.baseVolume).toBe(5.5);
    const [asset] = decodeAssets([
      { USD: { name: 'US dollar', precision: 8, confirmations: 1, withdrawable: true } },
    ]);
    expect(asset).toMatchObject({
      key: 'USD',
      name: 'US dollar',
      precision: 8,
      confirmations: 1,
      withdrawable: true,
      minWithdrawal: 0,
    });
  });
});

describe('trades', () => {
  const at = (id: string, time: number) => ({ ...WIRE_TRADE, id, time });

  it.each([
    ['newest first', ['3', '2', '1']],
    ['oldest first', ['1', '2', '3']],
    ['shuffled', ['2', '3', '1']],
  ])('are ascending by time and id when they come %s', (_, ids) => {
    expect(
      decodeTrades(
        ids.map((id) => at(id, 5)),
        PAIR,
      ).map(({ id }) => id),
    ).toEqual(['1', '2', '3']);
  });

  it('of one millisecond are ordered by id as numbers', () => {
    expect(decodeTrades([at('10', 5), at('9', 5)], PAIR).map(({ id }) => id)).toEqual(['9', '10']);
  });

  it.each([
    ['time', undefined],
    ['id', null],
    ['id', 2 ** 53],
    ['is_buyer_maker', 'true'],
    ['pair', 'OTHER'],
  ])('are refused when one has %s %j', (name, value) => {
    expect(() => decodeTrades([WIRE_TRADE, { ...WIRE_TRADE, [name]: value }], PAIR)).toThrow(
      `trade.${name} must be`,
    );
  });

  it.each([
    [0, 0],
    [-1, -1],
    ['1e999', Number.POSITIVE_INFINITY],
    ['61000.5', 61_000.5],
    ['0x10', Number.NaN],
    [null, Number.NaN],
  ])('bring a price or quantity of %j as it was printed, beside the others', (printed, number) => {
    const page = [
      WIRE_TRADE,
      { ...WIRE_TRADE, id: '901', price: printed },
      { ...WIRE_TRADE, id: '902', qty: printed },
    ];
    const trades = decodeTrades(page, PAIR);
    expect(trades.map(({ price }) => price)).toEqual([61_000.5, number, 61_000.5]);
    expect(trades.map(({ quantity }) => quantity)).toEqual([0.1, 0.1, number]);
  });

  it('are refused when one is no object', () => {
    expect(() => decodeTrades([null], PAIR)).toThrow(DecodeError);
    expect(() => decodeTrades([[]], PAIR)).toThrow(DecodeError);
  });
});

describe('text from outside', () => {
  it('is bounded and cannot forge a line or turn a terminal', () => {
    expect(untrusted('a\r\nb\u2028c\u202e')).toBe('a\\u000d\\u000ab\\u2028c\\u202e');
    expect(untrusted('x'.repeat(10_000)).length).toBeLessThan(250);
  });

  it('is shown in part only when a value is refused', () => {
    const error = (() => {
      try {
        return decodeOrder({ ...WIRE_ORDER, side: 'S'.repeat(5_000) });
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect((error as Error).message.length).toBeLessThan(150);
  });
});
