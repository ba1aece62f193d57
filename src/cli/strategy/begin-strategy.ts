import { Engine } from '../../engine/engine.js';
import { CATALOGUE, catalogueMarket, DEFAULT_PAIR } from '../../venue/catalogue.js';
import type { LoadedStrategy } from './strategy.js';

/**
 * Creates the strategy like a session before its first event, and discards it. A pair that is not built in belongs to a
 * venue that is not asked here; the default pair replaces it.
 *
 * @throws errors of its `create` or its return value, with the file and line of the strategy
 */
export function beginStrategy(strategy: LoadedStrategy, pair: string = DEFAULT_PAIR): void {
  const isKnown = CATALOGUE.some(({ spec }) => spec.pair === pair);
  const market = catalogueMarket(isKnown ? pair : DEFAULT_PAIR);
  try {
    new Engine({ strategy: strategy.bound, market, seed: '1', warmUp: true });
  } catch (error) {
    throw strategy.explain(error);
  }
}
