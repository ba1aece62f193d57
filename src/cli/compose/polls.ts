/** `backtest --poll`: when the strategy would have been told. */
import { type PollSchedule, pollsAt, pollsEvery } from '../../backtest/poll-schedule.js';
import { sha256 } from '../../model/digest.js';
import { parseDuration } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { openCapture } from '../../storage/capture-reader.js';

export interface PollsOption {
  readonly polls?: { readonly name: string; readonly schedule: PollSchedule };
}

/** The schedule of a duration, or of the session that a capture is of; none for 0. */
export async function pollsOption(
  files: Files,
  {
    poll,
    jitter = 0,
    seed,
  }: { readonly poll?: string | undefined; readonly jitter?: number | undefined; readonly seed: number },
): Promise<PollsOption> {
  if (poll === undefined || poll === '0') return {};
  const everyMs = parseDuration(poll);
  if (everyMs === 0) return {};
  if (everyMs !== undefined) {
    const late = Math.min(jitter, everyMs - 1);
    return { polls: { name: `${everyMs}ms`, schedule: pollsEvery(everyMs, late, String(seed)) } };
  }
  const times = await pollTimes(files, poll);
  if (times.length === 0) {
    throw new UsageError(
      'TICKWRIGHT_E_POLL',
      `--poll must be a duration or the capture of a session that polled, received ${poll} without an answer in it`,
    );
  }
  return { polls: { name: `session ${sha256(times.join()).slice(0, 16)}`, schedule: pollsAt(times) } };
}

/** When a captured session was told of trades or that there were none, venue ms, ascending. */
export async function pollTimes(files: Files, path: string): Promise<readonly number[]> {
  const capture = await openCapture(files, path);
  const times = new Set<number>();
  for await (const record of capture.records()) {
    if (record.kind !== 'input') continue;
    if (record.event.kind === 'trade') times.add(record.event.receivedAt);
    else if (record.event.kind === 'mark') times.add(record.event.time);
  }
  return [...times].sort((a, b) => a - b);
}
