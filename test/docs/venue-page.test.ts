import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulatedVenue } from '../../src/cli/venue/simulated-venue.js';
import { systemClock } from '../../src/platform/clock.js';
import { systemTimers } from '../../src/platform/timers.js';
import { SILENT } from '../../src/ports/log.js';
import { ADMIN_ENDPOINTS } from '../../src/venue/http/admin-endpoints.js';
import type { VenueServer } from '../../src/venue/http/server.js';
import { missingTools } from '../support/tools.js';
import { readPage } from './page.js';

const { inline, shellBlocks } = readPage('docs/venue.md');

it('the venue page names every admin door', () => {
  const doors = inline.filter((code) => /^\/[a-z/]+$/.test(code));
  expect(doors).toEqual(ADMIN_ENDPOINTS.map(({ path }) => path));
});

describe("the venue page's requests without a client", () => {
  const without = missingTools('sh', 'curl', 'openssl', 'base64');
  const named = without === undefined ? '' : ` (${without})`;
  let server: VenueServer;

  beforeAll(async () => {
    server = await startSimulatedVenue(
      { clock: systemClock, timers: systemTimers, log: SILENT },
      {
        source: { kind: 'synthetic', seed: 1, pairs: ['USD_BTC_PERP'] },
        port: 0,
        adminPort: 0,
        speed: 1,
        accounts: [{ key: 'my-key', secret: 'my-secret' }],
      },
    );
  });

  afterAll(() => server.close());

  /** The block with `curl` that names this path, run as it stands but for the address; an envelope for each request. */
  async function run(path: string) {
    const block = shellBlocks.find((text) => text.includes('curl') && text.includes(path)) as string;
    const script = block
      .replaceAll('http://127.0.0.1:8085', server.url)
      .replaceAll('http://127.0.0.1:8086', server.adminUrl as string)
      .replaceAll('curl -s', 'curl -sw "\\n"');
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { timeout: 20_000 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly code: number; readonly result: unknown });
  }

  it.skipIf(without !== undefined)(
    `place an order that is signed in the shell, and list it${named}`,
    async () => {
      const bid = { side: 'BUY', price_orig: 50_000, qty_orig: 0.01, status: 'ACTIVE' };
      expect(await run('/auth/order')).toMatchObject([
        { code: 200, result: { order: bid } },
        { code: 200, result: [bid] },
      ]);
    },
  );

  it.skipIf(without !== undefined)(`move money and prices at the admin door${named}`, async () => {
    expect(await run('/deposit')).toMatchObject([
      { code: 200, result: { asset: 'BTC', qty: 0.5, status: 'COMPLETED' } },
      { code: 200, result: { pair: 'USD_BTC_PERP', price: 58_000 } },
    ]);
  });
});
