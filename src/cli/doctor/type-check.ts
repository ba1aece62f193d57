/** Checks the types of a project, with the TypeScript that is installed there. */
import { dirname, isAbsolute, join, relative } from 'node:path';
import { counted } from '../../model/counted.js';
import { runNode } from '../../platform/child-process.js';
import type { Machine } from '../machine.js';
import { type Check, fail, ok, warn } from './doctor-check.js';

const NAME = 'types';
const WITHIN_MS = 120_000;
const MOST_LINES = 12;

/**
 * `project`: the folder that contains tsconfig.json. `strategies`: files that the compiler must have read, or it has said
 * nothing of them.
 */
export async function typeCheck(
  { files }: Pick<Machine, 'files'>,
  project: string,
  strategies: readonly string[] = [],
): Promise<Check> {
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
  const { exitCode, stdout, stderr } = await runNode(
    [compiler, '--project', project, '--noEmit', '--listFiles'],
    {
      cwd: project,
      timeoutMs: WITHIN_MS,
    },
  );
  const read = new Set(stdout.split(/\r?\n/));
  const unread = strategies.filter((file) => !read.has(file));
  if (exitCode === 0) return hold(unread, project);
  if (exitCode === undefined)
    return fail(NAME, `not checked within ${WITHIN_MS / 1_000} s`, 'run npx tsc --noEmit and see');
  const lines = `${stdout}${stderr}`
    .trim()
    .split('\n')
    .filter((line) => !isAbsolute(line));
  const more = lines.length > MOST_LINES ? [`… and ${counted(lines.length - MOST_LINES, 'line')} more`] : [];
  return fail(NAME, [...lines.slice(0, MOST_LINES), ...more].join('\n'), 'correct what it names');
}

function hold(unread: readonly string[], project: string): Check {
  if (unread.length === 0) return ok(NAME, 'hold');
  const names = unread.map((file) => relative(project, file)).join(', ');
  return warn(
    NAME,
    `hold, but were not checked of ${names}: tsconfig.json does not include ${unread.length === 1 ? 'it' : 'them'}`,
    'add it to "include" of tsconfig.json',
  );
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
