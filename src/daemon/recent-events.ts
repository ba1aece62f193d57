import type { DaemonEvent } from './daemon-api.js';

type Kind = DaemonEvent['kind'];

/** How many of each kind are still known; the others are only passed on. */
const KEPT: Partial<Readonly<Record<Kind, number>>> = { fill: 500, log: 500, equity: 8_640 };

/** What happened of late, and who hears what happens next. One that throws is not asked again. */
export class RecentEvents {
  readonly #kept = new Map<Kind, DaemonEvent[]>();
  readonly #listeners = new Set<(event: DaemonEvent) => void>();

  tell(event: DaemonEvent): void {
    const most = KEPT[event.kind];
    if (most !== undefined) {
      const known = this.#kept.get(event.kind) ?? [];
      known.push(event);
      // In lumps: taking one from the front of a long list for each that comes would copy it each time.
      if (known.length >= 2 * most) known.splice(0, known.length - most);
      this.#kept.set(event.kind, known);
    }
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
  recent(kind: Kind, most: number): readonly DaemonEvent[] {
    const bound = Math.min(most, KEPT[kind] ?? 0);
    return bound <= 0 ? [] : (this.#kept.get(kind) ?? []).slice(-bound);
  }
}
