/** Remembers what a sentinel has done about each breach that it saw. */
import type { Breach } from './judge.js';

/**
 * `proven`: dealt with, and proof was found · `told`: nothing can be done beyond telling people · `later`: the time to
 * act has not come · `again`: acted on without proof, so the action is repeated.
 */
export type Outcome = 'proven' | 'told' | 'later' | 'again';

/** A breach whose action was not proven is acted on again after this pause, which doubles each time. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

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
  /** Pause of a breach that was acted on in vain, and its end. */
  readonly #rests = new Map<string, { readonly pauseMs: number; readonly until: number }>();
  /** When the venue last failed to answer the sentinel too, while this process was blind; by process. */
  readonly #deafAt = new Map<string, number>();

  /** Nothing more has to be done about the breach, or can be. */
  isDone(breach: Pick<Breach, 'kind' | 'process'>): boolean {
    return this.#done.has(nameOf(breach));
  }

  /** The last action failed a moment ago. Repeating it every second would not help. */
  isResting(breach: Breach, now: number): boolean {
    return now < (this.#rests.get(nameOf(breach))?.until ?? Number.NEGATIVE_INFINITY);
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
    if (outcome === 'again') {
      const pauseMs = Math.min((this.#rests.get(name)?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, LONGEST_PAUSE_MS);
      this.#rests.set(name, { pauseMs, until: now + pauseMs });
    }
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
    this.#deafAt.delete(process);
    const ended = [...this.#open.values()];
    this.#open.clear();
    return ended;
  }

  /** Whether only the daemon fails to hear the venue. `answers`: whether the venue answers the sentinel now. */
  isAlone({ process }: Pick<Breach, 'process'>, answers: boolean, now: number): boolean {
    if (!answers) this.#deafAt.set(process, now);
    const deafAt = this.#deafAt.get(process);
    return deafAt === undefined || now - deafAt > LOOKS_AGAIN_MS;
  }

  /** Whether the venue failed to answer the sentinel at any time since the process was last well. */
  wasDeaf(process: string): boolean {
    return this.#deafAt.has(process);
  }
}

function nameOf({ kind, process }: Pick<Breach, 'kind' | 'process'>): string {
  return `${kind} ${process}`;
}
