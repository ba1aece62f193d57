import { Engine } from '../../engine/engine.js';
import { CATALOGUE, catalogueMarket, DEFAULT_PAIR } from '../../venue/catalogue.js';
import type { LoadedStrategy } from './strategy.js';

/**
 * Makes the strategy as a session does before its first event, and throws it away. A pair that is not built in is one of
 * a venue that is not asked here: the default one stands for it.
 *
 * @throws what is wrong with its `create` or with what that returns, by its own file and line
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
