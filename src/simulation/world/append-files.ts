import type { AppendFile, SyncAppendFile } from '../../ports/files.js';
import type { DiskHandle } from './virtual-disk.js';

/** The part of a process that its files need. */
export interface FilesOwner {
  readonly isAlive: boolean;
  /** Wall clock, ms. */
  now(): number;
  /** Passes a crash point. Returns false if the process is dead or dies there; in the latter case `lastAct` has run. */
  pass(point: string, lastAct?: () => void): boolean;
  /** @throws Killed */
  killed(): never;
  /** Does the work after `ms`, but not before `notBefore`; never settles if the process dies before. */
  later<T>(work: () => T, ms: number, notBefore?: number): Promise<T>;
  /** The world's time at which work that takes `ms` would be done. */
  doneAt(ms: number): number;
  /** A seeded random number in [0, 1). */
  chance(): number;
}

export type Change = 'append' | 'reserve' | 'sync' | 'truncate' | 'write' | 'remove' | 'makeDirectory';

const BEFORE = pointsOf('before');
const AFTER = pointsOf('after');

function pointsOf(when: string): Readonly<Record<Change, string>> {
  const at = (call: Change) => `${call}.${when}`;
  return {
    append: at('append'),
    reserve: at('reserve'),
    sync: at('sync'),
    truncate: at('truncate'),
    write: at('write'),
    remove: at('remove'),
    makeDirectory: at('makeDirectory'),
  };
}

/**
 * Performs a change between two crash points.
 *
 * @throws Killed when the process dies before or after it.
 */
export function change(owner: FilesOwner, call: Change, work: () => void): void {
  if (!owner.pass(BEFORE[call])) owner.killed();
  work();
  if (!owner.pass(AFTER[call])) owner.killed();
}

/**
 * Writes at `offset`, where the process assumes the end of the file. A process that dies within it writes only a part.
 */
function append(owner: FilesOwner, handle: DiskHandle, offset: number, bytes: Uint8Array): void {
  change(owner, 'append', () => {
    const dyingInside = () => {
      handle.writeAt(offset, bytes.subarray(0, Math.floor(owner.chance() * bytes.length)), owner.now());
    };
    if (!owner.pass('append.within', dyingInside)) owner.killed();
    handle.writeAt(offset, bytes, owner.now());
  });
}

export class NowAppendFile implements SyncAppendFile {
  readonly #owner: FilesOwner;
  readonly #handle: DiskHandle;
  /** Size of the contents, without reserved room. */
  #size: number;
  #broken: unknown;
  #isClosed = false;

  constructor(owner: FilesOwner, handle: DiskHandle) {
    this.#owner = owner;
    this.#handle = handle;
    this.#size = handle.file.size;
  }

  size(): number {
    return this.#size;
  }

  append(bytes: Uint8Array): void {
    this.#mustBeSound();
    append(this.#owner, this.#handle, this.#size, bytes);
    this.#size += bytes.length;
  }

  reserve(bytes: number): void {
    this.#mustBeSound();
    const { file } = this.#handle;
    const missing = this.#size + bytes - file.size;
    if (missing <= 0) return;
    try {
      const zeros = new Uint8Array(missing);
      change(this.#owner, 'reserve', () => this.#handle.writeAt(file.size, zeros, this.#owner.now()));
    } catch (error) {
      if (this.#owner.isAlive) this.#handle.truncate(this.#size, this.#owner.now());
      throw error;
    }
  }

  sync(): void {
    this.#mustBeSound();
    try {
      change(this.#owner, 'sync', () => this.#handle.sync());
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  truncate(size: number): void {
    this.#mustBeOpen();
    change(this.#owner, 'truncate', () => this.#handle.truncate(size, this.#owner.now()));
    this.#size = size;
  }

  close(): void {
    this.#mustBeOpen();
    this.#isClosed = true;
  }

  #mustBeSound(): void {
    this.#mustBeOpen();
    if (this.#broken !== undefined) throw this.#broken as Error;
  }

  #mustBeOpen(): void {
    if (!this.#owner.isAlive) this.#owner.killed();
    if (this.#isClosed) throw badDescriptor();
  }
}

/** Executes overlapping calls in their order, and cuts off the rest of an append that failed half way. */
export class LaterAppendFile implements AppendFile {
  readonly #owner: FilesOwner;
  readonly #handle: DiskHandle;
  readonly #latency: () => number;
  #size: number;
  #doneAt = 0;
  #broken: unknown;
  #isClosed = false;

  constructor(owner: FilesOwner, handle: DiskHandle, latency: () => number) {
    this.#owner = owner;
    this.#handle = handle;
    this.#latency = latency;
    this.#size = handle.file.size;
  }

  size(): number {
    return this.#size;
  }

  append(bytes: Uint8Array): Promise<void> {
    return this.#inTurn(() => {
      try {
        append(this.#owner, this.#handle, this.#size, bytes);
      } catch (error) {
        if (this.#owner.isAlive) this.#cutBack(error);
        throw error;
      }
      this.#size += bytes.length;
    });
  }

  sync(): Promise<void> {
    return this.#inTurn(() => {
      try {
        change(this.#owner, 'sync', () => this.#handle.sync());
      } catch (error) {
        this.#broken = error;
        throw error;
      }
    });
  }

  truncate(size: number): Promise<void> {
    return this.#inTurn(() => {
      change(this.#owner, 'truncate', () => this.#handle.truncate(size, this.#owner.now()));
      this.#size = size;
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => {
      this.#isClosed = true;
    });
  }

  #cutBack(cause: unknown): void {
    try {
      this.#handle.truncate(this.#size, this.#owner.now());
    } catch {
      this.#broken = cause;
    }
  }

  #inTurn(work: () => void): Promise<void> {
    const notBefore = this.#doneAt;
    const ms = this.#latency();
    this.#doneAt = Math.max(notBefore, this.#owner.doneAt(ms));
    return this.#owner.later(
      () => {
        if (this.#broken !== undefined) throw this.#broken as Error;
        if (this.#isClosed) throw badDescriptor();
        work();
      },
      ms,
      notBefore,
    );
  }
}

function badDescriptor(): Error {
  return Object.assign(new Error('EBADF: bad file descriptor'), { code: 'EBADF' });
}
