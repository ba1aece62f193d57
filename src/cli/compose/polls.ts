/** `backtest --poll`: when the strategy would have been told. */
import { type PollSchedule, pollsAt, pollsEvery } from '../../backtest/poll-schedule.js';
import { sha256 } from '../../model/digest.js';
import { parseDuration } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';
import type { EngineEvent } from '../../model/event.js';
import { replay } from '../../runner/black-box/replay.js';
import { openCapture } from '../../storage/capture-reader.js';
import type { Machine } from '../machine.js';
import { momentText } from '../view/moment.js';
import { eventLoopDrain } from './certify.js';
import { findBlackBox, openBlackBox } from './recorded-session.js';
import { loadStrategy } from './strategy.js';

export interface PollsOption {
  readonly polls?: { readonly name: string; readonly schedule: PollSchedule };
  /** Where the times are those of one. */
  readonly session?: SessionPolls;
}

/** Of a session; ms. */
export interface SessionPolls {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** The schedule of a duration, or of the session that a capture is of; none for 0. */
export async function pollsOption(
  machine: Machine,
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
  const times = await pollTimes(machine, poll);
  const [first] = times;
  if (first === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_POLL',
      `--poll must be a duration or the capture of a session that polled, received ${poll} without an answer in it`,
    );
  }
  return {
    polls: { name: `session ${sha256(times.join()).slice(0, 16)}`, schedule: pollsAt(times) },
    session: { path: poll, first, last: times.at(-1) as number },
  };
}

/** @throws UsageError when a session did not poll while there was something to see: its strategy was told of nothing. */
export function demandPollsWithin(
  { polls, session }: PollsOption,
  { pair, from, to }: { readonly pair: string; readonly from: number; readonly to: number },
): void {
  if (polls === undefined || session === undefined || polls.schedule.after(from - 1) <= to) return;
  throw new UsageError(
    'TICKWRIGHT_E_POLL',
    `--poll must be a session that polled between ${momentText(from)} and ${momentText(to)}, where trades of ${pair} ` +
      `are recorded, received ${session.path}, which polled from ${momentText(session.first)} to ${momentText(session.last)}`,
  );
}

/** When a recorded session was told of trades or that there were none, venue ms, ascending. */
export async function pollTimes(machine: Machine, path: string): Promise<readonly number[]> {
  const times = new Set<number>();
  const look = (event: EngineEvent) => {
    if (event.kind === 'trade') times.add(event.receivedAt);
    else if (event.kind === 'mark') times.add(event.time);
  };
  const box = await findBlackBox(machine.files, path);
  if (box !== undefined) {
    await lookThrough(machine, box, look);
  } else {
    const capture = await openCapture(machine.files, path);
    for await (const record of capture.records()) if (record.kind === 'input') look(record.event);
  }
  return [...times].sort((a, b) => a - b);
}

/** What a live session was told is in no file: only its answers are, from which it is computed again. */
async function lookThrough(
  machine: Machine,
  directory: string,
  look: (event: EngineEvent) => void,
): Promise<void> {
  const recorded = await openBlackBox(machine.files, directory);
  const { file, params } = recorded.strategy;
  const strategy = await loadStrategy(machine, file, params);
  const { firstDifference } = await replay({
    plan: recorded.planWith(strategy.bound),
    books: recorded.books,
    parts: recorded.parts(),
    drain: eventLoopDrain(machine.timers),
    watch: () => look,
  }).catch((error: unknown) => {
    throw strategy.explain(error);
  });
  if (firstDifference === undefined) return;
  throw new UsageError(
    'TICKWRIGHT_E_POLL',
    `--poll must be a session that can be executed again, received ${directory}, which cannot from event ` +
      `${firstDifference.event} on (tickwright replay says why)`,
  );
}
