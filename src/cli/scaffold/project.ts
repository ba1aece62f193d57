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
import { type PackageManager, packageManagerOf } from './package-manager.js';
import { configSchemaText } from './schema-text.js';
import { configText, GITIGNORE_TEXT, readmeText, TSCONFIG_TEXT } from './project-text.js';

/** The output of `tickwright schema`, for editors. */
const SCHEMA_FILE = 'tickwright.schema.json';

const TEST_SCRIPT = 'vitest run';

export interface Project {
  /** All files of a project, whether or not they exist. */
  readonly files: readonly NewFile[];
  /** New texts for existing files that lack something. */
  readonly merged: readonly NewFile[];
  /** Whether `npm test` runs the tests of strategies; the project may have another test script. */
  readonly hasTestScript: boolean;
  readonly manager: PackageManager;
  /** Whether there is a tsconfig.json other than ours. */
  readonly hasOwnTsconfig: boolean;
}

export interface ProjectPlace extends NewStrategy {
  /** Folder of the project; absolute, without symbolic links. */
  readonly project: string;
  /** Folder of the running package; absolute, without symbolic links. */
  readonly packageFolder: string;
}

interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * Plans what must be written to a folder to make it a bot project.
 *
 * @throws UsageError when the folder is the package itself, or when its package.json is not one
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
  const tsconfig = await textOf(files, join(project, 'tsconfig.json'));
  const manifest = JSON.parse((merged?.text ?? newPackageJson(needs)).replace(/^\uFEFF/, '')) as ProjectNeeds;
  const manager = await packageManagerOf(
    manifest,
    async (file) => (await files.stat(join(project, file))) !== undefined,
  );
  return {
    files: [
      { path: 'package.json', text: newPackageJson(needs) },
      { path: 'tsconfig.json', text: TSCONFIG_TEXT },
      { path: 'tickwright.yaml', text: configText(strategy.path, SCHEMA_FILE, manager) },
      { path: SCHEMA_FILE, text: await configSchemaText() },
      strategy,
      test,
      { path: '.gitignore', text: GITIGNORE_TEXT },
      { path: 'README.md', text: readmeText(name, strategy.path, manager) },
    ],
    merged: [
      ...(merged?.isChanged === true ? [{ path: 'package.json', text: merged.text }] : []),
      ...(notIgnored === '' ? [] : [{ path: '.gitignore', text: `${ignored}${notIgnored}` }]),
    ],
    hasTestScript: manifest.scripts['test'] === TEST_SCRIPT,
    hasOwnTsconfig: tsconfig !== undefined && tsconfig !== TSCONFIG_TEXT,
    manager,
  };
}

/** The lines of `wanted`, except comments, that a text lacks; empty if it lacks none. */
function missingLines(text: string, wanted: string): string {
  const has = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = wanted.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !has.has(line));
  if (missing.length === 0) return '';
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${start}\n# what bots write, and never a secret\n${missing.join('\n')}\n`;
}

/**
 * The text of a file; `undefined` if it does not exist.
 *
 * @throws UsageError when it is not a file
 */
async function textOf(files: Files, path: string): Promise<string | undefined> {
  const entry = await files.stat(path);
  if (entry === undefined) return undefined;
  if (entry.kind === 'file') return files.readText(path);
  throw new UsageError('TICKWRIGHT_E_SCAFFOLD', `${path} must be a file, received a ${entry.kind}`);
}

/** npm's lock file next to the package, if npm installed it. */
async function lockBeside(files: Files, packageFolder: string): Promise<string | undefined> {
  return textOf(files, join(dirname(packageFolder), '.package-lock.json'));
}

function pick(words: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(words).filter(([name]) => names.includes(name)));
}
