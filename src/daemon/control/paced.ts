/** Says at most one text in a while, and how many were left out. */
export class Paced {
  readonly #everyMs: number;
  readonly #now: () => number;
  readonly #say: (text: string) => void;
  #saidAt = Number.NEGATIVE_INFINITY;
  #left = 0;

  constructor(everyMs: number, now: () => number, say: (text: string) => void) {
    this.#everyMs = everyMs;
    this.#now = now;
    this.#say = say;
  }

  say(text: string): void {
    const now = this.#now();
    if (now - this.#saidAt < this.#everyMs) {
      this.#left++;
      return;
    }
    this.#say(this.#left === 0 ? text : `${text} (${this.#left} more before)`);
    this.#saidAt = now;
    this.#left = 0;
  }
}
