#!/usr/bin/env node
// Runs a program that imports TypeScript on any Node that we support: node test/run.mjs test/docs/main.ts [arguments]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, ...rest] = process.argv.slice(2);
if (entry === undefined) {
  process.stderr.write('usage: node test/run.mjs PROGRAM.ts [arguments]\n');
  process.exit(2);
}
// Below node_modules, so that the packages it leaves outside are found from there.
const folder = join(root, 'node_modules', '.cache', 'tickwright');
const bundle = join(folder, `${basename(dirname(entry))}-${basename(entry, '.ts')}-${process.pid}.mjs`);
const { outputFiles } = await build({
  entryPoints: [join(root, entry)],
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  // Names cost a simulation a tenth of its time: every closure that is made gets its own.
  keepNames: !/simulation|evidence|soak|bench/.test(entry),
});
mkdirSync(folder, { recursive: true });
writeFileSync(bundle, outputFiles[0].text);
process.argv.splice(1, process.argv.length - 1, join(root, entry), ...rest);
try {
  await import(pathToFileURL(bundle).href);
} finally {
  rmSync(bundle, { force: true });
}
