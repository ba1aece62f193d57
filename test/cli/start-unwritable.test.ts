import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { start } from '../../src/cli/commands/start.js';
import { folder } from '../storage/support.js';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../support/small-disk.js';

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

it.skipIf(!mountsSmallDisks).each(['disk', 'disk/var/deep'])(
  'a state on a read-only file system (%s) is a configuration that no daemon can run (skipped where a small disk cannot be mounted)',
  async (state) => {
    const directory = await folder();
    const disk = join(directory, 'disk');
    await mkdir(disk);
    const config = join(directory, 'bot.yaml');
    await writeFile(
      config,
      `version: 1\nstate: ${state}\nstrategies:\n  - { file: my-cross.ts, pair: USD_BTC_PERP }\n`,
    );
    expect(mountSmallDisk(disk, '64k,ro')).toBe(true);
    try {
      for (const detach of [undefined, true] as const) {
        expect(await start({ config, detach })).toBe(78);
        expect(err).toMatch(
          new RegExp(
            `^error: .*bot\\.yaml:2:8 state: must be a folder that can be written, or a place for one, received ${join(directory, state)}: EROFS: `,
          ),
        );
        err = '';
      }
    } finally {
      unmountSmallDisk(disk);
    }
  },
);

it.skipIf(process.platform !== 'linux')('a state below /proc is one, too', async () => {
  const config = join(await folder(), 'bot.yaml');
  await writeFile(
    config,
    'version: 1\nstate: /proc/tickwright/var\nstrategies:\n  - { file: my-cross.ts, pair: USD_BTC_PERP }\n',
  );
  expect(await start({ config })).toBe(78);
  expect(err).toContain('received /proc/tickwright/var: ');
});
