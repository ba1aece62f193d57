import type { RunRecipe } from '../../backtest/registry.js';
import type { Market } from '../../model/market.js';
import { setLimits } from './backtest-run.js';
import type { BacktestOptions } from './backtest-options.js';
import { capitalOf } from '../settings/capital.js';
import { limitsOf } from '../settings/limits.js';
import type { Settings } from '../settings/settings.js';

/** The options of a run other than its strategy and data, from the command line and the configuration. */
export function recipeOptions(
  market: Market,
  settings: Settings,
  asked: Pick<BacktestOptions, 'capital' | 'fill' | 'latency' | 'jitter' | 'slippage' | 'poll' | 'seed'>,
): RunRecipe['options'] {
  return {
    capital: capitalOf(market, asked.capital),
    fill: asked.fill,
    latencyMs: asked.latency ?? null,
    jitterMs: asked.jitter ?? null,
    slippageTicks: asked.slippage ?? null,
    poll: asked.poll ?? null,
    seed: asked.seed,
    limits: setLimits(limitsOf(market, settings)),
  };
}
