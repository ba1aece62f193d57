import { defineMarket, type Market, type MarketSpec } from '../../../src/model/market.js';
import type { Ticks } from '../../../src/model/grid.js';
import type { Account, CoreOrder } from '../../../src/venue/core/account.js';
import type { VenueCoreOptions } from '../../../src/venue/core/venue-core.js';
import { type Ask, BTC, Desk, ETH } from './desk.js';

/** `money.md` §15: the one market of the worked examples, for both pairs. */
const EXAMPLE = {
  quote: 'USD',
  interest: { min: '0', max: '5000', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
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
    insurancePercentage: '1',
  },
  funding: { intervalMs: 3_600_000, timeWindowMs: 36_000_000, min: '-0.003', max: '0.003', threshold: '0' },
} as const;

export const PRICING = {
  indexIntervalMs: 1_000,
  markEmaRange: 60,
  markMaxDeviation: '0.02',
  bandDeviation: '0.1',
  fairQuantity: '0',
  fairMultiplier: '0.01',
} as const;

export function exampleBtc(changes: Partial<MarketSpec> = {}): Market {
  return defineMarket({
    ...EXAMPLE,
    pair: BTC,
    base: 'BTC',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    ...changes,
  });
}

export function exampleEth(changes: Partial<MarketSpec> = {}): Market {
  return defineMarket({
    ...EXAMPLE,
    pair: ETH,
    base: 'ETH',
    price: { min: '0.01', max: '100000', step: '0.01' },
    quantity: { min: '0.01', max: '1000', step: '0.01' },
    interest: { min: '0', max: '5000', step: '0.01' },
    ...changes,
  });
}

/** A desk of book markets with index prices. Nothing is due by itself for a second after the first price. */
export class RiskDesk extends Desk {
  constructor(
    options: {
      readonly markets?: readonly Market[];
      readonly insurance?: string;
      readonly start?: number;
      readonly core?: Pick<VenueCoreOptions, 'assets' | 'commissionDiscount'>;
    } = {},
  ) {
    super({
      ...options.core,
      markets: (options.markets ?? [exampleBtc()]).map((market) => ({ market, prices: 'index' as const })),
      insurance: { USD: options.insurance ?? '0' },
    });
    if (options.start !== undefined) this.now = options.start;
  }

  ticks(price: number, pair = BTC): Ticks {
    return Math.round(price * this.core.market(pair).market.priceGrid.scale) as Ticks;
  }

  index(price: number, pair = BTC): void {
    this.core.setIndex(pair, this.ticks(price, pair), ++this.now);
  }

  mark(price: number, pair = BTC): void {
    this.core.setMark(pair, this.ticks(price, pair), ++this.now);
  }

  pass(ms: number): void {
    this.now += ms;
    this.core.advance(this.now);
  }

  /** `maker` stands at the price and `taker` takes all of it. */
  deal(
    taker: Account,
    maker: Account,
    ask: Required<Pick<Ask, 'side' | 'quantity' | 'price'>>,
    pair = BTC,
  ): void {
    const { side, quantity, price } = ask;
    this.accept(maker, { side: side === 'buy' ? 'sell' : 'buy', quantity, price }, pair);
    this.accept(taker, { side, quantity, price }, pair);
  }

  /** Oldest first. */
  forced(account: Account): CoreOrder[] {
    return this.core
      .orders(account, 'all', { limit: 1_000 })
      .filter(({ isLiquidation }) => isLiquidation)
      .sort((a, b) => a.sequence - b.sequence);
  }

  insurance(): bigint {
    return this.cash(this.core.account('insurance') as Account);
  }

  provider(): Account {
    return this.core.account('provider') as Account;
  }

  margin(account: Account, pair = BTC): bigint {
    return account.holdings.get(pair)?.margin ?? 0n;
  }
}
