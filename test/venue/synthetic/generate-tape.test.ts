import { describe, expect, test } from 'vitest';
import { compareTrades, type Trade } from '../../../src/model/trade.js';
import { catalogueMarket } from '../../../src/venue/catalogue.js';
import { generateTape, type TapeOptions } from '../../../src/venue/synthetic/generate-tape.js';

const FROM = 1_760_000_000_000;
const market = catalogueMarket('USD_BTC_PERP');

function tape(options: Partial<TapeOptions>): Trade[] {
  return [...generateTape({ market, seed: 'tape', from: FROM, ...options })].flat();
}

describe('a synthetic tape', () => {
  test('has as many trades as asked for, ids without holes, in order', () => {
    const trades = tape({ trades: 5_000, firstId: 100 });
    expect(trades).toHaveLength(5_000);
    expect(trades.map(({ id }) => id)).toEqual(trades.map((_, n) => String(100 + n)));
    expect(trades[0]?.time).toBeGreaterThanOrEqual(FROM);
    for (let n = 1; n < trades.length; n++) {
      expect(compareTrades(trades[n - 1] as Trade, trades[n] as Trade)).toBeLessThan(0);
    }
  });

  test('is the same for the same seed and another for another', () => {
    expect(tape({ trades: 1_000 })).toEqual(tape({ trades: 1_000 }));
    expect(tape({ trades: 1_000, seed: 'other' })).not.toEqual(tape({ trades: 1_000 }));
  });

  test('is a beginning of the longer one, whichever way its length is said', () => {
    const long = tape({ trades: 4_000 });
    const minute = tape({ durationMs: 60_000 });
    expect(minute).toEqual(long.slice(0, minute.length));
    expect(minute.length).toBeGreaterThan(60);
    expect(minute.at(-1)?.time).toBeLessThan(FROM + 60_000);
    expect(long[minute.length]?.time).toBeGreaterThanOrEqual(FROM + 60_000);
    expect(tape({ durationMs: 60_000, trades: 10 })).toEqual(long.slice(0, 10));
  });

  test('needs a length', () => {
    expect(() => tape({})).toThrow(/must have a length, received neither trades nor durationMs/);
  });

  test('of another market needs a profile', () => {
    const other = { ...market, pair: 'USD_XYZ_PERP' };
    expect(() => tape({ market: other, trades: 10 })).toThrow(/reference price and a daily volatility/);
    const profile = { referencePrice: 100, dailyVolatility: 0.05 };
    const trades = tape({ market: other, trades: 2_000, profile });
    expect(trades.every(({ price }) => price > 80 && price < 120)).toBe(true);
  });
});
