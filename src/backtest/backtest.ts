import { Engine } from '../engine/engine.js';
import { type Limits, NO_LIMITS } from '../gate/limits.js';
import type { Fill } from '../model/fill.js';
import type { Recording } from '../storage/recording.js';
import { RowHash } from '../storage/row-hash.js';
import type { BoundStrategy } from '../strategy/instance.js';
import { TapeVenue } from '../venue/tape/tape-venue.js';
import { type BacktestResult, backtestResult } from './result.js';
import { TapeSession } from './tape-session.js';

export interface BacktestOptions {
  readonly strategy: BoundStrategy;
  /** SHA-256 of the strategy's code. */
  readonly strategyHash: string;
  readonly recording: Recording;
  /** Quote units at the start, as decimal text. */
  readonly capital: string;
  /** Sending to being effective, way back included; ms. Default 50. */
  readonly latencyMs?: number;
  /** How much worse than the print takers trade, ticks. Default 0. */
  readonly slippageTicks?: number;
  readonly limits?: Limits;
  readonly seed?: string;
  readonly engineVersion: string;
  readonly onFill?: (fill: Fill) => void;
  /** After each chunk: trades so far. */
  readonly onProgress?: (trades: number, session: TapeSession) => void;
}

export interface BacktestRun {
  readonly result: BacktestResult;
  readonly session: TapeSession;
}

/** Runs a strategy over a recording. Equal inputs give an equal result, to the byte. */
export async function runBacktest(options: BacktestOptions): Promise<BacktestRun> {
  const { recording, strategy } = options;
  const session = tapeSession(options);
  const hash = new RowHash();
  for await (const chunk of recording.chunks()) {
    session.run(chunk);
    hash.update(chunk);
    options.onProgress?.(session.core.counts.trades, session);
  }
  const params = Object.entries(strategy.params).map(([name, value]) => [name, String(value)] as const);
  const result = backtestResult(session, {
    strategyHash: options.strategyHash,
    strategy: strategy.name,
    params: Object.fromEntries(params),
    options: {
      capital: options.capital,
      latencyMs: String(options.latencyMs ?? 50),
      slippageTicks: String(options.slippageTicks ?? 0),
      limits: JSON.stringify(options.limits ?? NO_LIMITS),
      seed: options.seed ?? '1',
    },
    engineVersion: options.engineVersion,
    data: { hash: hash.digest(), gaps: recording.gaps.length, market: recording.marketSource },
  });
  return { result, session };
}

function tapeSession(options: BacktestOptions): TapeSession {
  const { market, gaps } = options.recording;
  const latencyMs = options.latencyMs ?? 50;
  return new TapeSession({
    engine: new Engine({ strategy: options.strategy, market, seed: options.seed ?? '1', warmUp: false }),
    venue: new TapeVenue({
      market,
      deposit: options.capital,
      latency: { placeMs: latencyMs, cancelMs: latencyMs },
      slippageTicks: options.slippageTicks,
    }),
    limits: options.limits ?? NO_LIMITS,
    capital: Number(options.capital),
    gaps,
    ...(options.onFill === undefined ? {} : { onFill: options.onFill }),
  });
}
