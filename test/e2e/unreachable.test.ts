/** A daemon whose venue is away: it says that it is not ready, what its journal has there, and a stop of it claims nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAIR, withDesk } from './daemon-desk.js';
import { isAlive, oneDocument, withFolder } from './program.js';

/** Buys once, and has an order far below the market. */
const HOLDING = `import { defineStrategy, orders } from 'tickwright';
export default defineStrategy({
  name: 'holding',
  create() {
    let isAsked = false;
    return {
      onTicker({ bidPrice, askPrice }) {
        if (isAsked || bidPrice === undefined || askPrice === undefined) return undefined;
        isAsked = true;
        return orders([
          { side: 'buy', quantity: 0.02 },
          { side: 'buy', quantity: 0.01, price: Math.floor(bidPrice * 0.99) },
        ]);
      },
    };
  },
});
`;
/** Where nothing listens, and no other test has its key. */
async function away(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

it('is not called started, shows what its journal has, and its stop names that', () =>
  withFolder((folder) => {
    const file = join(folder, 'holding.ts');
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, HOLDING);
    const strategies = `  - { file: ${file}, pair: ${PAIR} }`;
    return withDesk({ folder, strategies }, async (desk) => {
      const first = await desk.start();
      await desk.until(
        'a position and an order',
        async () => (await desk.position()) === 0.02 && (await desk.orders()).length === 1,
      );
      const [order] = await desk.orders();
      process.kill(first, 'SIGKILL');
      await desk.until('its death', () => !isAlive(first));

      const args = ['--live', '--no-certificate', '--detach', '--json', '--venue', await away()];
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
    });
  }));
