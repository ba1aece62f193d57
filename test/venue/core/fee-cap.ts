import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket } from '../../../src/model/market.js';
import type { OrderTerms } from '../../../src/model/order.js';
import type { CoreClass } from './histories.js';

const BTC = 'USD_BTC_PERP';

/**
 * What the insurance fund and the fees get of a position that is liquidated whole, in units of USD.
 *
 * Isolated long of 0.5 at 60 000 with leverage 10: M 3 000, bankrupt at 54 000. At 54 600 E is 300, between 0.5 · MM
 * and MM = 27 300 · (0.005 + 5·10⁻⁷ · 27 300) = 509.145; N is below min_liquidate, so all of it is sold, at 54 100:
 * realised −2 950, which leaves 50. The fee asked is 0.003 · 27 050 = 81.15, so 50 is taken: half to insurance, half to
 * fees.
 */
export function wholeLiquidation(Core: CoreClass): { readonly insurance: bigint; readonly fees: bigint } {
  const core = new Core({
    markets: [
      {
        prices: 'index',
        market: defineMarket({
          pair: BTC,
          base: 'BTC',
          quote: 'USD',
          price: { min: '0.1', max: '1000000', step: '0.1' },
          quantity: { min: '0.001', max: '10', step: '0.001' },
          fees: { maker: '0', taker: '0', liquidation: '0.003' },
          liquidation: {
            swapThreshold: '0.5',
            deleverageThreshold: '0',
            minLiquidate: '1000000',
            liquidateThreshold: '0.1',
            insurancePercentage: '0.5',
          },
        }),
      },
    ],
  });
  const trader = core.openAccount('trader', { USD: '10000' });
  const limit = (side: 'buy' | 'sell', price: number): OrderTerms => ({
    side,
    type: 'limit',
    ticks: (price * 10) as Ticks,
    lots: 500 as Lots,
    timeInForce: 'GTC',
    postOnly: false,
    reduceOnly: false,
  });
  let now = 1_700_000_000_000;
  core.setIndex(BTC, 600_000 as Ticks, now);
  core.advance((now += 1_000));
  core.setLeverage(trader, BTC, '10', now);
  core.place(core.street, { pair: BTC, terms: limit('sell', 60_000) }, now);
  core.place(trader, { pair: BTC, terms: limit('buy', 60_000) }, now);
  core.place(core.street, { pair: BTC, terms: limit('buy', 54_100) }, now);
  core.setIndex(BTC, 546_000 as Ticks, now);
  core.advance((now += 1_000));
  const held = (kind: string) =>
    core.accounts.find((account) => account.kind === kind)?.balances.get('USD')?.cash ?? 0n;
  return { insurance: held('insurance'), fees: held('fees') };
}
