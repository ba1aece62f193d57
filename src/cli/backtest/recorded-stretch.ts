import { RecordedDays } from '../../backtest/search/recorded-days.js';
import type { Stretch } from '../../backtest/search/stretches.js';
import { UsageError } from '../../model/errors.js';
import type { Recording } from '../../storage/recording/recording.js';

export interface RecordedStretch extends Stretch {
  readonly days: RecordedDays;
}

/**
 * From the first trade or bar to just after the last trade, or the end of the last bar.
 *
 * @throws UsageError without any
 */
export async function recordedStretch(
  recording: Recording,
  paths: readonly string[],
): Promise<RecordedStretch> {
  const days = new RecordedDays();
  let from = Number.NaN;
  let last = Number.NaN;
  const rows = recording.kind === 'bars' ? recording.bars() : recording.chunks();
  for await (const chunk of rows) {
    if (Number.isNaN(from)) from = chunk.time[0] as number;
    days.add(chunk);
    last = chunk.time[chunk.count - 1] as number;
  }
  if (Number.isNaN(from)) {
    throw new UsageError(
      'TICKWRIGHT_E_RECORDING',
      `the recording of ${recording.pair} must hold ${recording.kind} in the stretch that is asked for, received none (${paths.join(', ')})`,
    );
  }
  return { from, to: last + (recording.barMs ?? 1), days };
}
