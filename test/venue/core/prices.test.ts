import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import { divHalfEven, rateOf } from '../../../src/model/money.js';
import { fairPrice, type Impact, MarketPrices } from '../../../src/venue/core/prices.js';
import { QueueModel } from '../../../src/venue/tape/queue-model.js';
import { BTC, btcMarket, Desk } from './desk.js';
import { exampleBtc, PRICING, RiskDesk } from './risk-desk.js';

const whole = (value: number) => ({ numerator: BigInt(value), denominator: 1n });

function impact(bestBid: number, bestAsk: number, bid: number, ask: number): Impact {
  return { bestBid: bestBid as Ticks, bestAsk: bestAsk as Ticks, bid: whole(bid), ask: whole(ask) };
}

/** Prices of a market with one-tick steps, told what they should see. */
function prices(changes: Partial<Record<keyof typeof PRICING, string | number>> = {}) {
  const market = exampleBtc({ pricing: { ...PRICING, ...changes } as typeof PRICING });
  const seen: { impact: Impact | undefined; last: number | undefined } = {
    impact: undefined,
    last: undefined,
  };
  const made = new MarketPrices(market, {
    impact: () => seen.impact,
    last: () => seen.last as Ticks | undefined,
  });
  return { made, seen };
}

describe('the fair price', () => {
  it('is the mean of the impact prices', () => {
    const fair = fairPrice(impact(1_000, 1_010, 990, 1_015), rateOf('0.1'));
    // (990 + 1 015) / 2 = 1 002.5
    expect(fair.numerator * 2n).toBe(2_005n * fair.denominator);
  });

  it('lets an impact price lie no further from the best price than fair_multiplier', () => {
    const fair = fairPrice(impact(1_000, 1_010, 500, 2_000), rateOf('0.1'));
    // (900 + 1 111) / 2
    expect(fair.numerator * 2n).toBe(2_011n * fair.denominator);
  });

  it('averages over fair_qty of what the depth shows, and there is none while a side shows less', () => {
    const market = exampleBtc({ pricing: { ...PRICING, fairQuantity: '0.3', markEmaRange: 1 } });
    const desk = new RiskDesk({ markets: [market] });
    const { street } = desk.core;
    const fair = () => {
      desk.pass(1_000);
      return desk.core.ticker(BTC, desk.now).fair;
    };
    desk.index(60_000);
    desk.buy(street, 0.1, 59_990);
    desk.buy(street, 0.5, 59_960);
    desk.sell(street, 0.2, 60_010);
    expect(fair()).toBeUndefined();
    desk.core.place(
      street,
      {
        pair: BTC,
        terms: {
          side: 'sell',
          type: 'limit',
          ticks: desk.ticks(60_020),
          lots: 900 as never,
          timeInForce: 'GTC',
          postOnly: false,
          reduceOnly: false,
        },
        options: { hidden: true },
      },
      ++desk.now,
    );
    expect(fair()).toBeUndefined();
    desk.sell(street, 0.2, 60_040);
    // Bids (0.1 × 59 990 + 0.2 × 59 960) / 0.3 = 59 970; asks (0.2 × 60 010 + 0.1 × 60 040) / 0.3 = 60 020.
    expect(fair()).toBe(599_950);
    expect(desk.core.mark(BTC)).toBe(599_950);
    expect(desk.core.ticker(BTC, desk.now).index).toBe(600_000);
  });
});

describe('a print off the tick', () => {
  it('marks half-even to the tick, by its decimals and not by its double', () => {
    const market = btcMarket({
      price: { min: '0.01', max: '1000000', step: '0.01' },
      quotePrecision: 8,
    });
    const desk = new Desk({
      markets: [{ market, tape: (ofMarket, sink) => new QueueModel({ market: ofMarket, sink }) }],
    });
    let id = 0;
    const mark = (price: number) => {
      desk.core.print(BTC, { id: String(++id), time: ++desk.now, price, quantity: 1, isBuyerMaker: false });
      return desk.core.mark(BTC);
    };
    // As doubles, 2056.615 × 100 and 1.005 × 100 lie below their halves.
    expect([2_056.615, 2_056.625, 2_056.635, 1.005, 1.015, 2_056.614_999].map(mark)).toEqual([
      205_662, 205_662, 205_664, 100, 102, 205_661,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 1_000_000_000 }), (thousandths) => {
        expect(mark(thousandths / 1_000)).toBe(Number(divHalfEven(BigInt(thousandths), 10n)));
      }),
    );
  });

  it('marks on a tick of several steps of the grid', () => {
    const market = btcMarket({ price: { min: '0.5', max: '1000000', step: '0.5' } });
    const desk = new Desk({
      markets: [{ market, tape: (ofMarket, sink) => new QueueModel({ market: ofMarket, sink }) }],
    });
    const marks = [100, 100.2, 100.25, 100.3, 100.75, 101.25].map((price, at) => {
      desk.core.print(BTC, { id: String(at), time: ++desk.now, price, quantity: 1, isBuyerMaker: false });
      return desk.core.mark(BTC);
    });
    expect(marks).toEqual([1_000, 1_000, 1_000, 1_005, 1_010, 1_010]);
  });
});

describe('the mark', () => {
  it('is the index plus an average of fair − index that moves by 2 / (range + 1) of the gap', () => {
    const { made, seen } = prices({ markEmaRange: 3 });
    made.give(10_000 as Ticks);
    seen.impact = impact(10_008, 10_008, 10_008, 10_008);
    // δ: 4, 6, 7, 7.5 (half-even: 10 007.5 → 10 008), 7.75.
    const marks = [1, 2, 3, 4, 5].map(() => {
      made.update();
      return made.mark;
    });
    expect(marks).toEqual([10_004, 10_006, 10_007, 10_008, 10_008]);
    // The average stays while there is no fair price.
    seen.impact = undefined;
    made.give(10_100 as Ticks);
    made.update();
    expect([made.fair, made.mark]).toEqual([undefined, 10_108]);
  });

  it('rounds half to even, both ways', () => {
    for (const [gap, mark] of [
      [1, 10_000],
      [3, 10_002],
      [-1, 10_000],
      [-3, 9_998],
    ] as const) {
      const { made, seen } = prices({ markEmaRange: 3 });
      made.give(10_000 as Ticks);
      // δ = gap / 2.
      seen.impact = impact(10_000 + gap, 10_000 + gap, 10_000 + gap, 10_000 + gap);
      made.update();
      expect(made.mark).toBe(mark);
    }
  });

  it('stays within mark_price_max_deviation of the index, while the average goes on', () => {
    const { made, seen } = prices({ markEmaRange: 1, markMaxDeviation: '0.01', fairMultiplier: '0.5' });
    made.give(10_000 as Ticks);
    seen.impact = impact(10_300, 10_300, 10_300, 10_300);
    made.update();
    expect(made.mark).toBe(10_100);
    seen.impact = impact(9_500, 9_500, 9_500, 9_500);
    made.update();
    expect(made.mark).toBe(9_900);
  });

  it('has no drift: an average that meets its gap a million times stays exactly there', () => {
    const { made, seen } = prices({ markEmaRange: 60 });
    made.give(10_000 as Ticks);
    seen.impact = impact(10_007, 10_007, 10_007, 10_007);
    for (let n = 0; n < 20_000; n++) made.update();
    expect(made.mark).toBe(10_007);
    // (m − I)/I of the last 10 000 updates is 7/10 000 to the last digit.
    made.takePremiums();
    for (let n = 0; n < 10_000; n++) made.update();
    expect(made.premiums).toEqual({ sum: 7n * 10n ** 18n, count: 10_000 });
  });
});

describe('the index', () => {
  it('is what was given, else the last print, and none before either', () => {
    const { made, seen } = prices();
    expect([made.update(), made.index, made.mark]).toEqual([false, undefined, undefined]);
    seen.last = 500;
    expect([made.update(), made.index, made.mark]).toEqual([true, 500, 500]);
    made.give(700 as Ticks);
    made.update();
    expect(made.index).toBe(700);
    made.give(undefined);
    made.update();
    expect(made.index).toBe(500);
  });

  it('changes at the multiples of its interval only, the first price excepted', () => {
    const desk = new RiskDesk({ start: 1_000_300 });
    desk.index(60_000);
    expect(desk.core.ticker(BTC, desk.now).index).toBe(600_000);
    desk.index(61_000);
    desk.core.advance(1_000_999);
    expect(desk.core.mark(BTC)).toBe(600_000);
    desk.core.advance(1_001_000);
    expect(desk.core.mark(BTC)).toBe(610_000);
    expect(desk.core.nextTime).toBe(1_002_000);
  });

  it('is on the tick of the filter', () => {
    const market = exampleBtc({ price: { min: '0.5', max: '1000000', step: '0.5' } });
    const desk = new RiskDesk({ markets: [market] });
    // Between 60 000.0 and 60 000.5, in tenths; halves go to the even step: 60 000.0 is the 120 000th.
    desk.core.setIndex(BTC, 600_002 as Ticks, ++desk.now);
    expect(desk.core.ticker(BTC, desk.now).index).toBe(600_000);
    desk.core.setIndex(BTC, 600_003 as Ticks, ++desk.now);
    desk.pass(1_000);
    expect(desk.core.ticker(BTC, desk.now).index).toBe(600_005);
  });
});

test('the band goes with the mark and is rounded inward', () => {
  const desk = new RiskDesk();
  desk.index(60_000.3);
  const { minTicks, maxTicks } = desk.core.ticker(BTC, desk.now);
  // 54 000.27 and 66 000.33.
  expect([minTicks, maxTicks]).toEqual([540_003, 660_003]);
});

test.each([
  ['mark_price_ema_range', { markEmaRange: 0 }],
  ['index_price_update_interval', { indexIntervalMs: 1.5 }],
  ['fair_multiplier', { fairMultiplier: '1' }],
  ['mark_price_max_deviation', { markMaxDeviation: '-0.1' }],
])('a market without a sensible %s is refused at start-up', (name, changes) => {
  expect(() => prices(changes)).toThrow(name);
});

test('without index prices nothing is due and nothing happens by itself', () => {
  const desk = new RiskDesk();
  expect(desk.core.nextTime).toBe(Number.POSITIVE_INFINITY);
});
