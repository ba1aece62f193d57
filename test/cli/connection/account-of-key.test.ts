/** Whose account a journal is about, by the venue's own word: our venue over real HTTP, with two accounts that have keys. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountPath, readAccount, writeAccount } from '../../../src/cli/connection/account-file.js';
import {
  accountOfKey,
  AccountWatch,
  AnotherAccount,
  demandSameAccount,
  demandAccount,
} from '../../../src/cli/connection/account-of-key.js';
import { connect, type KeyedConnection } from '../../../src/cli/connection/connection.js';
import { keyCheck } from '../../../src/cli/doctor/doctor-venue.js';
import { journalOf, noteMarket } from '../../../src/cli/journal/journaled.js';
import { pairFolder } from '../../../src/cli/journal/pair-folder.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { stopBot } from '../../../src/cli/stop/stop-bot.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { acceptedOf, checkpointOf, prepOf, termsOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';
import { MemoryFiles } from '../../support/memory-files.js';
import { VirtualTime } from '../../support/virtual-time.js';

const machine = thisMachine('error');
let core: VenueCore;
let server: VenueServer;
let folder: string;
let state: string;
let connections: KeyedConnection[];

beforeEach(async () => {
  core = new VenueCore({ markets: [{ market: BTC, prices: 'index' }], assets: ASSETS });
  for (const name of ['anna-17', 'bert-42']) core.openAccount(name, { USD: '100000' });
  server = await startVenueServer({
    core,
    drivers: [],
    clock: systemClock,
    timers: systemTimers,
    accounts: [
      { key: 'anna-key', secret: 'anna-secret', account: 'anna-17' },
      { key: 'anna-new-key', secret: 'anna-new-secret', account: 'anna-17' },
      { key: 'bert-key', secret: 'bert-secret', account: 'bert-42' },
    ],
    port: 0,
  });
  core.setIndex(BTC.pair, 600_000 as Ticks, server.venue.clock.now());
  folder = await mkdtemp(join(tmpdir(), 'tickwright-account-'));
  state = join(folder, 'state');
  connections = [];
});
afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await server.close();
  await rm(folder, { recursive: true });
});

function keyOf(name: 'anna' | 'anna-new' | 'bert'): KeyedConnection {
  const credentials = { apiKey: `${name}-key`, apiSecret: `${name}-secret` };
  const connection = connect(machine, { url: server.url, credentials });
  connections.push(connection);
  return connection;
}

/** An order far from the market, which rests, and a position. */
function trades(name: 'anna-17' | 'bert-42', side: 'buy' | 'sell', ticks: number): void {
  const account = core.account(name);
  if (account === undefined) throw new Error(`no account ${name}`);
  const terms = termsOf({ side, lots: 20 as Lots, ticks: ticks as Ticks });
  core.place(account, { pair: BTC.pair, terms }, server.venue.clock.now());
}

it('is told by an order that rests, by one that ended, and by a deposit', async () => {
  const { api, profile } = keyOf('bert');
  expect(await accountOfKey({ api, profile })).toEqual({});
  trades('bert-42', 'buy', 500_000);
  expect(await accountOfKey({ api, profile })).toEqual({ orders: 'bert-42' });
  const [order] = await api.orders('active');
  await api.cancel(order?.id ?? '');
  expect(await api.orders('active')).toEqual([]);
  expect(await accountOfKey({ api, profile })).toEqual({ orders: 'bert-42' });

  const anna = core.account('anna-17');
  if (anna === undefined) throw new Error('no account');
  core.wallet.detectDeposit(anna, 'USD', '10', {}, server.venue.clock.now());
  expect(await accountOfKey(keyOf('anna'))).toEqual({ deposits: 'anna-17' });
});

it('is kept at the first start that learns it, and a new key of the same account is as good', async () => {
  const place = pairFolder(state, BTC.pair);
  expect(await demandAccount(machine, keyOf('anna'), place)).toBe(false);
  expect(await readAccount(machine.files, place)).toEqual({});
  trades('anna-17', 'buy', 500_000);
  expect(await demandAccount(machine, keyOf('anna'), place)).toBe(true);
  expect(JSON.parse(await readFile(accountPath(place), 'utf8'))).toEqual({
    formatVersion: 1,
    customerId: { orders: 'anna-17' },
  });
  expect(await demandAccount(machine, keyOf('anna-new'), place)).toBe(true);
});

it('is refused where it is another one, in words that name neither whole', async () => {
  const place = pairFolder(state, BTC.pair);
  trades('anna-17', 'buy', 500_000);
  trades('bert-42', 'buy', 500_000);
  await demandAccount(machine, keyOf('anna'), place);
  const refusal: unknown = await demandAccount(machine, keyOf('bert'), place).catch(
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(AnotherAccount);
  expect((refusal as Error).message).toBe(
    `the key must be one of account …a-17, which the journal beside ${accountPath(place)} is about, ` +
      'received one of account …t-42: give a key of that account, or name another state folder for this one',
  );
  expect(await readAccount(machine.files, place)).toEqual({ orders: 'anna-17' });
  expect(await keyCheck(machine, venueOf('bert'), { signs: false, folders: [place] })).toContainEqual(
    expect.objectContaining({ name: 'account', status: 'fail' }),
  );
  expect(await keyCheck(machine, venueOf('anna'), { signs: false, folders: [place] })).toContainEqual(
    expect.objectContaining({ name: 'account', status: 'ok' }),
  );
});

it('is not known of a venue that does not answer in time, and of a file that is torn', async () => {
  const place = pairFolder(state, BTC.pair);
  trades('anna-17', 'buy', 500_000);
  await demandAccount(machine, keyOf('anna'), place);
  const never = { orders: () => new Promise<never>(() => undefined), deposits: () => Promise.resolve([]) };
  const { profile } = keyOf('anna');
  expect(await demandSameAccount(machine, { api: never, profile }, place, 20)).toBe(false);
  await writeFile(accountPath(place), '{"customerId":');
  expect(await demandAccount(machine, keyOf('anna'), place)).toBe(true);
  expect(await readAccount(machine.files, place)).toEqual({ orders: 'anna-17' });
});

it('is asked for ever less often while nothing names it, and what it turns out to be then is told', async () => {
  const time = new VirtualTime();
  const place = pairFolder(state, BTC.pair);
  const files = new MemoryFiles();
  await writeAccount(files, place, { orders: 'anna-17' });
  let asked = 0;
  let isNamed = false;
  const rows = () => (isNamed ? [{ customerId: 'bert-42' }] : []);
  const api = {
    orders: () => {
      asked++;
      return Promise.resolve(rows());
    },
    deposits: () => Promise.resolve([]),
  } as unknown as KeyedConnection['api'];
  const told: string[] = [];
  const ports = { files, log: machine.log, timers: time.timers };
  const watch = new AccountWatch(ports, { api, profile: keyOf('anna').profile }, place);
  watch.begin((reason) => told.push(reason));
  await time.advance(4_900);
  expect(asked).toBe(0);
  await time.advance(100 + 10_000 + 20_000 + 40_000 + 60_000 + 60_000);
  // Two lists of orders each time.
  expect(asked).toBe(6 * 2);
  isNamed = true;
  await time.advance(60_000);
  expect(told).toEqual([expect.stringContaining('received one of account …t-42')]);
  const before = asked;
  await time.advance(600_000);
  expect(asked).toBe(before);
});

it('that nobody can read keeps no stop from its work', async () => {
  trades('anna-17', 'buy', 600_000);
  trades('bert-42', 'sell', 600_000);
  // Whom the position is closed with.
  trades('bert-42', 'buy', 599_000);
  await noteMarket(machine.files, state, BTC);
  await mkdir(accountPath(pairFolder(state, BTC.pair)), { recursive: true });
  const proof = await stoppedWith('anna', false);
  expect(proof).toMatchObject({ proven: true, pairs: [{ position: { before: '0.02', after: '0' } }] });
});

it('is told by another list where the venue does not have the one that was asked for', async () => {
  const { profile } = keyOf('anna');
  const api = {
    orders: () => Promise.reject(new Error('no such list')),
    deposits: () => Promise.resolve([{ customerId: 'anna-17' }]),
  } as never;
  expect(await accountOfKey({ api, profile })).toEqual({ deposits: 'anna-17' });
});

it('on an order says nothing about the one on a deposit, which a venue may write otherwise', async () => {
  const files = new MemoryFiles();
  const ports = { files, log: machine.log, timers: machine.timers };
  const place = pairFolder(state, BTC.pair);
  const { profile } = keyOf('anna');
  const shows = (orders: readonly string[], deposits: readonly string[]) => {
    const rows = (names: readonly string[]) => Promise.resolve(names.map((customerId) => ({ customerId })));
    return { profile, api: { orders: () => rows(orders), deposits: () => rows(deposits) } as never };
  };
  expect(await demandAccount(ports, shows([], ['parent-1']), place)).toBe(true);
  // Deposits agree: the order's name is learned.
  expect(await demandSameAccount(ports, shows(['sub-9'], []), place)).toBe(false);
  expect(await demandAccount(ports, shows(['sub-9'], []), place)).toBe(false);
  expect(await demandAccount(ports, shows(['sub-9'], ['parent-1']), place)).toBe(true);
  expect(await readAccount(files, place)).toEqual({ orders: 'sub-9', deposits: 'parent-1' });
  await expect(demandAccount(ports, shows(['sub-8'], ['parent-1']), place)).rejects.toThrow(AnotherAccount);
  await expect(demandAccount(ports, shows([], ['parent-2']), place)).rejects.toThrow(AnotherAccount);
});

function venueOf(name: 'anna' | 'bert') {
  return { url: server.url, credentials: { apiKey: `${name}-key`, apiSecret: `${name}-secret` } };
}

async function stoppedWith(name: 'anna' | 'bert', latches: boolean) {
  for (const part of ['key', 'secret']) {
    await writeFile(join(folder, part), `${name}-${part}\n`);
    await chmod(join(folder, part), 0o600);
  }
  const lines = [
    'version: 1',
    'mode: paper',
    `venue: { url: ${server.url}, apiKeyFile: key, apiSecretFile: secret }`,
    'state: state',
    `strategies: [{ file: maker.ts, pair: ${BTC.pair} }]`,
  ];
  await writeFile(join(folder, 'bot.yaml'), lines.join('\n'));
  const settings = await readSettings(machine, join(folder, 'bot.yaml'));
  const venue = await settings.venueWithKeys({});
  const terms = {
    level: 'flat',
    latches,
    all: true,
    deadlineMs: 5_000,
    by: 'a test',
    reason: 'to see',
  } as const;
  return (await stopBot(machine, { settings, venue }, terms)).proof;
}

it.each([
  false,
  true,
])('a stop (panic: %s) with the key of another account proves nothing and closes nothing', async (panic) => {
  trades('anna-17', 'buy', 600_000);
  trades('bert-42', 'sell', 600_000);
  await noteMarket(machine.files, state, BTC);
  await addToJournal(machine, journalOf(state, BTC.pair), () => [
    checkpointOf(20),
    prepOf('s1-1'),
    acceptedOf('s1-1', '43550'),
  ]);
  await demandAccount(machine, keyOf('anna'), pairFolder(state, BTC.pair));
  const proof = await stoppedWith('bert', panic);
  expect(proof).toMatchObject({
    proven: false,
    pairs: [
      {
        unproven: [
          expect.stringContaining('the key must be one of account …a-17'),
          'that order 43550 is gone, which its journal has open',
          'that the position is flat: by its journal 0.02 is held',
        ],
        closes: [],
      },
    ],
  });
  const { api } = keyOf('bert');
  expect((await api.position(BTC.pair)).size).toBe(-0.02);
});
