import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  build,
  type BuildFailure,
  type BuildOptions,
  type BuildResult,
  type Message,
  type Plugin,
} from 'esbuild';
import { findEscapes, LOWERED, MARKS } from './find-escapes.js';
import { escapeError } from './escape-error.js';
import { type Instead, insteadText, refusedImport } from './escapes.js';
import { packageHash } from './package-hash.js';
import { SourceMap } from './source-map.js';
import { sha256 } from '../model/digest.js';
import { UsageError } from '../model/errors.js';
import { pointAt, positionText } from '../model/source-position.js';

/** File URLs of the running package's modules, by the names under which a strategy imports them. */
export type PackageUrls = Readonly<Record<string, string>>;

export interface Bundle {
  /** ECMAScript module. */
  readonly code: string;
  readonly sourceMap: string;
  /** Hash of the code and of third-party packages, by name and content; it does not depend on where the file lies. */
  readonly sha256: string;
  /** Absolute paths of the user's files that are in it. */
  readonly inputs: readonly string[];
  readonly exports: readonly string[];
  /** Whether it imports third-party packages: RxJS, or packages that may use RxJS. */
  readonly usesOthers: boolean;
  /** Names of imported packages other than ours and RxJS, ascending. They are run unchanged and unchecked. */
  readonly packages: readonly string[];
}

const MARK = 'tickwright-external:';
const ASKED_BY_US = Symbol('asked by us');

const OPTIONS = {
  write: false,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  sourcemap: 'external',
  metafile: true,
  // A tsconfig.json nearby must not change what the file means.
  tsconfigRaw: '{}',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Bundles the user's file with the user's own files that it imports into one module: by relative paths, by `#` names of
 * package.json, and TypeScript packages of a workspace. Packages stay outside: ours and RxJS are the running copies,
 * others are resolved from the user's folder.
 *
 * @throws UsageError with `file:line:col` for what does not parse, cannot be found, or would let two runs on the same
 * events differ (`escapes.ts`). `shown` makes the path to print.
 */
export async function bundle(
  file: string,
  packages: PackageUrls,
  shown: (path: string) => string,
): Promise<Bundle> {
  const folder = dirname(file);
  const urls = new Map<string, string>();
  const run = (options: Pick<BuildOptions, 'define' | 'supported'> = {}) =>
    build({
      ...OPTIONS,
      entryPoints: [file],
      absWorkingDir: folder,
      outfile: join(folder, 'strategy.mjs'),
      plugins: [outsidePackages(packages, urls)],
      ...options,
    }).catch((failure: BuildFailure) => {
      throw Array.isArray(failure.errors) ? buildError(failure.errors, folder, shown) : failure;
    });
  const result = await run();
  // Bundles once more, only to search the result: free globals and async functions get names that nothing else has.
  const marked = outputOf(await run({ define: MARKS, supported: LOWERED }));
  const escapes = findEscapes(marked.code);
  if (escapes.length > 0)
    throw escapeError(escapes, marked.code, {
      sourceMap: new SourceMap(withAbsoluteSources(marked.sourceMap, folder)),
      shown,
    });
  const { code, sourceMap } = outputOf(result);
  const { inputs, outputs } = result.metafile;
  const [output] = Object.values(outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  return {
    code: withUrls(code, urls),
    sourceMap: withAbsoluteSources(sourceMap, folder),
    sha256: await hashOf(code, urls, packages),
    inputs: Object.keys(inputs).map((path) => resolve(folder, path)),
    exports: output?.exports ?? [],
    usesOthers: [...urls.values()].some((url) => !Object.values(packages).includes(url)),
    packages: othersOf(urls, packages).map(([name]) => name),
  };
}

/** Name and file URL of each imported package other than ours and RxJS, by name. */
function othersOf(
  urls: ReadonlyMap<string, string>,
  packages: PackageUrls,
): readonly (readonly [name: string, url: string])[] {
  return [...urls]
    .map(([key, url]) => [key.slice(MARK.length), url] as const)
    .filter(([name, url]) => !Object.values(packages).includes(url) && !isRxjs(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

async function hashOf(
  code: string,
  urls: ReadonlyMap<string, string>,
  packages: PackageUrls,
): Promise<string> {
  const others = othersOf(urls, packages);
  if (others.length === 0) return sha256(code);
  const hashes = others.map(async ([name, url]) => [name, await packageHash(fileURLToPath(url))] as const);
  return sha256(JSON.stringify([code, await Promise.all(hashes)]));
}

function isRxjs(name: string): boolean {
  return /^rxjs(\/|$)/.test(name);
}

/** Keeps packages out of the bundle, under names that do not depend on where they are installed. */
function outsidePackages(packages: PackageUrls, urls: Map<string, string>): Plugin {
  const ownFolder = dirname(fileURLToPath(import.meta.url));
  const outside = (name: string, url: string) => {
    let key = `${MARK}${name}`;
    for (let copy = 2; (urls.get(key) ?? url) !== url; copy++) key = `${MARK}${name}#${copy}`;
    urls.set(key, url);
    return { path: key, external: true };
  };
  return {
    name: 'tickwright-packages',
    setup(host) {
      host.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind === 'entry-point' || pluginData === ASKED_BY_US) return undefined;
        if (kind === 'require-call') return failed(`"${path}" must be loaded by import, received require()`);
        const outward = refusedImport(path, false);
        if (outward !== undefined) return failed(importText(path, outward));
        const own = packages[path];
        if (own !== undefined) return outside(path, own);
        if (/^tickwright(\/|$)/.test(path)) {
          return failed(`a strategy may import ${Object.keys(packages).join(' and ')}, received "${path}"`);
        }
        const found = await host.resolve(path, {
          kind,
          resolveDir: isRxjs(path) ? ownFolder : resolveDir,
          pluginData: ASKED_BY_US,
        });
        if (found.errors.length > 0) {
          // A file of the user's own: the bundler reports it like a missing relative path.
          if (path.startsWith('#')) return undefined;
          return failed(
            `package "${path}" must be installed where the strategy can find it, received nothing`,
          );
        }
        if (found.external) {
          const instead = refusedImport(found.path, true);
          return instead === undefined
            ? { path: found.path, external: true }
            : failed(importText(path, instead));
        }
        const isInstalled = /[\\/]node_modules[\\/]/.test(found.path);
        if (!isInstalled && isOwn(path, found.path)) return undefined;
        if (isTypeScript(found.path))
          return failed(`package "${path}" must be JavaScript, received TypeScript`);
        return outside(path, pathToFileURL(found.path).href);
      });
    },
  };
}

/**
 * Whether a name belongs to the user's own files: a `#` name of package.json, or a workspace package in TypeScript, which
 * Node could not run.
 */
function isOwn(name: string, path: string): boolean {
  return name.startsWith('#') || isTypeScript(path);
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

function importText(path: string, instead: Instead): string {
  return `a strategy must ${insteadText(instead)}, received an import of "${path}"`;
}

function failed(text: string) {
  return { errors: [{ text }] };
}

/** The bundle is written elsewhere, so the source map gets absolute paths; esbuild writes relative URLs. */
function withAbsoluteSources(sourceMap: string, folder: string): string {
  const map = JSON.parse(sourceMap) as { readonly sources: readonly string[] };
  const sources = map.sources.map((source) => resolve(folder, decodeURIComponent(source)));
  return JSON.stringify({ ...map, sources });
}

function withUrls(code: string, urls: ReadonlyMap<string, string>): string {
  let text = code;
  for (const [key, url] of urls) text = text.replaceAll(`"${key}"`, JSON.stringify(url));
  return text;
}

function buildError(errors: readonly Message[], folder: string, shown: (path: string) => string): UsageError {
  const texts = errors.map(({ text, location }) => {
    if (location === null) return text;
    const { line, lineText, length } = location;
    // esbuild counts columns in bytes.
    const column = charactersIn(lineText, location.column) + 1;
    const position = { file: shown(resolve(folder, location.file)), line, column };
    return `${positionText(position)}: ${problemText(text)}\n${pointAt(position, lineText, length)}`;
  });
  const [first] = errors;
  const at = first?.location;
  return new UsageError('TICKWRIGHT_E_STRATEGY_FILE', texts.join('\n'), {
    facts: at
      ? { file: relative(folder, resolve(folder, at.file)), line: at.line, column: at.column + 1 }
      : {},
  });
}

/** Rewords errors that esbuild words as a limit of a configured target, although we make it refuse the syntax. */
function problemText(text: string): string {
  if (!text.startsWith('Top-level await is not available')) return text;
  return `a strategy must ${insteadText('synchronous')}, received await outside of a function`;
}

interface Output {
  readonly code: string;
  readonly sourceMap: string;
}

function outputOf({ outputFiles = [] }: BuildResult): Output {
  const text = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? '';
  return { code: text('.mjs'), sourceMap: text('.map') };
}

function charactersIn(text: string, bytes: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}
