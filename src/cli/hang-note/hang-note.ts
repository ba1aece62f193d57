/** What is said of a session whose thread is busy and sees nothing any more, not even Ctrl-C. */
export interface HangNoteOptions {
  /** Name of the strategy: no other code of a session can take that long. */
  readonly strategy: string;
  /** Its orders would stay at the venue. */
  readonly isLive: boolean;
  readonly pid: number;
  /** The console's own key for a process that does not listen. */
  readonly key: string;
  /** Monotonic ms. */
  readonly now: () => number;
  readonly say: (text: string) => void;
}

/** Of one silence, two looks tell the same beginning to within this, ms. */
const SAME_MS = 100;

/** What is to be called at each look that finds the thread silent; each silence is told once. */
export function hangNote({
  strategy,
  isLive,
  pid,
  key,
  now,
  say,
}: HangNoteOptions): (silentMs: number) => void {
  let toldOf = Number.NaN;
  return (silentMs) => {
    const since = now() - silentMs;
    if (Math.abs(since - toldOf) < SAME_MS) return;
    toldOf = since;
    const left = isLive ? '; its orders stay at the venue then' : '';
    say(
      `${strategy} has not returned for ${Math.round(silentMs / 1_000)} s, and nothing else happens until it does, ` +
        `not even at Ctrl-C: ${key}, or kill -9 ${pid}, ends the process at once${left}`,
    );
  };
}
