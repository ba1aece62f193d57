/** The option `backtest --poll`: when the strategy is informed. */
import { type PollSchedule, pollsAt, pollsEvery } from '../../backtest/poll-schedule.js';
import { sha256 } from '../../model/digest.js';
import { parseDuration } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';
import type { Machine } from '../machine.js';
import { momentText } from '../view/moment.js';
import { say } from '../view/output.js';

export interface PollsOption {
  readonly polls?: { readonly name: string; readonly schedule: PollSchedule };
  /** The session whose poll times are used; absent for a duration. */
  readonly session?: SessionPolls;
}

/** A recorded session and its first and last poll, ms. */
export interface SessionPolls {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** The poll schedule of a duration, or of a recorded session; none for 0. */
export async function pollsOption(
  machine: Machine,
  {
    poll,
    jitter = 0,
    seed,
    polledTo = Number.POSITIVE_INFINITY,
  }: {
    readonly poll?: string | undefined;
    readonly jitter?: number | undefined;
    readonly seed: number;
    /** ms: later polls of a session count as not made yet. */
    readonly polledTo?: number | undefined;
  },
): Promise<PollsOption> {
  if (poll === undefined || poll === '0') return {};
  const everyMs = parseDuration(poll);
  if (everyMs === 0) return {};
  if (everyMs !== undefined) {
    const late = Math.min(jitter, everyMs - 1);
    return { polls: { name: `${everyMs}ms`, schedule: pollsEvery(everyMs, late, String(seed)) } };
  }
  // Imported on demand, as it loads everything that live sessions need, and few backtests use it.
  const { pollTimes } = await import('../replay/session-poll-times.js');
  const times = (await pollTimes(machine, poll)).filter((time) => time <= polledTo);
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

/** Trades that reach further than the polls by more than that are worth a word, ms. */
const BEYOND_MS = 60_000;

/**
 * Says where the session did not poll while trades were recorded.
 *
 * @throws UsageError when it did not poll within the data, so that the strategy would never be informed.
 */
export async function checkPollsWithin(
  { polls, session }: PollsOption,
  { pair, from, to }: { readonly pair: string; readonly from: number; readonly to: number },
): Promise<void> {
  if (polls === undefined || session === undefined) return;
  const { path, first, last } = session;
  const which = `${path}, which polled from ${momentText(first)} to ${momentText(last)}`;
  const data = `between ${momentText(from)} and ${momentText(to)}, where trades of ${pair} are recorded`;
  if (polls.schedule.after(from - 1) > to) {
    throw new UsageError(
      'TICKWRIGHT_E_POLL',
      `--poll must be a session that polled ${data}, received ${which}`,
    );
  }
  if (first <= from + BEYOND_MS && last >= to - BEYOND_MS) return;
  await say(
    `warning: --poll is ${which}: ${data}, the strategy hears nothing before its first poll, and at the end all that ` +
      `came after the last (--from and --to choose the stretch)`,
  );
}
