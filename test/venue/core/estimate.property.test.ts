import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { divCeil, divFloor, divHalfEven, feeOf, rateOf } from '../../../src/model/money.js';
import { notional } from '../../../src/model/market.js';
import type { Holding } from '../../../src/venue/core/account.js';
import {
  amountOf,
  ceilQuotient,
  ceilShare,
  evenShare,
  feeRule,
  feeUnits,
  floorQuotient,
} from '../../../src/venue/core/amounts.js';
import { isClearlyAffordable } from '../../../src/venue/core/estimate.js';
import { type OrderWeight, shortfall } from '../../../src/venue/core/margin.js';
import { BTC, btcMarket, Desk, ETH, ethMarket } from './desk.js';

const RICH = 10n ** 20n;

const side = fc.constantFrom('buy', 'sell');
const near = { [BTC]: 600_000, [ETH]: 250_000 } as const;
const working = fc.record({
  pair: fc.constantFrom(BTC, ETH),
  side,
  price: fc.integer({ min: -30_000, max: 30_000 }),
  lots: fc.integer({ min: 1, max: 3_000 }),
});
const scene = fc.record({
  positions: fc.record({
    [BTC]: fc.oneof(fc.constant(0), fc.integer({ min: -2_000, max: 2_000 })),
    [ETH]: fc.oneof(fc.constant(0), fc.integer({ min: -9_000, max: 9_000 })),
  }),
  working: fc.array(working, { maxLength: 8, size: 'max' }),
  marks: fc.record({
    [BTC]: fc.integer({ min: -25_000, max: 25_000 }),
    [ETH]: fc.integer({ min: -20_000, max: 20_000 }),
  }),
  order: working,
  reduceOnly: fc.boolean(),
});

/** An account with any amount of money, its positions and working orders, and one more order. */
function build({
  positions,
  working,
  marks,
  order,
  reduceOnly,
}: typeof scene extends fc.Arbitrary<infer T> ? T : never) {
  const desk = new Desk({ markets: [{ market: btcMarket() }, { market: ethMarket() }] });
  const account = desk.open('a');
  const cash = account.balances.get('USD');
  if (cash === undefined) throw new Error('no cash');
  cash.cash = RICH;
  const lotsOf = (pair: string, lots: number) => lots / desk.core.market(pair).market.quantityGrid.scale;
  const priceOf = (pair: string, ticks: number) => ticks / desk.core.market(pair).market.priceGrid.scale;
  for (const pair of [BTC, ETH] as const) {
    const lots = positions[pair];
    if (lots === 0) continue;
    const price = priceOf(pair, near[pair]);
    const own = lots > 0 ? 'buy' : 'sell';
    desk.accept(
      desk.core.street,
      { side: lots > 0 ? 'sell' : 'buy', quantity: lotsOf(pair, Math.abs(lots)), price },
      pair,
    );
    desk.accept(account, { side: own, quantity: lotsOf(pair, Math.abs(lots)), price }, pair);
  }
  for (const pair of [BTC, ETH] as const)
    desk.core.setMark(pair, (near[pair] + marks[pair]) as Ticks, desk.now);
  for (const { pair, side: own, price, lots } of working) {
    desk.place(
      account,
      { side: own, quantity: lotsOf(pair, lots), price: priceOf(pair, near[pair] + price), postOnly: true },
      pair,
    );
  }
  const weight: OrderWeight = {
    side: order.side,
    lots: order.lots as Lots,
    limitTicks: (near[order.pair] + order.price) as Ticks,
  };
  desk.core.position(account, order.pair);
  const holding = account.holdings.get(order.pair) as Holding;
  const { state } = holding;
  const isAffordable = (amount: bigint) => {
    cash.cash = amount;
    const fee = (lots: Lots) =>
      feeOf(state.market.fees.taker, notional(state.market, lots, weight.limitTicks));
    return shortfall(holding, weight, { reduceOnly, fee }) === undefined;
  };
  const isClear = (amount: bigint) => {
    cash.cash = amount;
    return isClearlyAffordable(holding, weight);
  };
  return { isAffordable, isClear };
}

/** Least amount from −10^18 to 10^20 at which it holds; it must be false below and true above. */
function threshold(holds: (amount: bigint) => boolean): bigint {
  let low = -(10n ** 18n);
  let high = RICH;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

describe('the estimate that decides clear cases of admission', () => {
  it('never admits what the exact rule refuses, however close to the limit', () => {
    fc.assert(
      fc.property(scene, fc.bigInt({ min: 0n, max: 10n ** 12n }), (each, more) => {
        const { isAffordable, isClear } = build(each);
        const exact = threshold(isAffordable);
        const clear = threshold(isClear);
        expect(clear).toBeGreaterThanOrEqual(exact);
        for (const amount of [exact - 1n, exact, clear - 1n, clear, clear + more, exact + more]) {
          if (isClear(amount)) expect(isAffordable(amount)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('decides every order that needs less than half of the money there is, when nothing else is open', () => {
    fc.assert(
      fc.property(working, (order) => {
        const { isAffordable, isClear } = build({
          positions: { [BTC]: 0, [ETH]: 0 },
          working: [],
          marks: { [BTC]: 0, [ETH]: 0 },
          order,
          reduceOnly: false,
        });
        const exact = threshold(isAffordable);
        expect(isClear(2n * exact)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('exact amounts by doubles', () => {
  const market = ethMarket();

  it('equal the bigint arithmetic for small and for very large quantities and prices', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 2 ** 45 }));
    fc.assert(
      fc.property(size, size, (lots, ticks) => {
        const amount = amountOf(market, Number(market.unitsPerTickLot), lots as Lots, ticks as Ticks);
        expect(amount).toBe(BigInt(lots) * BigInt(ticks) * market.unitsPerTickLot);
      }),
    );
  });

  it('round fees like the bigint arithmetic, where doubles are exact', () => {
    const rate = fc.constantFrom('0.0006', '0', '0.00075', '-0.0001', '0.000123456', '1').map(rateOf);
    const amount = fc.oneof(
      fc.integer({ min: 0, max: 1e13 }),
      fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    );
    const seen = { doubles: 0, others: 0 };
    fc.assert(
      fc.property(rate, amount, (each, units) => {
        const fee = feeUnits(feeRule(each), units);
        if (Number.isNaN(fee)) seen.others++;
        else {
          seen.doubles++;
          expect(BigInt(fee)).toBe(feeOf(each, BigInt(units)));
        }
      }),
    );
    expect(Math.min(seen.doubles, seen.others)).toBeGreaterThan(2);
  });

  it('take a part of a cost half-even, and of a fee upwards, like the bigint arithmetic', () => {
    const value = fc.oneof(
      fc.integer({ min: -1e4, max: 1e4 }),
      fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
    );
    const whole = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 30 }));
    const seen = { even: 0, up: 0, ties: 0, large: 0 };
    fc.assert(
      fc.property(value, whole, fc.nat(), (a, b, any) => {
        const part = any % (b + 1);
        const product = BigInt(a) * BigInt(part);
        const even = evenShare(a, part, b);
        if (Number.isNaN(even)) seen.large++;
        else {
          seen.even++;
          if ((2n * product) % BigInt(b) === 0n && product % BigInt(b) !== 0n) seen.ties++;
          expect(BigInt(even)).toBe(divHalfEven(product, BigInt(b)));
        }
        const up = ceilShare(a, part, b);
        if (Number.isNaN(up)) seen.large++;
        else {
          seen.up++;
          expect(BigInt(up)).toBe(divCeil(product, BigInt(b)));
        }
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
  });

  it('divide whole numbers like the bigint arithmetic, up and down', () => {
    const value = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const divisor = fc.oneof(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 2 ** 52 }));
    fc.assert(
      fc.property(value, divisor, (a, b) => {
        expect(BigInt(floorQuotient(a, b))).toBe(divFloor(BigInt(a), BigInt(b)));
        expect(BigInt(ceilQuotient(a, b))).toBe(divCeil(BigInt(a), BigInt(b)));
        const near = b * Math.floor(a / b);
        if (Number.isSafeInteger(near)) expect(ceilQuotient(near, b)).toBe(Math.floor(a / b));
      }),
      { numRuns: 2_000 },
    );
  });
});
