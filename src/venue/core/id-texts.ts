const GROUP = 1_000;
const ENDINGS = Array.from({ length: GROUP }, (_, n) => String(n).padStart(3, '0'));

/**
 * The decimal texts of ids, which are whole numbers that mostly ascend. `String` keeps what it makes of a number in a
 * cache of V8's, so that every id would outlive its order and be copied by the garbage collector twice.
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
