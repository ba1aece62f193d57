import type { AppendFile, FileEntry, Files, ReadableFile, SyncAppendFile } from '../../ports/files.js';
import { type FilesOwner, change, type Change, LaterAppendFile, NowAppendFile } from './append-files.js';
import { FILE_MODE, type VirtualDisk } from './virtual-disk.js';

/** The files port of one process, on a disk that outlives it. */
export class LifeFiles implements Files {
  readonly #owner: FilesOwner;
  readonly #disk: VirtualDisk;
  #temporary = 0;

  constructor(owner: FilesOwner, disk: VirtualDisk) {
    this.#owner = owner;
    this.#disk = disk;
  }

  read(path: string): Promise<Uint8Array> {
    return this.#later(() => this.#disk.read(path));
  }

  readText(path: string): Promise<string> {
    return this.#later(() => new TextDecoder().decode(this.#disk.read(path)));
  }

  writeAtomic(path: string, contents: Uint8Array | string, mode?: number): Promise<void> {
    return this.#changeLater('write', () => this.#disk.write(path, contents, this.#owner.now(), mode));
  }

  openAppend(path: string): Promise<AppendFile> {
    return this.#later(() => {
      const handle = this.#disk.open(path, FILE_MODE, this.#owner.now());
      return new LaterAppendFile(this.#owner, handle, () => this.#latency());
    });
  }

  openAppendSync(path: string): SyncAppendFile {
    if (!this.#owner.isAlive) this.#owner.killed();
    return new NowAppendFile(this.#owner, this.#disk.open(path, 0o600, this.#owner.now()));
  }

  appendShared(path: string, bytes: Uint8Array): Promise<void> {
    return this.#later(() => {
      const handle = this.#disk.open(path, FILE_MODE, this.#owner.now());
      change(this.#owner, 'append', () => handle.writeAt(handle.file.size, bytes, this.#owner.now()));
      change(this.#owner, 'sync', () => handle.sync());
    });
  }

  openRead(path: string): Promise<ReadableFile> {
    return this.#later(() => {
      const bytes = this.#disk.read(path);
      return {
        size: bytes.length,
        readInto: (target: Uint8Array, offset: number) =>
          this.#later(() => {
            const part = bytes.subarray(offset, offset + target.length);
            target.set(part);
            return part.length;
          }),
        close: () => this.#later(() => undefined),
      };
    });
  }

  // oxlint-disable-next-line require-yield -- a stream that fails before its first piece
  async *gunzip(): AsyncGenerator<Uint8Array, void, undefined> {
    throw new Error('a simulated process must not read gzip: it would wait for threads of the real machine');
  }

  gzip(): Promise<Uint8Array> {
    return Promise.reject(
      new Error('a simulated process must not write gzip: it would wait for threads of the real machine'),
    );
  }

  list(directory: string): Promise<readonly FileEntry[]> {
    return this.#later(() => this.#disk.list(directory));
  }

  stat(path: string): Promise<FileEntry | undefined> {
    return this.#later(() => this.#disk.entry(path));
  }

  makeDirectory(path: string, mode?: number): Promise<void> {
    return this.#changeLater('makeDirectory', () => this.#disk.makeDirectory(path, mode));
  }

  remove(path: string): Promise<void> {
    return this.#changeLater('remove', () => this.#disk.remove(path));
  }

  temporaryDirectory(prefix: string): Promise<string> {
    return this.#later(() => {
      this.#temporary += 1;
      const path = `/tmp/${prefix}${this.#temporary}`;
      this.#disk.makeDirectory(path);
      return path;
    });
  }

  #later<T>(work: () => T): Promise<T> {
    return this.#owner.later(work, this.#latency());
  }

  #changeLater(call: Change, work: () => void): Promise<void> {
    return this.#owner.later(() => {
      change(this.#owner, call, work);
    }, this.#latency());
  }

  #latency(): number {
    const [low, high] = this.#disk.latencyMs;
    return low + this.#owner.chance() * (high - low);
  }
}
