import { writeSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** Another thread of this process, by the messages that it sends and takes. */
export interface WorkerThread {
  post(message: unknown): void;
  /** Resolves when it is gone. */
  end(): Promise<void>;
}

export interface WorkerOptions {
  readonly data: unknown;
  readonly onMessage: (message: unknown) => void;
  /** It ended by itself: a bug. */
  readonly onFailed: (error: Error) => void;
}

/** It keeps the process alive until it is ended. */
export function startWorker(file: URL, { data, onMessage, onFailed }: WorkerOptions): WorkerThread {
  const worker = new Worker(file, { workerData: data, name: 'control' });
  let isEnding = false;
  worker.on('message', onMessage);
  worker.on('error', onFailed);
  worker.on('exit', (code) => {
    if (!isEnding) onFailed(new Error(`the thread ended with code ${code}`));
  });
  return {
    post: (message) => worker.postMessage(message),
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}

/** The same from the inside. */
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

/** Ends the whole process from any thread, whatever its other threads do, with a last line on stderr. */
export function killThisProcess(lastWords: string): void {
  writeSync(process.stderr.fd, `${lastWords}\n`);
  process.kill(process.pid, 'SIGKILL');
}
