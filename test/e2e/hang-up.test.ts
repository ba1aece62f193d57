/** What a terminal leaves behind that closes: SIGHUP ends in order what has one, and nothing else. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAIR, withDesk } from './daemon-desk.js';
import {
  isAlive,
  KEYS,
  MAIN,
  oneDocument,
  run,
  runJson,
  start,
  startVenue,
  until,
  withFolder,
} from './program.js';
import { NO_TERMINAL } from './terminal.js';

/** Closes the terminal of a program once it has said what it is to say; ends with the exit code of the program. */
const CLOSED = `
import json, os, pty, sys
plan = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(plan["argv"][0], plan["argv"], plan["env"])
shown = b""
while plan["until"].encode() not in shown:
    shown += os.read(terminal, 65536)
os.close(terminal)
_, status = os.waitpid(pid, 0)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 200 + os.WTERMSIG(status))
`;

let venue: Awaited<ReturnType<typeof startVenue>>;
beforeAll(async () => {
  venue = await startVenue(['--synthetic', '7']);
});
afterAll(() => void venue.running.child.kill('SIGKILL'));

const activeOrders = async () =>
  (await runJson(['orders', '--venue', venue.url, '--json'], { env: KEYS }))['orders'] as readonly object[];

describe('a terminal that closes', () => {
  it('ends a live session in order, however often it is told', () =>
    withFolder(async (cwd) => {
      const args = ['run', 'market-maker', '--live', '--poll', '200ms', '--venue', venue.url, '--json'];
      const session = start(args, { cwd, env: KEYS });
      await until('an order', async () => (await activeOrders()).length > 0);
      session.child.kill('SIGHUP');
      await session.said('stopping');
      session.child.kill('SIGHUP');
      const { code, stdout, stderr } = await session.ended;
      expect(code, stderr).toBe(129);
      expect(oneDocument(stdout)).toMatchObject({ mode: 'live' });
      expect(await activeOrders()).toEqual([]);
    }));

  it.skipIf(NO_TERMINAL !== undefined)(
    `takes nothing of that end with it${NO_TERMINAL === undefined ? '' : ` (${NO_TERMINAL})`}`,
    () =>
      withFolder(async (cwd) => {
        const args = ['run', 'market-maker', '--live', '--poll', '200ms', '--venue', venue.url];
        const { PATH = '', HOME = '' } = process.env;
        const env = { PATH, HOME, TERM: 'dumb', ...KEYS };
        const plan = { argv: [process.execPath, MAIN, ...args], env, until: ' buy ' };
        const child = spawn('python3', ['-c', CLOSED, JSON.stringify(plan)], { cwd, stdio: 'inherit' });
        const code = await new Promise((resolve) => child.once('close', resolve));
        expect(await activeOrders()).toEqual([]);
        // Node itself aborts behind all of that, where it cannot reset a terminal that is gone.
        expect([129, 200 + constants.signals.SIGABRT]).toContain(code);
      }),
  );

  it('ends a recording and a venue in order', () =>
    withFolder(async (cwd) => {
      const recording = start(['record', PAIR, '--venue', venue.url, '--out', 'rec', '--json'], { cwd });
      await recording.said(`recording ${PAIR}`);
      recording.child.kill('SIGHUP');
      const { code, stdout } = await recording.ended;
      expect(code).toBe(129);
      expect(oneDocument(stdout)).toMatchObject({ pairs: [{ pair: PAIR }] });
      const other = await startVenue([]);
      other.running.child.kill('SIGHUP');
      expect((await other.running.ended).code).toBe(129);
    }));

  it('ends a daemon in the foreground in order, and one that was detached goes on and says so', () =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        const foreground = desk.background('start', '--live', '--no-certificate');
        await foreground.said('ready');
        await desk.quoting();
        foreground.child.kill('SIGHUP');
        const { code, stderr } = await foreground.ended;
        expect(code, stderr).toBe(0);
        expect(stderr).toContain('signal SIGHUP');
        expect(await desk.orders()).toEqual([]);

        const detached = await desk.start();
        await desk.quoting();
        process.kill(detached, 'SIGHUP');
        await desk.until('its word', () => desk.log().includes('SIGHUP is ignored'));
        expect(isAlive(detached)).toBe(true);
        const stopped = await run(['stop', '--config', join(folder, 'bot.yaml')], { env: KEYS });
        expect(stopped.code, stopped.stderr).toBe(0);
      }),
    ));
});
