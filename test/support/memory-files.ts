import { basename, dirname, join } from 'node:path';
import {
  type AppendFile,
  type FileEntry,
  FileMissing,
  type Files,
  type SyncAppendFile,
} from '../../src/ports/files.js';

type SyncCall = 'open' | 'append' | 'sync' | 'truncate';

/** Files in memory, with a disk that can be full and calls that can be told to fail. */
export class MemoryFiles implements Files {
  readonly contents = new Map<string, Uint8Array>();
  /** Wall ms that a changed file gets. */
  now = 0;
  /** All files together hold at most this many bytes. */
  capacity = Number.POSITIVE_INFINITY;
  /** Whether room can be reserved behind the end of a file. */
  reserves = false;
  /** Counts of calls that succeeded. */
  readonly calls: Record<SyncCall, number> = { open: 0, append: 0, sync: 0, truncate: 0 };
  readonly #modified = new Map<string, number>();
  readonly #modes = new Map<string, number>();
  readonly #failing = new Map<SyncCall, string>();
  #shortWrite: number | undefined;

  /** From now on these calls fail with this code, until `heal`. */
  fail(call: SyncCall, code: string): void {
    this.#failing.set(call, code);
  }

  /** The next append writes this many bytes and fails. */
  failAfterBytes(count: number): void {
    this.#shortWrite = count;
  }

  heal(): void {
    this.#failing.clear();
  }

  used(): number {
    let sum = 0;
    for (const bytes of this.contents.values()) sum += bytes.length;
    return sum;
  }

  set(path: string, bytes: Uint8Array, mode = 0o600): void {
    const before = this.contents.get(path)?.length ?? 0;
    if (bytes.length > before && this.used() - before + bytes.length > this.capacity)
      throw systemError('ENOSPC');
    this.contents.set(path, bytes);
    this.#modified.set(path, this.now);
    if (!this.#modes.has(path)) this.#modes.set(path, mode);
  }

  openAppendSync(path: string): SyncAppendFile {
    this.#check('open');
    if (!this.contents.has(path)) this.set(path, new Uint8Array());
    const bytes = () => this.contents.get(path) ?? new Uint8Array();
    let size = bytes().length;
    return {
      size: () => size,
      append: (more) => {
        const free = bytes().length - size + Math.max(0, this.capacity - this.used());
        const failing = this.#failing.get('append') ?? (this.#shortWrite === undefined ? 'ENOSPC' : 'EIO');
        const written = this.#failing.has('append') ? 0 : (this.#shortWrite ?? Math.min(more.length, free));
        this.#shortWrite = undefined;
        this.set(path, overlaid(bytes(), size, more.subarray(0, written)));
        if (written < more.length) throw systemError(failing);
        size += more.length;
        this.calls.append += 1;
      },
      sync: () => this.#check('sync'),
      truncate: (length) => {
        this.#check('truncate');
        this.set(path, bytes().slice(0, length));
        size = length;
      },
      close: () => undefined,
      ...(this.reserves && {
        reserve: (count: number) => {
          const missing = Math.max(0, size + count - bytes().length);
          this.set(path, overlaid(bytes(), bytes().length, new Uint8Array(missing)));
        },
      }),
    };
  }

  read(path: string): Promise<Uint8Array> {
    const bytes = this.contents.get(path);
    return bytes === undefined ? Promise.reject(new FileMissing(path)) : Promise.resolve(bytes);
  }

  async readText(path: string): Promise<string> {
    return new TextDecoder().decode(await this.read(path));
  }

  writeAtomic(path: string, contents: Uint8Array | string, mode = 0o644): Promise<void> {
    return new Promise((resolve) => {
      const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents.slice();
      // The old contents are there until the new ones are.
      if (this.used() + bytes.length > this.capacity) throw systemError('ENOSPC');
      this.set(path, bytes, mode);
      resolve();
    });
  }

  list(directory: string): Promise<readonly FileEntry[]> {
    const paths = [...this.contents.keys()].filter((path) => dirname(path) === directory).sort();
    return Promise.all(paths.map(async (path) => (await this.stat(path)) as FileEntry));
  }

  stat(path: string): Promise<FileEntry | undefined> {
    const bytes = this.contents.get(path);
    if (bytes === undefined) return Promise.resolve(undefined);
    return Promise.resolve({
      name: basename(path),
      path,
      kind: 'file',
      size: bytes.length,
      modifiedMs: this.#modified.get(path) ?? 0,
      mode: this.#modes.get(path) ?? 0,
      owner: 0,
    });
  }

  makeDirectory(): Promise<void> {
    return Promise.resolve();
  }

  remove(path: string): Promise<void> {
    for (const name of this.contents.keys()) {
      if (name === path || name.startsWith(`${path}/`)) this.contents.delete(name);
    }
    return Promise.resolve();
  }

  temporaryDirectory(prefix: string): Promise<string> {
    return Promise.resolve(join('/tmp', prefix));
  }

  openAppend(): Promise<AppendFile> {
    return Promise.reject(new Error('not here'));
  }

  appendShared(): Promise<void> {
    return Promise.reject(new Error('not here'));
  }

  openRead(): Promise<never> {
    return Promise.reject(new Error('not here'));
  }

  gunzip(): never {
    throw new Error('not here');
  }

  gzip(): never {
    throw new Error('not here');
  }

  #check(call: SyncCall): void {
    const code = this.#failing.get(call);
    if (code !== undefined) throw systemError(code);
    this.calls[call] += 1;
  }
}

/** In place where the buffer has room: a truncation copies, so that no view of the old bytes sees the new. */
function overlaid(a: Uint8Array, at: number, more: Uint8Array): Uint8Array {
  const length = Math.max(a.length, at + more.length);
  const isRoomy = a.byteOffset === 0 && a.buffer.byteLength >= length && a.length > 0;
  const all = isRoomy ? new Uint8Array(a.buffer, 0, length) : new Uint8Array(length * 2).subarray(0, length);
  if (!isRoomy) all.set(a);
  all.set(more, at);
  return all;
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the test wants it`), { code });
}
