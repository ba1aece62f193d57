/** Checks the types of a project, with the TypeScript that is installed there. */
import { dirname, join } from 'node:path';
import { counted } from '../../model/counted.js';
import { runNode } from '../../platform/child-process.js';
import type { Machine } from '../machine.js';
import { type Check, fail, ok, warn } from './doctor-check.js';

const NAME = 'types';
const WITHIN_MS = 120_000;
const MOST_LINES = 12;

/** `project`: the folder that contains tsconfig.json. */
export async function typeCheck({ files }: Pick<Machine, 'files'>, project: string): Promise<Check> {
  if ((await files.stat(join(project, 'tsconfig.json'))) === undefined)
    return ok(NAME, 'there is no tsconfig.json, so there is nothing to check');
  const compiler = await compilerOf(files, project);
  if (compiler === undefined) {
    return warn(
      NAME,
      'not checked: typescript is not installed here',
      'npm install, or npm install --save-dev typescript',
    );
  }
  const { exitCode, stdout, stderr } = await runNode([compiler, '--project', project, '--noEmit'], {
    cwd: project,
    timeoutMs: WITHIN_MS,
  });
  if (exitCode === 0) return ok(NAME, 'hold');
  if (exitCode === undefined)
    return fail(NAME, `not checked within ${WITHIN_MS / 1_000} s`, 'run npx tsc --noEmit and see');
  const lines = `${stdout}${stderr}`.trim().split('\n');
  const more = lines.length > MOST_LINES ? [`… and ${counted(lines.length - MOST_LINES, 'line')} more`] : [];
  return fail(NAME, [...lines.slice(0, MOST_LINES), ...more].join('\n'), 'correct what it names');
}

/**
 * The compiler of the innermost folder that has one, as Node resolves packages: a workspace has its packages at its
 * root.
 */
async function compilerOf(files: Machine['files'], folder: string): Promise<string | undefined> {
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  if ((await files.stat(compiler)) !== undefined) return compiler;
  const above = dirname(folder);
  return above === folder ? undefined : compilerOf(files, above);
}
