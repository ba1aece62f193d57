/**
 * A place where a process can die, by name:
 *
 * - `append.before`, `.within` (half written), `.after`; `sync`, `truncate`, `write` (atomic), `remove`,
 *   `makeDirectory`: `.before`, `.after`
 * - `http.POST /auth/order.before`: the request is about to leave; `.after`: it has left
 * - `answer.POST /auth/order.before`: its answer, or its failure, is about to be known; `.after`: everything that
 *   follows from it at once has been done
 * - `timer.before`: a timer is due; `timer.after`: everything that follows at once has been done
 */
export type CrashPoint = string;

/** `kill`: what was written stays, as by kill -9 · `power`: what was not synced meets its fate */
export type Death = 'kill' | 'power';

/** Counts the places where a process can die, and knows at which one it does. */
export class CrashPlan {
  readonly #counts = new Map<CrashPoint, number>();
  #points = 0;
  #next:
    | { readonly strikes: (name: CrashPoint, count: number) => boolean; readonly death: Death }
    | undefined;

  /** Points passed so far. */
  get points(): number {
    return this.#points;
  }

  /** The same by name. */
  get counts(): ReadonlyMap<CrashPoint, number> {
    return this.#counts;
  }

  at(n: number, death: Death): void {
    this.#next = { strikes: () => this.#points >= n, death };
  }

  when(predicate: (name: CrashPoint, count: number) => boolean, death: Death): void {
    this.#next = { strikes: predicate, death };
  }

  never(): void {
    this.#next = undefined;
  }

  /** One more point; by what the process dies there, if it does. */
  pass(point: CrashPoint): Death | undefined {
    this.#points += 1;
    const count = (this.#counts.get(point) ?? 0) + 1;
    this.#counts.set(point, count);
    return this.#next?.strikes(point, count) === true ? this.#next.death : undefined;
  }
}
