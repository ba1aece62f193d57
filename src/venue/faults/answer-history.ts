/** A complete answer of a venue, before it is put on a wire. */
export interface VenueAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A list whose body is put together when somebody asks for it: of all that is kept hardly anything is. */
export interface ListAnswer extends Omit<VenueAnswer, 'body'> {
  readonly rows: readonly string[];
  readonly bodyOf: (rows: readonly string[]) => string;
}

export type KeptAnswer = VenueAnswer | ListAnswer;

interface Kept {
  /** Venue time since which the answer was this one. */
  readonly time: number;
  readonly answer: KeptAnswer;
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
  keep(key: string, time: number, answer: KeptAnswer): void {
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = [];
      this.#kept.set(key, kept);
    }
    const last = kept.at(-1);
    if (last === undefined || !isSame(last.answer, answer)) kept.push({ time, answer });
    this.#prune(key, kept, time);
  }

  /** The answer that was true at `time`, or else the oldest one known. */
  asOf(key: string, time: number): VenueAnswer | undefined {
    const kept = this.#kept.get(key);
    const then = (kept?.findLast((each) => each.time <= time) ?? kept?.[0])?.answer;
    return then === undefined ? undefined : whole(then);
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

function isSame(one: KeptAnswer, other: KeptAnswer): boolean {
  if (one.status !== other.status) return false;
  if (!('rows' in one && 'rows' in other)) return whole(one).body === whole(other).body;
  return one.rows.length === other.rows.length && one.rows.every((row, index) => row === other.rows[index]);
}

function whole(answer: KeptAnswer): VenueAnswer {
  if ('body' in answer) return answer;
  const { status, headers, rows, bodyOf } = answer;
  return { status, headers, body: bodyOf(rows) };
}
