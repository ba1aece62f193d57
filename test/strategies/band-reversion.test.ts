import { describe, expect, it } from 'vitest';
import type { Bar } from '../../src/model/bar.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import bandReversion from '../../strategies/band-reversion.js';

/** The strategy alone, with a position that the test sets. */
function reverter(params: Readonly<Record<string, string>> = {}) {
  const held = { position: 0 };
  const handlers = bindStrategy(bandReversion, params).start(held as unknown as StrategyContext);
  const see = (close: number) =>
    handlers.onBar?.({ high: close + 5, low: close - 5, close } as unknown as Bar);
  return { held, see, seeAll: (closes: readonly number[]) => closes.map(see) };
}

/** Ever lower: below the middle of any band. */
const falling = (bars: number) => Array.from({ length: bars }, (_, at) => 60_000 - at);

describe('band-reversion', () => {
  it.each([
    ['5', 14],
    ['20', 19],
    ['40', 39],
  ])('keeps what an earlier session has left while a band of %s bars is not warm', (period, cold) => {
    const { held, seeAll } = reverter({ period });
    held.position = 0.06;
    expect(seeAll(falling(cold)).filter((answer) => answer !== undefined)).toEqual([]);
  });

  it('sells what was left at the middle of the band, once that is known', () => {
    const { held, see, seeAll } = reverter({ period: '20' });
    held.position = 0.06;
    expect(seeAll(falling(30)).filter((answer) => answer !== undefined)).toEqual([]);
    expect(see(60_000)).toEqual({ kind: 'flat' });
  });

  it('sells what was left where the price falls by three average ranges more, counted from when they are known', () => {
    const { held, see, seeAll } = reverter({ period: '20' });
    held.position = 0.06;
    seeAll(falling(30));
    // The stop is three ranges of 10 below the 15th close, 59986.
    expect(see(59_957)).toBeUndefined();
    expect(see(59_956)).toEqual({ kind: 'flat' });
  });

  it('buys nothing while a value that it decides by is not known', () => {
    const { seeAll } = reverter({ period: '5' });
    // Out of every band that is warm by then.
    expect(seeAll([...falling(12), 59_000]).filter((answer) => answer !== undefined)).toEqual([]);
  });
});
