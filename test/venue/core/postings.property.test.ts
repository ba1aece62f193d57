import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/model/decimal.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { Market } from '../../../src/model/market.js';
import { rateOf } from '../../../src/model/money.js';
import type { Side } from '../../../src/model/side.js';
import type { Account } from '../../../src/venue/core/account.js';
import { Ledger } from '../../../src/venue/core/ledger.js';
import { drawMargin, fundMargin, setLeverage } from '../../../src/venue/core/leverage.js';
import { wireBalance } from '../../../src/venue/core/queries.js';
import { crossGroup, groupOf } from '../../../src/venue/core/margin-group.js';
import { marginRules, marginScales } from '../../../src/venue/core/margin-rates.js';
import { MarketState } from '../../../src/venue/core/market-state.js';
import { settleForced, settleFunding, surrender } from '../../../src/venue/core/risk-postings.js';
import {
  creditDeposit,
  dropWithdrawal,
  payWithdrawal,
  reserveWithdrawal,
} from '../../../src/venue/core/wallet-postings.js';
import { BTC, btcMarket, ETH, ethMarket, usd } from './desk.js';

const SPOT = 'BTC_USD';
const MARKETS = [btcMarket(), ethMarket(), btcMarket({ pair: SPOT, contract: 'spot' })];
const NAMES = ['ann', 'bob', 'eve', 'street', 'provider'] as const;

/** A ledger without books: whatever is posted, posted directly. */
class Bench {
  readonly ledger: Ledger;
  readonly states = new Map<string, MarketState>();
  time = 1_000;

  constructor(markets: readonly Market[] = MARKETS) {
    const scales = marginScales(markets);
    this.ledger = new Ledger({ precisions: new Map(), scales, historyLimit: 50, discount: undefined });
    for (const market of markets) {
      const rules = marginRules(market, scales.get(market.quote) ?? 1n);
      const state = new MarketState(market, rules, { band: rateOf('0.1'), keepTrades: 0 });
      state.setMark((market.pair === ETH ? 2_500_00 : 60_000_0) as Ticks);
      this.states.set(market.pair, state);
    }
    this.ledger.fundInsurance({ USD: '500' });
    for (const name of ['ann', 'bob', 'eve']) this.ledger.openCustomer(name, { USD: '20000', BTC: '1' });
  }

  account(name: string): Account {
    const account = this.ledger.account(name);
    if (account === undefined) throw new Error(name);
    return account;
  }

  state(pair: string): MarketState {
    const state = this.states.get(pair);
    if (state === undefined) throw new Error(pair);
    return state;
  }

  holding(name: string, pair: string) {
    return this.ledger.holding(this.account(name), this.state(pair));
  }

  /** Both sides of an execution, as makers and takers pay. */
  trade(pair: string, buyer: string, seller: string, lots: number, ticks: number): void {
    const state = this.state(pair);
    const amount = state.amountOf(lots as Lots, ticks as Ticks);
    const side = (name: string, own: Side, liquidity: 'maker' | 'taker') => {
      const fee = this.ledger.fee(this.account(name), state, liquidity, amount);
      const execution = { side: own, lots: lots as Lots, ticks: ticks as Ticks, amount };
      this.ledger.settle(this.holding(name, pair), execution, fee, ++this.time);
    };
    side(buyer, 'buy', 'taker');
    side(seller, 'sell', 'maker');
  }

  /** The account's side by force, the other's as an ordinary fill without a fee. */
  force(name: string, other: string, pair: string, lots: number, kind: 'slice' | 'deleverage' | 'take-over') {
    const holding = this.holding(name, pair);
    const { state } = holding;
    const closing = Math.min(lots, Math.abs(holding.lots)) as Lots;
    const ticks = state.mark;
    if (closing === 0 || ticks === undefined || name === other) return;
    const amount = state.amountOf(closing, ticks);
    const side: Side = holding.lots > 0 ? 'sell' : 'buy';
    settleForced(this.ledger, holding, { side, lots: closing, ticks, amount }, { kind, time: ++this.time });
    const reverse: Side = side === 'buy' ? 'sell' : 'buy';
    this.ledger.settle(
      this.holding(other, pair),
      { side: reverse, lots: closing, ticks, amount },
      0n,
      this.time,
    );
  }

  /** Every position of the group at its mark to the provider, and what the group has. */
  takeOver(name: string, pair: string): void {
    const group = groupOf(this.holding(name, pair));
    if (name === 'provider') return;
    for (const { holding } of group.positions) {
      this.force(name, 'provider', holding.state.market.pair, Math.abs(holding.lots), 'take-over');
    }
    const debt = group.equity < 0n ? -group.equity / group.scale : 0n;
    const fund = this.ledger.cash(this.ledger.insurance, 'USD').cash;
    surrender(this.ledger, group, debt < fund ? debt : fund);
  }

  fund(pair: string, numerator: bigint): void {
    const state = this.state(pair);
    const { mark, market } = state;
    if (mark === undefined || market.contract === 'spot') return;
    const payments = this.ledger.accounts.flatMap((account) => {
      const holding = account.holdings.get(pair);
      if (holding === undefined || holding.lots === 0) return [];
      const exact = BigInt(holding.lots) * BigInt(mark) * market.unitsPerTickLot * numerator;
      // −x in units of 10^-8, toward −∞: paid up, received down.
      const paid = -exact;
      const amount = paid / 100_000_000n - (paid % 100_000_000n < 0n ? 1n : 0n);
      return [{ holding, amount }];
    });
    settleFunding(this.ledger, market.quote, payments);
  }

  /** `money.md` §13, of every asset and pair, from the raw accounts. */
  assertConserved(): void {
    const sums = new Map<string, bigint>();
    const sizes = new Map<string, number>();
    for (const account of this.ledger.accounts) {
      for (const [asset, { cash, withdrawing }] of account.balances) {
        sums.set(asset, (sums.get(asset) ?? 0n) + cash + withdrawing);
      }
      for (const { state, margin, cost, lots } of account.holdings.values()) {
        const { quote, pair } = state.market;
        sums.set(quote, (sums.get(quote) ?? 0n) + margin - cost);
        sizes.set(pair, (sizes.get(pair) ?? 0) + lots);
      }
    }
    const broken: string[] = [];
    const claim = (holds: boolean, what: string) => {
      if (!holds) broken.push(what);
    };
    for (const [asset, sum] of sums) claim(sum === 0n, `${asset}: ${sum} came from nowhere`);
    for (const [pair, size] of sizes) claim(size === 0, `${pair}: sizes add up to ${size}`);
    claim(this.ledger.cash(this.ledger.insurance, 'USD').cash >= 0n, 'the insurance fund is overdrawn');
    for (const account of this.ledger.accounts) {
      for (const cash of account.balances.values()) {
        const { free, locked, margin, withdrawn } = wireBalance(cash);
        const held = cash.holdings.reduce((sum, each) => sum + each.margin, cash.cash + cash.withdrawing);
        claim(free + locked + margin + withdrawn === held, `${account.name}: the balance is not W + M + D`);
        claim(locked >= 0n && free >= 0n, `${account.name}: free ${free}, locked ${locked}`);
      }
      for (const { lots, cost, margin } of account.holdings.values()) {
        claim(lots !== 0 || (cost === 0n && margin === 0n), `${account.name}: flat with ${cost}, ${margin}`);
      }
    }
    expect(broken).toEqual([]);
  }
}

const name = fc.constantFrom(...NAMES);
const customer = fc.constantFrom('ann', 'bob', 'eve');
const contract = fc.constantFrom(BTC, ETH);
const lots = fc.integer({ min: 1, max: 400 });
type Step = (bench: Bench) => string;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(BTC, ETH, SPOT), name, name, lots, fc.integer({ min: -20_000, max: 20_000 }))
      .map(
        ([pair, buyer, seller, quantity, offset]): Step =>
          (bench) => {
            if (buyer === seller || (pair === SPOT && [buyer, seller].includes('provider'))) return 'none';
            const ticks = (bench.state(pair).mark ?? 0) + offset;
            bench.trade(pair, buyer, seller, quantity, Math.max(1, ticks));
            return 'trade';
          },
      ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(customer, contract, fc.constantFrom('0', '1', '3', '7.3', '10', '24.99')).map(
      ([who, pair, leverage]): Step =>
        (bench) => {
          const holding = bench.holding(who, pair);
          const { lots: before } = holding;
          const change = setLeverage(holding, leverage);
          return before === 0 ? 'none' : `leverage ${change.kind}`;
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(customer, contract, fc.boolean(), fc.integer({ min: 1, max: 2 ** 40 })).map(
      ([who, pair, into, units]): Step =>
        (bench) => {
          const move = into ? fundMargin : drawMargin;
          const amount = new Decimal(units).div('1e8').toFixed();
          return `${into ? 'fund' : 'draw'} ${move(bench.holding(who, pair), amount).kind}`;
        },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(name, name, contract, lots, fc.constantFrom('slice', 'deleverage')).map(
      ([who, other, pair, quantity, kind]): Step =>
        (bench) => {
          bench.force(who, other, pair, quantity, kind);
          return kind;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(customer, contract).map(
      ([who, pair]): Step =>
        (bench) => {
          bench.takeOver(who, pair);
          return 'take-over';
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(contract, fc.integer({ min: -300_000, max: 300_000 })).map(
      ([pair, rate]): Step =>
        (bench) => {
          bench.fund(pair, BigInt(rate));
          return 'funding';
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(contract, fc.integer({ min: 700, max: 1_300 })).map(
      ([pair, share]): Step =>
        (bench) => {
          const around = pair === ETH ? 250_000 : 600_000;
          bench.state(pair).setMark(((around * share) / 1_000) as Ticks);
          return 'mark';
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        customer,
        fc.constantFrom('USD', 'BTC'),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 2, max: 2 ** 31 }),
      )
      .map(
        ([who, asset, kind, units]): Step =>
          (bench) => {
            const { ledger } = bench;
            const cash = ledger.cash(bench.account(who), asset);
            const quantity = BigInt(units);
            if (kind === 0) creditDeposit(ledger, cash, quantity, 1n);
            else {
              reserveWithdrawal(cash, quantity);
              if (kind === 1) payWithdrawal(ledger, cash, quantity, 2n);
              if (kind === 2) dropWithdrawal(cash, quantity);
            }
            return `wallet ${kind}`;
          },
      ),
  },
);

describe('every posting of the ledger', () => {
  it('creates no money and no position, whatever came before it', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
        const bench = new Bench();
        for (const each of steps) {
          seen.add(each(bench));
          bench.assertConserved();
        }
      }),
      { numRuns: 150, seed: 11 },
    );
    expect([...seen].sort()).toEqual([
      'deleverage',
      'draw done',
      'draw refused',
      'fund done',
      'fund refused',
      'funding',
      'leverage done',
      'leverage refused',
      'mark',
      'none',
      'slice',
      'take-over',
      'trade',
      'wallet 0',
      'wallet 1',
      'wallet 2',
      'wallet 3',
    ]);
  });
});

describe('fills of an isolated position against the rules in decimals', () => {
  const fill = fc.record({
    buy: fc.boolean(),
    lots: fc.integer({ min: 1, max: 50 }),
    ticks: fc.integer({ min: 550_000, max: 650_000 }),
  });

  it('move the same margin, cash, cost and size', () => {
    fc.assert(
      fc.property(
        fc.array(fill, { minLength: 1, maxLength: 40 }),
        fc.constantFrom('1', '3', '7.3', '25'),
        (fills, leverage) => {
          const bench = new Bench();
          const holding = bench.holding('ann', BTC);
          holding.leverage = rateOf(leverage);
          const unit = (value: Decimal, rounding: 0 | 3 | 6) => value.toDecimalPlaces(8, rounding);
          let w = new Decimal(20_000);
          let m = new Decimal(0);
          let k = new Decimal(0);
          let s = new Decimal(0);
          for (const { buy, lots: quantity, ticks } of fills) {
            bench.trade(BTC, buy ? 'ann' : 'street', buy ? 'street' : 'ann', quantity, ticks);
            const p = new Decimal(ticks).div(10);
            const q = new Decimal(quantity).div(1_000);
            const sign = buy ? 1 : -1;
            const closes = s.times(sign).isNegative() && !s.isZero();
            const c = closes ? Decimal.min(q, s.abs()) : new Decimal(0);
            const o = q.minus(c);
            const out = c.eq(s.abs()) ? k : unit(k.times(c).div(s.abs()), Decimal.ROUND_HALF_EVEN);
            const realised = c.times(sign).times(p).negated().minus(out);
            const fee = unit(q.times(p).times(buy ? '0.0006' : '0.0002'), Decimal.ROUND_UP);
            const released = c.eq(s.abs()) ? m : unit(m.times(c).div(s.abs()), Decimal.ROUND_FLOOR);
            m = m.minus(released);
            const x = released.plus(realised).minus(fee);
            if (x.gte(0)) w = w.plus(x);
            else {
              const taken = Decimal.min(m, x.negated());
              m = m.minus(taken);
              w = w.plus(x).plus(taken);
            }
            k = k.minus(out).plus(o.times(sign).times(p));
            s = s.plus(q.times(sign));
            const given = unit(o.times(p).div(leverage), Decimal.ROUND_UP);
            m = m.plus(given);
            w = w.minus(given);
            // What the insurance fund pays for a debt is in no formula of the fill.
            if (w.isNegative()) return;
            const shown = (value: Decimal) => usd(value.toFixed(8));
            expect(holding.cash.cash).toBe(shown(w));
            expect(holding.margin).toBe(shown(m));
            expect(holding.cost).toBe(shown(k));
            expect(holding.lots).toBe(s.times(1_000).toNumber());
          }
        },
      ),
      { numRuns: 200, seed: 5 },
    );
  });
});

describe('worked examples of the money rules, posting by posting', () => {
  /** Example A: isolated long of 0.5 at 60 000, leverage 10, against bob; cash 6 982. */
  function exampleA(insurance: string): Bench {
    const bench = new Bench();
    const { ledger } = bench;
    ledger.cash(ledger.insurance, 'USD').cash = usd(insurance);
    const ann = ledger.cash(bench.account('ann'), 'USD');
    ann.cash = usd('10000');
    bench.holding('ann', BTC).leverage = rateOf('10');
    bench.trade(BTC, 'ann', 'bob', 500, 600_000);
    expect(ann.cash).toBe(usd('6982'));
    return bench;
  }

  it('G: a slice of an isolated position posts realised − fee to its margin', () => {
    const bench = exampleA('0');
    bench.state(BTC).setMark(550_000 as Ticks);
    const holding = bench.holding('ann', BTC);
    const amount = bench.state(BTC).amountOf(50 as Lots, 549_800 as Ticks);
    const slice = settleForced(
      bench.ledger,
      holding,
      { side: 'sell', lots: 50 as Lots, ticks: 549_800 as Ticks, amount },
      { kind: 'slice', time: 1 },
    );
    expect(slice).toEqual({ realised: usd('-251'), fee: usd('8.247') });
    expect(holding.margin).toBe(usd('2740.753'));
    expect(holding.cost).toBe(usd('27000'));
    expect(holding.cash.cash).toBe(usd('6982'));
    expect(holding.fees).toBe(usd('-26.247'));
    const group = groupOf(holding);
    expect(group.equity).toBe(usd('490.753') * group.scale);
    expect(group.maintenance * 1_000n).toBe(usd('430.03125') * group.scale * 1_000n);
    expect(bench.ledger.cash(bench.ledger.insurance, 'USD').cash).toBe(usd('8.247'));
  });

  it("G': a slice of a cross position posts to the cash", () => {
    const bench = new Bench([btcMarket(), btcMarket({ pair: ETH, base: 'ETH' })]);
    const { ledger } = bench;
    bench.trade(BTC, 'ann', 'bob', 1_000, 600_000);
    bench.trade(ETH, 'bob', 'ann', 10_000, 25_000);
    const cash = ledger.cash(bench.account('ann'), 'USD');
    cash.cash = usd('8000');
    ledger.cash(ledger.insurance, 'USD').cash = 0n;
    bench.state(BTC).setMark(550_000 as Ticks);
    bench.state(ETH).setMark(26_000 as Ticks);
    let group = crossGroup(cash);
    expect(group.equity).toBe(usd('2000') * group.scale);
    expect(group.maintenance).toBe(usd('2255.5') * group.scale);
    const amount = bench.state(BTC).amountOf(100 as Lots, 549_800 as Ticks);
    const slice = settleForced(
      ledger,
      bench.holding('ann', BTC),
      { side: 'sell', lots: 100 as Lots, ticks: 549_800 as Ticks, amount },
      { kind: 'slice', time: 1 },
    );
    expect(slice).toEqual({ realised: usd('-502'), fee: usd('16.494') });
    expect(cash.cash).toBe(usd('7481.506'));
    group = crossGroup(cash);
    expect(group.equity).toBe(usd('1981.506') * group.scale);
    expect(group.maintenance).toBe(usd('1940.625') * group.scale);
  });

  it('H: at 54 300 the provider gets the position at the mark and 150 of cash', () => {
    const bench = exampleA('0');
    bench.state(BTC).setMark(543_000 as Ticks);
    bench.takeOver('ann', BTC);
    const provider = bench.holding('provider', BTC);
    expect([provider.lots, provider.cost, provider.cash.cash]).toEqual([500, usd('27150'), usd('150')]);
    const ann = bench.holding('ann', BTC);
    expect([ann.lots, ann.margin, ann.cash.cash]).toEqual([0, 0n, usd('6982')]);
  });

  it('I: at 53 000 the insurance fund pays the 500 that are missing', () => {
    const bench = exampleA('500');
    bench.state(BTC).setMark(530_000 as Ticks);
    bench.takeOver('ann', BTC);
    const provider = bench.holding('provider', BTC);
    expect([provider.lots, provider.cost, provider.cash.cash]).toEqual([500, usd('26500'), 0n]);
    const ann = bench.holding('ann', BTC);
    expect([ann.lots, ann.margin, ann.cash.cash]).toEqual([0, 0n, usd('6982')]);
    expect(bench.ledger.cash(bench.ledger.insurance, 'USD').cash).toBe(0n);
  });

  it("I': closed at the bankruptcy price of 54 000 the account ends with its cash, the other side with 3 000", () => {
    const bench = exampleA('499');
    bench.state(BTC).setMark(540_000 as Ticks);
    const before = bench.ledger.cash(bench.account('bob'), 'USD').cash;
    bench.force('ann', 'bob', BTC, 500, 'deleverage');
    const ann = bench.holding('ann', BTC);
    expect([ann.lots, ann.margin, ann.cash.cash]).toEqual([0, 0n, usd('6982')]);
    expect(bench.holding('bob', BTC).cash.cash - before).toBe(usd('3000'));
    expect(bench.ledger.cash(bench.ledger.insurance, 'USD').cash).toBe(usd('499'));
  });

  it("F': what rounding leaves of the funding goes to the insurance fund", () => {
    const bench = new Bench();
    bench.state(BTC).setMark(600_001 as Ticks);
    for (const who of ['ann', 'bob', 'eve']) bench.trade(BTC, who, 'street', 1, 600_001);
    const usdOf = (who: string) => bench.ledger.cash(bench.account(who), 'USD').cash;
    const before = ['ann', 'bob', 'eve', 'street', 'insurance'].map(usdOf);
    bench.fund(BTC, 4_000n);
    const moved = ['ann', 'bob', 'eve', 'street', 'insurance'].map(
      (who, at) => usdOf(who) - (before[at] ?? 0n),
    );
    expect(moved).toEqual([-240_001n, -240_001n, -240_001n, 720_001n, 2n]);
    expect(bench.holding('ann', BTC).funding).toBe(-240_001n);
  });

  it('an opening takes no more margin than the cash holds', () => {
    const bench = exampleA('5');
    const ann = bench.ledger.cash(bench.account('ann'), 'USD');
    ann.cash = usd('601');
    // 6 000 / 10 of margin out of the cash, the fee of 3.6 out of the margin that is there.
    bench.trade(BTC, 'ann', 'bob', 100, 600_000);
    expect([ann.cash, bench.holding('ann', BTC).margin]).toEqual([usd('1'), usd('3596.4')]);
    // Another 0.001 asks for 6 and 0.036 of fee, of which W has 1: the fund stays out of it, the margin is less.
    bench.trade(BTC, 'ann', 'bob', 1, 600_000);
    expect([ann.cash, bench.holding('ann', BTC).margin]).toEqual([0n, usd('3597.364')]);
    expect(bench.ledger.cash(bench.ledger.insurance, 'USD').cash).toBe(usd('5'));
  });

  it('insurance pays a debt that an isolated position leaves behind, and what it cannot pay is bad debt', () => {
    const bench = exampleA('5');
    const ann = bench.ledger.cash(bench.account('ann'), 'USD');
    ann.cash = usd('1');
    // Sold by an own order at 53 000: 1 + 3 000 − 3 500 − 5.3 of fee = −504.3, of which the fund has 5.
    bench.trade(BTC, 'bob', 'ann', 500, 530_000);
    expect(ann.cash).toBe(usd('-499.3'));
    expect(bench.ledger.badDebt('USD')).toBe(usd('499.3'));
    expect(bench.ledger.cash(bench.ledger.insurance, 'USD').cash).toBe(0n);
  });

  it('the liquidation fee takes no more than the group has', () => {
    const bench = exampleA('0');
    // E after the slice at the bankruptcy price is 0 whatever the mark of the rest says: nothing to pay a fee from.
    bench.state(BTC).setMark(540_020 as Ticks);
    const holding = bench.holding('ann', BTC);
    const amount = bench.state(BTC).amountOf(500 as Lots, 540_010 as Ticks);
    const slice = settleForced(
      bench.ledger,
      holding,
      { side: 'sell', lots: 500 as Lots, ticks: 540_010 as Ticks, amount },
      { kind: 'slice', time: 1 },
    );
    // M 3 000 − 2 999.5 = 0.5 of 81.0015.
    expect(slice).toEqual({ realised: usd('-2999.5'), fee: usd('0.5') });
    expect([holding.margin, holding.cash.cash]).toEqual([0n, usd('6982')]);
  });
});
