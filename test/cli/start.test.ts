import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { start } from '../../src/cli/commands/start.js';
import { folder } from '../storage/support.js';

let err: string;
beforeEach(() => {
  err = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text: unknown, done?: unknown) => {
    err += String(text);
    if (typeof done === 'function') done();
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

it.each([
  'my-cross.ts',
  'my-cross.ts/var',
])('a state that can be no folder (%s) is a configuration that no daemon can run', async (state) => {
  const directory = await folder();
  await writeFile(join(directory, 'my-cross.ts'), '');
  const config = join(directory, 'bot.yaml');
  await writeFile(
    config,
    `version: 1\nstate: ${state}\nstrategies:\n  - { file: my-cross.ts, pair: USD_BTC_PERP }\n`,
  );
  for (const detach of [undefined, true] as const) {
    expect(await start({ config, detach })).toBe(78);
    expect(err).toMatch(
      new RegExp(
        `^error: .*bot\\.yaml:2:8 state: must be a folder, or a place for one, received ${join(directory, 'my-cross.ts')}, which is a file\n`,
      ),
    );
    err = '';
  }
});
