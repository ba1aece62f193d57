import { Engine } from '../engine/engine.js';
import { type Limits, NO_LIMITS } from '../gate/limits.js';
import { UsageError } from '../model/errors.js';
import type { Fill } from '../model/fill.js';
import type { Recording } from '../storage/recording.js';
import { RowHash } from '../storage/row-hash.js';
import type { BoundStrategy } from '../strategy/instance.js';
import type { CommandDelay } from '../venue/tape/command-delay.js';
import { type FillModel, type FillModelName, fillModels, QUEUE } from '../venue/tape/fill-model.js';
import { TapeVenue } from '../venue/tape/tape-venue.js';
import { FactReader } from './fact-reader.js';
import type { ModelRun } from './model-run.js';
import type { PollSchedule } from './poll-schedule.js';
import { type BacktestResult, backtestResult } from './result.js';
import { TapeSession } from './tape-session.js';

export type { ModelRun } from './model-run.js';

export interface BacktestOptions {
  readonly strategy: BoundStrategy;
  /** SHA-256 of the strategy's code. */
  readonly strategyHash: string;
  readonly recording: Recording;
  /** Quote units at the start, as decimal text. */
  readonly capital: string;
  /** What fills our orders. Default: all three models, each with its own engine, venue and account. */
  readonly fill?: FillModelName | 'all';
  /** Sending to being effective, way back included; ms. Default 50. */
  readonly latencyMs?: number;
  /** Up to so much more for each command, ms, by a hash of it and the seed. Default 0. */
  readonly jitterMs?: number;
  /** In place of both, with what it is called in the run id: how long each command took, as it was measured. */
  readonly delays?: { readonly name: string; readonly of: CommandDelay };
  /** How much worse than the print takers trade, ticks, times the factor of the model. Default 0. */
  readonly slippageTicks?: number;
  /** When the strategy is told, with what it is called in the run id. Default: everything as it happens. */
  readonly polls?: { readonly name: string; readonly schedule: PollSchedule };
  readonly limits?: Limits;
  readonly seed?: string;
  readonly engineVersion: string;
  /** A fill of the headline run. */
  readonly onFill?: (fill: Fill) => void;
  /** After each chunk: trades so far, and the headline session. */
  readonly onProgress?: (trades: number, session: TapeSession) => void;
}

export interface BacktestRun {
  /** From the least to the most optimistic model. */
  readonly runs: readonly ModelRun[];
  /** The one whose orders, fills and hashes stand for all: `queue`, or the only one. */
  readonly headline: ModelRun;
  readonly trades: number;
  /** Times of the first and the last trade; NaN without any. */
  readonly from: number;
  readonly to: number;
  /** Of all trades that were read. */
  readonly dataHash: string;
  readonly result: BacktestResult;
}

/** Runs a strategy over a recording, once for all fill models. Equal inputs give an equal result, to the byte. */
export async function runBacktest(options: BacktestOptions): Promise<BacktestRun> {
  const { recording } = options;
  if (recording.kind !== 'trades') {
    throw new UsageError(
      'TICKWRIGHT_E_RECORDING',
      `a backtest must have trades of ${recording.pair}, received ${recording.kind}`,
    );
  }
  const models = fillModels(options.fill ?? 'all');
  const headlineModel = models.includes(QUEUE) ? QUEUE : models[0];
  const runs = models.map((model) => ({
    model: model.name,
    session: tapeSession(options, model, model === headlineModel),
  }));
  const headline = runs.find(({ model }) => model === headlineModel?.name) as ModelRun;
  const facts = new FactReader(recording.facts());
  const hash = new RowHash();
  let trades = 0;
  let from = Number.NaN;
  let to = Number.NaN;
  for await (const chunk of recording.chunks()) {
    if (chunk.count === 0) continue;
    to = chunk.time[chunk.count - 1] as number;
    if (trades === 0) from = chunk.time[0] as number;
    const known = await facts.until(to);
    for (const { session } of runs) session.run(chunk, known);
    hash.update(chunk);
    trades += chunk.count;
    options.onProgress?.(trades, headline.session);
  }
  for (const { session } of runs) session.end();
  const dataHash = hash.digest();
  return {
    runs,
    headline,
    trades,
    from,
    to,
    dataHash,
    result: resultOf(options, runs, headline, dataHash),
  };
}

function resultOf(
  options: BacktestOptions,
  runs: readonly ModelRun[],
  headline: ModelRun,
  dataHash: string,
): BacktestResult {
  const { recording, strategy } = options;
  const params = Object.entries(strategy.params).map(([name, value]) => [name, String(value)] as const);
  return backtestResult(runs, headline, {
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
    data: { hash: dataHash, gaps: recording.gaps.length, market: recording.marketSource },
  });
}

function tapeSession(options: BacktestOptions, model: FillModel, isHeadline: boolean): TapeSession {
  const { market, gaps } = options.recording;
  const { seed = '1', latencyMs = 50, jitterMs = 0, onFill } = options;
  return new TapeSession({
    engine: new Engine({ strategy: options.strategy, market, seed, warmUp: false }),
    venue: new TapeVenue({
      market,
      deposit: options.capital,
      latency: options.delays?.of ?? { placeMs: latencyMs, cancelMs: latencyMs, jitterMs },
      seed,
      slippageTicks: options.slippageTicks,
      model,
    }),
    limits: options.limits ?? NO_LIMITS,
    capital: Number(options.capital),
    gaps,
    polls: options.polls?.schedule,
    ...(onFill === undefined || !isHeadline ? {} : { onFill }),
  });
}
