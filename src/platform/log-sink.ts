import {
  closeSync,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  write,
  writeSync,
} from 'node:fs';

export type LogSink = (line: string) => void;

export interface RotationOptions {
  /** Open for appending. */
  readonly descriptor: number;
  readonly path: string;
  readonly maxBytes?: number;
  /** How many older files are kept: `.1` is the newest of them. */
  readonly kept?: number;
}

const MAX_BYTES = 10 * 1024 * 1024;
const KEPT = 5;
const OWNER_ONLY = 0o600;

/** The file that standard error goes to, where the environment names it and it really is that one. */
export function isLogFile(descriptor: number, path: string): boolean {
  try {
    const here = fstatSync(descriptor);
    const there = statSync(path);
    return here.isFile() && here.ino === there.ino && here.dev === there.dev;
  } catch {
    return false;
  }
}

/**
 * Appends lines to a file, and starts it anew when it is full. It is copied and then emptied, not renamed: others
 * write to it through descriptors of their own, and no line of theirs may go elsewhere. Where somebody else has moved or
 * removed it, the lines go on in a new file at its path. A line that cannot be written is dropped and counted: a full disk
 * must not stop a trader.
 */
export function rotatingSink({
  descriptor,
  path,
  maxBytes = MAX_BYTES,
  kept = KEPT,
}: RotationOptions): LogSink {
  let log = descriptor;
  let dropped = 0;
  let size = sizeOf(log);
  let nextTry = maxBytes;
  return (line) => {
    if (!isLogFile(log, path)) follow();
    if (size >= nextTry) rotate();
    const told = dropped === 0 ? '' : droppedLine(dropped);
    try {
      size += writeAll(log, told + line);
      dropped = 0;
    } catch {
      dropped++;
    }
  };

  /** Opens the file at the path. While that cannot be opened, the one that is gone from there takes the lines. */
  function follow(): void {
    try {
      const there = openSync(path, 'a', OWNER_ONLY);
      // The first one is standard error, which stays open for all that others write to it.
      if (log !== descriptor) closeSync(log);
      log = there;
      size = sizeOf(log);
      nextTry = maxBytes;
    } catch {
      // It is tried again with the next line.
    }
  }

  function rotate(): void {
    // Others may have written too, or emptied it.
    size = sizeOf(log);
    if (size < maxBytes || !isLogFile(log, path)) return;
    const copy = `${path}.new`;
    try {
      // Before an older one gives way to it: where there is no room for a copy, none of them may be lost.
      copyFileSync(path, copy);
      rmSync(`${path}.${kept}`, { force: true });
      for (let number = kept - 1; number >= 1; number--) {
        renameIfThere(`${path}.${number}`, `${path}.${number + 1}`);
      }
      renameSync(copy, `${path}.1`);
      ftruncateSync(log, 0);
      size = 0;
      nextTry = maxBytes;
    } catch {
      // The file grows on; it is tried again when it has grown by a tenth.
      nextTry = size + Math.ceil(maxBytes / 10);
      removeIfPossible(copy);
    }
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next copy overwrites it.
  }
}

export interface QueueOptions {
  readonly descriptor: number;
  /** What may wait, in bytes. */
  readonly most?: number;
}

const MOST_WAITING = 1024 * 1024;

/** Whether writing there can block for as long as somebody else likes. */
export function isPipe(descriptor: number): boolean {
  let facts: Stats;
  try {
    facts = fstatSync(descriptor);
  } catch {
    return false;
  }
  return facts.isFIFO() || facts.isSocket();
}

/** Hands lines to a pipe whose reader may be slow, or stand still: nobody waits for it, and what does not fit is dropped and counted. */
export function queuedSink({ descriptor, most = MOST_WAITING }: QueueOptions): LogSink {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let dropped = 0;
  let isWriting = false;
  let rest: Buffer | undefined;
  process.once('exit', () => {
    // One that does not take what it was given would hold up the end.
    if (isWriting) return;
    // What the pipe took only in part is finished first: a line must not begin inside of another one.
    for (const part of rest === undefined ? waiting : [rest, ...waiting]) {
      try {
        writeAll(descriptor, part);
      } catch {
        return;
      }
    }
  });
  return (line) => {
    const part = Buffer.from(dropped === 0 ? line : droppedLine(dropped) + line);
    if (bytes + part.length > most) {
      dropped++;
      return;
    }
    dropped = 0;
    waiting.push(part);
    bytes += part.length;
    next();
  };

  function next(): void {
    if (isWriting || (waiting.length === 0 && rest === undefined)) return;
    const part = rest ?? Buffer.concat(waiting);
    if (rest === undefined) waiting = [];
    isWriting = true;
    write(descriptor, part, (error, written) => {
      isWriting = false;
      const isBusy = error?.code === 'EAGAIN';
      if (error !== null && !isBusy) {
        // Nobody reads any more.
        bytes -= part.length;
        rest = undefined;
        dropped++;
        return;
      }
      bytes -= written;
      rest = written < part.length ? part.subarray(written) : undefined;
      if (isBusy) setTimeout(next, 50).unref();
      else next();
    });
  }
}

function droppedLine(count: number): string {
  return `${JSON.stringify({ level: 'warn', count, msg: 'log lines could not be written' })}\n`;
}

function sizeOf(descriptor: number): number {
  try {
    return fstatSync(descriptor).size;
  } catch {
    return 0;
  }
}

function writeAll(descriptor: number, text: string | Buffer): number {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  let written = 0;
  while (written < bytes.length) {
    const count = writeSync(descriptor, bytes, written);
    if (count === 0) throw new Error('a write must make progress');
    written += count;
  }
  return bytes.length;
}
