import { expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import { defineMarket, type Market } from '../../src/model/market.js';
import { onGridsOf } from '../../src/model/regrid.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { BTC } from '../support/markets.js';

/** Paths to whatever in it can be changed. */
function changeable(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, part]) => changeable(part, `${path}.${name}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}

it('a market cannot be changed, in none of its parts, on its own grids or on those of a session', () => {
  const market = defineMarket({
    pair: 'USD_BTC_PERP',
    base: 'BTC',
    quote: 'USD',
    price: { min: '1', max: '1000000', step: '1' },
    quantity: { min: '0.01', max: '100', step: '0.01' },
    fees: { maker: '0', taker: '0.001' },
  });
  expect(changeable(market, 'market')).toEqual([]);
  expect(changeable(onGridsOf(BTC, market), 'market')).toEqual([]);
});

it('a strategy that writes to its market fails, before anybody else trades by what it wrote', () => {
  const starts = (write: (market: { -readonly [K in keyof Market]: Market[K] }) => void) => () =>
    new Engine({
      strategy: bindStrategy(
        defineStrategy({
          name: 'cheap',
          create: (_, { market }) => {
            write(market);
            return {};
          },
        }),
      ),
      market: BTC,
      seed: '1',
      warmUp: false,
    });
  expect(starts((market) => (market.fees = { ...market.fees, taker: market.fees.maker }))).toThrow(TypeError);
  expect(starts((market) => Object.assign(market.fees, { taker: market.fees.maker }))).toThrow(TypeError);
  expect(starts((market) => Object.assign(market.filters.quantity, { max: 1e9 }))).toThrow(TypeError);
});
