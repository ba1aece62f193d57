// Bundles src/daemon/dashboard into daemon/dashboard of the folder named by the first argument: index.html, app.js, app.css.
// Part of the build (.ci/setup.mjs); everything that the page needs is inside, since it may load nothing from elsewhere.
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { passOnLicenses } from './licenses.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'src', 'daemon', 'dashboard');
const [dist] = process.argv.slice(2);
if (dist === undefined) throw new Error('the folder to write to must be named, received nothing');

const folder = join(dist, 'daemon', 'dashboard');
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { app: join(page, 'main.tsx'), style: join(page, 'app.css') },
  outdir: folder,
  entryNames: 'app',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
});
copyFileSync(join(page, 'index.html'), join(folder, 'index.html'));
passOnLicenses(metafile, root, join(dist, 'licenses'));
