/** Clients that share no code with us, against a venue that really listens. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { missingTools } from '../../support/tools.js';
import { ANNA, BERT, bookCore, PAIR } from '../http/desk.js';
import { type Seen, visit } from './node-client.js';

const PYTHON_CLIENT = 'test/venue/clients/python_client.py';
const WITHOUT_PYTHON = missingTools('python3');

let server: VenueServer;

beforeAll(async () => {
  server = await startVenueServer({
    core: bookCore(),
    drivers: [],
    clock: systemClock,
    timers: systemTimers,
    accounts: [ANNA, BERT],
    port: 0,
  });
});

afterAll(() => server.close());

function expectWhole({ placed, read, listed, after, left, refusal }: Seen): void {
  expect(placed).toMatchObject({
    pair: PAIR,
    side: 'BUY',
    status: 'ACTIVE',
    price_orig: 50_000.5,
    qty_orig: 0.01,
    qty_remaining: 0.01,
    post_only: true,
    oco: 'any text: é & =',
  });
  expect(read).toEqual(placed);
  expect(listed).toEqual([placed.id]);
  expect(after).toMatchObject({ id: placed.id, status: 'CANCELLED', qty_remaining: 0.01 });
  expect(left).toEqual([]);
  expect(refusal).toMatch(/^bad signature/);
}

const terms = { pair: PAIR, price: '50000.5', qty: '0.01' };

it('node:http and node:crypto place, read, list and cancel an order', async () => {
  const { key, secret } = ANNA;
  expectWhole(await visit({ url: server.url, key, secret, ...terms }));
});

it.skipIf(WITHOUT_PYTHON !== undefined)(
  `Python's standard library places, reads, lists and cancels an order${WITHOUT_PYTHON === undefined ? '' : ` (${WITHOUT_PYTHON})`}`,
  async () => {
    const { key, secret } = BERT;
    const { pair, price, qty } = terms;
    const args = ['-I', PYTHON_CLIENT, server.url, key, secret, pair, price, qty];
    const { stdout } = await promisify(execFile)('python3', args, { timeout: 20_000 });
    expectWhole(JSON.parse(stdout) as Seen);
  },
);
