import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { notional, worthAt } from '../../src/model/market.js';
import { amountOfMoney, feeOf, moneyText } from '../../src/model/money.js';
import { applyFill, averageEntry, execute, FLAT, settled, unrealised } from '../../src/model/position.js';
import type { Side } from '../../src/model/side.js';
import { BTC } from '../support/markets.js';

const lots = (quantity: number) => Math.round(quantity * 1_000) as Lots;
const ticks = (price: number) => Math.round(price * 10) as Ticks;

describe('a position by cost', () => {
  // money.md §15, example E, by hand there.
  it('realises example E to the last digit', () => {
    let held = { lots: 0 as Lots, cost: 0n };
    const trade = (side: Side, quantity: number, price: number) => {
      const next = execute(BTC, held.lots, held.cost, { side, lots: lots(quantity), ticks: ticks(price) });
      held = next;
      return moneyText(next.realised, 8);
    };
    expect(trade('buy', 0.001, 60_000)).toBe('0');
    expect(trade('buy', 0.002, 60_000.1)).toBe('0');
    expect(moneyText(held.cost, 8)).toBe('180.0002');
    expect(trade('sell', 0.001, 60_010)).toBe('0.00993333');
    expect(moneyText(held.cost, 8)).toBe('120.00013333');
    expect(averageEntry(BTC, held)?.toFixed(6)).toBe('60000.066665');
    expect(trade('sell', 0.005, 60_020)).toBe('0.03986667');
    expect(moneyText(held.cost, 8)).toBe('-180.06');
    expect(held.lots).toBe(-3);
    // Fee of the flip: 0.0006 × 0.005 × 60 020.
    expect(moneyText(feeOf(BTC.fees.taker, notional(BTC, lots(0.005), ticks(60_020))), 8)).toBe('0.18006');
  });

  it('loses no unit over any sequence of fills: realised + cost is the cash that changed hands', () => {
    const step = fc.record({
      side: fc.constantFrom<Side>('buy', 'sell'),
      lots: fc.integer({ min: 1, max: 5_000 }),
      ticks: fc.integer({ min: 1, max: 900_000 }),
      fee: fc.bigInt({ min: -1_000n, max: 1_000n }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let position = FLAT;
        let cash = 0n;
        let fees = 0n;
        for (const [i, { side, lots: size, ticks: price, fee }] of steps.entries()) {
          position = applyFill(BTC, position, {
            id: String(i),
            orderId: '1',
            time: i,
            side,
            lots: size as Lots,
            ticks: price as Ticks,
            liquidity: 'taker',
            fee,
          });
          const amount = BigInt(size) * BigInt(price) * BTC.unitsPerTickLot;
          cash += side === 'buy' ? -amount : amount;
          fees += fee;
        }
        expect(position.realised - position.cost).toBe(cash);
        expect(position.fees).toBe(-fees);
        if (position.lots === 0) expect(position.cost).toBe(0n);
        // Marked at any price, total P&L is cash plus what the position is worth.
        const mark = 600_000 as Ticks;
        expect(position.realised + unrealised(BTC, position, mark)).toBe(
          cash + BigInt(position.lots) * BigInt(mark) * BTC.unitsPerTickLot,
        );
      }),
    );
  });

  it('is the same to the unit in amounts that a double holds and in those that only bigints do', () => {
    const step = fc.record({
      side: fc.constantFrom<Side>('buy', 'sell'),
      // Closing all of it is half of what strategies do, and most of what follows another way.
      lots: fc.oneof(fc.constant('all' as const), fc.integer({ min: 1, max: 2 ** 40 })),
      ticks: fc.oneof(fc.integer({ min: 1, max: 900_000 }), fc.integer({ min: 1, max: 2 ** 40 })),
      fee: fc.oneof(
        fc.bigInt({ min: -1_000n, max: 1_000n }),
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      ),
      isKept: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let position = FLAT;
        let exact = { lots: 0 as Lots, cost: 0n, realised: 0n, fees: 0n };
        for (const { side, lots: asked, ticks: price, fee, isKept } of steps) {
          if (asked === 'all' && exact.lots === 0) continue;
          const closing = {
            side: exact.lots > 0 ? 'sell' : 'buy',
            lots: Math.abs(exact.lots) as Lots,
          } as const;
          const fill = {
            id: '1',
            orderId: '1',
            time: 1,
            ...(asked === 'all' ? closing : { side, lots: asked as Lots }),
            ticks: price as Ticks,
            liquidity: 'taker' as const,
            fee,
          };
          const next = execute(BTC, exact.lots, exact.cost, fill);
          exact = { ...next, realised: exact.realised + next.realised, fees: exact.fees - fee };
          position = applyFill(BTC, position, isKept ? { ...fill, feeAmount: amountOfMoney(fee) } : fill);
          const { lots: size, cost, realised, fees } = position;
          expect({ lots: size, cost, realised, fees }).toEqual(exact);
          expect(settled(position)).toBe(exact.realised + exact.fees);
          expect(settled(position.withFunding(7n))).toBe(exact.realised + exact.fees + 7n);
        }
      }),
    );
  });
});

describe('what a quantity is worth at a print', () => {
  it.each<[number, number, bigint]>([
    // On the grid.
    [0.05, 60_000.1, 300_000_500_000n],
    // 0.05 × 60 000.04375 = 3 000.0021875.
    [0.05, 60_000.043_75, 300_000_218_750n],
    [-0.05, 60_000.043_75, -300_000_218_750n],
    // 5, 15 and 25 thousandths of a millionth: half a unit of 10^-8, one and a half, two and a half.
    [0.001, 0.000_005, 0n],
    [0.001, 0.000_015, 2n],
    [0.001, 0.000_025, 2n],
    [-0.001, 0.000_005, 0n],
    [0, 60_000.043_75, 0n],
  ])('%d at %d', (quantity, price, units) => {
    expect(worthAt(BTC, lots(quantity), price)).toBe(units);
  });

  it('is that of the ticks wherever it was printed on the grid', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e8, max: 1e8 }), fc.integer({ min: 0, max: 1e12 }), (size, price) => {
        const printed = Number(`${Math.floor(price / 10)}.${price % 10}`);
        expect(worthAt(BTC, size as Lots, printed)).toBe(notional(BTC, size as Lots, price as Ticks));
      }),
    );
  });
});
