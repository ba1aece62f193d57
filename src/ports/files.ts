/** The file system as the project uses it. Paths are absolute or relative to the process; sizes are bytes. */
export interface Files {
  /** Whole contents; rejects with `FileMissing` when there is no such file. */
  read(path: string): Promise<Uint8Array>;
  readText(path: string): Promise<string>;
  /**
   * Replaces the file in one step that survives a power loss: a reader sees the old contents or the new, never half.
   * `mode` (default 0644) is for a new file; one that is there keeps its own.
   */
  writeAtomic(path: string, contents: Uint8Array | string, mode?: number): Promise<void>;
  /** Opens for appending; makes the file if it is missing. */
  openAppend(path: string): Promise<AppendFile>;
  /** The same with blocking calls, for callers that must not go on before their bytes are written. Mode 0600. */
  openAppendSync(path: string): SyncAppendFile;
  /**
   * Appends to a file to which other processes may append at the same time, without
   * overwriting each other; makes the file if it is missing. Resolves once the bytes
   * survive a power loss. After a failure the file may hold a first part of them.
   */
  appendShared(path: string, bytes: Uint8Array): Promise<void>;
  /** Opens for reading at any offset. */
  openRead(path: string): Promise<ReadableFile>;
  /** Unpacks gzip, of one member or many; iterating fails when it is not whole. */
  gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** One whole gzip member of these bytes. */
  gzip(bytes: Uint8Array): Promise<Uint8Array>;
  list(directory: string): Promise<readonly FileEntry[]>;
  stat(path: string): Promise<FileEntry | undefined>;
  /** With missing parents; no error when it exists. `mode` (default 0755) is for those that are made. */
  makeDirectory(path: string, mode?: number): Promise<void>;
  /** File or whole directory; no error when it does not exist. */
  remove(path: string): Promise<void>;
  /** A fresh private directory for this process. */
  temporaryDirectory(prefix: string): Promise<string>;
}

export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'other';
  readonly size: number;
  readonly modifiedMs: number;
  /** Permission bits, e.g. 0o600; owner user id. */
  readonly mode: number;
  readonly owner: number;
}

export interface AppendFile {
  /** Bytes in the file now. */
  size(): number;
  append(bytes: Uint8Array): Promise<void>;
  /** Returns once the data survives a power loss. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** Every call blocks. After a failed call nothing is known about the bytes of that call, unless `truncate` succeeds. */
export interface SyncAppendFile {
  size(): number;
  /** Writes all bytes or throws; a short write is a failure. The caller may reuse the buffer when it returns. */
  append(bytes: Uint8Array): void;
  /**
   * Optional. Extends the file by zeros that later appends replace, so that a sync has no new file length to write. `size`
   * does not count the zeros, `truncate` drops them, a reader sees them. Throws, without taking any, when there is no room.
   */
  reserve?(bytes: number): void;
  /**
   * fdatasync, also of the directory of a new file. Never repeat
   * it after a failure: the kernel may have dropped the pages.
   */
  sync(): void;
  truncate(size: number): void;
  close(): void;
}

export interface ReadableFile {
  readonly size: number;
  /** Fills `target` from `offset` on; resolves to the bytes read (fewer at the end). */
  readInto(target: Uint8Array, offset: number): Promise<number>;
  close(): Promise<void>;
}

/** There is no such file. */
export class FileMissing extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`no such file: ${path}`);
    this.name = 'FileMissing';
    this.path = path;
  }
}

/** There is no such file, because what should be a folder on the way to it is none. */
export class FileInTheWay extends FileMissing {
  /** Stands where a folder is expected. */
  readonly file: string;
  constructor(path: string, file: string) {
    super(path);
    this.message = `no such file: ${path}, since ${file} is no folder`;
    this.name = 'FileInTheWay';
    this.file = file;
  }
}
