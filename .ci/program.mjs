// Bundles src/ into the folder named by the first argument: each program and each entry of the package as one file, what
// several of them need in parts/, and with it the packages of which a start would read a hundred small files. A command
// starts in less than half the time for it. Part of the build (.ci/setup.mjs).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { passOnLicenses } from './licenses.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('the folder to write to must be named, received nothing');

/** Files that are found by their own names: entries of package.json, programs, and threads. */
const programs = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /^(?:.+-)?(?:main|worker)\.ts$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const entries = ['index', 'indicators/index', 'testing/index'].map((name) => join(src, `${name}.ts`));

// The rest stays outside: what a strategy shares with us (rxjs, decimal.js), and what is CommonJS or starts programs.
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [...entries, ...programs],
  outbase: src,
  outdir: folder,
  chunkNames: 'parts/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  external: Object.keys(dependencies),
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

passOnLicenses(metafile, root, join(folder, 'licenses'));
