import { type BoundStrategy, bindStrategy } from '../../src/strategy/instance.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { flat, holdPosition, quote } from '../../src/strategy/want.js';
import marketMaker from '../../strategies/market-maker.js';
import smaCross from '../../strategies/sma-cross.js';

/** Base units: a quarter of an everyday order of the street. */
const QUANTITY = 0.005;

/** Buys with a resting bid below an average of trades, and leaves at the market when the price came back or time is up. */
const dipBuyer = defineStrategy({
  name: 'dip-buyer',
  create(_params, context) {
    let average = Number.NaN;
    let since = Number.NaN;
    let bid = Number.NaN;
    let leaves = false;
    return {
      onTrade({ price, time }) {
        average = Number.isNaN(average) ? price : average + (price - average) / 200;
        if (context.position > 0) {
          if (Number.isNaN(since)) since = time;
          // Once it leaves it leaves: prices of one poll are on both sides of the average.
          leaves ||= price >= average || time - since > 20_000;
          return leaves ? flat() : holdPosition(context.position);
        }
        since = Number.NaN;
        leaves = false;
        const wanted = average * 0.9998;
        if (Math.abs(wanted - bid) < average * 0.00005) return undefined;
        bid = wanted;
        return quote({ bid: { price: wanted, quantity: QUANTITY }, ask: undefined });
      },
      onFill() {
        bid = Number.NaN;
        return undefined;
      },
    };
  },
});

export const FAMILY_NAMES = ['maker', 'taker', 'mixed'] as const;
export type Family = (typeof FAMILY_NAMES)[number];

export const FAMILIES: Readonly<Record<Family, () => BoundStrategy>> = {
  maker: () => bindStrategy(marketMaker, { quantity: String(QUANTITY), maxPosition: '0.025' }),
  taker: () => bindStrategy(smaCross, { bars: '2s', fast: '5', slow: '15', quantity: String(QUANTITY) }),
  mixed: () => bindStrategy(dipBuyer),
};
