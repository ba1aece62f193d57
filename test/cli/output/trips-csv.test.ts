import { describe, expect, it } from 'vitest';
import type { RoundTrip } from '../../../src/backtest/round-trips.js';
import { tripRow } from '../../../src/backtest/series.js';
import { tripsCsv } from '../../../src/cli/output/trips-csv.js';
import type { Lots } from '../../../src/model/grid.js';
import { defineMarket, type Market } from '../../../src/model/market.js';
import { BTC } from '../../support/markets.js';

/** A tick of 1e-10: finer than the eight digits of money. */
const FINE: Market = defineMarket({
  pair: 'USD_PEPE_PERP',
  base: 'PEPE',
  quote: 'USD',
  quotePrecision: 10,
  price: { min: '0.0000000001', max: '1', step: '0.0000000001' },
  quantity: { min: '1', max: '1000000000', step: '1' },
  fees: { maker: '0', taker: '0' },
});

const trip = (entryTicks: number, exitTicks: number): RoundTrip => ({
  side: 'buy',
  entryTime: 1,
  exitTime: 2,
  lots: 3 as Lots,
  entryTicks,
  exitTicks,
  pnl: 0n,
  fees: 0n,
  funding: 0n,
  worst: 0,
  best: 0,
  isInGap: false,
});

const pricesOf = (market: Market, entryTicks: number, exitTicks: number) => {
  const { entryPrice, exitPrice } = tripRow(market, trip(entryTicks, exitTicks));
  const line = tripsCsv(market, [trip(entryTicks, exitTicks)]).split('\n')[1] as string;
  return { entryPrice, exitPrice, inCsv: line.split(',').slice(4, 6) };
};

describe('the prices of a round trip', () => {
  it('are those of the fills where a tick is finer than eight digits', () => {
    expect(pricesOf(FINE, 12_307, 12_309)).toEqual({
      entryPrice: 0.000_001_230_7,
      exitPrice: 0.000_001_230_9,
      inCsv: ['0.0000012307', '0.0000012309'],
    });
  });

  it('are means to a millionth of a tick', () => {
    // 37 000 / 3 = 12 333.3̅ and 37 001 / 3 = 12 333.6̅ ticks of 1e-10: sixteen digits after the point.
    expect(pricesOf(FINE, 37_000 / 3, 37_001 / 3)).toEqual({
      entryPrice: 0.000_001_233_333_333_3,
      exitPrice: 0.000_001_233_366_666_7,
      inCsv: ['0.0000012333333333', '0.0000012333666667'],
    });
  });

  it('have eight digits after the point where a tick has two or fewer', () => {
    // 1 800 001 / 3 = 600 000.3̅ ticks of 0.1.
    expect(pricesOf(BTC, 1_800_001 / 3, 600_001)).toEqual({
      entryPrice: 60_000.033_333_33,
      exitPrice: 60_000.1,
      inCsv: ['60000.03333333', '60000.1'],
    });
  });

  it('are as the market prints them where a double has no digits beyond a tick', () => {
    // 8 234 567 890 123 ticks of 1e-10: a millionth of one is beyond the digits of a double.
    expect(pricesOf(FINE, 8_234_567_890_123, 8_234_567_890_124).inCsv).toEqual([
      '823.4567890123',
      '823.4567890124',
    ]);
  });
});
