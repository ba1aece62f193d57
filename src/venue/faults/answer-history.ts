/** A complete answer of a venue, before it is sent. */
export interface VenueAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A list whose body is joined only on request, because hardly any of the kept answers is ever requested. */
export interface ListAnswer extends Omit<VenueAnswer, 'body'> {
  readonly rows: readonly string[];
  readonly bodyOf: (rows: readonly string[]) => string;
}

export type KeptAnswer = VenueAnswer | ListAnswer;

interface Kept {
  /** Venue time from which on the answer was this one, ms. */
  readonly time: number;
  readonly answer: KeptAnswer;
}

/** The most states that are kept per read; beyond, every second one is dropped, so that older states become sparser. */
const MOST_KEPT = 2_000;

/**
 * What reads would have answered at earlier times. It keeps the answers that its user recorded. The time before the
 * first record is unknown; the oldest known answer stands for it.
 */
export class AnswerHistory {
  readonly #spanMs: number;
  readonly #kept = new Map<string, Kept[]>();

  /** `spanMs`: how far back requests will look, ms. */
  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  /** Keeps an answer of venue time `time`. The times of one key must not decrease. */
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

  /** The answer at venue time `time`, or else the oldest known one; `undefined` if none is known. */
  asOf(key: string, time: number): VenueAnswer | undefined {
    const kept = this.#kept.get(key);
    const then = (kept?.findLast((each) => each.time <= time) ?? kept?.[0])?.answer;
    return then === undefined ? undefined : whole(then);
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** Drops what is older than the span, but keeps the state that was in force at its beginning. */
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
