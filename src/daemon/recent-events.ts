import type { DaemonEvent, RecentKind } from './daemon-api.js';

/** Number of events of each kind that are kept. */
const KEPT: Readonly<Record<RecentKind, number>> = {
  fill: 500,
  log: 500,
  equity: 8_640,
  refusal: 500,
  change: 500,
};

/** The list may grow to this multiple of what is kept before it is cut. */
const LUMP = 1.125;

/** Keeps the recent events and tells listeners of new ones. A listener that throws is removed. */
export class RecentEvents {
  readonly #kept = new Map<RecentKind, DaemonEvent[]>();
  readonly #listeners = new Set<(event: DaemonEvent) => void>();

  tell(event: DaemonEvent): void {
    const kind = kindOf(event);
    const known = this.#kept.get(kind) ?? [];
    known.push(event);
    // Cut in batches: removing the first of a long list at each event would move all of its elements each time.
    if (known.length >= LUMP * KEPT[kind]) known.splice(0, known.length - KEPT[kind]);
    this.#kept.set(kind, known);
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }

  listen(listener: (event: DaemonEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Oldest first. */
  recent(kind: RecentKind, most: number): readonly DaemonEvent[] {
    const bound = Math.min(most, KEPT[kind]);
    return bound <= 0 ? [] : (this.#kept.get(kind) ?? []).slice(-bound);
  }
}

function kindOf({ kind }: DaemonEvent): RecentKind {
  switch (kind) {
    case 'fill':
    case 'log':
    case 'equity':
    case 'refusal':
      return kind;
    default:
      return 'change';
  }
}
