import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/model/decimal.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { rateOf } from '../../../src/model/money.js';
import type { Account, Holding } from '../../../src/venue/core/account.js';
import { bankruptcyTicks, liquidationTicks } from '../../../src/venue/core/liquidation-price.js';
import { groupOf, positionOf } from '../../../src/venue/core/margin-group.js';
import { BTC, btcMarket, Desk, ETH, usd } from './desk.js';

/** Both markets with the rates of `money.md` §15, without fees. */
const FEES = { maker: '0', taker: '0' };
function feeless(): Desk {
  return new Desk({
    markets: [
      { market: btcMarket({ fees: FEES }), band: '1' },
      { market: btcMarket({ pair: ETH, base: 'ETH', fees: FEES }), band: '1' },
    ],
  });
}

/** Puts a position where it is, without trading; the cash is whatever the test says. */
function hold(
  desk: Desk,
  account: Account,
  pair: string,
  position: { lots: number; price: number; mark?: number; leverage?: string; margin?: string },
): Holding {
  const { lots, price, mark = price, leverage, margin = '0' } = position;
  desk.core.setMark(pair, Math.round(mark * 10) as Ticks, desk.now);
  desk.core.position(account, pair);
  const holding = account.holdings.get(pair) as Holding;
  holding.lots = lots as Lots;
  holding.cost = BigInt(lots) * BigInt(Math.round(price * 10)) * holding.state.market.unitsPerTickLot;
  if (leverage !== undefined) {
    holding.leverage = rateOf(leverage);
    holding.margin = usd(margin);
  }
  return holding;
}

function shown(desk: Desk, account: Account, pair = BTC) {
  const { liquidationTicks: lp, bankruptcyTicks: bankrupt } = desk.core.positionFacts(account, pair);
  return { lp: lp / 10, bankrupt: bankrupt / 10 };
}

describe('liquidation and bankruptcy price (examples A to D have their own tests)', () => {
  it('shows 0 where only a price below 0 would do it, and the mark where it should be liquidated already', () => {
    const desk = feeless();
    const account = desk.open('a', '70000');
    hold(desk, account, BTC, { lots: 1_000, price: 60_000 });
    expect(shown(desk, account)).toEqual({ lp: 0, bankrupt: 0 });
    const poor = desk.open('b', '8000');
    hold(desk, poor, BTC, { lots: 1_000, price: 60_000, mark: 53_000 });
    expect(shown(desk, poor)).toEqual({ lp: 53_000, bankrupt: 52_000 });
  });
});

describe('the prices against the definition, position by position', () => {
  const scene = fc.record({
    lots: fc.integer({ min: 1, max: 20_000 }),
    isLong: fc.boolean(),
    price: fc.integer({ min: 1_000, max: 900_000 }),
    move: fc.integer({ min: -300, max: 300 }),
    cash: fc.integer({ min: 0, max: 2_000_000 }),
    isIsolated: fc.boolean(),
    other: fc.integer({ min: -500, max: 500 }),
    tickSize: fc.constantFrom('0.1', '0.5'),
    slope: fc.constantFrom('0', '0.0000005', '0.00001'),
  });

  it('are the last price on the tick at which the rule still holds', () => {
    let checked = 0;
    fc.assert(
      fc.property(scene, ({ lots, isLong, price, move, cash, isIsolated, other, tickSize, slope }) => {
        const step = tickSize === '0.1' ? 1 : 5;
        const margin = {
          initial: '0.01',
          maintenance: '0.005',
          initialRiskLimit: '0.00001',
          maintenanceRiskLimit: slope,
        };
        const prices = { min: tickSize, max: '1000000', step: tickSize };
        const desk = new Desk({
          markets: [
            { market: btcMarket({ margin, price: prices }) },
            { market: btcMarket({ pair: ETH, base: 'ETH' }) },
          ],
        });
        const account = desk.open('a', String(cash));
        const mark = Math.max(1, Math.round((price * (1 + move / 1_000)) / step)) * step;
        const signed = isLong ? lots : -lots;
        desk.core.setMark(BTC, mark as Ticks, desk.now);
        desk.core.position(account, BTC);
        const holding = account.holdings.get(BTC) as Holding;
        const { unitsPerTickLot } = holding.state.market;
        holding.lots = signed as Lots;
        holding.cost = BigInt(signed) * BigInt(price) * unitsPerTickLot + 7n;
        if (isIsolated) {
          holding.leverage = rateOf('2');
          holding.margin = usd(String(cash));
        } else if (other !== 0) hold(desk, account, ETH, { lots: other, price: 100, mark: 101 });
        const position = positionOf(holding);
        if (position === undefined) throw new Error('no position');
        const group = groupOf(holding);
        const lp = liquidationTicks(group, position);
        const bankrupt = bankruptcyTicks(group, position);
        // E and MM at any mark, in decimals, from the definition.
        const at = (ticks: number) => {
          const exact = (value: bigint) => new Decimal(value.toString()).div('1e8');
          const value = (held: Holding, m: number, rm: string) => {
            const signedValue = new Decimal(held.lots)
              .times(m)
              .times(held.state.market.unitsPerTickLot.toString())
              .div('1e8');
            const size = signedValue.abs();
            const upnl = signedValue.minus(exact(held.cost));
            return { upnl, mm: size.times(size.times(rm).plus('0.005')) };
          };
          const own = value(holding, ticks, slope);
          let equity = own.upnl.plus(exact(isIsolated ? holding.margin : usd(String(cash))));
          let maintenance = own.mm;
          const second = account.holdings.get(ETH);
          if (!isIsolated && second !== undefined) {
            const its = value(second, 1_010, '0.0000005');
            equity = equity.plus(its.upnl);
            maintenance = maintenance.plus(its.mm);
          }
          return { solvent: equity.gte(0), safe: equity.gte(maintenance) };
        };
        const worse = isLong ? -step : step;
        expect(lp % step).toBe(0);
        expect(bankrupt % step).toBe(0);
        if (!at(mark).safe) expect(lp).toBe(mark);
        else if (lp > 0) {
          expect(at(lp).safe).toBe(true);
          expect(at(lp + worse).safe).toBe(false);
          checked++;
        } else expect(at(0).safe).toBe(true);
        if (bankrupt > 0) {
          expect(at(bankrupt).solvent).toBe(true);
          expect(at(bankrupt + worse).solvent).toBe(false);
        }
      }),
      { numRuns: 400, seed: 3 },
    );
    expect(checked).toBeGreaterThan(100);
  });
});
