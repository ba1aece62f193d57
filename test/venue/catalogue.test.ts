import { expect, test } from 'vitest';
import { defineMarket } from '../../src/model/market.js';
import { ASSETS, assetsOf, CATALOGUE, catalogueEntry, catalogueMarket } from '../../src/venue/catalogue.js';

test('every market of the catalogue is a valid market whose assets are listed', () => {
  for (const { spec, assets } of CATALOGUE) {
    const market = defineMarket(spec);
    expect(assets).toEqual([market.quote, market.base]);
    for (const key of assets) expect(ASSETS.map((asset) => asset.key)).toContain(key);
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

test('the assets of several pairs are listed once each', () => {
  expect(assetsOf(['USD_BTC_PERP', 'USD_ETH_PERP']).map(({ key }) => key)).toEqual(['USD', 'BTC', 'ETH']);
  expect(assetsOf(['USD_ETH_PERP']).map(({ key }) => key)).toEqual(['USD', 'ETH']);
});

test('an unknown pair is refused by name', () => {
  expect(() => catalogueEntry('USD_DOGE_PERP')).toThrow(
    /must be one of USD_BTC_PERP, USD_ETH_PERP, received USD_DOGE_PERP/,
  );
});
