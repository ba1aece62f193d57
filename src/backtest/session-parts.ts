import { Engine } from '../engine/engine.js';
import { type Limits, NO_LIMITS } from '../gate/limits.js';
import type { Fill } from '../model/fill.js';
import type { TradeGap } from '../model/trade.js';
import type { FillModel } from '../venue/tape/fill-model.js';
import type { TapeVenueOptions } from '../venue/tape/tape-parts.js';
import type { BacktestOptions } from './backtest-options.js';

/** The parts of a session of one fill model, alike for trades and bars. */
export interface SessionParts {
  readonly venue: TapeVenueOptions;
  readonly session: {
    readonly engine: Engine;
    readonly limits: Limits;
    /** Quote units. */
    readonly capital: number;
    readonly gaps: readonly TradeGap[];
    readonly allRoundTrips: boolean;
    readonly onFill?: (fill: Fill) => void;
  };
}

/** Options with a separate instance of the strategy for each session; the first one gets the one that was loaded. */
export async function ofItsOwn(options: BacktestOptions, index: number): Promise<BacktestOptions> {
  const { fresh } = options;
  return fresh === undefined || index === 0 ? options : { ...options, strategy: await fresh() };
}

export function sessionParts(options: BacktestOptions, model: FillModel, isHeadline: boolean): SessionParts {
  const { strategy, recording, capital, seed = '1', latencyMs = 50, jitterMs = 0, onFill } = options;
  const { allRoundTrips = false } = options;
  const { market, gaps, rates } = recording;
  return {
    venue: {
      market,
      deposit: capital,
      latency: options.delays?.of ?? { placeMs: latencyMs, cancelMs: latencyMs, jitterMs },
      seed,
      slippageTicks: options.slippageTicks,
      model,
      hasRates: rates.from !== undefined,
    },
    session: {
      engine: new Engine({ strategy, market, seed, warmUp: false, positions: 'own' }),
      limits: options.limits ?? NO_LIMITS,
      capital: Number(capital),
      gaps,
      allRoundTrips: isHeadline && allRoundTrips,
      ...(onFill === undefined || !isHeadline ? {} : { onFill }),
    },
  };
}
