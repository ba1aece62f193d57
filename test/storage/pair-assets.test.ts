import { expect, it } from 'vitest';
import { assetsOf } from '../../src/storage/pair-assets.js';

it.each([
  ['USD_BTC_PERP', 'BTC', 'USD'],
  ['X_Y_Z', 'Y', 'X'],
  ['BTC_USDT', 'BTC', 'USDT'],
  ['BTC-USDT', 'BTC', 'USDT'],
  ['BTC/USDT', 'BTC', 'USDT'],
  ['BTC-USDT-SWAP', 'BTC', 'USDT'],
  ['BTC-USD-PERP', 'BTC', 'USD'],
  ['BTCUSDT', 'BTC', 'USDT'],
  ['ethbtc', 'eth', 'btc'],
  ['BNBUSD', 'BNB', 'USD'],
  ['OPUSDT', 'OP', 'USDT'],
  ['ETHBTC-PERP', 'ETH', 'BTC'],
])('%s is of %s in %s', (pair, base, quote) => {
  expect(assetsOf(pair)).toEqual({ base, quote, isAssumed: false });
});

it.each([
  ['GOLDBAR', 'GOLDBAR'],
  ['USD', 'USD'],
  ['SOL-PERP', 'SOL'],
])('%s names no quote asset', (pair, base) => {
  expect(assetsOf(pair)).toEqual({ base, quote: 'USD', isAssumed: true });
});

it.each([
  ['BTCFDUSD', 'BTC', 'FDUSD'],
  ['SHIBUSD', 'SHI', 'BUSD'],
])('%s can be read in several ways, and is taken for %s in %s', (pair, base, quote) => {
  expect(assetsOf(pair)).toEqual({ base, quote, isAssumed: true });
});
