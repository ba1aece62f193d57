/** Whatever a strategy throws is its own mistake, named by its own file. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { describeError } from '../../../src/cli/report-error.js';
import { folder } from '../../storage/support.js';

afterEach(() => vi.restoreAllMocks());

const ADVICE = ' (throw an Error, and its line is told)';
const OBSCURE = 'an error whose message cannot be read';

/** An Error of which reading this property throws. */
const obscure = (property: string) =>
  `throw Object.defineProperty(new Error('bad'), '${property}', { get() { throw new Error('no'); } });`;

it.each([
  [`throw 'spread too wide';`, 'spread too wide'],
  ['throw null;', 'null'],
  ['throw undefined;', 'undefined'],
  ['throw { code: 5 };', '{"code":5}'],
  ['throw 5n;', '5'],
  ['throw Object.create(null);', '{}'],
  ['throw () => 1;', '() => 1'],
  [`throw Object.assign(() => 1, { toString() { throw new Error('no'); } });`, 'a function'],
  [obscure('message'), OBSCURE, ''],
  [obscure('stack'), 'bad', ''],
  [`throw Object.assign(new Error('bad'), { stack: 5 });`, 'bad', ''],
  [`throw Object.assign(new Error('bad'), { message: Symbol('no'), stack: 5 });`, 'Symbol(no)', ''],
])('%s in a handler, in create and in a stream', async (code, shown, advice = ADVICE) => {
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
      text: `error: ${file}: ${shown}${advice}`,
    });
  }
});
