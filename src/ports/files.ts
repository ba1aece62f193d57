/** The file system as the project uses it. Paths are absolute or relative to the process; sizes are bytes. */
export interface Files {
  /** Whole contents; rejects with `FileMissing` when there is no such file. */
  read(path: string): Promise<Uint8Array>;
  readText(path: string): Promise<string>;
  /** Replaces the file in one step: a reader sees the old contents or the new, never half. */
  writeAtomic(path: string, contents: Uint8Array | string): Promise<void>;
  /** Opens for appending, made if missing. */
  openAppend(path: string): Promise<AppendFile>;
  /** Opens for reading at any offset. */
  openRead(path: string): Promise<ReadableFile>;
  /** Unpacks gzip, of one member or many; iterating fails when it is not whole. */
  gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  list(directory: string): Promise<readonly FileEntry[]>;
  stat(path: string): Promise<FileEntry | undefined>;
  /** With missing parents; no error when it exists. */
  makeDirectory(path: string): Promise<void>;
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
