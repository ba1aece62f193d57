import { writeSync } from 'node:fs';
import { isMainThread as isMain, parentPort, Worker, workerData } from 'node:worker_threads';

/** Another thread of this process, by the messages that it sends and takes. */
export interface WorkerThread {
  post(message: unknown): void;
  /** Resolves when it is gone. */
  end(): Promise<void>;
}

export interface WorkerOptions {
  /** As debuggers and profilers show it. */
  readonly name: string;
  readonly data: unknown;
  readonly onMessage: (message: unknown) => void;
  /** Called once when the thread ended by itself: by a bug, or by exceeding its memory. */
  readonly onFailed: (error: Error) => void;
  /** What it may hold, bytes. */
  readonly mostHeapBytes: number;
}

const STDERR = 2;

/** Starts a thread that keeps the process alive until it is ended. It gets no environment variables. */
export function startWorker(
  file: URL,
  { name, data, onMessage, onFailed, mostHeapBytes }: WorkerOptions,
): WorkerThread {
  const worker = new Worker(file, {
    workerData: data,
    name,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(mostHeapBytes / 2 ** 20) },
  });
  let isOver = false;
  const fail = (error: Error) => {
    if (isOver) return;
    isOver = true;
    onFailed(error);
  };
  worker.on('message', onMessage);
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the thread ended with code ${code}`)));
  return {
    post: (message) => worker.postMessage(message),
    async end() {
      isOver = true;
      await worker.terminate();
    },
  };
}

/** The thread's own end of the connection. */
export function insideWorker(onMessage: (message: unknown) => void): {
  readonly data: unknown;
  post(message: unknown): void;
} {
  const port = parentPort;
  if (port === null) throw new Error('this file must run as a worker thread');
  port.on('message', onMessage);
  return { data: workerData, post: (message) => port.postMessage(message) };
}

/** Ms of a monotonic clock that all threads of the process share. */
export function sharedMonotonic(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/**
 * Writes one line directly to the descriptor: a worker's own stderr passes through the main thread, which may hang.
 * Errors are ignored when nobody can read it.
 */
export function writeStderrNow(text: string): void {
  try {
    writeSync(STDERR, `${text}\n`);
  } catch {
    // A pipe that is full or closed.
  }
}

/** Ends the whole process from any thread, whatever its other threads do. */
export function killThisProcess(lastWords: string): void {
  writeStderrNow(lastWords);
  process.kill(process.pid, 'SIGKILL');
}

/** False in a worker. */
export function isMainThread(): boolean {
  return isMain;
}
