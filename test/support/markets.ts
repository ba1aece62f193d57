import { defineMarket, type Market } from '../../src/model/market.js';

/** The market of the worked examples of the money rules: tick 0.1, lot 0.001, maker 2 bp, taker 6 bp. */
export const BTC: Market = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  interest: { min: '0', max: '50', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
});
