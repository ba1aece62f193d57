/** Runs a foreground session beside a thread that can still report when the session's own thread is busy. */
import { Heartbeat } from '../../daemon/control/heartbeat.js';
import { moduleUrl } from '../../loader/module-url.js';
import type { CancelTimer } from '../../ports/clock.js';
import { backgroundTimers } from '../../platform/timers.js';
import { sharedMonotonic, startWorker } from '../../platform/worker-thread.js';

/** What the thread gets at its start. */
export interface HangNoteData {
  readonly heartbeat: SharedArrayBuffer;
  readonly strategy: string;
  readonly isLive: boolean;
  /** When the session's time is over, monotonic ms; `undefined`: never. */
  readonly endsAt: number | undefined;
  readonly hangMs: number;
}

export interface HangNotePlan {
  readonly strategy: string;
  readonly isLive: boolean;
  /** Length of the session, ms, counted from its start, including its warm-up; `undefined`: no end. */
  readonly forMs: number | undefined;
  /** How long the session's thread may be silent, ms; default 5 s. */
  readonly hangMs?: number;
  /** The file of the thread; default: the one of the package. */
  readonly worker?: URL | undefined;
}

const BEAT_MS = 100;
const HANG_MS = 5_000;
const MOST_HEAP_BYTES = 16 * 2 ** 20;

/**
 * Runs the session. While it hangs, the thread says how to end it, and ends it if that is due. The session neither
 * waits for the thread nor fails with it.
 */
export async function withHangNote<T>(plan: HangNotePlan, session: () => Promise<T>): Promise<T> {
  const { strategy, isLive, forMs, hangMs = HANG_MS, worker = moduleUrl('cli/hang-note/worker') } = plan;
  const heartbeat = new Heartbeat(sharedMonotonic);
  const endsAt = forMs === undefined ? undefined : sharedMonotonic() + forMs;
  const thread = startWorker(worker, {
    name: 'hang-note',
    data: { heartbeat: heartbeat.shared, strategy, isLive, endsAt, hangMs } satisfies HangNoteData,
    mostHeapBytes: MOST_HEAP_BYTES,
    onMessage: () => undefined,
    onFailed: () => undefined,
  });
  let cancel: CancelTimer = () => undefined;
  beat();
  try {
    return await session();
  } finally {
    cancel();
    await thread.end();
  }

  function beat(): void {
    heartbeat.beat();
    cancel = backgroundTimers.after(BEAT_MS, beat);
  }
}
