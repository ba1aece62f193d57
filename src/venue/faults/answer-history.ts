/** A complete answer of a venue, before it is put on a wire. */
export interface VenueAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Kept {
  /** Venue time since which the answer was this one. */
  readonly time: number;
  readonly answer: VenueAnswer;
}

/** Beyond this many states every second one in between is given up: the longer ago, the coarser. */
const MOST_KEPT = 2_000;

/**
 * What reads would have answered at earlier times: the answers themselves, taken whenever somebody takes them. The
 * past of a read that was never taken is not known, and that is not hidden: its oldest known answer stands for it.
 */
export class AnswerHistory {
  readonly #spanMs: number;
  readonly #kept = new Map<string, Kept[]>();

  /** `spanMs`: how far back anybody will ask. */
  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  /** Times of one key must not fall. */
  keep(key: string, time: number, answer: VenueAnswer): void {
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = [];
      this.#kept.set(key, kept);
    }
    const last = kept.at(-1);
    if (last?.answer.body !== answer.body || last.answer.status !== answer.status)
      kept.push({ time, answer });
    this.#prune(key, kept, time);
  }

  /** The answer that was true at `time`, or else the oldest one known. */
  asOf(key: string, time: number): VenueAnswer | undefined {
    const kept = this.#kept.get(key);
    return (kept?.findLast((each) => each.time <= time) ?? kept?.[0])?.answer;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** The state that was true at the far end of the span stays, however old it is. */
  #prune(key: string, kept: Kept[], now: number): void {
    const first = kept.findLastIndex(({ time }) => time <= now - this.#spanMs);
    if (first > 0) kept.splice(0, first);
    if (kept.length > MOST_KEPT) {
      const last = kept.length - 1;
      this.#kept.set(
        key,
        kept.filter((_, index) => index === last || index % 2 === 0),
      );
    }
  }
}
