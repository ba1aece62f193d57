/** A daemon whose venue is away: it says that it is not ready, what its journal has there, and a stop of it claims nothing. */
import { expect, it } from 'vitest';
import { closedPort } from '../client/local-server.js';
import { PAIR, withDesk } from './daemon-desk.js';
import { held, holding } from './holding.js';
import { isAlive, oneDocument, withFolder } from './program.js';

it('is not called started, shows what its journal has, and its stop names that', () =>
  withFolder((folder) =>
    withDesk(holding(folder), async (desk) => {
      const first = await desk.start();
      await held(desk);
      const [order] = await desk.orders();
      process.kill(first, 'SIGKILL');
      await desk.until('its death', () => !isAlive(first));

      const args = ['--live', '--no-certificate', '--detach', '--json', '--venue', await closedPort()];
      const started = await desk.tickwright('start', ...args);
      expect(started.code, started.stderr).toBe(3);
      const { pid, mode, ready } = oneDocument(started.stdout);

      try {
        expect([mode, ready]).toEqual(['live', false]);
        expect(started.stderr).toContain('the daemon is not ready and goes on trying');
        expect(started.stderr).toMatch(/USD_BTC_PERP: cannot start: VenueUnavailable: .*ECONNREFUSED/);
        const { pairs, state } = await desk.status();
        expect(state).toBe('starting');
        const said = { source: 'journal', position: '0.02', orders: [order], doubt: 0 };
        expect(pairs).toMatchObject([{ pair: PAIR, state: 'BOOT', ...said }]);

        const stop = await desk.tickwright('stop', '--flat', '--within', '2s');
        expect(stop.code).toBe(5);
        expect(stop.stdout).toContain(`NOT PROVEN that order ${order} is gone`);
        expect(stop.stdout).toContain('position 0.02 by its journal');
        expect(stop.stdout).not.toContain('no order of ours was open');
        expect(isAlive(Number(pid))).toBe(false);
      } finally {
        if (isAlive(Number(pid))) process.kill(Number(pid), 'SIGKILL');
      }
    }),
  ));
