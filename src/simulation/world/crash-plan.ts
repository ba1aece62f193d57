/**
 * The name of a point at which a process can die:
 *
 * - `append.before`, `.within` (half written), `.after`; `sync`, `truncate`, `write` (atomic), `remove`,
 *   `makeDirectory`: `.before`, `.after`
 * - `http.POST /auth/order.before`: the request is about to leave; `.after`: it has left
 * - `answer.POST /auth/order.before`: the process is about to learn the answer or the failure; `.after`: everything
 *   that follows from it immediately is done
 * - `timer.before`: a timer is due; `timer.after`: everything that follows from it immediately is done
 */
export type CrashPoint = string;

/** `kill`: written data stays, like after kill -9 · `power`: data that was not synced may be lost */
export type Death = 'kill' | 'power';

/** Counts the crash points that a process passes, and decides at which one it dies. */
export class CrashPlan {
  readonly #counts = new Map<CrashPoint, number>();
  #points = 0;
  #next:
    | { readonly strikes: (name: CrashPoint, count: number) => boolean; readonly death: Death }
    | undefined;

  /** Number of points passed so far. */
  get points(): number {
    return this.#points;
  }

  /** Number of points passed so far, by name. */
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

  /** Passes one more point. Returns how the process dies there; `undefined`: it does not. */
  pass(point: CrashPoint): Death | undefined {
    this.#points += 1;
    const count = (this.#counts.get(point) ?? 0) + 1;
    this.#counts.set(point, count);
    return this.#next?.strikes(point, count) === true ? this.#next.death : undefined;
  }
}
