import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import type { InvariantName } from '../../src/simulation/invariant-name.js';
import type { RunResult } from '../../src/simulation/run-plan.js';
import { runSeed } from '../../src/simulation/run-seed.js';
import { subjectNamed } from '../../src/simulation/subjects.js';
import type { Subject } from '../../src/simulation/subject.js';
import type { SwarmMode } from '../../src/simulation/swarm-plan.js';
import type { Theme } from '../../src/simulation/theme.js';
import type { Climate } from '../../src/simulation/weather.js';
import { drain } from './drain.js';

/** What all runs of a pool have in common. */
export interface PoolTerms {
  readonly subject: string;
  /** One more that it is held to. */
  readonly promise: InvariantName | undefined;
  readonly hours: number;
  readonly mode: SwarmMode;
  /** Default: as each seed draws it. */
  readonly theme?: Theme | undefined;
  /** Default `storm`. */
  readonly climate?: Climate | undefined;
  readonly threads: number;
}

interface Job extends PoolTerms {
  readonly seed: number;
}

/**
 * Runs the seeds on several threads, each of them this very program, which must call `serveRuns` when it is not the
 * main thread. Once `goesOn` says no, no seed is begun any more. Resolves to the results in the order of the seeds.
 * Rejects when a run ends with an error, unless somebody hears of it: then that seed has no result. Long runs are started
 * with `--single-threaded-gc` (package.json): the helpers of one thread's collection would stand behind the other threads.
 */
export async function runAll(
  terms: PoolTerms,
  seeds: readonly number[],
  onResult: (result: RunResult) => void,
  goesOn: () => boolean = () => true,
  onError?: (seed: number, error: Error) => void,
): Promise<readonly RunResult[]> {
  const results = new Map<number, RunResult>();
  let next = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let running = Number.NaN;
      const worker = new Worker(fileURLToPath(import.meta.url));
      const give = () => {
        const seed = goesOn() ? seeds[next++] : undefined;
        if (seed === undefined) {
          void worker.terminate().then(() => resolve(), reject);
          return;
        }
        running = seed;
        worker.postMessage({ ...terms, seed } satisfies Job);
      };
      worker.on('message', (result: RunResult) => {
        results.set(result.seed, result);
        onResult(result);
        give();
      });
      // The thread is gone with it: another one takes its place.
      worker.on('error', (error: Error) => {
        if (onError === undefined) {
          reject(error);
          return;
        }
        onError(running, error);
        one().then(resolve, reject);
      });
      give();
    });
  await Promise.all(Array.from({ length: Math.min(terms.threads, seeds.length) }, one));
  return seeds.flatMap((seed) => {
    const result = results.get(seed);
    return result === undefined ? [] : [result];
  });
}

/** @throws UsageError when there is no such subject. */
export function subjectOf({ subject: name, promise }: Pick<PoolTerms, 'subject' | 'promise'>): Subject {
  const subject = subjectNamed(name);
  return promise === undefined ? subject : { ...subject, promises: new Set([...subject.promises, promise]) };
}

/** On a thread of a pool: runs what it is told to, until it is ended. */
export function serveRuns(): void {
  parentPort?.on('message', ({ subject, promise, ...job }: Job) => {
    const options = { ...job, subject: subjectOf({ subject, promise }), drain };
    void runSeed(job.seed, options).then(
      // The decisions stay here: nobody but shrinking needs them, and it runs the seed itself.
      (run) => parentPort?.postMessage({ ...run, decisions: [] }),
      (error: unknown) => {
        throw error;
      },
    );
  });
}
