import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { Market } from '../../../src/model/market.js';
import { rateOf } from '../../../src/model/money.js';
import type { Holding } from '../../../src/venue/core/account.js';
import { Ledger } from '../../../src/venue/core/ledger.js';
import { marginRules, marginScale, marginScales } from '../../../src/venue/core/margin-rates.js';
import { MarketState } from '../../../src/venue/core/market-state.js';
import { btcMarket } from './desk.js';

/** Makers pay in the one and are paid in the other. */
const MARKETS = [btcMarket(), btcMarket({ fees: { maker: '-0.00025', taker: '0.00075' } })];

function account(market: Market, deposit: string) {
  const ledger = new Ledger({
    precisions: new Map([['USD', market.quotePrecision]]),
    scales: marginScales([market]),
    historyLimit: 10,
    discount: undefined,
  });
  const state = new MarketState(market, marginRules(market, marginScale([market])), {
    band: rateOf('0.1'),
    keepTrades: 0,
  });
  const client = ledger.openCustomer('client', { USD: deposit });
  return { ledger, state, client, holding: ledger.holding(client, state) };
}

function facts({ lots, cost, realised, fees, openedAt, cash, account: { completedPositions } }: Holding) {
  const done = Array.from({ length: completedPositions.size }, (_, n) => completedPositions.newest(n));
  return { lots, cost, realised, fees, openedAt, cash: cash.cash, pnl: cash.pnl, paid: cash.feesPaid, done };
}

describe('a fill that is booked in doubles', () => {
  const fill = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    lots: fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 1, max: 50_000 })),
    /** What is open, whatever the side and the size. */
    closes: fc.boolean(),
    ticks: fc.oneof(fc.integer({ min: 599_900, max: 600_100 }), fc.integer({ min: 1, max: 10_000_000 })),
    liquidity: fc.constantFrom('maker' as const, 'taker' as const),
  });

  it('leaves the account and the fees exactly as bigints would', () => {
    const seen = { doubles: 0, bigints: 0, closed: 0, reduced: 0, turned: 0, rebates: 0 };
    fc.assert(
      fc.property(
        fc.array(fill, { maxLength: 40 }),
        fc.constantFrom('0', '1000', '100000000'),
        fc.constantFrom(...MARKETS),
        (fills, deposit, market) => {
          const fast = account(market, deposit);
          const exact = account(market, deposit);
          for (const [at, { liquidity, closes, ...rest }] of fills.entries()) {
            const held = exact.holding.lots;
            const closing = closes && held !== 0;
            const side = closing ? (held > 0 ? 'sell' : 'buy') : rest.side;
            const lots = (closing ? Math.abs(held) : rest.lots) as Lots;
            const ticks = rest.ticks as Ticks;
            const amount = exact.state.amountOf(lots, ticks);
            const fee = exact.ledger.fee(exact.client, exact.state, liquidity, amount);
            const realised = exact.ledger.settle(exact.holding, { side, lots, ticks, amount }, fee, at);
            const units = fast.state.unitsOf(lots, ticks);
            const feeUnits = fast.ledger.feeUnits(fast.client, fast.state, liquidity, units);
            const inDoubles = fast.ledger.settleUnits(fast.holding, side, lots, ticks, units, feeUnits, at);
            if (Number.isNaN(inDoubles)) {
              seen.bigints++;
              fast.ledger.settle(fast.holding, { side, lots, ticks, amount }, fee, at);
            } else {
              seen.doubles++;
              const after = fast.holding.lots;
              if (after === 0) seen.closed++;
              else if (held !== 0 && after > 0 !== held > 0) seen.turned++;
              else if (Math.abs(after) < Math.abs(held)) seen.reduced++;
              if (feeUnits < 0) seen.rebates++;
              expect([BigInt(inDoubles), BigInt(feeUnits)]).toEqual([realised, fee]);
            }
            expect(facts(fast.holding)).toEqual(facts(exact.holding));
          }
          const collected = ({ ledger }: typeof fast) => ledger.cash(ledger.fees, 'USD').cash;
          expect(collected(fast)).toBe(collected(exact));
        },
      ),
      { numRuns: 300 },
    );
    // Some fifty of the rarest kind; how many is a matter of the seed, that there are some is not.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });
});
