import { crossover, defineStrategy, flat, holdPosition, sma } from 'tickwright';

/** Averages of 10 and 30 trades, an order at each crossing: what the engine is measured with. */
export default defineStrategy({
  name: 'cross-every-trade',
  create() {
    const fast = sma(10);
    const slow = sma(30);
    const cross = crossover();
    return {
      onTrade({ price }) {
        const side = cross.next(fast.next(price), slow.next(price));
        if (side === 'above') return holdPosition('0.01');
        if (side === 'below') return flat();
        return undefined;
      },
    };
  },
});
