/** A backtest from the request to the result; used for new and for repeated runs. */
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
import { checkPollsWithin, pollsOption, type SessionPolls } from './polls.js';
import type { LoadedStrategy } from '../strategy/strategy.js';

/** Folder of saved runs, relative to the working directory. */
export const RUNS_FOLDER = 'backtest/runs';

export interface RunWatcher {
  /** Whether to keep all round trips of the headline run, rather than the first 65 536. */
  readonly allRoundTrips?: boolean;
  /** Called with each fill of the headline run. */
  readonly onFill?: (fill: Fill) => void;
  /** Called after each chunk, with the number of trades or bars so far and the session of the headline model. */
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
  const { capital, jitterMs, poll, polledTo, seed } = options;
  const engine = await packageVersion(machine.files);
  const polled = await pollsOption(machine, {
    poll: poll ?? undefined,
    jitter: jitterMs ?? undefined,
    seed,
    polledTo,
  });
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
  await checkPollsWithin(polled, { pair: recording.pair, from: run.from, to: run.to });
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
        lastFact: run.lastFact ?? null,
        ...inferredOf(recording),
        hash: run.dataHash,
      },
      options: { ...options, ...ofSession(polled.session) },
    },
  };
}

/** The session may be asked for from another folder, and go on after the run. */
function ofSession(
  session: SessionPolls | undefined,
): Partial<Pick<RunRecipe['options'], 'poll' | 'polledTo'>> {
  return session === undefined ? {} : { poll: resolve(session.path), polledTo: session.last };
}

/** The grid that the run used, if its market was inferred: further prints may lead to another one. */
export function inferredOf({ market, marketSource }: Recording): Pick<RunRecipe['data'], 'inferred'> {
  return marketSource === 'inferred' ? { inferred: inferredGridOf(market) } : {};
}

/** The limits that are set, as plain JSON. */
export function setLimits(limits: Limits): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(limits)) as Record<string, unknown>;
}
