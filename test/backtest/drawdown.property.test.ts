import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Drawdown } from '../../src/backtest/drawdown.js';
import type { Lots } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import { FLAT } from '../../src/model/position.js';

const CAPITAL = 1_000;

const market = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.1', max: '10000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0', taker: '0' },
});

const step = fc.record({
  /** Lots held from before this print on; undefined: as before. */
  hold: fc.option(fc.integer({ min: -3_000, max: 3_000 }), { nil: undefined }),
  ticks: fc.integer({ min: 900, max: 1_100 }),
});

describe('the maximum drawdown', () => {
  it('is that of the equity at every print, although most prints need not be looked at', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const drawdown = new Drawdown(market, CAPITAL);
        let lots = 0;
        let cash = 0n;
        let last = 1_000n;
        let peak = CAPITAL;
        let worst = 0;
        for (const { hold, ticks } of steps) {
          if (hold !== undefined) {
            // Bought and sold at the print before, without fees.
            cash -= BigInt(hold - lots) * last * market.unitsPerTickLot;
            lots = hold;
            drawdown.hold({
              ...FLAT,
              lots: lots as Lots,
              cost: lots === 0 ? 0n : -cash,
              realised: lots === 0 ? cash : 0n,
            });
          }
          last = BigInt(ticks);
          drawdown.mark(ticks / 10);
          const units = cash + BigInt(lots) * last * market.unitsPerTickLot;
          const equity = CAPITAL + Number(units) / 10 ** market.quotePrecision;
          peak = Math.max(peak, equity);
          worst = Math.min(worst, equity / peak - 1);
          expect(drawdown.worst).toBeCloseTo(worst, 9);
        }
      }),
    );
  });

  it('sees a new worst price between two prints that were not worth looking at', () => {
    const drawdown = new Drawdown(market, CAPITAL);
    drawdown.hold({ ...FLAT, lots: 1_000 as Lots, cost: 100n * 10n ** BigInt(market.quotePrecision) });
    for (const price of [100, 110, 105, 108, 90, 95]) drawdown.mark(price);
    // 1 BTC bought at 100: the equity falls from 1010 to 990.
    expect(drawdown.worst).toBe(990 / 1_010 - 1);
    expect(drawdown.quietAbove, 'no deeper above the worst price').toBeCloseTo(90, 6);
    expect(drawdown.quietBelow, 'no higher below the best one').toBeCloseTo(110, 6);
  });
});
