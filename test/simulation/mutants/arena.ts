/** What is bundled with a mutant in it, and runs as a thread: one seed after the other, as it is told. */
import { parentPort } from 'node:worker_threads';
import { runSeed } from '../../../src/simulation/run-seed.js';
import { RUNNER, RUNNER_WITH_STOPS } from '../../../src/simulation/runner-subject.js';
import type { Hunt } from './mutant.js';
import { drain } from '../drain.js';

export interface Fight extends Hunt {
  readonly seed: number;
}

/** What the checker saw; nothing, when the mutant behaved. */
export interface Sighting {
  readonly invariant: string;
  readonly what: string;
}

Error.stackTraceLimit = 0;
parentPort?.on('message', ({ seed, hours, mode, theme, subject }: Fight) => {
  const program = subject === 'stops' ? RUNNER_WITH_STOPS : RUNNER;
  runSeed(seed, { subject: program, drain, hours, mode, theme }).then(
    ({ violations: [first] }) =>
      parentPort?.postMessage(first && ({ invariant: first.invariant, what: first.what } satisfies Sighting)),
    (error: unknown) =>
      parentPort?.postMessage({ invariant: 'failure', what: String(error) } satisfies Sighting),
  );
});
