import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreClass } from './histories.js';

/** A mistake that somebody could make in the core: texts, each replaced in one file. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
}

export interface Edit {
  /** Below src. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const SRC = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The core with the mistake in it. @throws Error when a text is not there exactly once */
export async function mutatedCore({ name, edits }: Mutant): Promise<CoreClass> {
  const mutated = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const path = join(SRC, file);
    const source = mutated.get(path) ?? (await readFile(path, 'utf8'));
    const hits = source.split(find).length - 1;
    if (hits !== 1) throw new Error(`${name}: ${file} must hold '${find}' once, received ${hits} times`);
    mutated.set(
      path,
      source.replace(find, () => replace),
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'tickwright-mutant-'));
  try {
    const outfile = join(folder, 'core.mjs');
    await build({
      entryPoints: [join(SRC, 'venue/core/venue-core.ts')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      outfile,
      logLevel: 'silent',
      plugins: [
        {
          name: 'mutant',
          setup(bundler) {
            bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
              const contents = mutated.get(path);
              return contents === undefined ? undefined : { contents, loader: 'ts' };
            });
          },
        },
      ],
    });
    const loaded = (await import(pathToFileURL(outfile).href)) as { VenueCore: CoreClass };
    return loaded.VenueCore;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
