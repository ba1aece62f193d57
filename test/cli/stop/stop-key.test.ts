/** A stop by a key that the venue refuses: twice, and it ends; once, which may be a fault of the venue's, and it goes on. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { journalOf, noteMarket } from '../../../src/cli/journal/journaled.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { stopBot } from '../../../src/cli/stop/stop-bot.js';
import type { Ticks } from '../../../src/model/grid.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { checkpointOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';

const machine = thisMachine('error');
let venue: VenueServer;
let front: Server;
let folder: string;
/** So many of the next questions about balances are refused. */
let refusals: number;

beforeEach(async () => {
  const core = new VenueCore({ markets: [{ market: BTC, prices: 'index' }], assets: ASSETS });
  core.openAccount('anna', { USD: '100000' });
  venue = await startVenueServer({
    core,
    drivers: [],
    clock: systemClock,
    timers: systemTimers,
    accounts: [{ key: 'anna-key', secret: 'anna-secret', account: 'anna' }],
    port: 0,
  });
  core.setIndex(BTC.pair, 600_000 as Ticks, venue.venue.clock.now());
  front = createServer((request, response) => {
    if (request.url?.startsWith('/personal') === true && refusals-- > 0) {
      response.writeHead(401).end(JSON.stringify({ code: 401, msg: 'go away', result: null }));
      return;
    }
    const headers = { 'x-api-key': String(request.headers['x-api-key'] ?? '') };
    void fetch(`${venue.url}${request.url ?? ''}`, { headers }).then(async (answer) => {
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  folder = await mkdtemp(join(tmpdir(), 'tickwright-stop-key-'));
  for (const name of ['key', 'secret']) {
    await writeFile(join(folder, name), `anna-${name}\n`);
    await chmod(join(folder, name), 0o600);
  }
  const { port } = front.address() as AddressInfo;
  const lines = [
    'version: 1',
    'mode: paper',
    `venue: { url: http://127.0.0.1:${port}, apiKeyFile: key, apiSecretFile: secret }`,
    'state: state',
    `strategies: [{ file: maker.ts, pair: ${BTC.pair} }]`,
  ];
  await writeFile(join(folder, 'bot.yaml'), lines.join('\n'));
});
afterEach(async () => {
  front.closeAllConnections();
  front.close();
  await venue.close();
  await rm(folder, { recursive: true });
});

it.each([
  [1, true],
  [2, false],
])('refused %i times, it is proven: %s', async (times, isProven) => {
  refusals = times;
  const state = join(folder, 'state');
  await noteMarket(machine.files, state, BTC);
  await addToJournal(machine, journalOf(state, BTC.pair), () => [checkpointOf(0)]);
  const settings = await readSettings(machine, join(folder, 'bot.yaml'));
  const terms = {
    level: 'cancel',
    latches: false,
    all: false,
    deadlineMs: 20_000,
    by: 'a test',
    reason: 'to see',
  } as const;
  const { proof } = await stopBot(machine, { settings, venue: await settings.venueWithKeys({}) }, terms);
  expect(proof).toMatchObject({
    schemaVersion: 1,
    level: 'cancel',
    by: 'a test',
    reason: 'to see',
    proven: isProven,
    pairs: [{ unproven: isProven ? [] : [`anything about ${BTC.pair}: go away`] }],
  });
});
