import { describe, expect, it, test } from 'vitest';
import { fundingRate } from '../../../src/venue/core/funding.js';
import type { Account } from '../../../src/venue/core/account.js';
import type { MarketSpec } from '../../../src/model/market.js';
import { BTC, usd } from './desk.js';
import { exampleF, FREE } from './example-positions.js';
import { brokenLaws } from './laws.js';
import { exampleBtc, RiskDesk } from './risk-desk.js';

const HOUR = 3_600_000;
const FUNDING = {
  intervalMs: HOUR,
  timeWindowMs: 10 * HOUR,
  min: '-0.003',
  max: '0.003',
  threshold: '0',
} as const;

const ratesOf = (changes: Partial<MarketSpec['funding'] & object>) =>
  exampleBtc({ funding: { ...FUNDING, ...changes } }).funding;
const premium = (numerator: bigint, count = 1) => ({ sum: numerator * 10n ** 10n, count });

/** `premium` is in 10^-8; the rate too. */
describe('the funding rate', () => {
  it.each([
    ['a tenth of the mean premium', {}, premium(50_000n), 5_000n],
    ['the mean of all samples', {}, premium(60_000n, 3), 2_000n],
    ['clamped above', {}, premium(90_000_000n), 300_000n],
    ['clamped below', {}, premium(-90_000_000n), -300_000n],
    ['nothing below the threshold', { threshold: '0.0001' }, premium(99_999n), 0n],
    ['something at the threshold', { threshold: '0.0001' }, premium(100_000n), 10_000n],
    ['half to even: 0.000000005 is nothing', {}, premium(5n), 0n],
    ['half to even: 0.000000015 is 0.00000002', {}, premium(15n), 2n],
    ['half to even: −0.000000015', {}, premium(-15n), -2n],
    ['nothing without a sample', {}, { sum: 0n, count: 0 }, 0n],
  ])('is %s', (_, changes, premiums, rate) => {
    expect(fundingRate(ratesOf(changes), premiums)).toEqual({ numerator: rate, denominator: 10n ** 8n });
  });
});

describe('funding of a position like example F of the money rules', () => {
  it('takes it from the margin of an isolated position, and the street takes part', () => {
    const desk = exampleF();
    const long = desk.open('long', '100000');
    desk.core.setLeverage(long, BTC, '10', ++desk.now);
    desk.deal(long, desk.core.street, { side: 'buy', quantity: 0.5, price: 60_030 });
    const before = desk.cash(desk.core.street);
    desk.core.advance(101 * HOUR);
    expect(desk.margin(long)).toBe(usd('2999.99925'));
    expect(desk.cash(long)).toBe(usd('96998.5'));
    expect(desk.cash(desk.core.street) - before).toBe(usd('1.50075'));
  });

  it('uses the size held before any request of that time', () => {
    const desk = exampleF();
    const long = desk.open('long', '100000');
    desk.now = 101 * HOUR - 1;
    desk.accept(desk.core.street, { side: 'sell', quantity: 0.5, price: 60_030 });
    desk.now = 101 * HOUR - 1;
    // At the very millisecond of funding.
    desk.accept(long, { side: 'buy', quantity: 0.5, price: 60_030 });
    expect(desk.now).toBe(101 * HOUR);
    expect(desk.core.position(long, BTC)).toMatchObject({ lots: 500, funding: 0n });
    desk.core.advance(102 * HOUR);
    expect(desk.core.position(long, BTC).funding).toBe(usd('-1.50075'));
  });
});

test('shorts pay longs below 0, each rounded against itself', () => {
  const desk = new RiskDesk({
    markets: [exampleBtc({ funding: { ...FUNDING, max: '-0.00004' }, fees: FREE })],
    start: 100 * HOUR + 500,
  });
  const long = desk.open('long', '1000');
  const short = desk.open('short', '1000');
  desk.index(60_000.1);
  desk.deal(long, short, { side: 'buy', quantity: 0.001, price: 60_000.1 });
  desk.core.advance(101 * HOUR);
  // 240 000.4 units.
  expect(desk.cash(long) - usd('1000')).toBe(240_000n);
  expect(desk.cash(short) - usd('1000')).toBe(-240_001n);
  expect(desk.insurance()).toBe(1n);
});

test('the provider takes part with what it took over', () => {
  const desk = new RiskDesk({
    markets: [exampleBtc({ funding: { ...FUNDING, min: '0.001' }, fees: FREE })],
    insurance: '1000',
    start: 100 * HOUR + 500,
  });
  const account = desk.open('a', '10000');
  desk.index(60_000);
  desk.core.setLeverage(account, BTC, '10', ++desk.now);
  desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.5, price: 60_000 });
  desk.index(53_900);
  desk.pass(1_000);
  const provider: Account = desk.provider();
  expect(desk.core.position(provider, BTC).lots).toBe(500);
  expect(desk.cash(provider)).toBe(0n);
  desk.core.advance(101 * HOUR);
  expect(desk.cash(provider)).toBe(usd('-26.95'));
  expect(brokenLaws(desk.core)).toEqual([]);
});

test('funding can liquidate: who is below maintenance after it goes at once', () => {
  const desk = new RiskDesk({
    markets: [exampleBtc({ funding: { ...FUNDING, min: '0.003' }, fees: FREE })],
    start: 100 * HOUR + 500,
  });
  const account = desk.open('a', '10000');
  desk.index(60_000);
  desk.core.setLeverage(account, BTC, '50', ++desk.now);
  desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.05, price: 60_000 });
  desk.buy(desk.core.street, 1, 59_900);
  // M 60, MM = 15 + 4.5 = 19.5; an hour costs 9: alive after four, and after the fifth E 15 of it is left.
  desk.core.advance(105 * HOUR - 1);
  expect(desk.forced(account)).toEqual([]);
  desk.core.advance(105 * HOUR);
  expect(desk.forced(account)[0]?.acceptedAt).toBe(105 * HOUR);
});

test('spot has no funding', () => {
  const spot = exampleBtc({ pair: 'BTC_USD', contract: 'spot', fees: FREE });
  const desk = new RiskDesk({ markets: [spot] });
  desk.index(60_000, 'BTC_USD');
  expect(desk.core.ticker('BTC_USD', desk.now)).toMatchObject({
    index: 600_000,
    fundingRate: undefined,
    nextFundingTime: undefined,
  });
});
