/** Which code a result is of: what is measured with one must not be added to what is measured with another. */
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { sha256 } from '../../src/model/digest.js';

const ENTRIES = {
  /** A simulated run of our program, all that it runs included; and of one that does what is common. */
  runner: ['src/simulation/run-seed.ts', 'src/simulation/runner-subject.ts', 'test/simulation/drain.ts'],
  baselines: ['src/simulation/run-seed.ts', 'src/simulation/baselines/index.ts', 'test/simulation/drain.ts'],
  journal: ['test/support/journal-torture.ts'],
  /** The packaged program, and what kills it. */
  kills: ['src/cli/main.ts', 'test/evidence/kill-runner.ts', 'test/evidence/kills/churn.ts'],
} as const satisfies Record<string, readonly string[]>;

export type SourceName = keyof typeof ENTRIES;

/** Of the code that runs: comments, names, layout and what is not reached change nothing. 16 hex digits. */
export async function sourceHash(name: SourceName): Promise<string> {
  return codeHash(ENTRIES[name]);
}

/** The same of any programs, by their paths from the root. */
export async function codeHash(entries: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [...entries],
    bundle: true,
    write: false,
    outdir: 'out',
    entryNames: '[name]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    minify: true,
    legalComments: 'none',
    // A bundle for a hash is never run, so what it leaves out harms nobody.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  return sha256(outputFiles.map(({ text }) => sha256(text)).join('\n')).slice(0, 16);
}

export interface Commit {
  readonly id: string;
  /** Files of the repository differ from it. */
  readonly isDirty: boolean;
}

export function currentCommit(): Commit {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return { id: git('rev-parse', 'HEAD'), isDirty: git('status', '--porcelain', 'src', 'test') !== '' };
  } catch {
    return { id: 'unknown', isDirty: true };
  }
}
