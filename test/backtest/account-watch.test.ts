import { describe, expect, it } from 'vitest';
import { AccountWatch } from '../../src/backtest/account-watch.js';
import { SharedWatch } from '../../src/backtest/shared-watch.js';
import type { Fill } from '../../src/model/fill.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import { applyFill, FLAT } from '../../src/model/position.js';

/** A tick of 10 units is worth 10. */
const market = defineMarket({
  pair: 'USD_X',
  base: 'X',
  quote: 'USD',
  price: { min: 1, max: 1_000, step: 1 },
  quantity: { min: 1, max: 1_000, step: 1 },
  fees: { maker: 0, taker: 0 },
});

interface Step {
  /** Signed. */
  readonly lots: number;
  readonly price: number;
  readonly isForced?: boolean;
}

/** Fills at one print each, after each other, from a capital of 300; where the run ends, and with what. */
function after(...steps: readonly Step[]) {
  const watch = new AccountWatch({ market, capital: 300, gaps: [] });
  watch.openRows({
    time: Float64Array.from(steps, (_, at) => at + 1),
    price: Float64Array.from(steps, ({ price }) => price),
  });
  let position = FLAT;
  for (const [at, { lots, price, isForced = false }] of steps.entries()) {
    const fill: Fill = {
      id: String(at + 1),
      orderId: '1',
      time: at + 1,
      side: lots > 0 ? 'buy' : 'sell',
      lots: Math.abs(lots) as Lots,
      ticks: price as Ticks,
      liquidity: 'taker',
      fee: 0n,
    };
    position = applyFill(market, position, fill);
    if (isForced) watch.liquidated(fill, market);
    watch.fill(fill, position, at);
    if (!watch.settle(at, at + 1, price)) break;
  }
  watch.closeRows(steps.length);
  return { ruinedAt: watch.ruinedAt, equity: watch.equity };
}

const long: Step = { lots: 10, price: 100 };

describe('less than a tick of what the venue closed', () => {
  it('is nothing', () => {
    // A unit of it was paid for elsewhere.
    expect(
      after({ lots: 1, price: 106 }, { lots: -1, price: 100 }, long, {
        ...long,
        lots: -10,
        price: 71,
        isForced: true,
      }),
    ).toEqual({
      ruinedAt: 4,
      equity: 4,
    });
  });

  it('is nothing of a short too', () => {
    expect(
      after(
        { lots: 1, price: 106 },
        { lots: -1, price: 100 },
        { lots: -10, price: 100 },
        { lots: 10, price: 129, isForced: true },
      ),
    ).toEqual({ ruinedAt: 4, equity: 4 });
  });

  it('is something to an account that closed the position itself', () => {
    expect(after({ lots: 1, price: 106 }, { lots: -1, price: 100 }, long, { lots: -10, price: 71 })).toEqual({
      ruinedAt: undefined,
      equity: 4,
    });
  });
});

describe('what is more than a tick of it', () => {
  it('lives on', () => {
    expect(after(long, { lots: -10, price: 72, isForced: true })).toEqual({
      ruinedAt: undefined,
      equity: 20,
    });
  });

  it('lives on with what is left of the position', () => {
    expect(after(long, { lots: -9, price: 71, isForced: true })).toEqual({ ruinedAt: undefined, equity: 10 });
  });

  it('lives on, and may lose to less than that by its own trades', () => {
    expect(
      after(long, { lots: -10, price: 72, isForced: true }, { lots: 1, price: 100 }, { lots: -1, price: 84 }),
    ).toEqual({ ruinedAt: undefined, equity: 4 });
  });
});

describe('an account of several markets', () => {
  const closed = { pnl: -299.5, notional: 0, residue: 1 };

  it('has nothing if that is all it has', () => {
    const watch = new SharedWatch(300, 10 ** 8);
    watch.follow([closed, { pnl: 0, notional: 0, residue: 0 }]);
    expect(watch.isNothing).toBe(true);
  });

  it.each([
    ['a position that is open', { pnl: 0, notional: 5, residue: 0 }],
    ['money that is left', { pnl: 1, notional: 0, residue: 0 }],
  ])('lives on by %s', (_, other) => {
    const watch = new SharedWatch(300, 10 ** 8);
    watch.follow([closed, other]);
    expect(watch.isNothing).toBe(false);
  });
});

describe('the P&L inside gaps', () => {
  /** Prints of [time, price] with 1 bought at the first of them, and misprints at these times. */
  function gapPnl(prints: readonly (readonly [number, number])[], misprints: readonly number[]) {
    const gaps = misprints.map((time) => ({ from: time, to: time, missing: 1 }));
    const watch = new AccountWatch({ market, capital: 300, gaps });
    watch.openRows({
      time: Float64Array.from(prints, ([time]) => time),
      price: Float64Array.from(prints, ([, price]) => price),
    });
    const [first, bought] = prints[0] as readonly [number, number];
    const fill: Fill = {
      id: '1',
      orderId: '1',
      time: first,
      side: 'buy',
      lots: 1 as Lots,
      ticks: bought as Ticks,
      liquidity: 'taker',
      fee: 0n,
    };
    for (const [row, [time, price]] of prints.entries()) {
      watch.reach(row, time);
      if (row === 0) watch.fill(fill, applyFill(market, FLAT, fill), row);
      watch.settle(row, time, price);
    }
    return Number(watch.gapPnl) / 10 ** market.quotePrecision;
  }

  it('at a misprint is that of the step to the first print that is not earlier, and of no other', () => {
    expect(
      gapPnl(
        [
          [1, 100],
          [2, 110],
          [9, 200],
        ],
        [2],
      ),
    ).toBe(10);
    expect(
      gapPnl(
        [
          [1, 100],
          [2, 110],
          [9, 200],
        ],
        [3],
      ),
    ).toBe(90);
    // Two of one time, and one in the next step.
    expect(
      gapPnl(
        [
          [1, 100],
          [2, 110],
          [9, 200],
          [10, 230],
        ],
        [2, 2, 9],
      ),
    ).toBe(100);
  });
});
