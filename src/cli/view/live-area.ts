const ERASE_BELOW = '\u001B[0J';

/** Lines at the bottom of a terminal that are redrawn in place, while other output scrolls above them. */
export class LiveArea {
  readonly #write: (text: string) => void;
  readonly #columns: number;
  #lines: readonly string[] = [];

  constructor(write: (text: string) => void, columns: number) {
    this.#write = write;
    this.#columns = columns;
  }

  /** Replaces the lines. The caller must keep them shorter than the terminal is wide, as longer ones would wrap. */
  show(lines: readonly string[]): void {
    this.#write(`${this.#eraser()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines;
  }

  /** Prints a permanent line above the area. */
  print(line: string): void {
    const below = this.#lines.map((shown) => `${shown}\n`).join('');
    this.#write(`${this.#eraser()}${line}\n${below}`);
  }

  /** Leaves the present lines where they are, and no longer redraws them. */
  release(): void {
    this.#lines = [];
  }

  get columns(): number {
    return this.#columns;
  }

  #eraser(): string {
    return this.#lines.length === 0 ? '' : `\u001B[${this.#lines.length}A\r${ERASE_BELOW}`;
  }
}
