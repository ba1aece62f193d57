/** What a sentinel has done about what it saw. */
import type { Breach } from './judge.js';

/** `told`: nothing can be done but to say so · `later`: not to be done yet · `again`: done, and not proven. */
export type Outcome = 'proven' | 'told' | 'later' | 'again';

/** What was not proven is tried again after so long, twice as long each time. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** After a failure a daemon looks again within half a minute: it sees a venue that is back later than others may. */
const LOOKS_AGAIN_MS = 60_000;

/**
 * Each breach is told once, and acted on until that is done; one that comes back after it was over is another one. Times
 * are monotonic ms.
 */
export class BreachBook {
  readonly #done = new Set<string>();
  readonly #told = new Set<string>();
  /** Told, and neither proven to be dealt with nor told to be over. */
  readonly #open = new Map<string, Breach>();
  /** How long a breach rests that was acted on in vain, and until when. */
  readonly #rests = new Map<string, { readonly pauseMs: number; readonly until: number }>();
  /** When the venue was last deaf to the sentinel, too, while this process was blind. */
  readonly #deafAt = new Map<string, number>();

  /** Nothing more is to be done about it, or can be. */
  isDone(breach: Pick<Breach, 'kind' | 'process'>): boolean {
    return this.#done.has(nameOf(breach));
  }

  /** It was acted on in vain a moment ago: what cannot be done at once is not done sooner by asking every second. */
  isResting(breach: Breach, now: number): boolean {
    return now < (this.#rests.get(nameOf(breach))?.until ?? Number.NEGATIVE_INFINITY);
  }

  /** Whether it is new. */
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
    // What it was ended for is over, and its death is no news.
    if (outcome !== 'proven') return;
    this.#done.add(nameOf({ ...breach, kind: 'dead' }));
    this.#open.delete(name);
  }

  /**
   * A look at this process found nothing wrong. What was told of it, or of one whose place it took, and is over without
   * anything having been done about it.
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

  /** Whether a blind process sees less than there is to be seen, by whether the venue `answers` the sentinel. */
  isAlone({ process }: Pick<Breach, 'process'>, answers: boolean, now: number): boolean {
    if (!answers) this.#deafAt.set(process, now);
    const deafAt = this.#deafAt.get(process);
    return deafAt === undefined || now - deafAt > LOOKS_AGAIN_MS;
  }

  /** Whether the venue was deaf since the process was last seen to be well. */
  wasDeaf(process: string): boolean {
    return this.#deafAt.has(process);
  }
}

function nameOf({ kind, process }: Pick<Breach, 'kind' | 'process'>): string {
  return `${kind} ${process}`;
}
