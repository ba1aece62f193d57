import { type Limits, NO_LIMITS } from '../gate/limits.js';
import { type Lots, textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
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
      limits: limitsText(options.limits ?? NO_LIMITS, recording.market),
      seed: options.seed ?? '1',
    },
    engineVersion: options.engineVersion,
    data: runData(recording, read),
    market: recording.market,
  };
}

/** Those that are set, as JSON; quantities in the base asset, as a person writes them. */
function limitsText(limits: Limits, { quantityGrid }: Market): string {
  const text = (lots: Lots | undefined) => (lots === undefined ? undefined : textOf(quantityGrid, lots));
  const { maxPosition, maxOrderQuantity } = limits;
  return JSON.stringify({
    ...limits,
    maxPosition: text(maxPosition),
    maxOrderQuantity: text(maxOrderQuantity),
  });
}
