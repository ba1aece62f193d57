import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../model/digest.js';
import { UsageError } from '../model/errors.js';
import { pointAt, positionText } from '../model/source-position.js';
import { importingOthers, isStrategyDefinition, type StrategyDefinition } from '../strategy/definition.js';
import { type Bundle, bundle, type PackageUrls } from './bundle.js';
import { moduleUrl } from './module-url.js';
import { SourceMap } from './source-map.js';
import { locateImport, messageOf, type StrategyOrigin, strategyErrorText } from './strategy-error.js';

/** What loading needs of the file system; the files port provides it. */
export interface LoaderFiles {
  stat(path: string): Promise<{ readonly kind: string } | undefined>;
  makeDirectory(path: string): Promise<void>;
  writeAtomic(path: string, contents: string): Promise<void>;
}

export interface LoadOptions {
  readonly files: LoaderFiles;
  /** Folder for bundles. It must be the user's own, because its contents are run. Absent: bundles stay in memory. */
  readonly cacheDirectory?: string | undefined;
  /** Called with the reason when nothing can be written there; the bundle then stays in memory. */
  readonly onNoCache?: ((reason: unknown) => void) | undefined;
  /** The folder that a relative path starts from, and that printed paths are relative to. Default: the process's. */
  readonly directory?: string;
  /** Default: the package that this file belongs to. */
  readonly packages?: PackageUrls;
}

export interface LoadedStrategy extends StrategyOrigin {
  readonly definition: StrategyDefinition;
  /**
   * Runs the file once more, so that its state outside of `create` belongs to this definition alone. Each copy stays in
   * memory until the process ends.
   */
  fresh(): Promise<StrategyDefinition>;
  /** Hash of the bundle; it does not depend on where the file lies. */
  readonly sha256: string;
  /** Imported third-party packages other than RxJS: they were not searched for sources of non-determinism. */
  readonly packages: readonly string[];
}

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Loads a strategy file, TypeScript or JavaScript, from any folder and without a build step. Strategies are code: it
 * runs with all rights of this process.
 *
 * @throws UsageError with `file:line:col` for what the user wrote: syntax, imports, exceptions while loading.
 */
export async function loadStrategy(path: string, options: LoadOptions): Promise<LoadedStrategy> {
  const directory = resolve(options.directory ?? '.');
  const file = resolve(directory, path);
  const shown = (absolute: string) => shownPath(directory, absolute);
  const entry = await options.files.stat(file);
  if (entry?.kind !== 'file')
    throw fileError(`${path} must be a strategy file, received ${entry?.kind ?? 'nothing there'}`);
  if (!EXTENSIONS.includes(extname(file))) {
    throw fileError(
      `${path} must be TypeScript or JavaScript (${EXTENSIONS.join(', ')}), received ${extname(file) || 'no extension'}`,
    );
  }
  const packages = options.packages ?? ownPackages();
  const made = await bundle(file, packages, shown);
  if (!made.exports.includes('default')) {
    const received = made.exports.length === 0 ? 'no exports' : `only ${made.exports.join(', ')}`;
    throw fileError(
      `${shown(file)}:1:1: a strategy file must have "export default defineStrategy({ … })", received ${received}`,
    );
  }
  const { bundleUrl, importUrl } = await stored(file, options, made);
  const sourceMap = new SourceMap(made.sourceMap);
  const origin: StrategyOrigin = { file, inputs: made.inputs, bundleUrl, sourceMap, shown };
  const fresh = async () => {
    const definition = await importDefault(origin, importUrl, packages);
    if (!isStrategyDefinition(definition)) {
      throw fileError(
        `${shown(file)}:1:1: the default export must be made by defineStrategy({ … }), received ${kindOf(definition)}`,
      );
    }
    return made.usesOthers ? importingOthers(definition) : definition;
  };
  return { ...origin, definition: await fresh(), fresh, sha256: made.sha256, packages: made.packages };
}

/** The running package: `dist/*.js` when installed, `src/*.ts` under a test runner that reads TypeScript. */
function ownPackages(): PackageUrls {
  return {
    tickwright: moduleUrl('index').href,
    'tickwright/indicators': moduleUrl('indicators/index').href,
  };
}

interface Stored {
  /** File URL that stacks have. */
  readonly bundleUrl: string;
  /** What to import. */
  readonly importUrl: string;
}

async function stored(
  file: string,
  { files, cacheDirectory, onNoCache }: LoadOptions,
  { code, sourceMap }: Bundle,
): Promise<Stored> {
  const map = Buffer.from(sourceMap, 'utf8').toString('base64');
  const text = `${code}//# sourceMappingURL=data:application/json;base64,${map}\n`;
  const path = join(resolve(cacheDirectory ?? dirname(file)), `${sha256(text)}.mjs`);
  const bundleUrl = pathToFileURL(path).href;
  if (cacheDirectory === undefined) return inMemory(bundleUrl, code);
  try {
    await files.makeDirectory(cacheDirectory);
    // Always written, because an existing file may have been put there by somebody else.
    await files.writeAtomic(path, text);
    return { bundleUrl, importUrl: bundleUrl };
  } catch (error) {
    onNoCache?.(error);
    return inMemory(bundleUrl, code);
  }
}

function inMemory(bundleUrl: string, code: string): Stored {
  // Stack traces then show the name of the file that it would be, instead of its whole text.
  const named = `${code}//# sourceURL=${bundleUrl}\n`;
  const importUrl = `data:text/javascript;base64,${Buffer.from(named, 'utf8').toString('base64')}`;
  return { bundleUrl, importUrl };
}

/** Node runs a module once per URL, so each import gets a new one. */
let imports = 0;

async function importDefault(
  origin: StrategyOrigin,
  importUrl: string,
  packages: PackageUrls,
): Promise<unknown> {
  imports += 1;
  try {
    // Node 24 takes no query in a data URL.
    const nth = importUrl.startsWith('data:') ? `#${imports}` : `?${imports}`;
    const module = (await import(`${importUrl}${nth}`)) as { readonly default: unknown };
    return module.default;
  } catch (cause) {
    const text = await loadErrorText(cause, origin, packages);
    throw new UsageError('TICKWRIGHT_E_STRATEGY_FILE', text, { cause });
  }
}

const NO_EXPORT = /does not provide an export named '([^']+)'/;
/** The error for a CommonJS package, whose exported names Node can only partly detect. */
const NO_NAMED_EXPORT = /^Named export '([^']+)' not found/;

async function loadErrorText(error: unknown, origin: StrategyOrigin, packages: PackageUrls): Promise<string> {
  const message = error instanceof Error ? messageOf(error) : '';
  const name = (NO_EXPORT.exec(message) ?? NO_NAMED_EXPORT.exec(message))?.[1];
  const place = name === undefined ? undefined : locateImport(name, origin);
  if (name === undefined || place === undefined) return strategyErrorText(error, origin);
  const line = place.lineText === undefined ? '' : `\n${pointAt(place, place.lineText, name.length)}`;
  const problem = NO_NAMED_EXPORT.test(message)
    ? `what a CommonJS package exports must be taken from its default, as in import all from '${place.module}'; const { ${name} } = all; received an import of ${name}`
    : `imports must exist, received ${name}, which the module does not export${await elsewhere(name, place.module, packages)}`;
  return `${positionText(place)}: ${problem}${line}`;
}

/** What to add about a name that one of our modules lacks and another has. */
async function elsewhere(name: string, module: string, packages: PackageUrls): Promise<string> {
  if (!Object.hasOwn(packages, module)) return '';
  for (const [other, url] of Object.entries(packages)) {
    if (Object.hasOwn((await import(url)) as object, name)) return `, and ${other} does`;
  }
  return '';
}

function shownPath(directory: string, absolute: string): string {
  const path = relative(directory, absolute);
  return path === '' || path.startsWith(`..${sep}`) || path === '..' ? absolute : path;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object') return 'an object that is none';
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

function fileError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_STRATEGY_FILE', message);
}
