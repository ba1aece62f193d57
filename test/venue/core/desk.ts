import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket, type Market, type MarketSpec } from '../../../src/model/market.js';
import type { OrderOptions, OrderTerms, TimeInForce, TriggerEvent } from '../../../src/model/order.js';
import type { Account, CoreOrder } from '../../../src/venue/core/account.js';
import { type Placement, VenueCore, type VenueCoreOptions } from '../../../src/venue/core/venue-core.js';

export const BTC = 'USD_BTC_PERP';
export const ETH = 'USD_ETH_PERP';

/** The market of the worked examples (`money.md` §15). */
export function btcMarket(changes: Partial<MarketSpec> = {}): Market {
  return defineMarket({
    pair: BTC,
    base: 'BTC',
    quote: 'USD',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    interest: { min: '0', max: '50', step: '0.001' },
    fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
    margin: {
      initial: '0.01',
      maintenance: '0.005',
      initialRiskLimit: '0.000001',
      maintenanceRiskLimit: '0.0000005',
    },
    ...changes,
  });
}

export function ethMarket(changes: Partial<MarketSpec> = {}): Market {
  return btcMarket({
    pair: ETH,
    base: 'ETH',
    price: { min: '0.01', max: '100000', step: '0.01' },
    quantity: { min: '0.01', max: '1000', step: '0.01' },
    interest: { min: '0', max: '500', step: '0.01' },
    fees: { maker: '-0.0001', taker: '0.00075' },
    margin: {
      initial: '0.02',
      maintenance: '0.01',
      initialRiskLimit: '0.000002',
      maintenanceRiskLimit: '0.000001',
    },
    ...changes,
  });
}

/** `price` undefined is MARKET. Prices and quantities as people write them. */
export interface Ask {
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price?: number;
  readonly timeInForce?: TimeInForce;
  readonly postOnly?: boolean;
  readonly reduceOnly?: boolean;
  readonly options?: OrderOptions;
  /** Wire: oco. */
  readonly tag?: string;
}

export function termsOf(market: Market, ask: Ask): OrderTerms {
  return {
    side: ask.side,
    type: ask.price === undefined ? 'market' : 'limit',
    ticks: ask.price === undefined ? undefined : (Math.round(ask.price * market.priceGrid.scale) as Ticks),
    lots: Math.round(ask.quantity * market.quantityGrid.scale) as Lots,
    timeInForce: ask.timeInForce ?? 'GTC',
    postOnly: ask.postOnly ?? false,
    reduceOnly: ask.reduceOnly ?? false,
  };
}

/** The options of an order that waits for `price` in quote units. */
export function waitFor(price: number, event: TriggerEvent = 'mark', rest: OrderOptions = {}): OrderOptions {
  return { trigger: { ticks: Math.round(price * 10) as Ticks, event }, ...rest };
}

/** A core with one BTC book by default, and short words for tests. Every command is one millisecond later. */
export class Desk {
  readonly core: VenueCore;
  now = 1_000_000;

  constructor(options: Partial<VenueCoreOptions> = {}) {
    this.core = new VenueCore({ markets: [{ market: btcMarket() }], ...options });
  }

  open(name: string, usd = '1000000'): Account {
    return this.core.openAccount(name, { USD: usd });
  }

  place(account: Account, ask: Ask, pair = BTC, tag?: string): Placement {
    const market = this.core.market(pair).market;
    const { options } = ask;
    return this.core.place(
      account,
      { pair, terms: termsOf(market, ask), options, tag: tag ?? ask.tag },
      ++this.now,
    );
  }

  /** The order, which must have been accepted. */
  accept(account: Account, ask: Ask, pair = BTC): CoreOrder {
    const placement = this.place(account, ask, pair);
    if (placement.kind === 'refused') throw new Error(`refused: ${placement.reason}`);
    return placement.order;
  }

  buy(
    account: Account,
    quantity: number,
    price?: number,
    rest: Omit<Ask, 'side' | 'quantity' | 'price'> = {},
  ) {
    return this.accept(account, {
      side: 'buy',
      quantity,
      ...(price === undefined ? {} : { price }),
      ...rest,
    });
  }

  sell(
    account: Account,
    quantity: number,
    price?: number,
    rest: Omit<Ask, 'side' | 'quantity' | 'price'> = {},
  ) {
    return this.accept(account, {
      side: 'sell',
      quantity,
      ...(price === undefined ? {} : { price }),
      ...rest,
    });
  }

  refusal(account: Account, ask: Ask, pair = BTC): string {
    const placement = this.place(account, ask, pair);
    return placement.kind === 'refused' ? placement.reason : `accepted: ${placement.order.status}`;
  }

  /** USD in 10^-8. */
  cash(account: Account): bigint {
    return account.balances.get('USD')?.cash ?? 0n;
  }
}

/** 10^-8 of a dollar. */
export function usd(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(8, '0'));
  return text.startsWith('-') ? -units : units;
}
