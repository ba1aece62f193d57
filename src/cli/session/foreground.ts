/** Runs a session in the foreground: shows it, and ends it by time, by Ctrl-C or when it fails. */
import { type Clock, sleep } from '../../ports/clock.js';
import type { StopSignal } from '../../ports/signals.js';
import type { StartUnderWay } from '../../runner/live-session.js';
import { StartAbandoned } from '../../runner/start-abandoned.js';
import { EXIT, type ExitCode, SIGNAL_EXIT } from '../exit-code.js';
import type { Machine } from '../machine.js';
import { bareText } from '../../runner/stop/bare-position.js';
import { StoppedAtStart } from '../report-error.js';
import { say } from '../view/output.js';
import { type SessionView, sessionTable } from '../view/session-table.js';
import { endsAtUncaught } from '../uncaught.js';
import type { ChildParity } from './parity-child.js';
import type { RunningSession, SessionEnd } from './running-session.js';
import { stopRequest } from './stop-request.js';

export interface ForegroundOptions {
  /**
   * Begins the session. Ctrl-C is already handled by then, so that no order stays behind unproven. `begin` must pass a
   * start that waits for the venue to `starting`, so that it can be ended.
   */
  readonly begin: (starting: (start: StartUnderWay) => void) => Promise<RunningSession>;
  /** Printed once the session has begun. */
  readonly greeting: string | undefined;
  readonly title: string;
  /** An error of the strategy, described by its own file and line; other errors unchanged. */
  readonly explain: (error: unknown) => unknown;
  /** Duration of the session, ms; `undefined`: until Ctrl-C. */
  readonly forMs: number | undefined;
}

export interface Finished {
  readonly end: SessionEnd;
  readonly elapsedMs: number;
  readonly reason: 'time' | StopSignal;
}

const REDRAW_MS = 250;

/**
 * @throws the strategy's error, after the orderly stop; StoppedAtStart when a stop was requested before the session had
 * begun
 */
export async function runInForeground(
  machine: Machine,
  { begin, greeting, title, explain, forMs }: ForegroundOptions,
): Promise<Finished> {
  const { clock } = machine;
  let session: RunningSession | undefined;
  let signal: StopSignal | undefined;
  let underWay: StartUnderWay | undefined;
  const stop = stopRequest(() => {
    const open = (session ?? underWay)?.openOrders() ?? [];
    if (open.length > 0) return `orders that may still be at the venue: ${open.join(', ')}`;
    // Orders of an earlier session are known only after the venue was asked; before that, an empty list says nothing.
    return session === undefined && underWay !== undefined
      ? 'whether orders of an earlier session are still at the venue is not known'
      : undefined;
  });
  let uncaught: { readonly error: unknown } | undefined;
  const abandon = () => {
    if (session === undefined) underWay?.abandon('cancel');
  };
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const release = endsAtUncaught({
    explain,
    end(error) {
      uncaught = { error };
      abandon();
      fail(error);
      return Promise.resolve();
    },
  });
  const starting = (start: StartUnderWay) => {
    underWay = start;
    if (uncaught !== undefined) abandon();
    void stop.requested.then(async (asked) => {
      if (session !== undefined) return;
      signal = asked;
      start.abandon('cancel');
      await say(
        'stopping before the session has begun: own orders are canceled first; once more ends at once',
      );
    });
  };
  try {
    session = await begin(starting);
    const startedAt = clock.monotonic();
    if (greeting !== undefined) await say(greeting);
    const { requested: asked } = stop;
    const reason = await waitForEnd(machine, session, { title, forMs, startedAt, asked, failed });
    const elapsedMs = clock.monotonic() - startedAt;
    if (reason !== 'time') await say('stopping: own orders are canceled first; once more ends at once');
    return { end: await session.stop(), elapsedMs, reason };
  } catch (error) {
    if (error instanceof StartAbandoned && signal !== undefined) throw new StoppedAtStart(error, signal);
    if (error instanceof StartAbandoned && uncaught !== undefined) {
      const { leftOpen, canceledStops } = error;
      await sayWhatIsLeft({ leftOpen, canceledStops, captureFailure: undefined });
      throw uncaught.error;
    }
    if (session !== undefined) await sayWhatIsLeft(await session.stop());
    throw error;
  } finally {
    release();
    stop.release();
  }
}

/** Shows the session until its time is over, a stop is requested, or it fails. */
async function waitForEnd(
  machine: Machine,
  session: RunningSession,
  options: {
    readonly title: string;
    readonly forMs: number | undefined;
    readonly startedAt: number;
    readonly asked: Promise<StopSignal>;
    /** Rejects at an error that nobody caught. */
    readonly failed: Promise<never>;
  },
): Promise<Finished['reason']> {
  const { title, forMs, startedAt, asked, failed } = options;
  const over = new AbortController();
  const display = show(machine, session, title, startedAt, over.signal);
  const time = forMs === undefined ? [] : [sleep(machine.timers, forMs, over.signal)];
  try {
    return await Promise.race([
      asked,
      failed,
      session.failed,
      ...time.map((past) => past.then(() => 'time' as const)),
    ]);
  } finally {
    over.abort(new Error('over'));
    await display;
  }
}

/** The exit code of a session that ended in order. */
export function exitCodeOf({ end, reason }: Finished, parity?: ChildParity): ExitCode {
  if (end.leftOpen.length > 0) return EXIT.stopNotProven;
  // The next start will not trade before a person has looked.
  if (end.standstill !== undefined) return EXIT.checkFailed;
  if (parity?.kind === 'checked' && !parity.identical) return EXIT.checkFailed;
  return reason === 'time' ? EXIT.ok : SIGNAL_EXIT[reason];
}

/** Tells what a person must know after the end, if anything. */
export async function sayWhatIsLeft(
  {
    leftOpen,
    canceledStops,
    captureFailure,
  }: Pick<SessionEnd, 'leftOpen' | 'canceledStops' | 'captureFailure'>,
  parity?: ChildParity,
): Promise<void> {
  if (parity?.kind === 'unchecked') await say(`warning: ${parity.reason}`);
  if (captureFailure !== undefined) await say(`warning: the capture is not whole: ${captureFailure.message}`);
  if (canceledStops.length > 0) await say(`warning: ${bareText(canceledStops)}`);
  if (leftOpen.length > 0) {
    await say(
      `warning: the stop is not proven; orders that may still be at the venue: ${leftOpen.join(', ')}`,
    );
  }
}

async function show(
  { area, timers, clock }: Machine,
  session: RunningSession,
  title: string,
  startedAt: number,
  signal: AbortSignal,
): Promise<void> {
  if (area === undefined) return;
  while (!signal.aborted) {
    area.show(sessionTable(viewOf(session, title, startedAt, clock), area.columns));
    await sleep(timers, REDRAW_MS, signal).catch(() => undefined);
  }
  area.show([]);
}

function viewOf(session: RunningSession, title: string, startedAt: number, clock: Clock): SessionView {
  const { core, feed } = session;
  const { engine, counts } = core;
  return {
    title,
    market: engine.market,
    elapsedMs: clock.monotonic() - startedAt,
    warmingUp: feed.stats.polls === 0,
    lastPrice: core.lastPrice,
    position: engine.position,
    want: engine.want,
    outBy: engine.outBy,
    working: engine.workingOrders,
    orders: counts.orders,
    fills: counts.fills,
    refusals: counts.refusals,
    polls: feed.stats.polls,
    trades: counts.trades,
    gaps: counts.gaps,
  };
}
