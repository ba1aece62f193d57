import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { start } from '../../../src/cli/commands/start.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { demandPairFolders } from '../../../src/cli/daemon/state-folder.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { SILENT } from '../../../src/ports/log.js';
import { folder } from '../../storage/support.js';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../../support/small-disk.js';

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

describe('of a state that has been in use', () => {
  const PAIR = 'USD_BTC_PERP';
  const STRATEGY = fileURLToPath(new URL('../../../strategies/sma-cross.ts', import.meta.url));
  const MUST = 'state: must hold what this user can read and write, received';

  async function bot(mode: 'paper' | 'live') {
    const directory = await folder();
    const config = join(directory, 'bot.yaml');
    await writeFile(
      config,
      [
        'version: 1',
        `mode: ${mode}`,
        'state: var',
        'venue: { url: http://127.0.0.1:1 }',
        `strategies: [{ file: ${STRATEGY}, pair: ${PAIR} }]`,
        'limits:',
        '  { maxPosition: "1", maxOrderQuantity: "1", maxGrossNotional: "1", maxDailyLoss: "1", priceCollar: "0.1",',
        '    maxOpenOrders: 1, maxOrdersPerMinute: 1 }',
      ].join('\n'),
    );
    const begin = () => start({ config, ...(mode === 'live' ? { live: true, certificate: false } : {}) });
    return { begin, at: (...names: string[]) => join(directory, 'var', PAIR, ...names) };
  }

  it.each(['paper', 'live'] as const)('a file where the lock must be ends the start (%s)', async (mode) => {
    const { begin, at } = await bot(mode);
    const lock = at('..', 'lock');
    await mkdir(at('..'));
    await writeFile(lock, '');
    expect(await begin()).toBe(78);
    expect(err).toContain(`${MUST} ${lock}: it is no folder`);
  });

  it.skipIf(!mountsSmallDisks)(
    'a folder of the lock that cannot be written does too (skipped where a small disk cannot be mounted)',
    async () => {
      const { begin, at } = await bot('live');
      const lock = at('..', 'lock');
      await mkdir(lock, { recursive: true });
      expect(mountSmallDisk(lock, '64k,ro')).toBe(true);
      try {
        expect(await begin()).toBe(78);
        expect(err).toContain(`${MUST} ${lock}: EROFS: `);
      } finally {
        unmountSmallDisk(lock);
      }
    },
  );

  it('a daemon of another machine, of which nobody here can say whether it runs, is told as such', async () => {
    const { begin, at } = await bot('paper');
    const [state, lock] = [at('..'), at('..', 'lock', 'lock-0123456789abcdef')];
    await mkdir(at('..', 'lock'), { recursive: true });
    await writeFile(lock, 'other-host/a-boot/4242/99\n');
    await expect(begin()).rejects.toThrow(
      `${state} must have one daemon, received perhaps another one: process 4242 on other-host (${lock}); ` +
        'whether it still runs nobody on this machine can say: if it is surely gone, remove that file',
    );
  });

  it.each([
    ['paper', ''],
    ['live', 'journal'],
  ] as const)('a file where a folder of a pair must be ends the start (%s)', async (mode, name) => {
    const { begin, at } = await bot(mode);
    await mkdir(join(at(name), '..'), { recursive: true });
    await writeFile(at(name), '');
    expect(await begin()).toBe(78);
    expect(err).toContain(`${MUST} ${at(name)}: it is no folder`);
  });

  it.skipIf(!mountsSmallDisks).each([
    ['paper', ''],
    ['live', ''],
    ['live', 'journal'],
  ] as const)(
    'a folder of a pair that cannot be written does too (%s %s, skipped where a small disk cannot be mounted)',
    async (mode, name) => {
      const { begin, at } = await bot(mode);
      await mkdir(at(name), { recursive: true });
      expect(mountSmallDisk(at(name), '64k,ro')).toBe(true);
      try {
        expect(await begin()).toBe(78);
        expect(err).toContain(`${MUST} ${at(name)}: EROFS: `);
      } finally {
        unmountSmallDisk(at(name));
      }
    },
  );

  it.skipIf(!mountsSmallDisks)(
    'and so does a file of a journal (skipped where a small disk cannot be mounted)',
    async () => {
      const { begin, at } = await bot('live');
      const segment = at('journal', 'segment-000000000001.journal');
      await mkdir(at('journal'), { recursive: true });
      await writeFile(segment, '');
      await bindReadOnly(segment);
      try {
        expect(await begin()).toBe(78);
        expect(err).toContain(`${MUST} ${segment}: EROFS: `);
      } finally {
        unmountSmallDisk(segment);
      }
    },
  );
});

it('a pair whose folder cannot be used is said, and keeps no other pair from running', async () => {
  const directory = await folder();
  const config = join(directory, 'bot.yaml');
  const pairs = ['USD_BTC_PERP', 'USD_ETH_PERP'];
  const strategies = pairs.map((pair) => `{ file: my-cross.ts, pair: ${pair} }`).join(', ');
  await writeFile(config, `version: 1\nstate: var\nstrategies: [${strategies}]\n`);
  await mkdir(join(directory, 'var'));
  const machine = thisMachine();
  const settings = await readSettings(machine, config);
  const said: string[] = [];
  const log = {
    ...SILENT,
    error: (what: string, facts?: object) => void said.push(`${what}: ${JSON.stringify(facts)}`),
  };
  const look = () => demandPairFolders({ files: machine.files, log }, settings, 'live');
  for (const [index, pair] of pairs.entries()) {
    const path = join(directory, 'var', pair);
    await writeFile(path, '');
    if (index === 0) {
      expect(await look()).toEqual(new Set([pair]));
      expect(said).toEqual([expect.stringContaining(`${path}: it is no folder`)]);
    } else await expect(look()).rejects.toThrow('must hold what this user can read and write');
  }
});

/** Over itself. */
async function bindReadOnly(path: string): Promise<void> {
  const mount = promisify(execFile);
  await mount('mount', ['--bind', path, path]);
  await mount('mount', ['-o', 'remount,bind,ro', path]);
}
