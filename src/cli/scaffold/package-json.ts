import { basename, dirname, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../model/errors.js';

type Words = Readonly<Record<string, string>>;

const BOM = '\uFEFF';

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

/** What `npm init` writes where there is no test: it fails, whatever is tested. */
function isPlaceholder(script: unknown): boolean {
  return typeof script === 'string' && script.includes('Error: no test specified');
}

export interface PackagePlace {
  /** Where the package that runs lies; absolute, without symbolic links. */
  readonly folder: string;
  readonly version: string;
  /** Of `.package-lock.json` beside it, where npm installed it: what it is, and from where. */
  readonly lock: string | undefined;
}

/**
 * How a project names the package that runs: a clone by its folder; one that npm installed as it was installed, which is by
 * its version or by the file or repository that it came from. `project`: absolute, without symbolic links.
 */
export function packageSpec({ folder, version, lock }: PackagePlace, project: string): string {
  const modules = dirname(folder);
  if (basename(modules) !== 'node_modules') return fileSpec(project, folder);
  const resolved = resolvedIn(lock, `node_modules/${basename(folder)}`);
  if (resolved === undefined || /^https?:/.test(resolved)) return version;
  // Paths in a lock start in the folder of the project that it belongs to.
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
    // A lock that is none says nothing.
    return undefined;
  }
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
