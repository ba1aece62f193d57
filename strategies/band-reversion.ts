import { barInterval, decimal, defineStrategy, flat, holdPosition, integer, number } from 'tickwright';
import { atr, bollinger, rsi } from 'tickwright/indicators';

/**
 * Buys what has fallen out of its Bollinger band while its RSI is low. Sells at the middle of the band, or where the price
 * has fallen by so many average true ranges more.
 */
export default defineStrategy({
  name: 'band-reversion',
  params: {
    period: integer({ default: 20, min: 2 }),
    width: number({ default: 2, min: 0.1 }), // of the band, in standard deviations
    oversold: number({ default: 35, min: 0, max: 100 }), // RSI
    stop: number({ default: 3, min: 0.1 }), // in average true ranges below the entry
    quantity: decimal({ default: '0.01', min: 0 }), // base units
    bars: barInterval({ default: '1m' }),
  },
  create({ period, width, oversold, stop, quantity }, context) {
    const band = bollinger({ period, width });
    const strength = rsi();
    const range = atr();
    let stopPrice = Number.NaN;
    return {
      onBar(bar) {
        // Each is NaN until it has seen enough, and nothing is below or above that: acts where a comparison holds.
        const { middle, lower } = band.next(bar.close);
        const isLow = strength.next(bar.close) < oversold;
        const stopNow = bar.close - stop * range.next(bar);
        if (context.position > 0) {
          // What an earlier session has left counts from here.
          if (Number.isNaN(stopPrice)) stopPrice = stopNow;
          if (bar.close >= middle || bar.close <= stopPrice) {
            stopPrice = Number.NaN;
            return flat();
          }
        } else if (isLow && bar.close < lower) {
          stopPrice = stopNow;
          return holdPosition(quantity);
        }
        return undefined; // no change of mind, or not known yet
      },
    };
  },
});
