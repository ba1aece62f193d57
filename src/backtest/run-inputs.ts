import { NO_LIMITS } from '../gate/limits.js';
import type { BacktestOptions } from './backtest-options.js';
import type { RunInputs } from './result.js';
import { type ReadData, runData } from './run-data.js';

/** Everything that determines the numbers of a run, in the form in which its result contains it. */
export function runInputs(options: BacktestOptions, read: ReadData): RunInputs {
  const { recording, strategy } = options;
  const params = Object.entries(strategy.params).map(([name, value]) => [name, String(value)] as const);
  return {
    strategyHash: options.strategyHash,
    strategy: strategy.name,
    params: Object.fromEntries(params),
    options: {
      capital: options.capital,
      fill: options.fill ?? 'all',
      latencyMs: String(options.latencyMs ?? 50),
      jitterMs: String(options.jitterMs ?? 0),
      ...(options.delays === undefined ? {} : { delays: options.delays.name }),
      slippageTicks: String(options.slippageTicks ?? 0),
      poll: options.polls?.name ?? '0',
      limits: JSON.stringify(options.limits ?? NO_LIMITS),
      seed: options.seed ?? '1',
    },
    engineVersion: options.engineVersion,
    data: runData(recording, read),
    market: recording.market,
  };
}
