import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type TortureCounts, tortureJournal } from '../../support/journal-torture.js';
import { repository } from '../kills/scene.js';

const KIB = 1_024;

export interface JournalCounts extends TortureCounts {
  /** The test on a disk that is really full; skipped where no tmpfs can be mounted. */
  readonly fullDisk: 'passed' | 'skipped' | 'failed';
}

/** Every byte cut of the last 64 KiB, every record boundary ± 1 of a whole MiB, and so many flipped bits. */
export async function journalTorture(flips: number): Promise<JournalCounts> {
  const counts = await tortureJournal({
    seed: 4,
    bytes: KIB * KIB,
    cutEndBytes: 64 * KIB,
    flips,
    reopenEvery: 4_000,
  });
  return { ...counts, fullDisk: fullDisk() };
}

function fullDisk(): JournalCounts['fullDisk'] {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const test = join('test', 'storage', 'journal-tmpfs.test.ts');
  const { status, stdout } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config=test/vitest.config.ts', '--reporter=json', test],
    { cwd: repository(), encoding: 'utf8' },
  );
  if (status !== 0) return 'failed';
  const { numPassedTests } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { numPassedTests: number };
  return numPassedTests > 0 ? 'passed' : 'skipped';
}
