import { describe, expect, it } from 'vitest';
import { priceOffTick, quantityOffStep } from '../../../src/venue/core/admission.js';
import { REFUSALS, refusalRule } from '../../../src/venue/core/refusals.js';
import { BTC, btcMarket, Desk, termsOf } from './desk.js';

describe('what the venue refuses', () => {
  it('makes no record and uses no order number', () => {
    const desk = new Desk();
    const account = desk.open('a');
    desk.refusal(account, { side: 'buy', quantity: 200, price: 100 });
    expect(desk.core.orders(account, 'all')).toEqual([]);
    expect(desk.buy(account, 1, 100).id).toBe('1');
  });

  it('names an unknown pair', () => {
    const desk = new Desk();
    const terms = termsOf(btcMarket(), { side: 'buy', quantity: 1, price: 100 });
    expect(desk.core.place(desk.open('a'), { pair: 'NO_SUCH', terms }, 1)).toEqual({
      kind: 'refused',
      reason: 'unknown pair: NO_SUCH',
    });
  });

  it('takes no order for a market that is not active', () => {
    const desk = new Desk({ markets: [{ market: btcMarket({ active: false }) }] });
    expect(desk.refusal(desk.open('a'), { side: 'buy', quantity: 1, price: 100 })).toBe(
      `market not active: ${BTC}`,
    );
  });

  const filtered = btcMarket({
    price: { min: '10', max: '1000', step: '0.5' },
    quantity: { min: '0.01', max: '5', step: '0.002' },
    interest: { min: '0.01', max: '8', step: '0.002' },
  });

  it.each([
    [{ side: 'buy', quantity: 1, price: 61.3 }, 'price off tick: 61.3 is not a multiple of 0.5'],
    [{ side: 'buy', quantity: 1, price: 9.5 }, 'price outside filter: 9.5 is not within 10 to 1000'],
    [{ side: 'sell', quantity: 1, price: 1000.5 }, 'price outside filter: 1000.5 is not within 10 to 1000'],
    [{ side: 'buy', quantity: 1.001, price: 100 }, 'quantity off step: 1.001 is not a multiple of 0.002'],
    [{ side: 'buy', quantity: 0.008, price: 100 }, 'quantity outside filter: 0.008 is not within 0.01 to 5'],
    [{ side: 'buy', quantity: 5.002, price: 100 }, 'quantity outside filter: 5.002 is not within 0.01 to 5'],
    [{ side: 'buy', quantity: 0, price: 100 }, 'quantity outside filter: 0 is not within 0.01 to 5'],
    [{ side: 'buy', quantity: -1, price: 100 }, 'quantity outside filter: -1 is not within 0.01 to 5'],
    [
      { side: 'buy', quantity: 1, price: 100, postOnly: true, timeInForce: 'IOC' },
      'malformed: post_only must not go with IOC',
    ],
    [
      { side: 'buy', quantity: 1, price: 100, postOnly: true, timeInForce: 'FOK' },
      'malformed: post_only must not go with FOK',
    ],
    [{ side: 'buy', quantity: 1, postOnly: true }, 'malformed: post_only must not go with MARKET'],
  ] as const)('refuses %j with the rule and both numbers', (ask, reason) => {
    const desk = new Desk({ markets: [{ market: filtered }] });
    expect(desk.refusal(desk.open('a'), ask)).toBe(reason);
  });

  it('counts position and working orders of one side against the interest filter, and reduce-only ones not', () => {
    const desk = new Desk({ markets: [{ market: filtered }] });
    const account = desk.open('a');
    desk.sell(desk.core.street, 3, 100);
    desk.buy(account, 3, 100);
    desk.buy(account, 4, 99);
    expect(desk.refusal(account, { side: 'buy', quantity: 2, price: 98 })).toBe(
      'interest exceeded: 9 is not within 0.01 to 8',
    );
    expect(desk.refusal(account, { side: 'buy', quantity: 1, price: 98 })).toBe('accepted: active');
    // 3 − 3 = 0 is always a position one may have; 3 − 3.002 = −0.002 is smaller than the least.
    expect(desk.refusal(account, { side: 'sell', quantity: 3.002, price: 105 })).toBe(
      'interest exceeded: -0.002 is not within 0.01 to 8',
    );
    expect(desk.refusal(account, { side: 'sell', quantity: 5, price: 105, reduceOnly: true })).toBe(
      'accepted: active',
    );
    expect(desk.refusal(account, { side: 'sell', quantity: 3, price: 105 })).toBe('accepted: active');
  });

  it('says what an order needs and what there is', () => {
    const desk = new Desk();
    const account = desk.open('a', '100');
    // im(6000) = 6000 × (0.01 + 0.000001 × 6000) = 96, and 0.0006 × 6000 = 3.6 of fee: 0.4 is left.
    // im(6060) = 60.6 + 36.7236 = 97.3236, 1.3236 more, and 0.036 of fee.
    expect(desk.refusal(account, { side: 'buy', quantity: 0.1, price: 60_000 })).toBe('accepted: active');
    expect(desk.refusal(account, { side: 'buy', quantity: 0.001, price: 60_000 })).toBe(
      'insufficient balance: needs 1.3596 USD, available 0.4 USD',
    );
  });

  it('never accepts an order of an account that owes money', () => {
    const desk = new Desk();
    const account = desk.open('a', '10');
    const balance = account.balances.get('USD');
    if (balance !== undefined) balance.cash = -1n;
    expect(refusalRule(desk.refusal(account, { side: 'buy', quantity: 0.001, price: 1 }))).toBe('balance');
  });

  it('answers a cancel of an unknown, foreign or done order', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    const order = desk.buy(a, 1, 100);
    expect(desk.core.cancel(a, '77', desk.now)).toEqual({
      kind: 'refused',
      reason: 'The order was not found: 77',
    });
    expect(desk.core.cancel(b, order.id, desk.now)).toEqual({
      kind: 'refused',
      reason: `The order was not found: ${order.id}`,
    });
    expect(desk.core.cancel(a, `0${order.id}`, desk.now).kind).toBe('refused');
    expect(desk.core.cancel(a, order.id, desk.now).kind).toBe('canceled');
    expect(desk.core.cancel(a, order.id, desk.now)).toEqual({
      kind: 'refused',
      reason: `order already done: ${order.id} is CANCELLED`,
    });
  });

  it('has a prefix of its own for each rule, from which the rule can be told', () => {
    const prefixes = Object.values(REFUSALS);
    for (const [rule, prefix] of Object.entries(REFUSALS)) {
      expect(refusalRule(`${prefix}: whatever`)).toBe(rule);
      expect(prefixes.filter((other) => other.startsWith(prefix))).toEqual([prefix]);
    }
    expect(refusalRule('something else')).toBeUndefined();
  });

  it('words a price or quantity that is on no grid at all like one that is off the filter', () => {
    expect(priceOffTick(btcMarket(), '61800.35')).toBe('price off tick: 61800.35 is not a multiple of 0.1');
    expect(quantityOffStep(btcMarket(), '0.0005')).toBe(
      'quantity off step: 0.0005 is not a multiple of 0.001',
    );
  });
});

describe('what the venue refuses to start with', () => {
  const LIQUIDATION = {
    swapThreshold: '0.5',
    deleverageThreshold: '0',
    minLiquidate: '1000',
    liquidateThreshold: '0.1',
    insurancePercentage: '1',
  };

  it.each([
    ['an option that can be traded', { contract: 'option' }],
    [
      'a spot market whose lots are finer than a unit of the base asset',
      {
        contract: 'spot',
        quotePrecision: 12,
        quantity: { min: '0', max: '1', step: '0.000000001' },
      },
    ],
    [
      'a take-over threshold that is not above the deleverage threshold',
      { liquidation: { ...LIQUIDATION, swapThreshold: '0.2', deleverageThreshold: '0.2' } },
    ],
    [
      'a liquidation of more than the position',
      { liquidation: { ...LIQUIDATION, liquidateThreshold: '1.1' } },
    ],
    ['an insurance share above 1', { liquidation: { ...LIQUIDATION, insurancePercentage: '1.1' } }],
    [
      'an initial margin rate that is not above the maintenance rate',
      {
        margin: { initial: '0.005', maintenance: '0.005', initialRiskLimit: '0', maintenanceRiskLimit: '0' },
      },
    ],
    [
      'an initial risk limit below the maintenance one',
      {
        margin: { initial: '0.01', maintenance: '0.005', initialRiskLimit: '0', maintenanceRiskLimit: '0.1' },
      },
    ],
  ] as const)('%s', (_, changes) => {
    expect(() => new Desk({ markets: [{ market: btcMarket(changes) }] })).toThrow(
      expect.objectContaining({ code: 'TICKWRIGHT_E_MARKET' }),
    );
  });

  it('a pair twice, an account name twice, a negative deposit, a band above 1', () => {
    const market = btcMarket();
    expect(() => new Desk({ markets: [{ market }, { market }] })).toThrow(/must be listed once/);
    expect(() => new Desk({ markets: [{ market, band: '1.5' }] })).toThrow(/fraction from 0 to 1/);
    const desk = new Desk();
    desk.open('a');
    expect(() => desk.open('a')).toThrow(/must be free/);
    expect(() => desk.open('street')).toThrow(/must be free/);
    expect(() => desk.core.openAccount('b', { USD: '-1' })).toThrow(/at least 0/);
    expect(() => desk.core.openAccount('c', { USD: '0.000000001' })).toThrow(/at most 8 digits/);
  });
});
