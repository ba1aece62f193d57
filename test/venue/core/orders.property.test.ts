import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { Account, CoreOrder } from '../../../src/venue/core/account.js';
import type { PlaceRequest } from '../../../src/venue/core/commands.js';
import { refusalRule } from '../../../src/venue/core/refusals.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { BTC, btcMarket } from './desk.js';
import { type NaiveAsk, NaiveOrders } from './naive-orders.js';

/** Lots. */
const INTEREST = 20;
const NAMES = ['a', 'b', 'c'] as const;

type Step =
  | { readonly kind: 'place'; readonly asks: readonly NaiveAsk[] }
  | { readonly kind: 'close'; readonly account: string; readonly ticks: number | undefined }
  | { readonly kind: 'cancel'; readonly at: number }
  | { readonly kind: 'cancel-all'; readonly account: string }
  | { readonly kind: 'mark'; readonly ticks: number };

const name = fc.constantFrom(...NAMES);
const price = fc.integer({ min: 96, max: 104 });
const maybe = <T>(value: fc.Arbitrary<T>, weight: number) =>
  fc.oneof({ weight, arbitrary: value }, { weight: 10 - weight, arbitrary: fc.constant(undefined) });

/** Only combinations that are not malformed. */
const ask = fc
  .record({
    account: name,
    buy: fc.boolean(),
    ticks: maybe(
      fc.oneof({ weight: 20, arbitrary: price }, { weight: 1, arbitrary: fc.integer({ min: 80, max: 120 }) }),
      9,
    ),
    lots: fc.integer({ min: 1, max: 9 }),
    tif: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK'),
    postOnly: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    reduceOnly: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    hidden: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    icebergs: maybe(fc.integer({ min: 2, max: 5 }), 3),
    trigger: maybe(fc.record({ ticks: price, event: fc.constantFrom('mark', 'index', 'last') }), 3),
    closeOnTrigger: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    tag: maybe(fc.constantFrom('t', 'u', 'v', 'w', 'x', 'y', 'z'), 5),
  })
  .map((raw): NaiveAsk => {
    const isPlain = raw.ticks === undefined || raw.tif !== 'GTC';
    return {
      ...raw,
      tif: raw.ticks === undefined && raw.tif === 'GTC' ? 'IOC' : raw.tif,
      postOnly: raw.postOnly && !isPlain,
      icebergs: isPlain || raw.hidden ? undefined : raw.icebergs,
      closeOnTrigger: raw.closeOnTrigger && raw.trigger !== undefined,
    };
  });

/** The street shows the market something to trade with. */
const streetAsk = fc.record({ buy: fc.boolean(), ticks: price, lots: fc.integer({ min: 1, max: 9 }) }).map(
  (raw): NaiveAsk => ({
    ...raw,
    account: 'street',
    tif: 'GTC',
    postOnly: false,
    reduceOnly: false,
    hidden: false,
    icebergs: undefined,
    trigger: undefined,
    closeOnTrigger: false,
    tag: undefined,
  }),
);

const bulk = fc.tuple(name, fc.array(ask, { minLength: 2, maxLength: 4 })).map(
  ([account, asks]): Step => ({
    kind: 'place',
    asks: asks.map((each) => ({ ...each, account, reduceOnly: false, closeOnTrigger: false })),
  }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: ask.map((each): Step => ({ kind: 'place', asks: [each] })) },
  { weight: 12, arbitrary: streetAsk.map((each): Step => ({ kind: 'place', asks: [each] })) },
  { weight: 6, arbitrary: bulk },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('close' as const), account: name, ticks: maybe(price, 4) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel-all' as const), account: name }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('mark' as const), ticks: price }) },
);

class Twin {
  readonly naive = new NaiveOrders(INTEREST);
  readonly core = new VenueCore({
    markets: [
      {
        market: btcMarket({
          price: { min: '1', max: '1000', step: '1' },
          quantity: { min: '1', max: '100', step: '1' },
          interest: { min: '0', max: String(INTEREST), step: '1' },
        }),
      },
    ],
  });
  readonly accounts = new Map<string, Account>();
  readonly placed: CoreOrder[] = [];
  readonly heard: string[] = [];
  readonly refused = new Set<string>();
  #compared = 0;
  now = 1_000;

  constructor() {
    for (const each of NAMES) this.accounts.set(each, this.core.openAccount(each, { USD: '1000000000' }));
    this.accounts.set('street', this.core.street);
    // Both fills of a trade are told, the maker's first.
    let maker: CoreOrder | undefined;
    this.core.onFill((order, fill) => {
      if (fill.liquidity === 'maker') maker = order;
      else this.heard.push(`trade: ${order.id} takes ${fill.lots} of ${maker?.id ?? ''} at ${fill.ticks}`);
    });
    this.core.onDone((order, reason) => this.heard.push(`${order.id} ${reason} with ${order.leaves} left`));
  }

  do(each: Step): void {
    this.now++;
    switch (each.kind) {
      case 'place':
        return this.#place(each.asks);
      case 'close': {
        const outcome = this.core.close(
          this.#account(each.account),
          { pair: BTC, ticks: each.ticks as Ticks | undefined },
          this.now,
        );
        if (outcome.kind === 'accepted') this.placed.push(outcome.order);
        return this.#agree(this.naive.close(each.account, each.ticks), outcome);
      }
      case 'cancel': {
        const order = this.placed[this.placed.length - 1 - each.at];
        if (order === undefined) return;
        this.core.cancel(order.account, order.id, this.now);
        return this.naive.cancel(Number(order.id));
      }
      case 'cancel-all':
        this.core.cancelMany(this.#account(each.account), undefined, this.now);
        return this.naive.cancelAll(each.account);
      case 'mark':
        this.core.setMark(BTC, each.ticks as Ticks, this.now);
        return this.naive.moveMark(each.ticks);
    }
  }

  #place(asks: readonly NaiveAsk[]): void {
    const account = this.#account(asks[0]?.account ?? '');
    const requests = asks.map(requestOf);
    const [first] = requests;
    if (requests.length === 1 && first !== undefined) {
      const outcome = this.core.place(account, first, this.now);
      if (outcome.kind === 'accepted') this.placed.push(outcome.order);
      this.#agree(this.naive.place(asks), outcome);
      return;
    }
    const outcome = this.core.placeMany(account, requests, this.now);
    if (outcome.kind === 'accepted') this.placed.push(...outcome.orders);
    this.#agree(this.naive.place(asks), outcome);
  }

  #agree(expected: string, outcome: { readonly kind: string; readonly reason?: string }): void {
    const rule = outcome.reason === undefined ? 'accepted' : refusalRule(outcome.reason);
    expect(rule).toBe(expected);
    if (expected !== 'accepted') this.refused.add(expected);
  }

  compare(): void {
    expect(this.heard.slice(this.#compared)).toEqual(this.naive.log.slice(this.#compared));
    this.#compared = this.heard.length;
    const depth = this.core.depth(BTC);
    const levels = (side: typeof depth.bids) => side.map(({ ticks, lots }) => [ticks, lots]);
    expect([levels(depth.bids), levels(depth.asks)]).toEqual([
      this.naive.depth(true),
      this.naive.depth(false),
    ]);
    const orders = this.placed.map(
      ({ id, status, leaves, doneReason }) => `${id} ${status} ${leaves} ${doneReason ?? ''}`,
    );
    const twins = this.placed.map(({ id }) => {
      const { status, left, reason } = this.naive.order(Number(id));
      return `${id} ${status} ${left} ${reason}`;
    });
    expect(orders).toEqual(twins);
    for (const [each, account] of this.accounts) {
      expect(this.core.position(account, BTC).lots).toBe(this.naive.size(each));
      if (each === 'street') continue;
      const triggers = this.core.triggers(account, { limit: 1_000 }).map(({ id }) => Number(id));
      expect(triggers.sort((a, b) => a - b)).toEqual(this.naive.triggers(each));
    }
  }

  /** Laws that need no model. */
  assertLaws(): void {
    const { bids, asks } = this.core.matcher(BTC).book;
    const [bid, offer] = [bids.best?.ticks, asks.best?.ticks];
    if (bid !== undefined && offer !== undefined) expect(bid).toBeLessThan(offer);
    const wrong = this.placed.filter(({ filled, leaves, terms, fills, account }) => {
      const executed = account.isCustomer ? fills.reduce((sum, { lots }) => sum + lots, 0) : filled;
      return filled + leaves !== terms.lots || executed !== filled;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  }

  #account(each: string): Account {
    return this.accounts.get(each) as Account;
  }
}

function requestOf(each: NaiveAsk): PlaceRequest {
  const { ticks, hidden, icebergs, closeOnTrigger, trigger } = each;
  return {
    pair: BTC,
    terms: {
      side: each.buy ? 'buy' : 'sell',
      type: ticks === undefined ? 'market' : 'limit',
      ticks: ticks as Ticks | undefined,
      lots: each.lots as Lots,
      timeInForce: each.tif,
      postOnly: each.postOnly,
      reduceOnly: each.reduceOnly,
    },
    options: {
      hidden,
      icebergs,
      closeOnTrigger,
      trigger: trigger === undefined ? undefined : { ticks: trigger.ticks as Ticks, event: trigger.event },
    },
    tag: each.tag,
  };
}

describe('hidden, iceberg, reduce-only, oco, trigger, bulk and close orders against a naive model', () => {
  it('end the same, in the same order, after every step of random histories', () => {
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
          if (line.startsWith('trade')) seen.trades++;
          else seen.reasons.add(line.replace(/^\d+ (.*) with .*$/, '$1'));
        }
      }),
      { numRuns: 120, seed: 11 },
    );
    // The histories are not tame.
    expect(seen.trades).toBeGreaterThan(1_000);
    expect([...seen.refused].sort()).toEqual(['interest', 'noPosition', 'ocoEnded']);
    expect([...seen.reasons].sort()).toEqual([
      'FOK cannot fill',
      'IOC remainder',
      'close on trigger',
      'filled',
      'no liquidity',
      'nothing to reduce',
      'oco sibling',
      'outside the trading band',
      'position closed',
      'post-only would trade',
      'requested',
      'self-trade',
      'trigger refused',
    ]);
  });
});
