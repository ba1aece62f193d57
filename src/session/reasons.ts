/** How often something was said no to for one reason, with the first such case word for word. */
export interface Reason {
  /** Stable part: the rule of a refusal, or the words before the colon of a rejection. */
  readonly reason: string;
  readonly count: number;
  /** Names the rule and both numbers. */
  readonly first: string;
}

/** Counts reasons, so that a result can say why without listing every case. Bounded: a venue's texts are its own. */
export class Reasons {
  readonly #counts = new Map<string, { count: number; readonly first: string }>();
  static readonly #most = 32;

  add(text: string): void {
    const key = text.split(':', 1)[0] as string;
    const known = this.#counts.get(key);
    if (known !== undefined) known.count++;
    else if (this.#counts.size < Reasons.#most) this.#counts.set(key, { count: 1, first: text });
  }

  /** Most frequent first, then by name. */
  list(): readonly Reason[] {
    return [...this.#counts]
      .map(([reason, { count, first }]) => ({ reason, count, first }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}

/** One line a reason, for people; empty when there are none. */
export function reasonLines(said: string, reasons: readonly Reason[]): readonly string[] {
  return reasons.map(({ count, first }) => `  ${said} ${count} × ${first}`);
}
