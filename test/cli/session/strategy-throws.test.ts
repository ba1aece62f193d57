/** Whatever a strategy throws is its own mistake, named by its own file. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { describeError } from '../../../src/cli/report-error.js';
import { folder } from '../../storage/support.js';

afterEach(() => vi.restoreAllMocks());

it.each([
  [`throw 'spread too wide';`, 'spread too wide'],
  ['throw null;', 'null'],
  ['throw undefined;', 'undefined'],
  ['throw { code: 5 };', '{"code":5}'],
  ['throw 5n;', '5'],
  ['throw Object.create(null);', '{}'],
  ['throw () => 1;', '() => 1'],
])('%s in a handler, in create and in a stream', async (code, shown) => {
  vi.spyOn(process.stderr, 'write').mockImplementation((_: unknown, done?: unknown) => {
    if (typeof done === 'function') done();
    return true;
  });
  for (const body of [
    `create() { ${code} }`,
    `create() { return { onTrade() { ${code} } }; }`,
    `streams: ({ trades$ }) => trades$.pipe(map(() => { ${code} }))`,
  ]) {
    const file = join(await folder(), 'throws.ts');
    await writeFile(
      file,
      `import { defineStrategy } from 'tickwright';\nimport { map } from 'rxjs';\nexport default defineStrategy({ name: 'throws', ${body} });\n`,
    );
    const failed = backtest([file], { fill: 'queue', data: ['backtest/sample'], seed: 1, save: false });
    expect(describeError(await failed.catch((error: unknown) => error))).toEqual({
      exitCode: 1,
      text: `error: ${file}: ${shown} (throw an Error, and its line is told)`,
    });
  }
});
