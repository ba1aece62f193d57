const ERASE_BELOW = '\u001B[0J';

/** Lines at the bottom of a terminal that are replaced in place, while other output scrolls away above them. */
export class LiveArea {
  readonly #write: (text: string) => void;
  readonly #columns: number;
  #lines: readonly string[] = [];

  constructor(write: (text: string) => void, columns: number) {
    this.#write = write;
    this.#columns = columns;
  }

  /** Replaces what stands there. Lines longer than the terminal are the caller's mistake: they would wrap. */
  show(lines: readonly string[]): void {
    this.#write(`${this.#eraser()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines;
  }

  /** Prints a line that stays, above the area. */
  print(line: string): void {
    const below = this.#lines.map((shown) => `${shown}\n`).join('');
    this.#write(`${this.#eraser()}${line}\n${below}`);
  }

  /** What stands there stays, and is no longer replaced. */
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
