import {
  barInterval,
  crossover,
  decimal,
  defineStrategy,
  flat,
  holdPosition,
  integer,
  sma,
} from 'tickwright';

/** Long while the fast average of closes is above the slow one, else flat. */
export default defineStrategy({
  name: 'sma-cross',
  params: {
    fast: integer({ default: 10, min: 1 }),
    slow: integer({ default: 30, min: 2 }),
    quantity: decimal({ default: '0.01', min: 0 }), // base units
    bars: barInterval({ default: '1m' }), // --set bars=1s
  },
  create({ fast, slow, quantity }) {
    const fastSma = sma(fast);
    const slowSma = sma(slow);
    const cross = crossover();
    return {
      onBar({ close }) {
        const side = cross.next(fastSma.next(close), slowSma.next(close));
        if (side === 'above') return holdPosition(quantity);
        if (side === 'below') return flat();
        return undefined; // no change of mind
      },
    };
  },
});
