import type { Texts } from '../../backtest/search/space.js';
import type { TrialEnd } from '../../backtest/search/trial.js';
import { moduleUrl } from '../../loader/module-url.js';
import { TickwrightError, UsageError } from '../../model/errors.js';
import { startWorker, type WorkerThread } from '../../platform/worker-thread.js';
import type { DoTrial, FromThread, SearchData } from './messages.js';
import type { SlowTrials } from './slow-trials.js';

const MOST_HEAP_BYTES = 1_024 * 2 ** 20;

interface Job extends DoTrial {
  readonly resolve: (end: TrialEnd) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: WorkerThread;
  job: Job | undefined;
  /** Called when the trial that it is running is over. */
  over: () => void;
  /** Whether it has loaded the strategy. */
  isReady: boolean;
}

interface ThreadPlan {
  /** The most threads. */
  readonly threads: number;
  readonly slow: Pick<SlowTrials, 'begin'>;
  /** The file of a thread; default: the one of the package. */
  readonly file?: URL;
}

/** Runs trials on threads, one at a time per thread; a free thread takes the next waiting trial. */
export class TrialThreads {
  readonly #data: SearchData;
  readonly #slow: Pick<SlowTrials, 'begin'>;
  readonly #file: URL;
  readonly #waiting: Job[] = [];
  readonly #threads: Thread[] = [];
  #count: number;
  #next = 0;
  #failure: Error | undefined;

  constructor(data: SearchData, { threads, slow, file = moduleUrl('cli/optimize/worker') }: ThreadPlan) {
    this.#data = data;
    this.#count = threads;
    this.#slow = slow;
    this.#file = file;
  }

  /** @throws an error after which a thread could not continue, which also ends all waiting trials */
  run(texts: Texts, query: DoTrial['query']): Promise<TrialEnd> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ job: this.#next++, texts, query, resolve, reject });
      this.#turn();
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.end()));
  }

  #turn(): void {
    const idle = this.#threads.find(({ job }) => job === undefined) ?? this.#more();
    const job = idle === undefined ? undefined : this.#waiting.shift();
    if (idle === undefined || job === undefined) return;
    idle.job = job;
    const { texts, query } = job;
    idle.over = this.#slow.begin(texts);
    idle.worker.post({ job: job.job, texts, query } satisfies DoTrial);
  }

  #more(): Thread | undefined {
    if (this.#count === 0) return undefined;
    this.#count--;
    const worker = startWorker(this.#file, {
      name: 'optimize',
      data: this.#data,
      mostHeapBytes: MOST_HEAP_BYTES,
      onMessage: (message) => this.#hear(thread, message as FromThread),
      onFailed: (error) => this.#lose(thread, error),
    });
    const thread: Thread = { worker, job: undefined, over: () => undefined, isReady: false };
    this.#threads.push(thread);
    return thread;
  }

  #hear(thread: Thread, message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        thread.isReady = true;
        return;
      case 'failed':
        this.#fail(errorOf(message));
        return;
      case 'ended': {
        const { job } = thread;
        thread.job = undefined;
        thread.over();
        job?.resolve(message.end);
        this.#turn();
      }
    }
  }

  /**
   * A trial that crashes its thread, e.g. by using too much memory, counts as a failed trial; a new thread continues.
   */
  #lose(thread: Thread, error: Error): void {
    const { job, isReady } = thread;
    if (job === undefined || !isReady) {
      this.#fail(error);
      return;
    }
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    this.#count++;
    thread.over();
    job.resolve({ kind: 'failed', reason: `the thread of the trial ended: ${error.message}` });
    this.#turn();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { job } of this.#threads) job?.reject(error);
    for (const job of this.#waiting.splice(0)) job.reject(error);
  }
}

function errorOf({ isUsage, code, message }: Extract<FromThread, { readonly kind: 'failed' }>): Error {
  return isUsage ? new UsageError(code, message) : new TickwrightError(code, message);
}
