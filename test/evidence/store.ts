/** Results that outlive an interruption: one line of JSON each, appended as it comes. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Stored<T> {
  /** ISO time. */
  readonly at: string;
  readonly commit: string;
  /** The code that it ran on, where that is not the store's own. */
  readonly source?: string | undefined;
  readonly result: T;
}

/** Codes that there are results of in this folder, for a name. */
export function storedSources(folder: string, name: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => {
    const source = file.startsWith(`${name}-`)
      ? /^([0-9a-f]{16})\.ndjson$/.exec(file.slice(name.length + 1))
      : null;
    return source === null ? [] : [source[1] as string];
  });
}

export class Store<T> {
  readonly path: string;
  readonly #commit: string;
  readonly #lines: Stored<T>[] = [];

  /** Takes up what an earlier run of the same code has left; a last line that was cut off is dropped. */
  constructor(path: string, commit: string) {
    this.path = path;
    this.#commit = commit;
    if (!existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    for (const line of whole.split('\n')) if (line !== '') this.#lines.push(JSON.parse(line) as Stored<T>);
  }

  get lines(): readonly Stored<T>[] {
    return this.#lines;
  }

  get results(): readonly T[] {
    return this.#lines.map(({ result }) => result);
  }

  /** Those that the results of this very code are of, each once. */
  get commits(): readonly string[] {
    const own = this.#lines.filter(({ source }) => source === undefined);
    return [...new Set(own.map(({ commit }) => commit))];
  }

  add(result: T): void {
    this.carry({ at: new Date().toISOString(), commit: this.#commit, result });
  }

  /** What another code did, as it was stored. */
  carry(stored: Stored<T>): void {
    mkdirSync(dirname(this.path), { recursive: true });
    appendFileSync(this.path, `${JSON.stringify(stored)}\n`);
    this.#lines.push(stored);
  }

  forget(isForgotten: (line: Stored<T>) => boolean): void {
    const kept = this.#lines.filter((line) => !isForgotten(line));
    const next = `${this.path}.next`;
    writeFileSync(next, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
    renameSync(next, this.path);
    this.#lines.splice(0, this.#lines.length, ...kept);
  }

  clear(): void {
    rmSync(this.path, { force: true });
    this.#lines.length = 0;
  }
}
