import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type Mutant, patched, type Patch } from './mutant.js';

/** A bundle on the disk, below node_modules so that the packages it leaves outside are found from there. */
export interface Bundle {
  readonly path: string;
  remove(): void;
}

let bundles = 0;

/** The arena with the mutant in it. The source itself is not touched. */
export async function bundleOf(
  root: string,
  { id, patches }: Pick<Mutant, 'id' | 'patches'>,
): Promise<Bundle> {
  const used = new Set<Patch>();
  const result = await build({
    entryPoints: [join(root, 'test', 'simulation', 'mutants', 'arena.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    plugins: [mutation(root, patches, used)],
  });
  const unused = patches.find((patch) => !used.has(patch));
  if (unused !== undefined) {
    throw new Error(`the list of mutants is out of date: ${unused.file} is no part of the program (${id})`);
  }
  const folder = join(root, 'node_modules', '.cache', 'tickwright');
  const path = join(folder, `mutant-${id}-${process.pid}-${bundles++}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, result.outputFiles[0]?.text ?? '');
  return { path, remove: () => rmSync(path, { force: true }) };
}

/** Changes what the bundler reads. */
function mutation(root: string, patches: readonly Patch[], used: Set<Patch>): Plugin {
  return {
    name: 'mutation',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const file = relative(root, path).split(sep).join('/');
        const here = patches.filter((patch) => patch.file === file);
        if (here.length === 0) return undefined;
        let contents = readFileSync(path, 'utf8');
        for (const patch of here) {
          contents = patched(contents, patch);
          used.add(patch);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}
