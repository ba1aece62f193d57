import { durationText } from '../model/duration.js';
import { UsageError } from '../model/errors.js';
import type { BarColumns } from '../storage/rows/bar-columns.js';
import { BarHash } from '../storage/certificate/bar-hash.js';
import { type FillModel, THROUGH, TOUCH } from '../venue/tape/fill-model.js';
import { BarsVenue } from '../venue/tape/bars-venue.js';
import type { BacktestOptions } from './backtest-options.js';
import { BarSession } from './bar-session.js';
import { ofItsOwn, sessionParts } from './session-parts.js';

/** The result of a pass over recorded bars. */
export interface BarsPass {
  readonly runs: readonly { readonly model: FillModel['name']; readonly session: BarSession }[];
  readonly bars: number;
  /** The last ms of the last bar; NaN without any. */
  readonly last: number;
  readonly dataHash: string;
}

/**
 * Runs a strategy over recorded bars with two models: `through`, which also stands for `queue`, and `touch`.
 *
 * @throws UsageError for a strategy that reads no bars, or shorter ones than the recording has; for recorded bars that
 * cross a bound of the bars that it reads; and for polls, because bars do not tell what a poll would have returned.
 */
export async function runOnBars(options: BacktestOptions): Promise<BarsPass> {
  const { recording, strategy, fill = 'all', polls } = options;
  const { barMs = 0 } = recording;
  if (
    strategy.barIntervals.length === 0 ||
    strategy.barIntervals.some((interval) => interval % barMs !== 0)
  ) {
    const read = strategy.barIntervals.map(durationText).join(', ');
    // Its own code, as another choice of bars may fit: in a search it fails one trial, unlike a recording with a fault.
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY_BARS',
      `${strategy.name} must read bars of ${durationText(barMs)} or a multiple of it on this recording of bars, ` +
        `received ${read === '' ? 'one that reads none' : read}`,
    );
  }
  if (polls !== undefined) throw refused('a backtest on bars must be without polls, received --poll');
  const models = fill === 'all' ? [THROUGH, TOUCH] : [fill === 'touch' ? TOUCH : THROUGH];
  const runs = await Promise.all(
    models.map(async (model, index) => ({
      model: model.name,
      session: barSession(await ofItsOwn(options, index), model, index === 0),
    })),
  );
  const hash = new BarHash();
  let bars = 0;
  let last = Number.NaN;
  for await (const chunk of recording.bars()) {
    if (chunk.count === 0) continue;
    checkBounds(chunk, barMs);
    for (const { session } of runs) session.run(chunk);
    hash.update(chunk);
    bars += chunk.count;
    last = (chunk.end[chunk.count - 1] as number) - 1;
    options.onProgress?.(bars, (runs[0] as BarsPass['runs'][0]).session);
  }
  for (const { session } of runs) session.end();
  return { runs, bars, last, dataHash: hash.digest() };
}

function barSession(options: BacktestOptions, model: FillModel, isHeadline: boolean): BarSession {
  const { venue, session } = sessionParts(options, model, isHeadline);
  return new BarSession({ ...session, venue: new BarsVenue(venue) });
}

/** Strategies get bars at fixed UTC bounds. A recorded bar across a bound would tell them of what happens after it. */
function checkBounds({ count, time }: BarColumns, barMs: number): void {
  for (let row = 0; row < count; row++) {
    const offset = (time[row] as number) % barMs;
    if (offset === 0) continue;
    throw refused(
      `bars of ${durationText(barMs)} must begin at a multiple of that since 1970 UTC, received one at ${time[row]}, ` +
        `which is ${offset} ms after`,
    );
  }
}

function refused(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_RECORDING', message);
}
