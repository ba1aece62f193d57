import type { Market } from '../../model/market.js';
import { rateNumber } from '../../model/money.js';
import type { Endpoint, PublicRequest } from './endpoint.js';
import { type Answer, Refused } from './envelope.js';
import { oneOf, whole } from './fields.js';
import { listQuery, optionalMarket, requiredMarket } from './list-query.js';
import { assetRecord } from './records/asset-record.js';
import { candleRecord } from './records/candle-record.js';
import { depthRecord } from './records/depth-record.js';
import { marketRecord } from './records/market-record.js';
import { tickerRecord } from './records/ticker-record.js';
import { tradesJson } from './records/trade-record.js';
import { volatilityOf } from './volatility.js';

const DEPTH_LEVELS = 40;
const DEFAULT_CANDLES = 250;
const DEFAULT_INTERVAL = '5m';
const INTERVALS = {
  '1m': 60_000,
  '3m': 180_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '24h': 86_400_000,
} as const;
const INTERVAL_NAMES = Object.keys(INTERVALS) as (keyof typeof INTERVALS)[];

/** The endpoints that require no key. */
export const PUBLIC_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/time', access: 'public', answer: ({ now }) => String(now) },
  { method: 'GET', path: '/pairs', access: 'public', answer: pairs },
  { method: 'GET', path: '/assets', access: 'public', answer: assets },
  { method: 'GET', path: '/trades', access: 'public', answer: trades },
  { method: 'GET', path: '/ticker', access: 'public', answer: ticker },
  { method: 'GET', path: '/depth', access: 'public', answer: depth },
  { method: 'GET', path: '/ohlcv', access: 'public', answer: ohlcv },
];

function pairs({ core, markets, hasEnded }: PublicRequest): Answer {
  const records = [...markets.values()].map((market) => {
    const { band, lastPrice, isActive } = core.market(market.pair);
    const status = hasEnded(market.pair) ? 'ENDED' : isActive ? 'TRADING' : 'HALTED';
    const known = Number.isNaN(lastPrice) ? undefined : lastPrice;
    return [market.pair, marketRecord(market, { status, lastPrice: known, band: rateNumber(band) })] as const;
  });
  return JSON.stringify(Object.fromEntries(records));
}

function assets({ core }: PublicRequest): Answer {
  const records = core.wallet.assets.map((asset) => [
    asset.key,
    assetRecord(asset, core.usdPrice(asset.key)),
  ]);
  return JSON.stringify(Object.fromEntries(records));
}

function trades(request: PublicRequest): Answer {
  const market = requiredMarket(request);
  if (market instanceof Refused) return market;
  const query = listQuery(request, market.pair);
  if (query instanceof Refused) return query;
  return tradesJson(market.pair, request.core.trades(market.pair, query));
}

function ticker(request: PublicRequest): Answer {
  const market = optionalMarket(request);
  if (market instanceof Refused) return market;
  const wanted: Iterable<Market> = market === undefined ? request.markets.values() : [market];
  const { core, now } = request;
  const records = [...wanted].map(
    (each) =>
      [
        each.pair,
        tickerRecord(each, core.ticker(each.pair, now), {
          volatility: volatilityOf(core, each.pair, now),
          now,
        }),
      ] as const,
  );
  return JSON.stringify(Object.fromEntries(records));
}

function depth(request: PublicRequest): Answer {
  const market = requiredMarket(request);
  if (market instanceof Refused) return market;
  const limit = whole(request.fields, 'limit', 'a whole number of at least 1', 1);
  if (limit instanceof Refused) return limit;
  const levels = Math.min(limit ?? DEPTH_LEVELS, request.maxLimit);
  return JSON.stringify(depthRecord(market, request.core.depth(market.pair, levels)));
}

function ohlcv(request: PublicRequest): Answer {
  const market = requiredMarket(request);
  if (market instanceof Refused) return market;
  const interval = oneOf(request.fields, 'interval', INTERVAL_NAMES);
  if (interval instanceof Refused) return interval;
  const query = listQuery(request, market.pair, DEFAULT_CANDLES);
  if (query instanceof Refused) return query;
  const intervalMs = INTERVALS[interval ?? DEFAULT_INTERVAL];
  const candles = request.core.candles(market.pair, intervalMs, {
    from: query.from ?? 0,
    to: query.to ?? request.now,
    limit: query.limit ?? DEFAULT_CANDLES,
    now: request.now,
  });
  return JSON.stringify(candles.map((candle) => candleRecord(candle, intervalMs)));
}
