/** Remembers what a sentinel has done about each breach that it saw. */
import type { Breach } from './judge.js';

/**
 * `proven`: dealt with, and proof was found · `told`: nothing can be done beyond telling people · `later`: the time to
 * act has not come · `again`: acted on without proof, so the action is repeated.
 */
export type Outcome = 'proven' | 'told' | 'later' | 'again';

/** Whether the venue answers the sentinel. */
export interface Hearing {
  readonly answers: boolean;
  /** How long it asks not to be asked again, ms. */
  readonly retryAfterMs?: number | undefined;
}

/** Until something that was in vain is tried again. */
interface Rest {
  readonly pauseMs: number;
  readonly until: number;
}

/** Of a venue that failed to answer the sentinel, too. */
interface Deafness {
  readonly rest: Rest;
  /** When it first answered after it had last failed to. */
  readonly heardAt: number | undefined;
}

/** What was in vain is tried again after this pause, which doubles each time. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** How often one is asked that answers again. */
const HEARD_AGAIN_MS = 15_000;

/**
 * A daemon retries a failed venue only every half minute, so it may notice later than the sentinel that the venue is
 * back.
 */
const LOOKS_AGAIN_MS = 60_000;

/**
 * Each breach is told once and acted on until that is done. A breach that returns after it was over counts as a new one.
 * Times are monotonic ms.
 */
export class BreachBook {
  readonly #done = new Set<string>();
  readonly #told = new Set<string>();
  /** Breaches that were told, and that are neither proven to be dealt with nor told to be over. */
  readonly #open = new Map<string, Breach>();
  /** Of breaches that were acted on in vain. */
  readonly #rests = new Map<string, Rest>();
  /** By process that was blind meanwhile. */
  readonly #deaf = new Map<string, Deafness>();

  /** Nothing more has to be done about the breach, or can be. */
  isDone(breach: Pick<Breach, 'kind' | 'process'>): boolean {
    return this.#done.has(nameOf(breach));
  }

  /** The last action, or question to the venue, failed a moment ago. Repeating it every second would not help. */
  isResting(breach: Breach, now: number): boolean {
    const deaf = breach.kind === 'blind' ? this.#deaf.get(breach.process) : undefined;
    return [this.#rests.get(nameOf(breach)), deaf?.rest].some(
      (rest) => rest !== undefined && now < rest.until,
    );
  }

  /** Notes the breach. Returns whether it is a new one. */
  tell(breach: Breach): boolean {
    const isNew = !this.#told.has(nameOf(breach));
    this.#told.add(nameOf(breach));
    if (isNew) this.#open.set(nameOf(breach), breach);
    return isNew;
  }

  settle(breach: Breach, outcome: Outcome, now: number): void {
    const name = nameOf(breach);
    if (outcome === 'proven' || outcome === 'told') this.#done.add(name);
    if (outcome === 'again') this.#rests.set(name, restAfter(this.#rests.get(name), now));
    // The daemon was ended because of this breach, so its process being dead afterwards is no further breach.
    if (outcome !== 'proven') return;
    this.#done.add(nameOf({ ...breach, kind: 'dead' }));
    this.#open.delete(name);
  }

  /**
   * A look at this process found nothing wrong: its breaches are over without any action. Returns those that were told,
   * including breaches of earlier processes that this one replaced.
   */
  over(process: string): readonly Breach[] {
    for (const kind of ['hung', 'dead', 'blind', 'lagging'] as const) {
      this.#done.delete(nameOf({ kind, process }));
      this.#told.delete(nameOf({ kind, process }));
      this.#rests.delete(nameOf({ kind, process }));
    }
    this.#deaf.delete(process);
    const ended = [...this.#open.values()];
    this.#open.clear();
    return ended;
  }

  /** Takes what the venue answers to the sentinel. Returns whether only the daemon fails to hear it. */
  isAlone({ process }: Pick<Breach, 'process'>, { answers, retryAfterMs }: Hearing, now: number): boolean {
    const deaf = this.#deaf.get(process);
    if (!answers) {
      this.#deaf.set(process, { rest: restAfter(deaf?.rest, now, retryAfterMs), heardAt: undefined });
      return false;
    }
    if (deaf === undefined) return true;
    // It may have come back a moment ago: nobody asked it during the rest.
    const { heardAt = now } = deaf;
    // Asked each second, one that has just taken a ban back may think again.
    const until = Math.min(now + HEARD_AGAIN_MS, heardAt + LOOKS_AGAIN_MS + 1);
    this.#deaf.set(process, { rest: { ...deaf.rest, until }, heardAt });
    return now - heardAt > LOOKS_AGAIN_MS;
  }

  /** Whether the venue failed to answer the sentinel at any time since the process was last well. */
  wasDeaf(process: string): boolean {
    return this.#deaf.has(process);
  }
}

/** `leastMs`: the least time until the next try, whatever the pause is. */
function restAfter(last: Rest | undefined, now: number, leastMs = 0): Rest {
  const pauseMs = Math.min((last?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, LONGEST_PAUSE_MS);
  return { pauseMs, until: now + Math.max(pauseMs, leastMs) };
}

function nameOf({ kind, process }: Pick<Breach, 'kind' | 'process'>): string {
  return `${kind} ${process}`;
}
