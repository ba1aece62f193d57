import { FactHash } from '../storage/facts/fact-hash.js';
import { RowHash } from '../storage/certificate/row-hash.js';
import { type FillModel, fillModels, QUEUE } from '../venue/tape/fill-model.js';
import { TapeVenue } from '../venue/tape/tape-venue.js';
import type { BacktestOptions } from './backtest-options.js';
import { runOnBars } from './bars-backtest.js';
import { knownTrades } from './known-trades.js';
import type { ModelRun } from './model-run.js';
import { type BacktestResult, backtestResult } from './result.js';
import { runInputs } from './run-inputs.js';
import { ofItsOwn, sessionParts } from './session-parts.js';
import { tapeSession } from './polled-session.js';
import type { TapeSession } from './tape-session.js';

export type { BacktestOptions } from './backtest-options.js';
export type { ModelRun } from './model-run.js';

export interface BacktestRun {
  /** From the least to the most optimistic model. */
  readonly runs: readonly ModelRun[];
  /** The run whose orders, fills and hashes represent all: that of `queue`, or the only one. */
  readonly headline: ModelRun;
  readonly trades: number;
  /** Number of bars, for a recording of bars; else 0. */
  readonly bars: number;
  /** Times of the first and the last trade that was read; for bars the first and the last ms; NaN without any. */
  readonly from: number;
  readonly to: number;
  /** Hash of all trades that were read. */
  readonly dataHash: string;
  /** Time of the last fact besides trades that was taken in, ms; `undefined` without any. */
  readonly lastFact: number | undefined;
  readonly result: BacktestResult;
}

/** Runs a strategy over a recording, for all fill models in one pass. Equal inputs give an equal result, to the byte. */
export async function runBacktest(options: BacktestOptions): Promise<BacktestRun> {
  const { recording } = options;
  if (recording.kind === 'bars') return onBars(options);
  const models = fillModels(options.fill ?? 'all');
  const headlineModel = models.includes(QUEUE) ? QUEUE : models[0];
  const runs = await Promise.all(
    models.map(async (model, index) => ({
      model: model.name,
      session: sessionOf(await ofItsOwn(options, index), model, model === headlineModel),
    })),
  );
  const headline = runs.find(({ model }) => model === headlineModel?.name) as ModelRun;
  const hash = new RowHash();
  const factHash = new FactHash();
  let trades = 0;
  let from = Number.NaN;
  let to = Number.NaN;
  for await (const { trades: chunk, facts: known } of knownTrades(recording)) {
    to = chunk.time[chunk.count - 1] as number;
    if (trades === 0) from = chunk.time[0] as number;
    for (const { session } of runs) session.run(chunk, known);
    hash.update(chunk);
    factHash.update(known);
    trades += chunk.count;
    options.onProgress?.(trades, headline.session);
  }
  for (const { session } of runs) session.end();
  const dataHash = hash.digest();
  return {
    runs,
    headline,
    trades,
    bars: 0,
    from,
    to,
    dataHash,
    lastFact: factHash.last,
    result: backtestResult(
      runs,
      headline,
      runInputs(options, { from, to, hash: dataHash, factsHash: factHash.digest() }),
    ),
  };
}

async function onBars(options: BacktestOptions): Promise<BacktestRun> {
  const { runs, bars, last, dataHash } = await runOnBars(options);
  const headline = runs[0] as ModelRun;
  const { from, to } = headline.session;
  const read = { from, to, hash: dataHash, factsHash: new FactHash().digest() };
  const result = backtestResult(runs, headline, runInputs(options, read));
  return { runs, headline, trades: 0, bars, from, to: last, dataHash, lastFact: undefined, result };
}

function sessionOf(options: BacktestOptions, model: FillModel, isHeadline: boolean): TapeSession {
  const { venue, session } = sessionParts(options, model, isHeadline);
  const { polls } = options;
  return tapeSession({
    ...session,
    venue: new TapeVenue(venue),
    polls: polls?.schedule,
    newsPolls: polls?.news,
  });
}
