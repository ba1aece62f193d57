import { type Limits, NO_LIMITS } from '../gate/limits.js';
import type { BacktestOptions } from './backtest-options.js';
import type { RunRecipe } from './registry.js';

/** Converts a recipe of a run into options of the backtest. The poll schedule (`poll`) is made elsewhere. */
export function runOptions({
  capital,
  fill,
  latencyMs,
  jitterMs,
  slippageTicks,
  seed,
  limits,
}: Omit<RunRecipe['options'], 'poll'>): Pick<
  BacktestOptions,
  'capital' | 'fill' | 'limits' | 'seed' | 'latencyMs' | 'jitterMs' | 'slippageTicks'
> {
  return {
    capital,
    fill,
    limits: { ...NO_LIMITS, ...(limits as Partial<Limits>) },
    seed: String(seed),
    ...(latencyMs === null ? {} : { latencyMs }),
    ...(jitterMs === null ? {} : { jitterMs }),
    ...(slippageTicks === null ? {} : { slippageTicks }),
  };
}
