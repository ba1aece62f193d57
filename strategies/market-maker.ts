import { decimal, defineStrategy, ema, integer, number, type QuoteSide, quote } from 'tickwright';

/**
 * Quotes both sides of a moving average of trades and leans against its own position: the longer it is, the lower it
 * quotes, so that what it holds tends back to zero. When it quotes, no bid is above nor ask below its fair price; the
 * quote then stands until the fair price has moved by `requote` half spreads. It has no order on the side that would take
 * it beyond `maxPosition`.
 */
export default defineStrategy({
  name: 'market-maker',
  params: {
    quantity: decimal({ default: '0.01', min: 0 }), // base units a side
    maxPosition: decimal({ default: '0.05', min: 0 }), // base units
    average: integer({ default: 20, min: 1 }), // trades
    width: number({ default: 1, min: 0 }), // half spread, in mean absolute moves of the price around its average
    minHalfSpread: number({ default: 0.0003, min: 0 }), // of the price
    lean: number({ default: 1, min: 0, max: 1 }), // half spreads that the quotes shift at maxPosition
    requote: number({ default: 0.25, min: 0 }), // half spreads that a quote may be off before it is replaced
  },
  create({ quantity, maxPosition, average, width, minHalfSpread, lean, requote }, context) {
    const fairPrice = ema(average);
    const deviation = ema(average);
    const size = quantity.toNumber();
    const limit = maxPosition.toNumber();
    let fair = Number.NaN;
    let half = Number.NaN;
    let quotedBid = Number.NaN;
    let quotedAsk = Number.NaN;
    let quotedSides = '';

    function requoted() {
      if (Number.isNaN(fair) || Number.isNaN(half)) return undefined;
      const { position } = context;
      const shift = limit === 0 ? 0 : Math.max(-1, Math.min(1, position / limit)) * lean * half;
      const bid = Math.min(fair, fair - half - shift);
      const ask = Math.max(fair, fair + half - shift);
      // A little slack: 0.01 five times is 0.05000000000000001 in floats.
      const buys = position + size <= limit * (1 + 1e-9);
      const sells = position - size >= -limit * (1 + 1e-9);
      const sides = `${buys}${sells}`;
      const near = (a: number, b: number) => Math.abs(a - b) <= requote * half;
      if (sides === quotedSides && near(bid, quotedBid) && near(ask, quotedAsk)) return undefined;
      quotedBid = bid;
      quotedAsk = ask;
      quotedSides = sides;
      const side = (price: number): QuoteSide => ({ price, quantity });
      return quote({ bid: buys ? side(bid) : undefined, ask: sells ? side(ask) : undefined });
    }

    return {
      onTrade({ price }) {
        fair = fairPrice.next(price);
        if (Number.isNaN(fair)) return undefined;
        half = Math.max(price * minHalfSpread, width * deviation.next(Math.abs(price - fair)));
        return requoted();
      },
      onFill: requoted,
    };
  },
});
