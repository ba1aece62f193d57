/** Real files for a virtual clock: what a session writes all the time is written at once, and nothing is flushed. */
import { existsSync, utimesSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { nodeFiles } from '../../src/platform/files.js';
import type { AppendFile, Files, SyncAppendFile } from '../../src/ports/files.js';

export interface SoakFilesOptions {
  /** Called with each piece of work outside of virtual time, till it is done. */
  readonly during: (work: Promise<unknown>) => void;
  readonly onJournalBytes: (count: number) => void;
  /** Of the virtual clock, ms: files are as old as it says, or nothing would ever be old enough to be dropped. */
  readonly wall: () => number;
}

/**
 * A thread of its own for every small block, and a disk that is waited for, took nine tenths of a soak's time and have
 * no part in what a daemon keeps: compressing and appending block here. All other calls are those of any daemon.
 */
export function soakFiles({ during, onJournalBytes, wall }: SoakFilesOptions): Files {
  const waitedFor = Object.fromEntries(
    Object.entries(nodeFiles).map(([name, method]: [string, (...words: readonly unknown[]) => unknown]) => [
      name,
      (...words: readonly unknown[]) => {
        const result = method(...words);
        if (result instanceof Promise) during(result);
        return result;
      },
    ]),
  ) as unknown as Files;
  const openAppendSync = (path: string): SyncAppendFile => {
    const file = nodeFiles.openAppendSync(path);
    const isJournal = path.includes('/journal/');
    return {
      size: () => file.size(),
      append(bytes) {
        file.append(bytes);
        if (isJournal) onJournalBytes(bytes.length);
      },
      reserve: (bytes) => file.reserve?.(bytes),
      sync: () => undefined,
      truncate: (size) => file.truncate(size),
      close() {
        file.close();
        if (existsSync(path)) utimesSync(path, wall() / 1_000, wall() / 1_000);
      },
    };
  };
  return {
    ...waitedFor,
    openAppendSync,
    openAppend: (path) => settled(() => promising(openAppendSync(path))),
    gzip: (bytes) => settled(() => gzipSync(bytes, SMALL)),
    // Ten looks a second for files that are not there need no disk.
    stat: (path) => (path.endsWith('/HALT') ? Promise.resolve(undefined) : waitedFor.stat(path)),
  };
}

/** Of blocks of half a thousand bytes: the usual memory of a compressor is cleared each time. */
const SMALL = { level: 1, windowBits: 12, memLevel: 5 } as const;

function promising(file: SyncAppendFile): AppendFile {
  return {
    size: () => file.size(),
    append: (bytes) => settled(() => file.append(bytes)),
    sync: () => settled(() => file.sync()),
    truncate: (size) => settled(() => file.truncate(size)),
    close: () => settled(() => file.close()),
  };
}

function settled<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
