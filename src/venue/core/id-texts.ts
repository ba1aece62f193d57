const GROUP = 1_000;
const ENDINGS = Array.from({ length: GROUP }, (_, n) => String(n).padStart(3, '0'));

/**
 * Decimal texts of ids, which mostly ascend. `String(number)` is avoided because V8 caches its results: every id would
 * outlive its order, and the garbage collector would copy it twice.
 */
export class IdTexts {
  #group = 0;
  #beginning = '';

  of(id: number): string {
    if (id < GROUP) return String(id);
    const group = Math.floor(id / GROUP);
    if (group !== this.#group) {
      this.#group = group;
      this.#beginning = String(group);
    }
    return this.#beginning + (ENDINGS[id - group * GROUP] as string);
  }
}
