import { build, type Metafile } from 'esbuild';
import { expect, it } from 'vitest';

/** Source files that are read before it runs: of its own part of the program and of those that this one imports at once. */
function readAtOnce({ outputs }: Metafile, entry: string): readonly string[] {
  const [first] = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry);
  const parts = new Set([first ?? '']);
  for (const part of parts) {
    for (const { path, kind, external } of outputs[part]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) parts.add(path);
    }
  }
  return [...parts].flatMap((part) => Object.keys(outputs[part]?.inputs ?? {}));
}

it('a backtest does not read what only a live session needs, which would be half of its start', async () => {
  const entry = 'src/cli/commands/backtest.ts';
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'dist',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const files = readAtOnce(metafile, entry);
  expect(files).toContain('src/backtest/backtest.ts');
  // A configuration says how its venue is spoken to.
  const live =
    /^src\/(?:client\/(?!profile\.ts|base-url\.ts)|(?:market-data|execution|runner|ledger|daemon|certify|simulation|venue\/http)\/)/;
  expect(files.filter((file) => live.test(file))).toEqual([]);
});
