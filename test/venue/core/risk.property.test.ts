import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../../src/venue/core/account.js';
import { BTC, ETH } from './desk.js';
import { brokenLaws } from './laws.js';
import { exampleBtc, exampleEth, RiskDesk } from './risk-desk.js';

type Pair = typeof BTC | typeof ETH;

interface Deal {
  readonly buyer: number;
  readonly seller: number;
  readonly pair: Pair;
  /** Everyday lots. */
  readonly size: number;
}
type Step =
  | { readonly kind: 'mark'; readonly pair: Pair; readonly factor: number }
  | { readonly kind: 'quote'; readonly pair: Pair; readonly away: number; readonly size: number }
  | { readonly kind: 'leverage'; readonly who: number; readonly pair: Pair; readonly leverage: number }
  | ({ readonly kind: 'deal' } & Deal);

const pair = fc.constantFrom<Pair>(BTC, ETH);
const who = fc.integer({ min: 0, max: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      pair,
      factor: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      pair,
      away: fc.integer({ min: 1, max: 60 }),
      size: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('leverage' as const),
      who,
      pair,
      leverage: fc.constantFrom(0, 3, 10, 50),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deal' as const),
      buyer: who,
      seller: who,
      pair,
      size: fc.integer({ min: 1, max: 60 }),
    }),
  },
);

const START = { [BTC]: 60_000, [ETH]: 2_500 } as const;
/** In units of the base asset. */
const LOT = { [BTC]: 0.01, [ETH]: 0.25 } as const;

class Run {
  readonly desk: RiskDesk;
  readonly customers: readonly Account[];
  readonly price: Record<Pair, number> = { ...START };
  /** Prices of forced fills that were no slices. */
  readonly kinds = new Set<string>();

  constructor(insurance: number) {
    this.desk = new RiskDesk({ markets: [exampleBtc(), exampleEth()], insurance: String(insurance) });
    this.customers = [500, 1_000, 2_000, 800, 5_000].map((usd, n) => this.desk.open(`c${n}`, String(usd)));
    for (const each of [BTC, ETH] as const) this.desk.index(START[each], each);
    const { provider } = { provider: this.desk.provider() };
    this.desk.core.onFill((order, fill) => {
      if (fill.isLiquidation !== true) return;
      if (order.account === provider && fill.liquidity === 'maker') this.kinds.add('take-over');
      else if (order.isLiquidation && fill.liquidity === 'maker') this.kinds.add('deleverage');
      else if (order.isLiquidation && fill.fee > 0n) this.kinds.add('slice');
    });
  }

  do(each: Step): void {
    const { desk } = this;
    // No index update interferes: each step is a millisecond, and marks stay what they were set to.
    if (each.kind === 'mark') {
      this.price[each.pair] = Math.max(10, Math.round(this.price[each.pair] * each.factor));
      desk.mark(this.price[each.pair], each.pair);
    } else if (each.kind === 'quote') {
      const { pair: market, away, size } = each;
      for (const [side, sign] of [
        ['buy', -1],
        ['sell', 1],
      ] as const) {
        desk.place(
          desk.core.street,
          {
            side,
            quantity: size * LOT[market],
            price: Math.round(this.price[market] * (1 + (sign * away) / 1_000)),
          },
          market,
        );
      }
    } else if (each.kind === 'leverage') {
      desk.core.setLeverage(
        this.customers[each.who] as Account,
        each.pair,
        String(each.leverage),
        ++desk.now,
      );
    } else if (each.buyer !== each.seller) {
      const ask = { quantity: each.size * LOT[each.pair], price: this.price[each.pair] };
      desk.place(this.customers[each.seller] as Account, { side: 'sell', ...ask }, each.pair);
      desk.place(this.customers[each.buyer] as Account, { side: 'buy', ...ask }, each.pair);
    }
  }
}

test('whatever way the marks go, every group at rest carries itself and money comes from nowhere', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 20, maxLength: 200, size: 'max' }),
      fc.constantFrom(0, 50, 10_000),
      (steps, insurance) => {
        const run = new Run(insurance);
        for (const each of steps) {
          run.do(each);
          expect(brokenLaws(run.desk.core)).toEqual([]);
          expect(run.desk.core.badDebt('USD')).toBe(0n);
          for (const account of run.customers) expect(unrest(run.desk, account)).toEqual([]);
        }
        for (const kind of run.kinds) seen.add(kind);
      },
    ),
    { numRuns: 120, seed: 11 },
  );
  // The paths are not tame.
  expect([...seen].sort()).toEqual(['deleverage', 'slice', 'take-over']);
});

/** Groups with a position whose equity is below their maintenance margin, in plain doubles with a cent to spare. */
function unrest(desk: RiskDesk, account: Account): string[] {
  const found: string[] = [];
  let [equity, needed] = [Number(desk.cash(account)) / 1e8, 0];
  for (const { state, lots, cost, leverage, margin } of account.holdings.values()) {
    const mark = state.mark;
    if (lots === 0 || mark === undefined) continue;
    const { priceGrid, quantityGrid } = state.market;
    const value = (lots / quantityGrid.scale) * (mark / priceGrid.scale);
    const upnl = value - Number(cost) / 1e8;
    const maintenance = Math.abs(value) * (0.005 + 5e-7 * Math.abs(value));
    if (leverage === undefined) {
      equity += upnl;
      needed += maintenance;
    } else if (Number(margin) / 1e8 + upnl < maintenance - 0.01) found.push(`${account.name} isolated`);
  }
  if (needed > 0 && equity < needed - 0.01) found.push(`${account.name} cross`);
  return found;
}
