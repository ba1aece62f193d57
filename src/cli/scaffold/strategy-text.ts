/** The texts of a new strategy and its test. Both work without changes. */

/** The strategy of the README, under another name. */
export function strategyText(name: string): string {
  return `import { barInterval, crossover, decimal, defineStrategy, flat, holdPosition, integer, sma } from 'tickwright';

/** Long while the fast average of closes is above the slow one, else flat. */
export default defineStrategy({
  name: '${name}',
  params: {
    fast: integer({ default: 10, min: 1 }),
    slow: integer({ default: 30, min: 2 }),
    quantity: decimal({ default: '0.01', min: 0 }), // base units
    bars: barInterval({ default: '1m' }),
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
`;
}

/** `strategy`: the specifier with which the test imports the strategy. */
export function strategyTestText(strategy: string): string {
  return `import { backtestTrades, syntheticTrades, tradesAt } from 'tickwright/testing';
import { describe, expect, it } from 'vitest';
import strategy from '${strategy}';

describe(strategy.name, () => {
  it('is long from the turn up to the turn down', async () => {
    // A trade a second, so a bar each; a market order trades with the next print of its own side.
    const trades = tradesAt([105, 103, 101, 99, 98, 101, 105, 109, 108, 103, 98, 95, 94, 93]);
    const { fills, position } = await backtestTrades(strategy, {
      trades,
      params: { fast: 2, slow: 3, quantity: '0.01', bars: '1s' },
    });
    expect(fills).toMatchObject([
      { side: 'buy', quantity: 0.01, price: 108 },
      { side: 'sell', quantity: 0.01, price: 95 },
    ]);
    expect(position).toBe(0);
  });

  it('lives through an hour of a made-up market, and asks for nothing that is refused', async () => {
    const trades = syntheticTrades({ seed: 1, durationMs: 3_600_000 });
    const { result } = await backtestTrades(strategy, { trades, params: { bars: '5s' } });
    expect(result.orders).toBeGreaterThan(0);
    expect(result).toMatchObject({ refusals: 0, rejections: 0 });
  });
});
`;
}
