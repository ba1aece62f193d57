import { basename, dirname, relative, sep } from 'node:path';
import { UsageError } from '../../model/errors.js';

type Words = Readonly<Record<string, string>>;

/** What a project needs of a package.json. */
export interface ProjectNeeds {
  readonly name: string;
  readonly scripts: Words;
  readonly dependencies: Words;
  readonly devDependencies: Words;
}

export interface PackageJson {
  readonly text: string;
  /** Whether it says anything that it did not say before. */
  readonly isChanged: boolean;
}

/** A new one. */
export function newPackageJson({ name, ...needs }: ProjectNeeds): string {
  return `${JSON.stringify({ name, version: '0.0.0', private: true, type: 'module', ...needs }, undefined, 2)}\n`;
}

/**
 * One that is there, with what it lacks. Nothing that it says is changed: a script or a version of its own stays.
 *
 * @throws UsageError when it is no JSON object, or one of its parts that are added to is none
 */
export function mergedPackageJson(given: string, file: string, needs: ProjectNeeds): PackageJson {
  const content = parsed(given, file);
  const scripts = part(content, 'scripts', file);
  const dependencies = part(content, 'dependencies', file);
  const devDependencies = part(content, 'devDependencies', file);
  const has = (name: string) => Object.hasOwn(dependencies, name) || Object.hasOwn(devDependencies, name);
  const missing = (words: Words, isThere: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(words).filter(([name]) => !isThere(name)));
  const added = {
    scripts: missing(needs.scripts, (name) => Object.hasOwn(scripts, name)),
    dependencies: missing(needs.dependencies, has),
    devDependencies: missing(needs.devDependencies, has),
  };
  if (Object.values(added).every((words) => Object.keys(words).length === 0))
    return { text: given, isChanged: false };
  const merged: Record<string, unknown> = { ...content };
  const parts = { scripts, dependencies, devDependencies };
  for (const [name, words] of Object.entries(added)) {
    if (Object.keys(words).length > 0) merged[name] = { ...parts[name as keyof typeof parts], ...words };
  }
  const indent = /^[ \t]+(?=")/m.exec(given)?.[0] ?? 2;
  const end = given.endsWith('\n') ? '\n' : '';
  return { text: `${JSON.stringify(merged, undefined, indent)}${end}`, isChanged: true };
}

/**
 * How a project names the package that runs: by its version where it was installed, else, of a clone, by its folder.
 * Both folders are absolute.
 */
export function packageSpec(packageFolder: string, version: string, project: string): string {
  if (basename(dirname(packageFolder)) === 'node_modules') return version;
  return `file:${relative(project, packageFolder).split(sep).join('/')}`;
}

/** A folder's name as a package's. */
export function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'my-bot' : name;
}

function parsed(text: string, file: string): Readonly<Record<string, unknown>> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw problem(`${file} must be JSON, received something else (${(cause as Error).message})`);
  }
  if (!isObject(content)) throw problem(`${file} must be a JSON object, received another value`);
  return content;
}

function part(
  content: Readonly<Record<string, unknown>>,
  name: string,
  file: string,
): Record<string, unknown> {
  const value = content[name] ?? {};
  if (!isObject(value))
    throw problem(`${name} of ${file} must be an object, received ${JSON.stringify(value)}`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_SCAFFOLD', message);
}
