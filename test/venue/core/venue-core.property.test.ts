import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/model/decimal.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { moneyText } from '../../../src/model/money.js';
import type { Account } from '../../../src/venue/core/account.js';
import { refusalRule } from '../../../src/venue/core/refusals.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { BTC, btcMarket, ETH, ethMarket } from './desk.js';
import { type NaiveAsk, type NaiveMarket, NaiveVenue } from './naive-venue.js';

const NAMES = ['street', 'ann', 'bob', 'eve'] as const;
const DEPOSITS = { ann: '1000', bob: '150', eve: '20' } as const;
const CENTRE = { [BTC]: 1_000, [ETH]: 2_000 } as const;

const NAIVE: Record<string, NaiveMarket> = {
  [BTC]: {
    tick: new Decimal('0.1'),
    step: new Decimal('0.001'),
    interestMax: 50_000,
    maker: new Decimal('0.0002'),
    taker: new Decimal('0.0006'),
    initial: new Decimal('0.01'),
    slope: new Decimal('0.000001'),
  },
  [ETH]: {
    tick: new Decimal('0.01'),
    step: new Decimal('0.01'),
    interestMax: 4_000,
    maker: new Decimal('-0.0001'),
    taker: new Decimal('0.00075'),
    initial: new Decimal('0.02'),
    slope: new Decimal('0.000002'),
  },
};

type Step =
  | { readonly kind: 'place'; readonly ask: NaiveAsk }
  | { readonly kind: 'cancel'; readonly nth: number }
  | { readonly kind: 'mark'; readonly pair: string; readonly ticks: number };

const pair = fc.constantFrom(BTC, ETH);

const ask: fc.Arbitrary<NaiveAsk> = fc
  .record({
    account: fc.constantFrom(...NAMES),
    pair,
    buy: fc.boolean(),
    offset: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -4, max: 4 }) },
      fc.integer({ min: -130, max: 130 }),
    ),
    isMarket: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
    lots: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
      { weight: 3, arbitrary: fc.integer({ min: 20, max: 4_500 }) },
      fc.integer({ min: 4_500, max: 60_000 }),
    ),
    tif: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK'),
    postOnly: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    reduceOnly: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
  })
  .map(({ offset, isMarket, postOnly, tif, reduceOnly, ...rest }) => ({
    ...rest,
    ticks: isMarket ? undefined : CENTRE[rest.pair] + offset,
    tif: postOnly ? 'GTC' : tif,
    postOnly: postOnly && !isMarket,
    reduceOnly: reduceOnly && rest.account !== 'street',
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: ask.map((each): Step => ({ kind: 'place', ask: each })) },
  { weight: 3, arbitrary: fc.nat(60).map((nth): Step => ({ kind: 'cancel', nth })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(pair, fc.integer({ min: -60, max: 60 }))
      .map(([which, offset]): Step => ({ kind: 'mark', pair: which, ticks: CENTRE[which] + offset })),
  },
);

/** The core and the naive venue side by side. */
class Twin {
  readonly core = new VenueCore({
    markets: [
      { market: btcMarket({ quantity: { min: '0.001', max: '100', step: '0.001' } }) },
      {
        market: ethMarket({
          quantity: { min: '0.01', max: '1000', step: '0.01' },
          interest: { min: '0', max: '40', step: '0.01' },
        }),
      },
    ],
    insurance: { USD: '5' },
  });
  readonly naive = new NaiveVenue(NAIVE);
  readonly accounts = new Map<string, Account>([['street', this.core.street]]);
  /** What the core's listeners heard, in the words of the naive log. */
  readonly heard: string[] = [];
  readonly placed: { readonly account: Account; readonly id: string }[] = [];
  readonly refused = new Set<string>();
  now = 1_000;
  #compared = 0;

  constructor() {
    this.naive.cash['insurance'] = new Decimal(5);
    for (const [name, deposit] of Object.entries(DEPOSITS)) {
      this.accounts.set(name, this.core.openAccount(name, { USD: deposit }));
      this.naive.open(name, deposit);
    }
    let maker = '';
    this.core.onFill((order, fill) => {
      if (fill.liquidity === 'maker') maker = order.id;
      else {
        this.heard.push(
          `${order.pair} trade ${fill.id}: ${order.id} takes ${fill.lots} of ${maker} at ${fill.ticks}`,
        );
      }
    });
    this.core.onDone((order, reason) => this.heard.push(`${order.id} ${reason} with ${order.leaves} left`));
  }

  do(each: Step): void {
    this.now++;
    if (each.kind === 'mark') {
      this.core.setMark(each.pair, each.ticks as Ticks, this.now);
      this.naive.setMark(each.pair, each.ticks);
      return;
    }
    if (each.kind === 'cancel') {
      const target = this.placed[each.nth];
      if (target === undefined) return;
      this.core.cancel(target.account, target.id, this.now);
      this.naive.cancel(Number(target.id));
      return;
    }
    const { account: name, pair: market, buy, ticks, lots, tif, postOnly, reduceOnly } = each.ask;
    const account = this.accounts.get(name) as Account;
    const outcome = this.naive.place(each.ask);
    const placement = this.core.place(
      account,
      {
        pair: market,
        terms: {
          side: buy ? 'buy' : 'sell',
          type: ticks === undefined ? 'market' : 'limit',
          ticks: ticks as Ticks | undefined,
          lots: lots as Lots,
          timeInForce: tif,
          postOnly,
          reduceOnly,
        },
      },
      this.now,
    );
    expect(placement.kind === 'refused' ? refusalRule(placement.reason) : 'accepted').toBe(outcome);
    if (placement.kind === 'accepted') this.placed.push({ account, id: placement.order.id });
    else this.refused.add(outcome);
  }

  compare(): void {
    expect(this.heard.slice(this.#compared)).toEqual(this.naive.log.slice(this.#compared));
    this.#compared = this.heard.length;
    for (const [name, account] of this.accounts) {
      expect(moneyText(account.balances.get('USD')?.cash ?? 0n, 8)).toBe(this.naive.cash[name]?.toFixed());
      for (const market of [BTC, ETH]) {
        const { lots, cost } = this.core.position(account, market);
        const { s, k } = this.naive.position(name, market);
        expect([lots, moneyText(cost, 8)]).toEqual([s, k.toFixed()]);
      }
      if (name === 'street') continue;
      const available = this.naive.available(name).toDecimalPlaces(8, Decimal.ROUND_FLOOR);
      expect(moneyText(this.core.available(account, 'USD'), 8)).toBe(available.toFixed());
    }
  }

  /** `money.md` §13 and §14. */
  assertLaws(): void {
    const { core } = this;
    for (const market of [BTC, ETH]) {
      expect(core.accounts.reduce((sum, each) => sum + core.position(each, market).lots, 0)).toBe(0);
      const { bid, ask: offer } = core.touch(market);
      if (bid !== undefined && offer !== undefined) expect(bid).toBeLessThan(offer);
    }
    let total = 0n;
    for (const account of core.accounts) {
      for (const balance of account.balances.values()) total += balance.cash + balance.withdrawing;
      for (const market of [BTC, ETH]) total -= core.position(account, market).cost;
    }
    expect(total).toBe(0n);
    expect(core.account('insurance')?.balances.get('USD')?.cash).toBeGreaterThanOrEqual(0n);
    for (const [name, account] of this.accounts) {
      for (const order of core.orders(account, 'all', { limit: 10_000 })) {
        expect(order.filled + order.leaves).toBe(order.terms.lots);
        if (name !== 'street') {
          expect(order.fills.reduce((sum, fill) => sum + fill.lots, 0)).toBe(order.filled);
        }
      }
      if (name === 'street') continue;
      for (const { free, locked, margin, withdrawn, asset } of core.balances(account)) {
        const cash = account.balances.get(asset)?.cash ?? 0n;
        expect(free + locked + margin + withdrawn).toBe(cash);
        const available = core.available(account, asset);
        expect(free).toBe(available > 0n ? available : 0n);
        expect(locked).toBeGreaterThanOrEqual(0n);
      }
    }
  }
}

describe('the core against a naive venue, over random histories of four accounts on two markets', () => {
  it('refuses, matches, cancels and books the same, and keeps the laws after every step', () => {
    const seen = { trades: 0, refused: new Set<string>(), reasons: new Set<string>() };
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 120, size: 'max' }), (steps) => {
        const twin = new Twin();
        for (const each of steps) {
          twin.do(each);
          twin.compare();
          twin.assertLaws();
        }
        for (const rule of twin.refused) seen.refused.add(rule);
        for (const line of twin.heard) {
          if (/ trade \d+: /.test(line)) seen.trades++;
          else seen.reasons.add(line.replace(/^\d+ (.*) with .*$/, '$1'));
        }
      }),
      { numRuns: 60, seed: 7 },
    );
    // The histories are not tame.
    expect(seen.trades).toBeGreaterThan(300);
    expect([...seen.refused].sort()).toEqual(['balance', 'interest']);
    expect([...seen.reasons].sort()).toEqual([
      'FOK cannot fill',
      'IOC remainder',
      'filled',
      'no liquidity',
      'nothing to reduce',
      'outside the trading band',
      'position closed',
      'post-only would trade',
      'requested',
      'self-trade',
    ]);
  });
});
