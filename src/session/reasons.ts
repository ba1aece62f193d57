/** How often orders were refused, rejected or cancelled for one reason, with the first such case word for word. */
export interface Reason {
  /**
   * The words before the colon: the rule of a refusal, or the kind
   * of a rejection. A rule of `MANY_CAUSES` has one entry a cause.
   */
  readonly reason: string;
  readonly count: number;
  /** Names the rule and both numbers. */
  readonly first: string;
}

/** These have a different cause each time. Counted as one reason, the first case would stand for all of them. */
const MANY_CAUSES: ReadonlySet<string> = new Set(['not-synced', 'halted', 'not sent']);
/** The most causes of one rule that are counted apart; further ones are counted together. */
const MOST_CAUSES = 8;

/** Counts reasons, so that a result can say why without listing every case. Bounded, since a venue may send any text. */
export class Reasons {
  readonly #counts = new Map<string, { readonly reason: string; count: number; readonly first: string }>();
  static readonly #most = 64;

  add(text: string): void {
    const reason = text.split(':', 1)[0] as string;
    const key = MANY_CAUSES.has(reason) ? this.#causeKey(reason, text) : reason;
    const known = this.#counts.get(key);
    if (known !== undefined) known.count++;
    else if (this.#counts.size < Reasons.#most) this.#counts.set(key, { reason, count: 1, first: text });
  }

  /** Cases of one cause differ only in numbers and ids, which the key leaves out. */
  #causeKey(reason: string, text: string): string {
    const key = text.replaceAll(/\S*\d\S*/g, '#');
    if (this.#counts.has(key)) return key;
    let causes = 0;
    for (const known of this.#counts.values()) if (known.reason === reason) causes++;
    return causes < MOST_CAUSES ? key : reason;
  }

  /** Most frequent first, then by name. */
  list(): readonly Reason[] {
    return [...this.#counts.values()]
      .map((each) => ({ ...each }))
      .sort(
        (a, b) => b.count - a.count || compareTexts(a.reason, b.reason) || compareTexts(a.first, b.first),
      );
  }
}

/** One line a reason, for people; empty when there are none. */
export function reasonLines(said: string, reasons: readonly Reason[]): readonly string[] {
  return reasons.map(({ count, first }) => `  ${said} ${count} × ${first}`);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
