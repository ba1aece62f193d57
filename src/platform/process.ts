import { Console } from 'node:console';
import { availableParallelism, userInfo } from 'node:os';

/** Facts of the process, for the composition root only. */
export interface ProcessFacts {
  /** The file that Node runs. */
  readonly script: string;
  /** Arguments after the program's name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly pid: number;
  readonly nodeVersion: string;
  /** What ends a process at a terminal of this system though the process does not listen. */
  readonly quitKey: string;
}

export function processFacts(): ProcessFacts {
  return {
    script: process.argv[1] ?? '',
    args: process.argv.slice(2),
    environment: process.env,
    directory: process.cwd(),
    pid: process.pid,
    nodeVersion: process.versions.node,
    quitKey: process.platform === 'win32' ? 'Ctrl-Break' : 'Ctrl-\\',
  };
}

/** Bytes that the process holds now. */
export function memoryGauge(): { readonly rssBytes: number; readonly heapBytes: number } {
  return { rssBytes: process.memoryUsage.rss(), heapBytes: process.memoryUsage().heapUsed };
}

/** How many threads can work at one time. */
export function parallelThreads(): number {
  return availableParallelism();
}

/** The code to end with when everything that keeps the process alive is done. */
export function setExitCode(code: number): void {
  process.exitCode = code;
}

/** Ends the process now: for a second Ctrl-C and for states that must not go on. */
export function exitNow(code: number): never {
  process.exit(code);
}

/** Calls back for what nobody caught, a rejected promise included; the process then ends only if the handler ends it. */
export function onUncaught(handler: (error: unknown) => void): void {
  process.on('uncaughtException', handler);
}

/**
 * Resolves when the text was handed to stdout's reader, to true, or to false when nobody reads any more: who writes at
 * length need not go on.
 */
export function writeOut(text: string): Promise<boolean> {
  return writeTo(process.stdout, text);
}

export async function writeError(text: string): Promise<void> {
  await writeTo(process.stderr, text);
}

/**
 * From now on the end of a reader is no end of the process: `tickwright … | head` is normal use, and a command may have
 * more to do than to print, as well as an exit code of its own. What nobody reads is lost. Stderr may also be on a disk
 * that is full.
 */
export function outliveReaders(): void {
  process.stdout.on('error', demandWritten);
  process.stderr.on('error', () => undefined);
}

/**
 * From now on SIGUSR1 does nothing. By default Node opens its debugger at it, on a port of loopback that asks for no
 * password: every user of the machine could read the keys, and run code of his own in the process.
 */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => undefined);
}

/**
 * From now on nothing that happens to stdout is an error: output that cannot be written is lost, `onLost` is told the
 * first time, and the process goes on.
 */
export function goOnUnread(onLost: (error: Error) => void): void {
  process.stdout.off('error', demandWritten);
  process.stdout.on('error', onLost);
}

function demandWritten(error: NodeJS.ErrnoException): void {
  if (!isUnread(process.stdout, error) && !told.has(error)) throw error;
}

/** Errors that whoever wrote has been told of: they are not to end the process before that is done with its work. */
const told = new WeakSet<Error>();

/** Whether the reader of a stream has gone. A closed terminal also sends SIGHUP, which ends the process in order. */
function isUnread({ isTTY }: NodeJS.WriteStream, { code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || (code === 'EIO' && isTTY);
}

/** From now on `console.log` of loaded code, such as strategies, goes to stderr, because stdout is for results. */
export function talkOnStderr(): void {
  globalThis.console = new Console(process.stderr);
}

function writeTo(stream: NodeJS.WriteStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) resolve(true);
      else if (stream === process.stderr || isUnread(stream, error)) resolve(false);
      else {
        told.add(error);
        reject(error);
      }
    });
  });
}

/** Of whoever runs this process, as the system knows them. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as containers have.
    return `uid ${process.geteuid?.() ?? 'unknown'}`;
  }
}
