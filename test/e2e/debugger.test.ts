/** SIGUSR1, at which Node opens its debugger, through which anybody on the machine could read the keys of a bot. */
import { expect, it } from 'vitest';
import { KEYS, runJson, start, startVenue, until, withFolder } from './program.js';

it('opens no debugger in a process that holds the keys, which goes on', () =>
  withFolder(async (cwd) => {
    const venue = await startVenue(['--synthetic', '7']);
    try {
      const args = ['run', 'market-maker', '--live', '--poll', '200ms', '--venue', venue.url, '--json'];
      const session = start(args, { cwd, env: KEYS });
      const fills = async () =>
        (await runJson(['fills', '--venue', venue.url, '--json'], { env: KEYS }))[
          'fills'
        ] as readonly object[];
      await until('a fill', async () => (await fills()).length > 0);
      session.child.kill('SIGUSR1');
      const before = (await fills()).length;
      await until('one more', async () => (await fills()).length > before);
      session.child.kill('SIGTERM');
      const { code, stderr } = await session.ended;
      expect(stderr).not.toMatch(/debugger|inspector/i);
      expect(code).toBe(143);
    } finally {
      venue.running.child.kill('SIGKILL');
    }
  }));
