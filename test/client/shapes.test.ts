/** The shape variance that the specification admits: each form gives the same records. */
import { describe, expect, it } from 'vitest';
import {
  decodeAccount,
  decodeBalances,
  decodeCompletedPositions,
  decodePosition,
  decodePositions,
} from '../../src/client/decode-account.js';
import { decodeAssets } from '../../src/client/decode-market-data.js';
import { decodeMarketRecords } from '../../src/client/decode-market-record.js';
import { decodeMarkets } from '../../src/client/decode-markets.js';
import { decodeOrder, decodeTriggers } from '../../src/client/decode-orders.js';
import { orderIn, ordersIn } from '../../src/client/decode-results.js';
import { decodeDeposit, decodeWithdrawal, decodeWithdrawals } from '../../src/client/decode-transfers.js';
import { tickwright } from '../../src/client/profile.js';
import { DecodeError } from '../../src/client/wire.js';
import {
  FULL_ASSET,
  FULL_BALANCE,
  FULL_DEPOSIT,
  FULL_FILL,
  FULL_MARKET,
  FULL_ORDER,
  FULL_POSITION,
  FULL_WITHDRAWAL,
  PAIR,
} from './wire-samples.js';

const second = { ...FULL_ORDER, id: 'o-2' };

describe('a withdrawal', () => {
  it('is an object, or an array that holds it with status ACTIVE', () => {
    const declared = decodeWithdrawal(FULL_WITHDRAWAL);
    const sample = decodeWithdrawal([{ ...FULL_WITHDRAWAL, status: 'ACTIVE' }]);
    expect(declared.status).toBe('PENDING');
    expect({ ...sample, wire: 0 }).toEqual({ ...declared, status: 'ACTIVE', wire: 0 });
  });

  it('may have a status that nobody knows, and no transaction yet', () => {
    const wire = { ...FULL_WITHDRAWAL, status: 'ON_HOLD', transaction: null };
    expect(decodeWithdrawals([wire])[0]).toMatchObject({ status: 'ON_HOLD', transaction: undefined });
  });

  it.each(['id', 'asset', 'time', 'qty', 'status'])('is refused without %s', (name) => {
    expect(() => decodeWithdrawal({ ...FULL_WITHDRAWAL, [name]: null })).toThrow(
      `withdrawal.${name} must be`,
    );
    expect(() => decodeDeposit({ ...FULL_DEPOSIT, [name]: null })).toThrow(`deposit.${name} must be`);
  });

  it('is refused in an array of two', () => {
    expect(() => decodeWithdrawal([FULL_WITHDRAWAL, FULL_WITHDRAWAL])).toThrow(DecodeError);
  });
});

describe('the record of a new order', () => {
  it.each<[string, unknown]>([
    ['nested', { order: FULL_ORDER }],
    ['bare', FULL_ORDER],
    ['in an array', [FULL_ORDER]],
    ['nested in an array', [{ order: FULL_ORDER }]],
    ['an array that is nested', { order: [FULL_ORDER] }],
  ])('may be %s', (_, result) => {
    expect(orderIn(tickwright, result)).toEqual(decodeOrder(FULL_ORDER));
  });

  it('is found under the keys of the profile', () => {
    const profile = { ...tickwright, orderNesting: ['data', 'order'] };
    expect(orderIn(profile, { data: FULL_ORDER }).id).toBe('o-1');
    expect(() => orderIn(tickwright, { data: FULL_ORDER })).toThrow(DecodeError);
  });
});

describe('the records of a bulk', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['nested', { orders: [FULL_ORDER, second] }, ['o-1', 'o-2']],
    ['a bare array', [FULL_ORDER, second], ['o-1', 'o-2']],
    ['each nested', [{ order: FULL_ORDER }, { order: second }], ['o-1', 'o-2']],
    ['one in an array', [FULL_ORDER], ['o-1']],
    ['nested in an array', [{ orders: [FULL_ORDER, second] }], ['o-1', 'o-2']],
    ['none', [], []],
  ])('may be %s', (_, result, ids) => {
    expect(ordersIn(tickwright, result).map(({ id }) => id)).toEqual(ids);
  });

  it.each([null, {}, { order: FULL_ORDER }, 'done'])('may not be %j', (result) => {
    expect(() => ordersIn(tickwright, result)).toThrow(DecodeError);
  });
});

describe('/pairs and /assets', () => {
  it('are objects by name, or an array that holds one', () => {
    const pairs = { [PAIR]: FULL_MARKET, OTHER: { ...FULL_MARKET, key: 'OTHER' } };
    expect([...decodeMarkets([pairs]).markets]).toEqual([...decodeMarkets(pairs).markets]);
    expect([...decodeMarketRecords([pairs])]).toEqual([...decodeMarketRecords(pairs)]);
    expect(decodeAssets([{ BTC: FULL_ASSET }])).toEqual(decodeAssets({ BTC: FULL_ASSET }));
  });

  it('have price filters with bounds of either name', () => {
    const bounds = { filter_type: 'PRICE_FILTER', tick_size: 1 };
    const filters = (price: object) =>
      decodeAssets({ A: { ...FULL_ASSET, filters: { price } } })[0]?.filters?.price;
    const wanted = { type: 'PRICE_FILTER', min: 2, max: 3, step: 1 };
    expect(filters({ ...bounds, min_price: 2, max_price: 3 })).toEqual(wanted);
    expect(filters({ ...bounds, min_qty: 2, max_qty: 3 })).toEqual(wanted);
  });

  it('show a market that cannot be traded here with what it says', () => {
    const { status, contract, base } =
      decodeMarketRecords({ ODD: { contract: 'INVERSE', status: 'PRE_OPEN', base: 7 } }).get('ODD') ?? {};
    expect([status, contract, base]).toEqual(['PRE_OPEN', 'INVERSE', undefined]);
  });
});

describe('a position', () => {
  const stats = (direction: string | undefined) => ({ ...FULL_POSITION.stats, direction });

  it.each<[string, number, string | undefined, number]>([
    ['unsigned and long', 0.25, 'BUY', 0.25],
    ['unsigned and short', 0.25, 'SELL', -0.25],
    ['signed and short', -0.25, 'SELL', -0.25],
    ['signed without a direction', -0.25, undefined, -0.25],
  ])('is %s', (_, size, direction, signed) => {
    expect(decodePosition({ ...FULL_POSITION, size, stats: stats(direction) }, PAIR).size).toBe(signed);
  });

  it.each<[string, unknown]>([
    ['an object by pair', { [PAIR]: FULL_POSITION }],
    ['an array of one', [{ [PAIR]: FULL_POSITION }]],
    ['a list with the pair inside', [{ ...FULL_POSITION, pair: PAIR }]],
  ])('stands among others as %s', (_, result) => {
    expect(decodePositions(result)).toMatchObject([{ pair: PAIR, size: -0.25, fills: [{ id: 'f-1' }] }]);
  });

  it('that ended is listed by pair or flat, several in one item too', () => {
    const flat = { ...FULL_POSITION, pair: PAIR };
    expect(decodeCompletedPositions([{ [PAIR]: FULL_POSITION }, flat])).toMatchObject([
      { pair: PAIR },
      { pair: PAIR },
    ]);
    const pairs = decodeCompletedPositions([{ A: FULL_POSITION, B: FULL_POSITION }]).map(({ pair }) => pair);
    expect(pairs).toEqual(['A', 'B']);
    expect(decodeCompletedPositions([])).toEqual([]);
    expect(() => decodeCompletedPositions([{ ...FULL_POSITION }])).toThrow(/position\.pair/);
  });

  it('has fills that need not repeat the pair', () => {
    const { pair: _, ...fill } = FULL_FILL;
    expect(decodePosition({ ...FULL_POSITION, fills: [fill] }, PAIR).fills?.[0]?.pair).toBe(PAIR);
  });
});

describe('balances', () => {
  it.each<[string, unknown]>([
    ['by asset', { USD: FULL_BALANCE }],
    ['by asset in an array', [{ USD: FULL_BALANCE }]],
    ['a list with the asset inside', [{ ...FULL_BALANCE, asset: 'USD' }]],
  ])('may be %s', (_, result) => {
    expect(decodeBalances(result)).toMatchObject([{ asset: 'USD', free: 100.5, fees: 6.5 }]);
  });

  it('stand with the positions in /draw, /fund, /leverage and /account', () => {
    const account = decodeAccount([
      { balances: { USD: FULL_BALANCE }, positions: { [PAIR]: FULL_POSITION } },
    ]);
    expect(account).toMatchObject({ balances: [{ asset: 'USD' }], positions: [{ pair: PAIR }] });
    expect(() => decodeAccount({ balances: {} })).toThrow(DecodeError);
  });
});

describe('triggers', () => {
  it('are orders that wait, with the reason where one was refused', () => {
    const waiting = { ...FULL_ORDER, status: 'UNTRIGGERED', msg: null };
    const refused = { ...second, status: 'CANCELLED', msg: 'Order was rejected due to insufficient balance' };
    expect(decodeTriggers([waiting, refused])).toMatchObject([
      { status: 'UNTRIGGERED', triggerPrice: 60_500, triggerEvent: 'index', message: undefined },
      { status: 'CANCELLED', message: 'Order was rejected due to insufficient balance' },
    ]);
    expect(decodeTriggers({ a: waiting })).toHaveLength(1);
  });

  it('of 0 are none', () => {
    expect(decodeOrder({ ...FULL_ORDER, trigger_price: 0, trigger_event: null })).toMatchObject({
      triggerPrice: undefined,
      triggerEvent: undefined,
    });
    expect(() => decodeOrder({ ...FULL_ORDER, trigger_price: -1 })).toThrow(DecodeError);
  });
});

describe('a figure that only people read', () => {
  it('loses no order, fill or position by being odd, and stays as it came', () => {
    const order = decodeOrder({ ...FULL_ORDER, leverage: 'much', icebergs: false, customer_id: 7 });
    expect([order.leverage, order.icebergs, order.customerId]).toEqual([undefined, undefined, undefined]);
    expect(order.wire['leverage']).toBe('much');
    expect(decodePosition({ ...FULL_POSITION, free: {} }, PAIR).free).toBeUndefined();
  });

  it('is made printable', () => {
    const record = decodeMarketRecords({
      A: { description: 'a\u001b[31m', order_types: ['LIMIT', 'X\n'] },
    }).get('A');
    expect(record?.description).toBe('a\\u001b[31m');
    expect(record?.orderTypes).toEqual(['LIMIT', 'X\\u000a']);
  });
});
