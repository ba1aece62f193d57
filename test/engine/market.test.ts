import { expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import type { Contract } from '../../src/model/market.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';

const strategy = bindStrategy(defineStrategy({ name: 'test', create: () => ({ onTrade: () => flat() }) }));
const engineOn = (contract: Contract) =>
  new Engine({ strategy, market: { ...BTC, contract }, seed: '1', warmUp: false });

it.each(['spot', 'option'] as const)('no strategy is run on a market that is %s', (contract) => {
  // A spot market knows no reduce-only order and no position: what is bought there could never be sold again.
  expect(() => engineOn(contract)).toThrow(
    `the market of a strategy must be a perpetual (linear), received USD_BTC_PERP, which is ${contract}`,
  );
  expect(() => engineOn('linear')).not.toThrow();
});
