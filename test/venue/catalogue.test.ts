import { expect, test } from 'vitest';
import { defineMarket } from '../../src/model/market.js';
import {
  ASSETS,
  assetsOf,
  CATALOGUE,
  catalogueEntry,
  catalogueMarket,
  LISTED_OPTIONS,
} from '../../src/venue/catalogue.js';
import { VenueCore } from '../../src/venue/core/venue-core.js';

test('every market of the catalogue is one that the venue takes, and its assets are listed', () => {
  const markets = [...CATALOGUE.map(({ spec }) => spec), ...LISTED_OPTIONS].map(defineMarket);
  const core = new VenueCore({ markets: markets.map((market) => ({ market })), assets: ASSETS });
  expect(core.markets).toHaveLength(4);
  for (const market of markets) {
    for (const key of [market.base, market.quote]) expect(ASSETS.map((asset) => asset.key)).toContain(key);
    expect(ASSETS.find(({ key }) => key === market.quote)?.precision).toBe(market.quotePrecision);
  }
});

test('USD_BTC_PERP is the market of the worked examples', () => {
  const market = catalogueMarket('USD_BTC_PERP');
  expect(market.priceGrid.decimals).toBe(1);
  expect(market.quantityGrid.decimals).toBe(3);
  expect(market.filters.interest.max).toBe(50_000);
  expect(market.fees.maker).toEqual({ numerator: 2n, denominator: 10_000n });
  expect(market.margin.initialRiskLimit).toEqual({ numerator: 1n, denominator: 1_000_000n });
});

test('the spot pair is base first, and the option is listed without being traded', () => {
  expect(catalogueMarket('BTC_USD')).toMatchObject({
    base: 'BTC',
    quote: 'USD',
    contract: 'spot',
    active: true,
  });
  expect(LISTED_OPTIONS.map(defineMarket)).toMatchObject([{ contract: 'option', active: false }]);
});

test('exactly one asset gives a commission discount', () => {
  expect(ASSETS.filter((asset) => asset.isSpecialCommissionAsset).map(({ key }) => key)).toEqual(['TWT']);
});

test('the assets of several pairs are listed once each, with the one that gives a discount', () => {
  const of = (...pairs: string[]) => assetsOf(pairs.map(catalogueMarket)).map(({ key }) => key);
  expect(of('USD_BTC_PERP', 'USD_ETH_PERP')).toEqual(['USD', 'BTC', 'ETH', 'TWT']);
  expect(of('USD_ETH_PERP')).toEqual(['USD', 'ETH', 'TWT']);
});

test('an unknown pair is refused by name', () => {
  expect(() => catalogueEntry('USD_DOGE_PERP')).toThrow(
    /must be one of USD_BTC_PERP, USD_ETH_PERP, BTC_USD, received USD_DOGE_PERP/,
  );
});
