import type { Random } from '../../model/random.js';
import { type FileEntry, FileMissing } from '../../ports/files.js';
import { type DiskCall, type DiskFailure, DiskFailures } from './disk-failures.js';
import { DiskFile, type UnsyncedFate } from './disk-file.js';
import { directoryOf, nameOf, normalPath } from './disk-path.js';

export type { DiskCall, DiskFailure } from './disk-failures.js';
export type { UnsyncedFate } from './disk-file.js';

export interface VirtualDiskOptions {
  readonly random: Random;
  /** The most bytes of all files; writing beyond is ENOSPC after a short write. Default: no limit. */
  readonly capacity?: number | undefined;
  /** Latency of asynchronous calls, ms, uniformly distributed; default 0.05 to 0.5. */
  readonly latencyMs?: readonly [low: number, high: number] | undefined;
}

/** What happened to a disk, by kind. */
export type DiskCount = 'EIO' | 'ENOSPC' | 'power losses' | UnsyncedFate;

/** Modes of new files and directories. */
export const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;
const OWNER = 1_000;

/**
 * A disk that outlives the processes on it. Calls are synchronous, and their errors have the codes of an operating
 * system. `LifeFiles` makes the port from them. Paths are normalised; relative ones start at the root.
 */
export class VirtualDisk {
  readonly latencyMs: readonly [low: number, high: number];
  /** The most bytes of all files together; may be changed at any time. */
  capacity: number;
  readonly #random: Random;
  readonly #files = new Map<string, DiskFile>();
  /** Directories with their modes. */
  readonly #directories = new Map<string, number>([['/', DIRECTORY_MODE]]);
  /** Removed files, which a power loss may restore until their directory was synced. */
  readonly #removed = new Map<string, DiskFile>();
  readonly #counts = new Map<DiskCount, number>();
  readonly #failures = new DiskFailures();
  #used = 0;

  constructor({ random, capacity, latencyMs }: VirtualDiskOptions) {
    this.#random = random;
    this.capacity = capacity ?? Number.POSITIVE_INFINITY;
    this.latencyMs = latencyMs ?? [0.05, 0.5];
  }

  get used(): number {
    return this.#used;
  }

  /** How often calls failed, and what power losses did. */
  get counts(): ReadonlyMap<DiskCount, number> {
    return this.#counts;
  }

  /** Requests failures with EIO. A failed sync loses what it was to keep; a failed append may have written a part. */
  failNext(call: DiskCall, failure: DiskFailure = {}): void {
    this.#failures.order(call, failure);
  }

  /** Cancels requested failures that did not happen yet, and removes the limit of the capacity. */
  heal(): void {
    this.#failures.clear();
    this.capacity = Number.POSITIVE_INFINITY;
  }

  /** Loses the power: unsynced data meets its fate, drawn per file unless `fate` is given. */
  losePower(fate?: UnsyncedFate): void {
    this.#count('power losses');
    for (const [path, file] of [...this.#files].sort(byPath)) {
      if (!file.isNamed && this.#random.next() < 0.5) this.#files.delete(path);
      else {
        const met = file.losePower(this.#random, fate);
        if (met !== undefined) this.#count(met);
      }
    }
    for (const [path, file] of [...this.#removed].sort(byPath)) {
      if (this.#random.next() < 0.5 && !this.#files.has(path)) this.#files.set(path, file);
    }
    this.#removed.clear();
    this.#used = [...this.#files.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The bytes that a reader would see now; `undefined` if there is no such file. */
  contents(path: string): Uint8Array | undefined {
    return this.#files.get(normalPath(path))?.bytes.slice();
  }

  /**
   * A view of the first bytes that certainly survive a power loss, without trailing zeros. It must be read at once,
   * because later writes overwrite it.
   */
  durable(path: string): Uint8Array | undefined {
    return this.#files.get(normalPath(path))?.durableBytes;
  }

  /** Puts a file on the disk, with its directories and durable: for fixtures and damage. */
  put(path: string, contents: Uint8Array | string): void {
    const at = normalPath(path);
    this.makeDirectory(directoryOf(at));
    this.#replace(at, contents, 0, FILE_MODE);
  }

  /** Paths of all files, in order. */
  paths(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  // The methods below serve the port.

  /** @throws FileMissing */
  read(path: string): Uint8Array {
    const at = normalPath(path);
    this.#mayFail('read', at);
    const file = this.#files.get(at);
    if (file === undefined) throw new FileMissing(path);
    return file.bytes.slice();
  }

  /** Writes a file atomically: after a crash it is complete and durable, or unchanged. */
  write(path: string, contents: Uint8Array | string, now: number, mode = FILE_MODE): void {
    const at = normalPath(path);
    this.#mustHaveDirectory(at);
    this.#mayFail('write', at);
    // The new contents need room while the old ones still exist.
    const length = typeof contents === 'string' ? Buffer.byteLength(contents) : contents.length;
    if (this.#used + length > this.capacity) throw this.#full('write');
    this.#replace(at, contents, now, mode);
    this.#nameAll(directoryOf(at));
  }

  /** Opens a file for appending; creates it if it is missing. */
  open(path: string, mode: number, now: number): DiskHandle {
    const at = normalPath(path);
    this.#mustHaveDirectory(at);
    let file = this.#files.get(at);
    if (file === undefined) {
      file = new DiskFile(new Uint8Array(0), mode, now);
      this.#files.set(at, file);
    }
    return new DiskHandle(this, at, file);
  }

  /** Writes into an open file at `offset`. On a failure or a full disk, only a part is written. */
  writeAt(offset: number, bytes: Uint8Array, { path, file }: DiskHandle, now: number): void {
    file.modifiedMs = now;
    try {
      this.#mayFail('append', path);
    } catch (error) {
      this.#put(path, file, offset, bytes.subarray(0, this.#random.integer(0, bytes.length)));
      throw error;
    }
    // Overwriting bytes needs no room.
    const room = Math.max(0, this.capacity - this.#used) + file.size - offset;
    this.#put(path, file, offset, bytes.subarray(0, room));
    if (bytes.length > room) throw this.#full('write');
  }

  sync({ path, file }: DiskHandle): void {
    try {
      this.#mayFail('sync', path);
    } catch (error) {
      file.failSync();
      throw error;
    }
    file.sync();
    if (!file.isNamed && this.#files.get(path) === file) this.#nameAll(directoryOf(path));
  }

  truncate(size: number, { path, file }: DiskHandle, now: number): void {
    this.#mayFail('truncate', path);
    const before = file.size;
    file.truncate(size);
    file.modifiedMs = now;
    if (this.#files.get(path) === file) this.#used += file.size - before;
  }

  list(directory: string): readonly FileEntry[] {
    const at = normalPath(directory);
    if (!this.#directories.has(at)) throw new FileMissing(directory);
    const inside = (path: string) => path !== '/' && directoryOf(path) === at;
    return [...this.#files.keys(), ...this.#directories.keys()]
      .filter(inside)
      .sort()
      .map((path) => this.entry(path) as FileEntry);
  }

  entry(path: string): FileEntry | undefined {
    const at = normalPath(path);
    const file = this.#files.get(at);
    const common = { name: nameOf(at), path, owner: OWNER };
    if (file !== undefined) {
      const { size, modifiedMs, mode } = file;
      return { ...common, kind: 'file', size, modifiedMs, mode };
    }
    const directoryMode = this.#directories.get(at);
    if (directoryMode === undefined) return undefined;
    return { ...common, kind: 'directory', size: 0, modifiedMs: 0, mode: directoryMode };
  }

  /** Creates a directory with its missing parents. */
  makeDirectory(path: string, mode = DIRECTORY_MODE): void {
    for (let at = normalPath(path); !this.#directories.has(at); at = directoryOf(at)) {
      this.#directories.set(at, mode);
    }
  }

  remove(path: string): void {
    const at = normalPath(path);
    for (const [each, file] of this.#files) {
      if (!isWithin(each, at)) continue;
      this.#files.delete(each);
      this.#used -= file.size;
      if (file.isNamed) this.#removed.set(each, file);
    }
    for (const each of this.#directories.keys())
      if (each !== '/' && isWithin(each, at)) this.#directories.delete(each);
  }

  #replace(at: string, contents: Uint8Array | string, now: number, mode: number): void {
    const old = this.#files.get(at);
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    const file = new DiskFile(bytes, old?.mode ?? mode, now);
    file.isNamed = true;
    this.#used += bytes.length - (old?.size ?? 0);
    this.#files.set(at, file);
    this.#removed.delete(at);
  }

  #put(path: string, file: DiskFile, offset: number, bytes: Uint8Array): void {
    const before = file.size;
    file.write(offset, bytes);
    // A file that was replaced or removed meanwhile does not count as used room.
    if (this.#files.get(path) === file) this.#used += file.size - before;
  }

  /** Syncs a directory: all its entries survive a power loss as they are. */
  #nameAll(directory: string): void {
    for (const [path, file] of this.#files)
      if (!file.isNamed && directoryOf(path) === directory) file.isNamed = true;
    for (const path of this.#removed.keys()) if (directoryOf(path) === directory) this.#removed.delete(path);
  }

  #mustHaveDirectory(path: string): void {
    if (!this.#directories.has(directoryOf(path))) {
      throw systemError('ENOENT', `no such file or directory, open '${path}'`);
    }
  }

  #mayFail(call: DiskCall, path: string): void {
    if (!this.#failures.strike(call, path)) return;
    this.#count('EIO');
    throw systemError('EIO', `i/o error, ${call}`);
  }

  #full(call: string): Error {
    this.#count('ENOSPC');
    return systemError('ENOSPC', `no space left on device, ${call}`);
  }

  #count(what: DiskCount): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}

/** A file as one process has it open. It remains that file, even when another file gets its name. */
export class DiskHandle {
  readonly path: string;
  readonly file: DiskFile;
  readonly #disk: VirtualDisk;

  constructor(disk: VirtualDisk, path: string, file: DiskFile) {
    this.#disk = disk;
    this.path = path;
    this.file = file;
  }

  writeAt(offset: number, bytes: Uint8Array, now: number): void {
    this.#disk.writeAt(offset, bytes, this, now);
  }

  sync(): void {
    this.#disk.sync(this);
  }

  truncate(size: number, now: number): void {
    this.#disk.truncate(size, this, now);
  }
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

function systemError(code: 'EIO' | 'ENOSPC' | 'ENOENT', message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
