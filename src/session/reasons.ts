/** How often something was said no to for one reason, with the first such case word for word. */
export interface Reason {
  /** Stable part: the rule of a refusal, or the words before the colon of a rejection. Rules of many causes come once for each. */
  readonly reason: string;
  readonly count: number;
  /** Names the rule and both numbers. */
  readonly first: string;
}

/** What these say no to has a cause of its own each time: counted as one, the first would stand for all. */
const MANY_CAUSES: ReadonlySet<string> = new Set(['not-synced', 'halted', 'not sent']);
/** Further ones of the same rule are counted together. */
const MOST_CAUSES = 8;

/** Counts reasons, so that a result can say why without listing every case. Bounded: a venue's texts are its own. */
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

  /** Cases of one cause differ by their numbers and ids only. */
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
