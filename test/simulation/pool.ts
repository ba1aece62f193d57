import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import type { InvariantName } from '../../src/simulation/invariant-name.js';
import type { RunResult } from '../../src/simulation/run-plan.js';
import { runSeed } from '../../src/simulation/run-seed.js';
import { subjectNamed } from '../../src/simulation/subjects.js';
import type { Subject } from '../../src/simulation/subject.js';
import type { SwarmMode } from '../../src/simulation/swarm-plan.js';
import { drain } from './drain.js';

/** What all runs of a pool have in common. */
export interface PoolTerms {
  readonly subject: string;
  /** One more that it is held to. */
  readonly promise: InvariantName | undefined;
  readonly hours: number;
  readonly mode: SwarmMode;
  readonly threads: number;
}

interface Job extends PoolTerms {
  readonly seed: number;
}

/**
 * Runs the seeds on several threads, each of them this very program, which must call `serveRuns` when it is not the
 * main thread. Once `goesOn` says no, no seed is begun any more. Resolves to the results in the order of the seeds.
 */
export async function runAll(
  terms: PoolTerms,
  seeds: readonly number[],
  onResult: (result: RunResult) => void,
  goesOn: () => boolean = () => true,
): Promise<readonly RunResult[]> {
  const results = new Map<number, RunResult>();
  let next = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url));
      const give = () => {
        const seed = goesOn() ? seeds[next++] : undefined;
        if (seed === undefined) {
          void worker.terminate().then(() => resolve(), reject);
          return;
        }
        worker.postMessage({ ...terms, seed } satisfies Job);
      };
      worker.on('message', (result: RunResult) => {
        results.set(result.seed, result);
        onResult(result);
        give();
      });
      worker.on('error', reject);
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
  parentPort?.on('message', ({ subject, promise, seed, hours, mode }: Job) => {
    void runSeed(seed, { subject: subjectOf({ subject, promise }), drain, hours, mode }).then(
      // The decisions stay here: nobody but shrinking needs them, and it runs the seed itself.
      (run) => parentPort?.postMessage({ ...run, decisions: [] }),
      (error: unknown) => {
        throw error;
      },
    );
  });
}
