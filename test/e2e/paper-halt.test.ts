/** A daemon on paper that somebody has paused, as a real process: it stays paused until somebody resumes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive, KEYS, oneDocument, ROOT, run, startVenue, until, withFolder } from './program.js';

it('stays paused over an orderly end, kill -9 and a new start, until it is resumed', () =>
  withFolder(async (folder) => {
    const venue = await startVenue(['--synthetic', '1']);
    const config = join(folder, 'bot.yaml');
    writeFileSync(
      config,
      [
        'version: 1',
        'mode: paper',
        `venue: { url: ${venue.url} }`,
        `state: ${join(folder, 'state')}`,
        'poll: { trades: 200ms, position: 200ms, orders: 200ms, fills: 200ms, ticker: 200ms }',
        'strategies:',
        `  - { file: ${join(ROOT, 'strategies', 'market-maker.ts')}, pair: USD_BTC_PERP }`,
      ].join('\n'),
    );
    const tickwright = (command: string, ...args: readonly string[]) =>
      run([command, '--config', config, ...args], { env: KEYS });
    const start = async () =>
      Number(oneDocument((await tickwright('start', '--detach', '--json')).stdout)['pid']);
    const status = async () => oneDocument((await tickwright('status', '--json')).stdout);
    /** Of one that has no turn at the processor the journal is asked, or what it said last: then once more. */
    const saysItself = async () => {
      let said: Awaited<ReturnType<typeof status>> = {};
      await until('its own word', async () => {
        said = await status();
        return 'version' in said && said['state'] !== 'hung';
      });
      return said;
    };
    const paused = { level: 'pause', reason: 'lunch' };
    let pid = await start();
    try {
      expect((await tickwright('pause', '--reason', 'lunch')).code).toBe(0);
      expect((await tickwright('stop')).code).toBe(0);
      expect(await status()).toMatchObject({ state: 'not running', halted: paused });

      pid = await start();
      expect(await saysItself()).toMatchObject({ state: 'paused', halted: paused });
      process.kill(pid, 'SIGKILL');
      await until('its death', () => !isAlive(pid));

      pid = await start();
      expect(await saysItself()).toMatchObject({ state: 'paused', halted: paused });
      expect((await tickwright('resume', '--reason', 'back', '--yes')).code).toBe(0);
      await until('orders again', async () => (await status())['state'] === 'running');
      expect((await tickwright('stop')).code).toBe(0);
      expect(await status()).not.toHaveProperty('halted');
    } finally {
      await tickwright('stop');
      venue.running.child.kill('SIGKILL');
      await venue.running.ended;
    }
  }));
