import { join } from 'node:path';
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

export interface Project {
  /** Those of a project, whether they are there or not. */
  readonly files: readonly NewFile[];
  /** What package.json is to say where there is one that lacks something. */
  readonly merged: string | undefined;
}

export interface ProjectPlace extends NewStrategy {
  /** Absolute. */
  readonly project: string;
  /** The folder of the package that runs; absolute. */
  readonly packageFolder: string;
}

interface OwnPackage {
  readonly name: string;
  readonly version: string;
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
  if (join(project, '.') === join(packageFolder, '.')) {
    throw new UsageError(
      'TICKWRIGHT_E_SCAFFOLD',
      'a bot project must have a folder of its own, received that of Tickwright (tickwright init my-bot; tickwright new NAME makes a strategy here)',
    );
  }
  const own = JSON.parse(await files.readText(join(packageFolder, 'package.json'))) as OwnPackage;
  const name = packageName(project);
  const needs: ProjectNeeds = {
    name,
    scripts: { test: 'vitest run', check: 'tsc' },
    dependencies: { [own.name]: packageSpec(packageFolder, own.version, project) },
    devDependencies: pick(own.devDependencies, ['typescript', 'vitest']),
  };
  const packageFile = join(project, 'package.json');
  const isThere = (await files.stat(packageFile)) !== undefined;
  const merged = isThere
    ? mergedPackageJson(await files.readText(packageFile), packageFile, needs)
    : undefined;
  return {
    files: [
      ...(isThere ? [] : [{ path: 'package.json', text: newPackageJson(needs) }]),
      { path: 'tsconfig.json', text: TSCONFIG_TEXT },
      { path: 'tickwright.yaml', text: configText(strategy.path, SCHEMA_FILE) },
      { path: SCHEMA_FILE, text: await configSchemaText() },
      strategy,
      test,
      { path: '.gitignore', text: GITIGNORE_TEXT },
      { path: 'README.md', text: readmeText(name, strategy.path) },
    ],
    merged: merged?.isChanged === true ? merged.text : undefined,
  };
}

function pick(words: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(words).filter(([name]) => names.includes(name)));
}
