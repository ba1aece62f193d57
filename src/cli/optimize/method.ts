import { gridSampler } from '../../backtest/search/grid.js';
import type { Sampler } from '../../backtest/search/sampler.js';
import { sobolSampler } from '../../backtest/search/sobol.js';
import type { Space } from '../../backtest/search/space.js';
import { tpeSampler } from '../../backtest/search/tpe.js';
import { UsageError } from '../../model/errors.js';
import type { Method, OptimizeCommandOptions } from './options.js';

/**
 * The search method. Default: a grid if the budget suffices for all of it, else TPE.
 *
 * @throws UsageError for a requested grid that is impossible or exceeds the budget
 */
export function methodOf({ size, dimensions }: Space, { method, budget }: OptimizeCommandOptions): Method {
  if (method !== 'grid') return method ?? (size !== undefined && size <= budget ? 'grid' : 'tpe');
  const free = dimensions.find(({ levels }) => levels === undefined);
  if (free !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_SPACE',
      `--method grid must have a step in each range, received none for ${free.name}`,
    );
  }
  if (size === undefined || size <= budget) return method;
  throw new UsageError(
    'TICKWRIGHT_E_SPACE',
    `--method grid must have at most as many points as --budget, received ${size} and ${budget}: ` +
      `give a larger --budget, larger steps, or --method sobol or tpe`,
  );
}

export function samplerOf(method: Method, { dimensions }: Space, seed: string): Sampler {
  if (method === 'grid') return gridSampler(dimensions);
  return method === 'sobol' ? sobolSampler(dimensions, seed) : tpeSampler(dimensions, seed);
}
