import type { DaemonEvent, RecentKind } from './daemon-api.js';

/** How many of each are still known. */
const KEPT: Readonly<Record<RecentKind, number>> = {
  fill: 500,
  log: 500,
  equity: 8_640,
  refusal: 500,
  change: 500,
};

/** So much more than is kept is held at most, as a factor. */
const LUMP = 1.125;

/** What happened of late, and who hears what happens next. One that throws is not asked again. */
export class RecentEvents {
  readonly #kept = new Map<RecentKind, DaemonEvent[]>();
  readonly #listeners = new Set<(event: DaemonEvent) => void>();

  tell(event: DaemonEvent): void {
    const kind = kindOf(event);
    const known = this.#kept.get(kind) ?? [];
    known.push(event);
    // In lumps: taking one from the front of a long list for each that comes would copy it each time.
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
