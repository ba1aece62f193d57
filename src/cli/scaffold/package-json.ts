import { basename, dirname, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../model/errors.js';

type Words = Readonly<Record<string, string>>;

const BOM = '\uFEFF';

/** What the package.json of a project must contain. */
export interface ProjectNeeds {
  readonly name: string;
  readonly scripts: Words;
  readonly dependencies: Words;
  readonly devDependencies: Words;
}

export interface PackageJson {
  readonly text: string;
  /** Whether the text differs from the existing one. */
  readonly isChanged: boolean;
}

/** The text of a new package.json. */
export function newPackageJson({ name, ...needs }: ProjectNeeds): string {
  return `${JSON.stringify({ name, version: '0.0.0', private: true, type: 'module', ...needs }, undefined, 2)}\n`;
}

/**
 * An existing package.json, extended by what it lacks. Existing entries, such as scripts and versions, stay as they
 * are.
 *
 * @throws UsageError when it is not a JSON object, or when a part to be extended is not an object
 */
export function mergedPackageJson(given: string, file: string, needs: ProjectNeeds): PackageJson {
  const bom = given.startsWith(BOM) ? BOM : '';
  const content = parsed(given.slice(bom.length), file);
  const scripts = part(content, 'scripts', file);
  const dependencies = part(content, 'dependencies', file);
  const devDependencies = part(content, 'devDependencies', file);
  const others = ['optionalDependencies', 'peerDependencies'].map((name) => part(content, name, file));
  const has = (name: string) =>
    [dependencies, devDependencies, ...others].some((words) => Object.hasOwn(words, name));
  const missing = (words: Words, isThere: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(words).filter(([name]) => !isThere(name)));
  const added = {
    scripts: missing(needs.scripts, (name) => Object.hasOwn(scripts, name) && !isPlaceholder(scripts[name])),
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
  const lines = `${bom}${JSON.stringify(merged, undefined, indent)}${given.endsWith('\n') ? '\n' : ''}`;
  return { text: given.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines, isChanged: true };
}

/** Whether a script is the placeholder of `npm init`, which fails although no test exists. */
function isPlaceholder(script: unknown): boolean {
  return typeof script === 'string' && script.includes('Error: no test specified');
}

export interface PackagePlace {
  /** Folder of the running package; absolute, without symbolic links. */
  readonly folder: string;
  readonly version: string;
  /** The text of `.package-lock.json` next to it, which tells from where npm installed it; `undefined` without one. */
  readonly lock: string | undefined;
}

/**
 * How a project refers to the running package: to a clone by its folder; to an installed one by its version, or by the
 * file or repository that it came from. `project`: absolute, without symbolic links.
 */
export function packageSpec({ folder, version, lock }: PackagePlace, project: string): string {
  const modules = dirname(folder);
  if (basename(modules) !== 'node_modules') return fileSpec(project, folder);
  const resolved = resolvedIn(lock, `node_modules/${basename(folder)}`);
  if (resolved === undefined || /^https?:/.test(resolved)) return version;
  // Paths in a lock file are relative to the folder of its project.
  if (resolved.startsWith('file:')) return fileSpec(project, resolve(dirname(modules), resolved.slice(5)));
  return resolved;
}

function fileSpec(project: string, path: string): string {
  return `file:${relative(project, path).split(sep).join('/')}`;
}

function resolvedIn(lock: string | undefined, name: string): string | undefined {
  if (lock === undefined) return undefined;
  try {
    const { packages } = JSON.parse(lock) as {
      readonly packages?: Readonly<Record<string, { readonly resolved?: unknown } | undefined>>;
    };
    const resolved = packages?.[name]?.resolved;
    return typeof resolved === 'string' ? resolved : undefined;
  } catch {
    // An unreadable lock file is ignored.
    return undefined;
  }
}

/** A valid package name from the name of a folder. */
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
