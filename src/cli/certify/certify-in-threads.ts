import type { CertifyJob } from '../../certify/certify.js';
import { faultSetOf } from '../../certify/fault-set.js';
import type { RunEnd } from '../../certify/run-scenario.js';
import { moduleUrl } from '../../loader/module-url.js';
import { InvariantError, StrategyError } from '../../model/errors.js';
import { startWorker, type WorkerThread } from '../../platform/worker-thread.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import type { CertifyData, DoJob, FromThread } from './messages.js';
import { WorkMark } from './work-mark.js';

export interface CertifyThreadsOptions {
  readonly data: Omit<CertifyData, 'mark'>;
  readonly jobs: readonly CertifyJob[];
  readonly threads: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called when a run is over. */
  readonly onRun: (end: RunEnd) => void;
  /** The longest that one call of the strategy may take, ms. */
  readonly patienceMs?: number | undefined;
  /** Number of runs after which a thread is replaced. */
  readonly runsAThread?: number | undefined;
  /** The file of a thread; default: the one of the package. */
  readonly worker?: URL | undefined;
}

export interface CertifyRuns {
  /** In the order of their jobs. */
  readonly runs: readonly RunEnd[];
  /** Whether all of them ran, so that no call of the strategy was given up. */
  readonly isWhole: boolean;
}

const PATIENCE_MS = 10_000;
/**
 * The longest that the engine may take between two calls of the strategy, or the loader to load it. Longer is a bug of
 * ours.
 */
const STUCK_MS = 60_000;
const LOOK_MS = 250;
const MOST_HEAP_BYTES = 1_024 * 2 ** 20;
/**
 * Each run imports the strategy's file anew, and only the end of the thread frees its memory: megabytes for a large
 * one.
 */
const RUNS_A_THREAD = 100;

interface Thread {
  readonly mark: WorkMark;
  readonly worker: WorkerThread;
  job: number | undefined;
  runs: number;
  /** The last seen number of calls, and since when it has not changed (monotonic ms). */
  calls: number;
  since: number;
}

/**
 * Runs a certification in other threads, because a strategy's call that never returns would hang this one. The first
 * such call ends all runs, and counts as a violation.
 *
 * @throws StrategyError and other errors after which a thread could not continue
 */
export function certifyInThreads(options: CertifyThreadsOptions): Promise<CertifyRuns> {
  return new Certification(options).run();
}

class Certification {
  readonly #options: CertifyThreadsOptions;
  readonly #ends = new Map<number, RunEnd>();
  readonly #threads = new Set<Thread>();
  readonly #retired: Promise<void>[] = [];
  #next = 0;
  #cancelLook: CancelTimer | undefined;
  #resolve: (isWhole: boolean) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(options: CertifyThreadsOptions) {
    this.#options = options;
  }

  async run(): Promise<CertifyRuns> {
    const { jobs, threads } = this.#options;
    const over = new Promise<boolean>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    try {
      for (let count = Math.min(threads, jobs.length); count > 0; count--) this.#begin();
      this.#lookLater();
      const isWhole = await over;
      const runs = [...this.#ends].sort(([a], [b]) => a - b).map(([, end]) => end);
      return { runs, isWhole };
    } finally {
      this.#cancelLook?.();
      await Promise.all([...this.#retired, ...[...this.#threads].map(({ worker }) => worker.end())]);
    }
  }

  #begin(): void {
    const { data, clock, worker: file = moduleUrl('cli/certify/worker') } = this.#options;
    const mark = new WorkMark();
    const worker = startWorker(file, {
      name: 'certify',
      data: { ...data, mark: mark.shared } satisfies CertifyData,
      mostHeapBytes: MOST_HEAP_BYTES,
      onMessage: (message) => this.#hear(thread, message as FromThread),
      onFailed: (error) => this.#reject(error),
    });
    const thread: Thread = { mark, worker, job: undefined, runs: 0, calls: 0, since: clock.monotonic() };
    this.#threads.add(thread);
  }

  #hear(thread: Thread, message: FromThread): void {
    if (message.kind === 'failed') {
      this.#reject(new StrategyError(message.code, message.message));
      return;
    }
    if (message.kind === 'run') {
      this.#ends.set(message.job, message.end);
      this.#options.onRun(message.end);
      thread.runs++;
    }
    const { jobs, runsAThread = RUNS_A_THREAD } = this.#options;
    if (thread.runs >= runsAThread && this.#next < jobs.length) {
      this.#threads.delete(thread);
      this.#retired.push(thread.worker.end());
      this.#begin();
      return;
    }
    thread.since = this.#options.clock.monotonic();
    this.#ask(thread);
    if (this.#ends.size === jobs.length) this.#resolve(true);
  }

  #ask(thread: Thread): void {
    const { jobs } = this.#options;
    const given = jobs[this.#next];
    thread.job = given === undefined ? undefined : this.#next++;
    if (given === undefined || thread.job === undefined) return;
    const { scenario, seed } = given;
    thread.worker.post({ job: thread.job, scenario: scenario.name, seed } satisfies DoJob);
  }

  #lookLater(): void {
    this.#cancelLook = this.#options.timers.after(LOOK_MS, () => {
      for (const thread of this.#threads) this.#look(thread);
      this.#lookLater();
    });
  }

  #look(thread: Thread): void {
    const { clock, jobs, patienceMs = PATIENCE_MS } = this.#options;
    const { mark, job } = thread;
    const now = clock.monotonic();
    if (mark.calls !== thread.calls) {
      thread.calls = mark.calls;
      thread.since = now;
      return;
    }
    const given = job === undefined ? undefined : jobs[job];
    if (job === undefined || given === undefined) return;
    const { part } = mark;
    const stoodMs = now - thread.since;
    if (part !== undefined && stoodMs > patienceMs) {
      const { scenario, seed } = given;
      const end = blockedEnd(
        scenario.name,
        seed,
        mark.timeMs,
        `${part} ran for ${secondsOf(patienceMs)} without an end`,
      );
      this.#ends.set(job, end);
      this.#options.onRun(end);
      this.#resolve(false);
    } else if (part === undefined && stoodMs > STUCK_MS) {
      this.#reject(new InvariantError(`a run must move on, received ${secondsOf(STUCK_MS)} without a step`));
    }
  }
}

/** The result of a run that was given up, of which nothing else is known. */
function blockedEnd(scenario: string, seed: number, timeMs: number, what: string): RunEnd {
  return {
    scenario,
    seed,
    faults: faultSetOf(seed).name,
    breaches: [{ rule: 'ends', timeMs: Math.round(timeMs), what }],
    figures: {
      orders: 0,
      fills: 0,
      refusals: {},
      position: 0,
      nakedMs: 0,
      ordersPerMinute: 0,
      requestsPerMinute: 0,
    },
    ranMs: Math.round(timeMs),
  };
}

function secondsOf(ms: number): string {
  return `${ms / 1_000} s`;
}
