/** A small world and a real client in it. */
import { createVenueClient, type VenueClient, type VenueClientOptions } from '../../../src/client/client.js';
import { tickwright } from '../../../src/client/profile.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket, type MarketSpec } from '../../../src/model/market.js';
import type { OrderTerms } from '../../../src/model/order.js';
import { seededRandom } from '../../../src/model/random.js';
import type { Life } from '../../../src/simulation/world/life.js';
import { VenueWorld, type VenueWorldOptions } from '../../../src/simulation/world/venue-world.js';
import { drain } from '../drain.js';

export const BTC_SPEC: MarketSpec = {
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  interest: { min: '0', max: '5', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
};
export const BTC = defineMarket(BTC_SPEC);

export const ANNA = { name: 'anna', key: 'anna-key', secret: 'anna-secret' } as const;
export const BERT = { name: 'bert', key: 'bert-key', secret: 'bert-secret' } as const;

/** 60 000.0 */
export const START_TICKS = 600_000;

/** Far below the market: it rests. */
export const BID: OrderTerms = {
  side: 'buy',
  type: 'limit',
  ticks: 590_000 as Ticks,
  lots: 10 as Lots,
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
};
export const MARKET_BUY: OrderTerms = { ...BID, type: 'market', ticks: undefined, postOnly: false };

export function world(options: Partial<VenueWorldOptions> = {}): VenueWorld {
  return new VenueWorld({
    seed: 1,
    drain,
    markets: [{ market: BTC, startTicks: START_TICKS }],
    accounts: [ANNA, BERT],
    ...options,
  });
}

export function clientOf(
  world: VenueWorld,
  life: Life,
  who: typeof ANNA | typeof BERT = ANNA,
  more: Pick<VenueClientOptions, 'haste'> = {},
): VenueClient {
  return createVenueClient({
    ...more,
    baseUrl: world.baseUrl,
    profile: tickwright,
    transport: life.transport,
    clock: life.clock,
    timers: life.timers,
    random: seededRandom(life.name),
    log: life.log,
    credentials: { apiKey: who.key, apiSecret: who.secret },
  });
}
