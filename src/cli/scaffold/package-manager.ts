import { join } from 'node:path';
import type { Files } from '../../ports/files.js';

/** How to install a project's packages and how to run them: many projects refuse any package manager but their own. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** What goes before the name of a program of an installed package. */
  readonly run: string;
  /** The command of the script `test`. */
  readonly test: string;
}

const NPM: PackageManager = { name: 'npm', run: 'npx', test: 'npm test' };
const OTHERS: readonly (PackageManager & { readonly locks: readonly string[] })[] = [
  { name: 'pnpm', run: 'pnpm exec', test: 'pnpm test', locks: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'] },
  { name: 'yarn', run: 'yarn', test: 'yarn test', locks: ['yarn.lock'] },
  { name: 'bun', run: 'bunx', test: 'bun run test', locks: ['bun.lock', 'bun.lockb'] },
];

interface Manifest {
  readonly packageManager?: unknown;
  readonly devEngines?: { readonly packageManager?: { readonly name?: unknown } | null } | null;
}

/**
 * The package manager that a project names in its package.json, else the one whose lock file is there, else npm.
 * `manifest`: the parsed package.json. `has`: whether a file is in the project's folder.
 */
export async function packageManagerOf(
  manifest: object,
  has: (file: string) => Promise<boolean>,
): Promise<PackageManager> {
  const { packageManager, devEngines } = manifest as Manifest;
  const named = [packageManager, devEngines?.packageManager?.name].find((each) => typeof each === 'string');
  // As in `pnpm@12.21.0`.
  const name = named?.split('@')[0];
  if (name !== undefined) return OTHERS.find((each) => each.name === name) ?? NPM;
  for (const other of OTHERS) {
    for (const lock of other.locks) if (await has(lock)) return other;
  }
  return NPM;
}

/** That of the project in a folder; npm where there is no project, or where its package.json cannot be read. */
export async function packageManagerIn(
  files: Pick<Files, 'stat' | 'readText'>,
  project: string,
): Promise<PackageManager> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(await files.readText(join(project, 'package.json')));
  } catch {
    return NPM;
  }
  const has = async (file: string) => (await files.stat(join(project, file))) !== undefined;
  return packageManagerOf(Object(manifest) as object, has);
}
