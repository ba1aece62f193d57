/** A daemon one of whose pairs waits for a person, as a real process: the other one trades on, and it can be ended. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DaemonDesk, PAIR, withDesk } from './daemon-desk.js';
import { asserted } from './machine-speed.js';
import { isAlive, KEYS, ROOT, run, withFolder } from './program.js';

const OTHER = 'USD_ETH_PERP';
const MAKER = join(ROOT, 'strategies', 'market-maker.ts');
/** `tickwright stop` kills what does not end within 15 s, and says so. */
const ENDS_WITHIN_MS = 5_000;

const STRATEGIES = [PAIR, OTHER]
  .map((pair) => `  - { file: ${MAKER}, pair: ${pair}, params: { quantity: "0.01" } }`)
  .join('\n');

async function starts(desk: DaemonDesk): Promise<{ readonly pid: number; readonly words: string }> {
  const args = ['--live', '--no-certificate', '--detach', '--venue', desk.door.url];
  const { code, stderr } = await desk.tickwright('start', ...args);
  expect(code, stderr).toBe(3);
  const { pid } = await desk.status();
  return { pid, words: stderr };
}

it('says at once that it waits and what ends that, trades on, and ends in order in seconds', () =>
  withFolder((folder) =>
    withDesk({ folder, pairs: [PAIR, OTHER], strategies: STRATEGIES }, async (desk) => {
      const first = await desk.start();
      await desk.until('books that agree', async () =>
        (await desk.status()).pairs.every(({ state }) => state === 'SYNCED'),
      );
      expect((await desk.tickwright('stop')).code).toBe(0);
      await desk.until('its end', () => !isAlive(first));
      const byHand = [
        '--venue',
        desk.door.url,
        '--pair',
        PAIR,
        '--side',
        'buy',
        '--quantity',
        '0.1',
        '--yes',
      ];
      const traded = await run(['order', ...byHand], { env: KEYS });
      expect(traded.code, traded.stderr).toBe(0);

      for (const how of ['stop', 'SIGTERM', 'leave'] as const) {
        const { pid, words } = await starts(desk);
        expect(words).toContain('runs and waits for a person');
        // What a sentinel and systemd go by: the other pair trades.
        await desk.until('its file', () => existsSync(join(desk.state, 'daemon.json')));
        expect(desk.file().pid).toBe(pid);
        const named = `--config ${desk.config} --venue ${desk.door.url} --pair ${PAIR}`;
        expect(words).toContain(`tickwright attach --plan ${named} shows it`);
        expect(words).toContain(`tickwright attach --accept ${named} --by NAME --reason TEXT ends it`);
        await desk.quoting(OTHER);
        const began = performance.now();
        if (how === 'SIGTERM') process.kill(pid, how);
        else {
          const { code, stderr } = await desk.tickwright('stop', ...(how === 'leave' ? ['--leave'] : []));
          expect(code, stderr).toBe(0);
          expect(stderr).not.toContain('was killed');
        }
        await desk.until('its end', () => !isAlive(pid));
        expect(performance.now() - began).toBeLessThan(asserted(ENDS_WITHIN_MS));
        if (how !== 'leave') expect(await desk.orders(OTHER)).toEqual([]);
      }
    }),
  ));
