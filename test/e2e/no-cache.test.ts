import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, withFolder } from './program.js';

/** No folder can be below it, whoever runs this. */
const NOWHERE = { env: { HOME: '/dev/null/home' } };

it('a cache that cannot be used keeps no strategy from running, and is told in one line', async () => {
  const usual = await run(['backtest', 'sma-cross', '--json']);
  const ended = await run(['backtest', 'sma-cross', '--json'], NOWHERE);
  expect(ended.code, ended.stderr).toBe(0);
  expect(hashOf(ended.stdout)).toBe(hashOf(usual.stdout));
  const told = ended.stderr.split('\n').filter((line) => line.includes('XDG_CACHE_HOME'));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(
    /^strategies are kept in memory, not in \/dev\/null\/home\/\.cache\/tickwright\/strategies: ENOTDIR/,
  );
});

it('nor from being tried with other parameters on threads', () =>
  withFolder(async (folder) => {
    const ended = await run(['optimize', 'sma-cross', '--space', 'fast=5,10', '--workers', '2', '--json'], {
      ...NOWHERE,
      cwd: folder,
    });
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr.match(/XDG_CACHE_HOME/g)).toHaveLength(1);
  }));

it('what a strategy throws has its line there, too', () =>
  withFolder(async (folder) => {
    const file = join(folder, 's.ts');
    await writeFile(
      file,
      `import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'throws',
  create: () => ({
    onTrade() {
      throw new Error('boom');
    },
  }),
});
`,
    );
    const ended = await run(['backtest', file], NOWHERE);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/s\.ts:6:\d+: boom/);
  }));

function hashOf(stdout: string): unknown {
  return (JSON.parse(stdout) as { readonly decisionHash: unknown }).decisionHash;
}
