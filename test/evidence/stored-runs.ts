import type { StoredRun } from './parts/simulation.js';

/** A day without anything that is wrong. */
export const runOf = (seed: number, subject = 'runner'): StoredRun => ({
  seed,
  subject,
  traceHash: `t${seed}`,
  traced: 1,
  events: 1,
  ranMs: 86_400_000,
  faults: { crash: 3 },
  lives: 2,
  crashes: { placing: 2 },
  doubts: 5,
  judged: {},
  met: {},
  verdicts: {},
  counts: {
    intents: 1,
    writes: 1,
    orders: 1,
    duplicates: 0,
    duplicatesByOthers: 0,
    orphans: 0,
    late: 0,
    unexplainedSynced: 0,
    worst: 0.5,
    synced: 1,
  },
  secrets: 0,
  lastWords: 'SYNCED',
  violations: [],
});
export const brokenOf = (seed: number, subject?: string): StoredRun => {
  const run = runOf(seed, subject);
  return {
    ...run,
    counts: { ...run.counts, duplicates: 1, orphans: 2, unexplainedSynced: 3, worst: 1.5 },
    secrets: 4,
    violations: [{ invariant: 'I4', claim: '', timeMs: 1, what: '', tail: [] }],
  };
};
