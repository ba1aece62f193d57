/** One backtest from what was asked for to its result; the same for a new run and for one that is run again. */
import { resolve } from 'node:path';
import { type BacktestRun, runBacktest } from '../../backtest/backtest.js';
import type { RunRecipe } from '../../backtest/registry.js';
import { runOptions } from '../../backtest/run-options.js';
import { type RunSeries, runSeries } from '../../backtest/series.js';
import type { BacktestSession } from '../../backtest/model-run.js';
import type { Limits } from '../../gate/limits.js';
import { UsageError } from '../../model/errors.js';
import type { Fill } from '../../model/fill.js';
import { inferredGridOf } from '../../storage/market-spec.js';
import type { Recording } from '../../storage/recording/recording.js';
import type { Machine } from '../machine.js';
import { packageVersion } from '../package.js';
import { demandPollsWithin, pollsOption } from './polls.js';
import type { LoadedStrategy } from '../strategy/strategy.js';

/** Runs of the project that the process was started in. */
export const RUNS_FOLDER = 'backtest/runs';

export interface RunWatcher {
  /** Every round trip of the headline run is wanted, not only the first 65 536. */
  readonly allRoundTrips?: boolean;
  /** A fill of the headline run. */
  readonly onFill?: (fill: Fill) => void;
  /** After each chunk: trades or bars so far, and the headline session. */
  readonly onProgress?: (rows: number, session: BacktestSession) => void;
}

export interface FinishedRun extends BacktestRun {
  readonly recipe: RunRecipe;
  readonly series: RunSeries;
}

export interface RunRequest {
  readonly strategy: LoadedStrategy;
  readonly recording: Recording;
  readonly paths: readonly string[];
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly options: RunRecipe['options'];
}

export async function finishRun(
  machine: Machine,
  { strategy, recording, paths, from, to, options }: RunRequest,
  watcher: RunWatcher = {},
): Promise<FinishedRun> {
  const { capital, jitterMs, poll, seed } = options;
  const engine = await packageVersion(machine.files);
  const polled = await pollsOption(machine, { poll: poll ?? undefined, jitter: jitterMs ?? undefined, seed });
  const run = await runBacktest({
    strategy: strategy.bound,
    fresh: () => strategy.fresh(),
    strategyHash: strategy.sha256,
    recording,
    ...runOptions(options),
    engineVersion: engine,
    ...(polled.polls === undefined ? {} : { polls: polled.polls }),
    ...watcher,
  }).catch((error: unknown) => {
    throw strategy.explain(error);
  });
  const { runId, trades, bars } = run.result;
  if (trades + bars === 0) {
    throw new UsageError(
      'TICKWRIGHT_E_RECORDING',
      `the recording of ${recording.pair} must hold ${recording.kind} in the stretch that is asked for, received none (${paths.join(', ')})`,
    );
  }
  demandPollsWithin(polled, { pair: recording.pair, from: run.from, to: run.to });
  return {
    ...run,
    series: runSeries(runId, run.runs, run.headline, Number(capital)),
    recipe: {
      schemaVersion: 1,
      runId,
      engine,
      strategy: { file: resolve(strategy.file), sha256: strategy.sha256, params: strategy.params },
      data: {
        paths: paths.map((path) => resolve(path)),
        pair: recording.pair,
        from: from ?? null,
        to: to ?? null,
        last: run.to,
        ...inferredOf(recording),
        hash: run.dataHash,
      },
      options,
    },
  };
}

/** What the run went by of a market that is inferred, and that more prints may make another one. */
export function inferredOf({ market, marketSource }: Recording): Pick<RunRecipe['data'], 'inferred'> {
  return marketSource === 'inferred' ? { inferred: inferredGridOf(market) } : {};
}

/** Those that are set, as they go through JSON. */
export function setLimits(limits: Limits): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(limits)) as Record<string, unknown>;
}
