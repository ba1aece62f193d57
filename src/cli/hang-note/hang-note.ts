/** Reports a session whose thread is busy and reacts to nothing, not even Ctrl-C; and ends it. */
export interface HangNoteOptions {
  /** Name of the strategy, as no other code of a session can take that long. */
  readonly strategy: string;
  /** Whether its orders would stay at the venue. */
  readonly isLive: boolean;
  readonly pid: number;
  /** The key of the console that ends a process which does not react. */
  readonly key: string;
  /** When the session's time is over, monotonic ms; `undefined`: never. */
  readonly endsAt?: number | undefined;
  /** Whether `asked` is called when the process is asked to stop. */
  readonly hears: boolean;
  /** Monotonic time, ms. */
  readonly now: () => number;
  readonly say: (text: string) => void;
  /** Ends the process, whatever its threads do. */
  readonly kill: (lastWords: string) => void;
}

export interface HangNote {
  /** To be called when the process is asked to stop. */
  asked(): void;
  /** To be called at each look that finds the thread silent. */
  silent(silentMs: number): void;
}

/** Two looks at one silence compute the same beginning within this tolerance, ms. */
const SAME_MS = 100;
/** How long a process that is to end may stay silent before it is killed, ms. */
const PATIENCE_MS = 10_000;
const LEFT =
  '; its orders may stay at the venue then: tickwright cancel --all, with the same --config and --venue, cancels them';

/** Reports each silence once, and once more when the session is to end. */
export function hangNote(options: HangNoteOptions): HangNote {
  const { strategy, isLive, pid, key, hears, now, say, kill, endsAt = Number.POSITIVE_INFINITY } = options;
  const left = isLive ? LEFT : '';
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
  const patience = seconds(PATIENCE_MS);
  let toldOf = Number.NaN;
  let askedAt = endsAt;
  let isEndTold = false;
  return {
    asked() {
      askedAt = Math.min(askedAt, now());
    },
    silent(silentMs) {
      const since = now() - silentMs;
      if (!(Math.abs(since - toldOf) < SAME_MS)) {
        toldOf = since;
        isEndTold = false;
        say(
          `${strategy} has not returned for ${seconds(silentMs)}, and nothing else happens until it does` +
            (hears ? `; ${patience} after Ctrl-C the process is killed` : ', not even at Ctrl-C') +
            `: ${key}, or kill -9 ${pid}, ends the process at once${left}`,
        );
      }
      if (now() < askedAt) return;
      const waitedMs = now() - Math.max(askedAt, since);
      if (waitedMs >= PATIENCE_MS) {
        kill(`${strategy} has not returned for ${seconds(silentMs)}: the process is killed${left}`);
      } else if (!isEndTold) {
        isEndTold = true;
        say(
          `${strategy} is to end and has not returned: the process is ended in ${seconds(PATIENCE_MS - waitedMs)}`,
        );
      }
    },
  };
}
