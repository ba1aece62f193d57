import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Every file of ours that the program of this entry could ever load, dynamic imports included. */
async function reachable(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'unused',
    splitting: true,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}

const WITHDRAWS = ['src/client/withdraw.ts', 'src/cli/withdraw-dialog.ts', 'src/cli/withdraw-main.ts'];

describe('the code that withdraws', () => {
  it.each(['src/cli/main.ts', 'src/index.ts'])('is in nothing that %s can load', async (entry) => {
    const files = await reachable(entry);
    expect(files).toContain(entry);
    if (entry.endsWith('main.ts')) expect(files).toContain('src/cli/commands/withdraw.ts');
    for (const file of WITHDRAWS) expect(files).not.toContain(file);
  });

  it('is in its own entry point, which is how this test knows that it looks', async () => {
    expect(await reachable('src/cli/withdraw-main.ts')).toEqual(expect.arrayContaining(WITHDRAWS));
  });
});
