import { dirname, isAbsolute, join, relative } from 'node:path';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import type { NewFile, NewStrategy } from './new-strategy.js';
import {
  mergedPackageJson,
  newPackageJson,
  packageName,
  packageSpec,
  type ProjectNeeds,
} from './package-json.js';
import { configSchemaText } from './schema-text.js';
import { configText, GITIGNORE_TEXT, readmeText, TSCONFIG_TEXT } from './project-text.js';

/** What tickwright schema says, for editors. */
const SCHEMA_FILE = 'tickwright.schema.json';

const TEST_SCRIPT = 'vitest run';

export interface Project {
  /** Those of a project, whether they are there or not. */
  readonly files: readonly NewFile[];
  /** What files that are there and lack something are to say. */
  readonly merged: readonly NewFile[];
  /** Whether `npm test` runs the tests of strategies; a project may have another one. */
  readonly hasTestScript: boolean;
}

export interface ProjectPlace extends NewStrategy {
  /** Absolute, without symbolic links. */
  readonly project: string;
  /** The folder of the package that runs; likewise. */
  readonly packageFolder: string;
}

interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * What is to be written into a folder for it to be a bot project.
 *
 * @throws UsageError when the folder is the package itself, or its package.json is not one
 */
export async function planProject(
  files: Files,
  { project, packageFolder, strategy, test }: ProjectPlace,
): Promise<Project> {
  const inUs = relative(packageFolder, project);
  if (!inUs.startsWith('..') && !isAbsolute(inUs)) {
    throw new UsageError(
      'TICKWRIGHT_E_SCAFFOLD',
      `a bot project must have a folder of its own outside of Tickwright's, received ${project} (tickwright new NAME makes a strategy in a clone)`,
    );
  }
  const own = JSON.parse(await files.readText(join(packageFolder, 'package.json'))) as OwnPackage;
  const name = packageName(project);
  const needs: ProjectNeeds = {
    name,
    scripts: { test: TEST_SCRIPT, check: 'tsc --noEmit' },
    dependencies: {
      ...pick(own.dependencies, ['rxjs']),
      [own.name]: packageSpec(
        { folder: packageFolder, version: own.version, lock: await lockBeside(files, packageFolder) },
        project,
      ),
    },
    devDependencies: pick(own.devDependencies, ['typescript', 'vitest']),
  };
  const packageFile = join(project, 'package.json');
  const given = await textOf(files, packageFile);
  const merged = given === undefined ? undefined : mergedPackageJson(given, packageFile, needs);
  const ignored = await textOf(files, join(project, '.gitignore'));
  const notIgnored = ignored === undefined ? '' : missingLines(ignored, GITIGNORE_TEXT);
  const { scripts } = JSON.parse(
    (merged?.text ?? newPackageJson(needs)).replace(/^\uFEFF/, ''),
  ) as ProjectNeeds;
  return {
    files: [
      { path: 'package.json', text: newPackageJson(needs) },
      { path: 'tsconfig.json', text: TSCONFIG_TEXT },
      { path: 'tickwright.yaml', text: configText(strategy.path, SCHEMA_FILE) },
      { path: SCHEMA_FILE, text: await configSchemaText() },
      strategy,
      test,
      { path: '.gitignore', text: GITIGNORE_TEXT },
      { path: 'README.md', text: readmeText(name, strategy.path) },
    ],
    merged: [
      ...(merged?.isChanged === true ? [{ path: 'package.json', text: merged.text }] : []),
      ...(notIgnored === '' ? [] : [{ path: '.gitignore', text: `${ignored}${notIgnored}` }]),
    ],
    hasTestScript: scripts['test'] === TEST_SCRIPT,
  };
}

/** What is to be added to a text for it to have all lines of another one that are no comments; empty when it has. */
function missingLines(text: string, wanted: string): string {
  const has = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = wanted.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !has.has(line));
  if (missing.length === 0) return '';
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${start}\n# what bots write, and never a secret\n${missing.join('\n')}\n`;
}

/** `undefined` when there is no such file. @throws UsageError when it is none */
async function textOf(files: Files, path: string): Promise<string | undefined> {
  const entry = await files.stat(path);
  if (entry === undefined) return undefined;
  if (entry.kind === 'file') return files.readText(path);
  throw new UsageError('TICKWRIGHT_E_SCAFFOLD', `${path} must be a file, received a ${entry.kind}`);
}

/** What npm wrote down about what it installed beside the package. */
async function lockBeside(files: Files, packageFolder: string): Promise<string | undefined> {
  return textOf(files, join(dirname(packageFolder), '.package-lock.json'));
}

function pick(words: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(words).filter(([name]) => names.includes(name)));
}
