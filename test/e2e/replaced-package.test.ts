/** An update of the package takes its files away from under what runs. */
import { spawn } from 'node:child_process';
import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withDesk } from './daemon-desk.js';
import { KEYS, ROOT, withFolder } from './program.js';

it('a daemon whose program is taken away goes on, cancels its orders when it is stopped, and ends in order', () =>
  withFolder((folder) =>
    withDesk({ folder }, async (desk) => {
      const copy = join(folder, 'tickwright');
      for (const part of ['dist', 'strategies', 'package.json']) {
        await cp(join(ROOT, part), join(copy, part), { recursive: true });
      }
      await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
      const { PATH = '', HOME = '' } = process.env;
      const args = ['start', '--config', desk.config, '--live', '--no-certificate'];
      const daemon = spawn(process.execPath, [join(copy, 'dist', 'cli', 'main.js'), ...args], {
        env: { PATH, HOME, ...KEYS },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => {
        daemon.once('close', resolve);
      });
      try {
        await desk.quoting();
        await rm(join(copy, 'dist'), { recursive: true });
        // None stands for the moment between two quotes.
        const stood = await desk.orders();
        await desk.until('another quote', async () =>
          (await desk.orders()).some((id) => !stood.includes(id)),
        );
        daemon.kill('SIGTERM');
        expect(await ended).toBe(0);
        expect(await desk.orders()).toEqual([]);
      } finally {
        daemon.kill('SIGKILL');
        await ended;
      }
    }),
  ));
