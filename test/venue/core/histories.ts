import { defineMarket, type MarketSpec } from '../../../src/model/market.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { OrderOptions, OrderTerms } from '../../../src/model/order.js';
import { type Random, seededRandom } from '../../../src/model/random.js';
import type { Account } from '../../../src/venue/core/account.js';
import type { VenueCore } from '../../../src/venue/core/venue-core.js';
import { brokenLaws } from './laws.js';

/** The class under test: the core itself, or a mutant of it. */
export type CoreClass = new (options: ConstructorParameters<typeof VenueCore>[0]) => VenueCore;

export interface HistoryReport {
  /** The first step after which a law did not hold, and which. */
  readonly broken:
    | { readonly step: number; readonly action: string; readonly laws: readonly string[] }
    | undefined;
  readonly steps: number;
  /** How often each thing happened, so that a test can see that it did. */
  readonly seen: Readonly<Record<string, number>>;
}

const PERP = {
  quote: 'USD',
  contract: 'linear',
  fees: { maker: '-0.0001', taker: '0.0006', liquidation: '0.003' },
  margin: {
    initial: '0.01',
    maintenance: '0.005',
    initialRiskLimit: '0.000001',
    maintenanceRiskLimit: '0.0000005',
  },
  liquidation: {
    swapThreshold: '0.5',
    deleverageThreshold: '0',
    minLiquidate: '1000',
    liquidateThreshold: '0.1',
    insurancePercentage: '0.5',
  },
  funding: { intervalMs: 60_000, timeWindowMs: 600_000, min: '-0.003', max: '0.003', threshold: '0.00001' },
} as const;

const PRICING = {
  indexIntervalMs: 1_000,
  markEmaRange: 10,
  markMaxDeviation: '0.05',
  bandDeviation: '0.1',
  fairMultiplier: '0.01',
} as const;

const MARKETS: readonly MarketSpec[] = [
  {
    ...PERP,
    pair: 'USD_BTC_PERP',
    base: 'BTC',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '10', step: '0.001' },
    interest: { min: '0', max: '8', step: '0.001' },
    pricing: { ...PRICING, fairQuantity: '0.05' },
  },
  {
    ...PERP,
    pair: 'USD_ETH_PERP',
    base: 'ETH',
    price: { min: '0.01', max: '100000', step: '0.01' },
    quantity: { min: '0.01', max: '200', step: '0.01' },
    interest: { min: '0', max: '150', step: '0.01' },
    pricing: { ...PRICING, fairQuantity: '0' },
  },
  {
    pair: 'BTC_USD',
    base: 'BTC',
    quote: 'USD',
    contract: 'spot',
    fees: { maker: '0.0002', taker: '0.0006' },
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '10', step: '0.001' },
    pricing: { ...PRICING, fairQuantity: '0' },
  },
];

const ASSET = {
  description: '',
  precision: 8,
  displayPrecision: 2,
  confirmations: 1,
  platform: 'test',
  isToken: false,
  withdrawable: true,
  isSpecialCommissionAsset: false,
  stablecoin: false,
} as const;

const ASSETS = [
  {
    ...ASSET,
    key: 'USD',
    name: 'Dollar',
    minWithdrawal: '10',
    fees: { withdrawal: '1', deposit: '0.5' },
    usdPrice: '1',
  },
  {
    ...ASSET,
    key: 'BTC',
    name: 'Bitcoin',
    minWithdrawal: '0.001',
    fees: { withdrawal: '0.0002', deposit: '0' },
    usdPrice: '60000',
  },
];

/** Where prices hover, quote units. */
const START: Readonly<Record<string, number>> = {
  USD_BTC_PERP: 60_000,
  USD_ETH_PERP: 2_500,
  BTC_USD: 60_000,
};
const CUSTOMERS = 6;

/**
 * One seeded history over three markets: several accounts that trade with each other and with the street, cross and
 * isolated, spot too, through price jumps, funding, liquidations, deposits and withdrawals. Every law is looked at
 * after every step.
 */
export function runHistory(Core: CoreClass, seed: number, steps: number): HistoryReport {
  const run = new History(Core, seededRandom(`history/${seed}`));
  for (let step = 0; step < steps; step++) {
    const action = run.step();
    const laws = [...run.matchingFaults.splice(0), ...brokenLaws(run.core)];
    if (laws.length > 0) return { broken: { step, action, laws }, steps: step + 1, seen: run.seen };
  }
  return { broken: undefined, steps, seen: run.seen };
}

class History {
  readonly core: VenueCore;
  readonly seen: Record<string, number> = {};
  /** Trades that passed over somebody with a better price. */
  readonly matchingFaults: string[] = [];
  readonly #random: Random;
  readonly #customers: readonly Account[];
  readonly #price: Record<string, number> = { ...START };
  #now = 1_700_000_000_000 - (1_700_000_000_000 % 60_000);

  constructor(Core: CoreClass, random: Random) {
    this.#random = random;
    this.core = new Core({
      markets: MARKETS.map((spec) => ({ market: defineMarket(spec), prices: 'index' as const })),
      assets: ASSETS,
      insurance: { USD: String(random.integer(0, 2) * 500) },
    });
    this.#customers = Array.from({ length: CUSTOMERS }, (_, index) =>
      this.core.openAccount(`customer-${index}`, {
        USD: String(random.integer(100, 3_000)),
        BTC: index % 2 === 0 ? '0.5' : '0',
      }),
    );
    this.core.onFill((order, fill) => {
      this.#count(order.special?.forced ?? 'fill');
      if (fill.liquidity === 'maker' && fill.isLiquidation !== true)
        this.#checkPriority(order.pair, order.side, fill.ticks, fill.orderId);
    });
    for (const { pair } of this.core.markets) {
      this.#setIndex(pair);
      this.#streetQuotes(pair);
    }
    this.#advance(2_000);
  }

  step(): string {
    const random = this.#random;
    const pair = this.#pick(this.core.markets).pair;
    const account = this.#pick(this.#customers);
    const roll = random.next();
    if (roll < 0.4) return this.#order(account, pair);
    if (roll < 0.46) return this.#cancel(account);
    if (roll < 0.54) return this.#streetQuotes(pair);
    if (roll < 0.7) return this.#jump(pair);
    if (roll < 0.76) return this.#advance(random.integer(1, 20_000));
    if (roll < 0.78) return this.#advance(60_000);
    if (roll < 0.84) return this.#leverage(account, pair);
    if (roll < 0.9) return this.#margin(account, pair);
    if (roll < 0.93) return this.#closePosition(account, pair);
    if (roll < 0.96) return this.#deposit(account);
    return this.#withdraw(account);
  }

  #order(account: Account, pair: string): string {
    const random = this.#random;
    const market = this.core.market(pair).market;
    const side = random.next() < 0.5 ? 'buy' : 'sell';
    const isMarket = random.next() < 0.2;
    const isCapable = !isMarket && random.next() < 0.3;
    const { step } = market.filters.quantity;
    const everyday = pair === 'USD_ETH_PERP' ? 300 : 12;
    // Now and then as much as the account can carry, so that it can be liquidated.
    const isBold = market.contract === 'linear' && random.next() < 0.5;
    const size = isBold ? this.#boldSize(account, pair) : random.integer(1, everyday);
    const lots = (size * step) as Lots;
    const terms: OrderTerms = {
      side,
      type: isMarket ? 'market' : 'limit',
      ticks: isMarket ? undefined : this.#near(pair, random.normal() * 0.002),
      lots,
      timeInForce: isMarket ? 'IOC' : this.#pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const),
      postOnly: false,
      reduceOnly: market.contract === 'linear' && random.next() < 0.15,
    };
    const isGtc = terms.timeInForce === 'GTC';
    let options: OrderOptions | undefined;
    let tag: string | undefined;
    if (isCapable && isGtc) {
      const kind = this.#pick(['hidden', 'icebergs', 'trigger', 'oco', 'post', 'close'] as const);
      if (kind === 'hidden') options = { hidden: true };
      if (kind === 'icebergs') options = { icebergs: random.integer(2, 5) };
      if (kind === 'trigger') {
        options = { trigger: { ticks: this.#near(pair, random.normal() * 0.01), event: 'last' } };
      }
      if (kind === 'close' && market.contract === 'linear') {
        options = {
          trigger: {
            ticks: this.#near(pair, random.normal() * 0.01),
            event: this.#pick(['mark', 'index', 'last'] as const),
          },
          closeOnTrigger: true,
        };
      }
      if (kind === 'oco') tag = `group-${random.integer(1, 3)}-${account.name}-${pair}`;
      const postOnly = kind === 'post';
      const reduceOnly = terms.reduceOnly || options?.closeOnTrigger === true;
      return this.#place(account, pair, { ...terms, postOnly, reduceOnly }, options, tag);
    }
    return this.#place(account, pair, terms, undefined, undefined);
  }

  #place(
    account: Account,
    pair: string,
    terms: OrderTerms,
    options: OrderOptions | undefined,
    tag: string | undefined,
  ): string {
    const placed = this.core.place(account, { pair, terms, options, tag }, this.#now);
    if (placed.kind === 'refused') this.#count(`refused: ${placed.reason.split(':')[0] ?? ''}`);
    else this.#count(`${placed.order.status} order`);
    return `${account.name} ${terms.side} ${terms.lots} lots of ${pair} ${JSON.stringify(options ?? {})}: ${placed.kind}`;
  }

  /** Lots that take most of the account's free money as margin. */
  #boldSize(account: Account, pair: string): number {
    const { market } = this.core.market(pair);
    const free = Number(this.core.available(account, 'USD')) / 1e8;
    // im(x) = x · (0.01 + 10^-6 · x) of the free money, solved for x.
    const margin = free * (0.5 + 0.45 * this.#random.next());
    const notional = (Math.sqrt(1e-4 + 4e-6 * Math.max(0, margin)) - 0.01) / 2e-6;
    return Math.max(1, Math.floor((notional / (this.#price[pair] as number)) * market.quantityGrid.scale));
  }

  #cancel(account: Account): string {
    const orders = this.core.orders(account, 'active', { limit: 1_000 });
    if (this.#random.next() < 0.2) {
      this.core.cancelMany(account, undefined, this.#now);
      return `${account.name} cancels all of ${orders.length}`;
    }
    const waiting = this.core.triggers(account).filter(({ status }) => status === 'untriggered');
    const order = this.#pickOrNone([...orders, ...waiting]);
    if (order === undefined) return 'nothing to cancel';
    this.core.cancel(account, order.id, this.#now);
    return `${account.name} cancels ${order.id}`;
  }

  /** The street stands on both sides, thinly, so that jumps run through it. */
  #streetQuotes(pair: string): string {
    const { street } = this.core;
    const { step } = this.core.market(pair).market.filters.quantity;
    this.core.cancelMany(
      street,
      this.core.orders(street, 'active', { pair, limit: 1_000 }).map(({ id }) => id),
      this.#now,
    );
    for (let level = 1; level <= 4; level++) {
      for (const side of ['buy', 'sell'] as const) {
        const away = (side === 'buy' ? -1 : 1) * level * 0.0008;
        const scale = pair === 'USD_ETH_PERP' ? 400 : 15;
        const lots = (this.#random.integer(1, scale) * step) as Lots;
        this.core.place(
          street,
          {
            pair,
            terms: {
              side,
              type: 'limit',
              ticks: this.#near(pair, away),
              lots,
              timeInForce: 'GTC',
              postOnly: false,
              reduceOnly: false,
            },
          },
          this.#now,
        );
      }
    }
    return `the street quotes ${pair}`;
  }

  /** The index goes somewhere else, sometimes far, and takes the mark with it at the next update. */
  #jump(pair: string): string {
    const random = this.#random;
    const size = this.#pick([0.05, 0.015, 0.008, 0.005, 0.003]);
    const start = START[pair] as number;
    const next = (this.#price[pair] as number) * (1 + random.normal() * size);
    this.#price[pair] = Math.min(start * 2, Math.max(start / 2, next));
    this.#setIndex(pair);
    return `${pair} jumps to ${this.#price[pair]}, ${this.#advance(1_000)}`;
  }

  #advance(ms: number): string {
    this.#now += ms;
    this.core.advance(this.#now);
    return `${ms} ms pass`;
  }

  #leverage(account: Account, pair: string): string {
    if (this.core.market(pair).market.contract !== 'linear') return 'no leverage on spot';
    const leverage = this.#pick(['0', '2', '5', '10', '25', '50']);
    const changed = this.core.setLeverage(account, pair, leverage, this.#now);
    this.#count(`leverage ${changed.kind}`);
    return `${account.name} leverage ${leverage} on ${pair}: ${changed.kind}`;
  }

  #margin(account: Account, pair: string): string {
    if (this.core.market(pair).market.contract !== 'linear') return 'no margin on spot';
    const isolated = [...account.holdings.values()].find(
      ({ leverage, lots }) => leverage !== undefined && lots !== 0,
    );
    if (isolated !== undefined) pair = isolated.state.market.pair;
    const amount = (this.#random.next() * 40).toFixed(8);
    const change = this.#random.next() < 0.5 ? 'fund' : 'draw';
    const changed = this.core[change](account, pair, amount, this.#now);
    this.#count(`${change} ${changed.kind}`);
    return `${account.name} ${change} ${amount} on ${pair}: ${changed.kind}`;
  }

  #closePosition(account: Account, pair: string): string {
    if (this.core.market(pair).market.contract !== 'linear') return 'no position on spot';
    const closed = this.core.close(account, { pair }, this.#now);
    this.#count(`close ${closed.kind}`);
    return `${account.name} closes ${pair}: ${closed.kind}`;
  }

  #deposit(account: Account): string {
    const { wallet } = this.core;
    const asset = this.#random.next() < 0.8 ? 'USD' : 'BTC';
    const quantity = asset === 'USD' ? this.#random.integer(1, 2_000) : 0.01;
    const id = wallet.detectDeposit(
      account,
      asset,
      String(quantity),
      { address: 'a', hash: 'h', from: 'f' },
      this.#now,
    );
    if (this.#random.next() < 0.8) wallet.confirmDeposit(id, this.#now);
    this.#count('deposit');
    return `${account.name} deposits ${quantity} ${asset}`;
  }

  #withdraw(account: Account): string {
    const { wallet } = this.core;
    const pending = wallet.withdrawals(account).find(({ status }) => status === 'pending');
    if (pending !== undefined && this.#random.next() < 0.6) {
      const drop = this.#random.next() < 0.3;
      if (drop) wallet.dropWithdrawal(pending.id, this.#now);
      else wallet.confirmWithdrawal(pending.id, this.#now);
      this.#count(drop ? 'withdrawal dropped' : 'withdrawal paid');
      return `${account.name} withdrawal ${pending.id} ${drop ? 'dropped' : 'confirmed'}`;
    }
    const quantity = (10 + this.#random.next() * 200).toFixed(8);
    const asked = wallet.requestWithdrawal(account, 'USD', quantity, 'somewhere', this.#now);
    this.#count(asked.kind === 'refused' ? 'withdrawal refused' : 'withdrawal');
    return `${account.name} withdraws ${quantity}: ${asked.kind}`;
  }

  #setIndex(pair: string): void {
    const { market } = this.core.market(pair);
    const ticks = Math.round((this.#price[pair] as number) * market.priceGrid.scale) as Ticks;
    this.core.setIndex(pair, ticks, this.#now);
  }

  #near(pair: string, away: number): Ticks {
    const { market } = this.core.market(pair);
    return Math.max(
      1,
      Math.round((this.#price[pair] as number) * (1 + away) * market.priceGrid.scale),
    ) as Ticks;
  }

  /** A maker was filled at `ticks`: nobody else's order may rest at a better price on its side. */
  #checkPriority(pair: string, side: 'buy' | 'sell', ticks: Ticks, orderId: string): void {
    for (const account of this.core.accounts) {
      const holding = account.holdings.get(pair);
      for (let order = holding?.firstWorking; order !== undefined; order = order.nextWorking) {
        const isBetter = side === 'buy' ? order.limitTicks > ticks : order.limitTicks < ticks;
        if (order.side === side && order.level !== undefined && isBetter && order.id !== orderId) {
          this.matchingFaults.push(
            `${orderId} was filled at ${ticks} while ${order.id} stood at ${order.limitTicks}`,
          );
        }
      }
    }
  }

  #count(what: string): void {
    this.seen[what] = (this.seen[what] ?? 0) + 1;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random.integer(0, items.length - 1)] as T;
  }

  #pickOrNone<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : this.#pick(items);
  }
}
