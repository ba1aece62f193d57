/** Runs several strategies on one pair, in one pass over its recording. */
import type { RunRecipe } from '../../backtest/registry.js';
import { counted } from '../../model/counted.js';
import type { Fill } from '../../model/fill.js';
import { inOnePass } from '../../storage/recording/one-pass.js';
import type { Recording } from '../../storage/recording/recording.js';
import type { Machine } from '../machine.js';
import { type FinishedRun, finishRun } from './backtest-run.js';
import type { LoadedStrategy } from '../strategy/strategy.js';

const REDRAW_TRADES = 1_000_000;

export interface BacktestPass {
  readonly recording: Recording;
  readonly paths: readonly string[];
  readonly strategies: readonly LoadedStrategy[];
  /** The stretch as requested, ms; `undefined`: not bounded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly options: RunRecipe['options'];
  /** Called with each fill of the first strategy under its headline model. */
  readonly onFill?: (fill: Fill) => void;
  /** Whether to keep all round trips of that run, rather than the first 65 536. */
  readonly allRoundTrips?: boolean;
}

/** A strategy without a result, and why. */
export interface FailedRun {
  readonly strategy: LoadedStrategy;
  readonly pair: string;
  readonly error: unknown;
}

export interface PassEnd {
  readonly runs: readonly FinishedRun[];
  readonly failed: readonly FailedRun[];
}

/** Runs each strategy to its own end, whatever happens to the others. */
export async function runPass(machine: Machine, pass: BacktestPass): Promise<PassEnd> {
  const { recording: whole, strategies, onFill, allRoundTrips = false, ...request } = pass;
  const watcher = {
    allRoundTrips,
    ...(onFill === undefined ? {} : { onFill }),
    onProgress: progress(machine, whole.market.quote),
  };
  const readers = inOnePass(whole, strategies.length);
  const ends = await Promise.allSettled(
    readers.map(async ({ recording, leave }, at) => {
      const strategy = strategies[at] as LoadedStrategy;
      try {
        return await finishRun(machine, { ...request, strategy, recording }, at === 0 ? watcher : {});
      } finally {
        leave();
      }
    }),
  );
  return {
    runs: ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])),
    failed: ends.flatMap((end, at) =>
      end.status === 'rejected'
        ? [{ strategy: strategies[at] as LoadedStrategy, pair: whole.pair, error: end.reason as unknown }]
        : [],
    ),
  };
}

/** Shows the progress and the account's current equity on a terminal. */
function progress({ area }: Machine, quote: string) {
  let shown = 0;
  return (
    trades: number,
    session: { readonly watch: { readonly equity: number; readonly roundTrips: { readonly count: number } } },
  ): void => {
    if (area === undefined || trades - shown < REDRAW_TRADES) return;
    shown = trades;
    const { equity, roundTrips } = session.watch;
    area.show([
      `${counted(trades, 'trade')}, ${counted(roundTrips.count, 'round trip')}, equity ${equity.toFixed(2)} ${quote}`,
    ]);
  };
}
