import { build, type Plugin } from 'esbuild';
import { sha256 } from '../model/digest.js';

const ASKED_BY_US = Symbol('asked by us');

const MISSING_IS_OUTSIDE: Plugin = {
  name: 'missing-is-outside',
  setup(host) {
    host.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === ASKED_BY_US) return undefined;
      const found = await host.resolve(path, { kind, resolveDir, pluginData: ASKED_BY_US });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

/**
 * Hash of everything that a package brings, as far as imports and requires with constant names lead; it does not depend
 * on where the package lies. Our package and RxJS are not included, because the engine's version covers them; packages
 * that are not installed are included by name. If a file cannot be bundled, only the package's entry is hashed.
 */
export async function packageHash(entry: string): Promise<string> {
  const { outputFiles } = await built(entry, true).catch(() => built(entry, false));
  return sha256(outputFiles.map(({ contents }) => sha256(contents)).join(' '));
}

function built(entry: string, isWhole: boolean) {
  return build({
    entryPoints: [entry],
    bundle: isWhole,
    write: false,
    // Minified, because comments and identifiers would contain names of folders.
    minify: true,
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    tsconfigRaw: '{}',
    logLevel: 'silent',
    ...(isWhole
      ? { external: ['tickwright', 'tickwright/*', 'rxjs', 'rxjs/*'], plugins: [MISSING_IS_OUTSIDE] }
      : {}),
    loader: { '.node': 'binary', '.wasm': 'binary' },
    outfile: 'package.mjs',
  });
}
