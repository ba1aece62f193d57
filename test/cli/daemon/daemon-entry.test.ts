import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { daemonEntries, type ConfiguredEntry } from '../../../src/cli/daemon/daemon-entries.js';
import { openJournalFolder, readableParts } from '../../../src/cli/journal/journal.js';
import { journaledBooks, journaledPair, noteMarket } from '../../../src/cli/journal/journaled.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { startSimulatedVenue } from '../../../src/cli/venue/simulated-venue.js';
import { type Machine, thisMachine } from '../../../src/cli/machine.js';
import { PairUnlisted } from '../../../src/daemon/pair-unlisted.js';
import { UsageError } from '../../../src/model/errors.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import type { VenueServer } from '../../../src/venue/http/server.js';
import { files, folder } from '../../storage/support.js';
import { BTC } from '../../support/markets.js';

const STRATEGY = `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: 'still', create: () => ({ onTrade: () => undefined }) });
`;

/** Holds something from the first trade that it trades on. */
const BUYER = STRATEGY.replace('onTrade: () => undefined', "onTrade: () => holdPosition('1')").replace(
  'defineStrategy }',
  'defineStrategy, holdPosition }',
);

const DAY_MS = 86_400_000;

/** This machine, on which it is noon: what is counted by the day must not meet its end. */
function atNoon(): Machine {
  const machine = thisMachine();
  const { clock } = machine;
  const aheadMs = DAY_MS / 2 - (Math.floor(clock.wall()) % DAY_MS);
  return { ...machine, clock: { ...clock, wall: () => clock.wall() + aheadMs } };
}

const account = { key: 'k', secret: 's' };
let machine: Machine;
let venue: VenueServer;
let directory: string;
beforeEach(async () => {
  const source = { kind: 'synthetic', seed: 1, pairs: ['USD_ETH_PERP'] } as const;
  machine = atNoon();
  venue = await startSimulatedVenue(machine, { source, port: 0, speed: 1, accounts: [account] });
  directory = await folder();
});
afterEach(() => venue.close());

const state = () => join(directory, 'state');

async function entryOn(
  pair: string,
  mode: 'paper' | 'live' = 'live',
  { code = STRATEGY, more = '', url = venue.url } = {},
): Promise<ConfiguredEntry> {
  const config = join(directory, 'bot.yaml');
  await writeFile(join(directory, 'still.ts'), code);
  await writeFile(config, `version: 1\nstrategies:\n  - { file: still.ts, pair: ${pair} }\n${more}`);
  const settings = { ...(await readSettings(machine, config)), state: state() };
  const credentials = { apiKey: account.key, apiSecret: account.secret };
  const heartbeat = { enter: () => undefined, leave: () => undefined };
  const [entry] = await daemonEntries({
    machine,
    settings,
    mode,
    venue: { url, credentials },
    heartbeat,
    paperDays: new Map(),
  });
  return entry as ConfiguredEntry;
}

describe('a pair that the venue does not list', () => {
  it('is refused where it was never traded: it may be a slip of the pen', async () => {
    const opening = (await entryOn(BTC.pair)).open({});
    await expect(opening).rejects.toBeInstanceOf(UsageError);
    await expect(opening).rejects.toThrow('strategies[0].pair: must be a market of the venue (USD_ETH_PERP');
  });

  it('is refused by its place, too, where no strategy can trade it', async () => {
    await venue.close();
    const source = { kind: 'synthetic', seed: 1, pairs: ['BTC_USD'] } as const;
    venue = await startSimulatedVenue(machine, { source, port: 0, speed: 1, accounts: [account] });
    await expect((await entryOn('BTC_USD')).open({})).rejects.toThrow(
      'strategies[0].pair: must be a perpetual (linear), received BTC_USD, which is spot',
    );
  });

  it('is waited for where it was traded before: what it left at the venue is still to be watched', async () => {
    await noteMarket(files, state(), BTC);
    const opening = (await entryOn(BTC.pair)).open({});
    await expect(opening).rejects.toBeInstanceOf(PairUnlisted);
    await expect(opening).rejects.toThrow(
      `the markets of the venue must have ${BTC.pair}, which ran here before, received a list without it`,
    );
  });

  it('is refused also where its journal is there: that is made first', async () => {
    await files.makeDirectory(join(state(), BTC.pair, 'journal'));
    await expect((await entryOn(BTC.pair)).open({})).rejects.toBeInstanceOf(UsageError);
  });

  it('is refused on paper, too, where it never ran', async () => {
    await files.makeDirectory(join(state(), BTC.pair));
    await expect((await entryOn(BTC.pair, 'paper')).open({})).rejects.toBeInstanceOf(UsageError);
  });

  it('is waited for on paper, too, once it ran there: it must not keep the others from starting', async () => {
    const pair = 'USD_ETH_PERP';
    const first = await (await entryOn(pair, 'paper')).open({});
    await first.stop();
    await venue.close();
    const source = { kind: 'synthetic', seed: 1, pairs: [BTC.pair] } as const;
    venue = await startSimulatedVenue(machine, { source, port: 0, speed: 1, accounts: [account] });
    await expect((await entryOn(pair, 'paper')).open({})).rejects.toBeInstanceOf(PairUnlisted);
  });

  it('is refused live where it ran on paper alone: that venue may have been another one', async () => {
    await files.makeDirectory(join(state(), BTC.pair, 'sessions'));
    await expect((await entryOn(BTC.pair)).open({})).rejects.toBeInstanceOf(UsageError);
  });
});

it('a session on paper counts its day from what the one before it has lost, since its account begins anew', async () => {
  const limits = 'limits: { maxDailyLoss: "100000" }\n';
  const entry = await entryOn('USD_ETH_PERP', 'paper', { code: BUYER, more: limits });
  const first = await entry.open({});
  await vi.waitFor(() => expect(first.core.counts.fills).toBeGreaterThan(0), { timeout: 20_000 });
  await first.stop();
  const lost = first.core.risk.day?.loss ?? 0;
  expect(lost).toBeGreaterThan(0);
  const next = await entry.open({});
  await vi.waitFor(() => expect(next.core.risk.day?.isKnown).toBe(true), { timeout: 20_000 });
  const { day, share } = next.core.risk;
  expect(day?.loss).toBeCloseTo(lost - share.settled - share.open, 6);
  await next.stop();
});

interface ListedMarket {
  active: boolean;
  readonly filters: Record<'price' | 'qty', { tick_size: number }>;
}

/** The venue, which lists its markets otherwise. */
async function venueWith(change: (market: ListedMarket) => void) {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const passed = request(`${venue.url}${url}`, { method, headers, agent: false }, (answer) => {
      void answer.toArray().then((parts) => {
        const body = Buffer.concat(parts).toString();
        outgoing.writeHead(answer.statusCode ?? 0, { 'content-type': 'application/json' });
        outgoing.end(url === '/pairs' ? changed(body) : body);
      });
    });
    incoming.pipe(passed);
  });
  const changed = (body: string): string => {
    const envelope = JSON.parse(body) as { result: Record<string, ListedMarket> };
    for (const market of Object.values(envelope.result)) change(market);
    return JSON.stringify(envelope);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

it('a session knows what the one before it holds also where tick and lot have become finer, and coarser again', async () => {
  const finer = await venueWith(({ filters }) => {
    filters.price.tick_size /= 10;
    filters.qty.tick_size /= 10;
  });
  try {
    for (const [url, digits] of [
      [venue.url, 2],
      [finer.url, 3],
      [venue.url, 3],
    ] as const) {
      const entry = await entryOn('USD_ETH_PERP', 'live', { code: BUYER, url });
      const session = await entry.open({});
      await vi.waitFor(() => expect(session.core.engine.position.lots).toBe(10 ** digits), {
        timeout: 20_000,
      });
      await vi.waitFor(() => expect(session.standing()).toMatchObject({ state: 'SYNCED' }), {
        timeout: 20_000,
      });
      await session.stop('leave');
      expect(await journaledPair(files, state(), 'USD_ETH_PERP')).toMatchObject({ position: '1' });
    }
  } finally {
    finer.close();
  }
}, 60_000);

it('a journal of an earlier version counts in what was noted beside it, also where the venue is finer by now', async () => {
  const pair = 'USD_ETH_PERP';
  const journal = join(state(), pair, 'journal');
  const finer = await venueWith(({ filters }) => {
    filters.price.tick_size /= 10;
    filters.qty.tick_size /= 10;
  });
  try {
    for (const url of [venue.url, finer.url]) {
      const entry = await entryOn(pair, 'live', { code: BUYER, url });
      const session = await entry.open({});
      const isThere = () =>
        expect(session.core.engine.position.lots / session.core.engine.market.quantityGrid.scale).toBe(1);
      await vi.waitFor(isThere, { timeout: 20_000 });
      await vi.waitFor(() => expect(session.standing()).toMatchObject({ state: 'SYNCED' }), {
        timeout: 20_000,
      });
      await session.stop('leave');
      expect(await journaledPair(files, state(), pair)).toMatchObject({ position: '1' });
      if (url === venue.url) await withoutGrids(journal);
    }
    expect((await journaledBooks(files, state(), pair))?.gridOf(pair)).toEqual({ price: 3, quantity: 3 });
  } finally {
    finer.close();
  }
}, 60_000);

/** Written anew as versions did that had no such record. */
async function withoutGrids(journal: string): Promise<void> {
  const records: JournalRecord[] = [];
  for await (const { entries } of readableParts(files, await openJournalFolder(files, journal))) {
    for (const { record } of entries) if (record.kind !== 'grid') records.push(record);
  }
  await rm(journal, { recursive: true });
  await mkdir(journal, { mode: 0o700 });
  await addToJournal(thisMachine('error'), journal, () => records);
}

it.each([
  'live',
  'paper',
] as const)('a session (%s) that begins while its market is halted trades when that is over', async (mode) => {
  const halted = await venueWith((market) => {
    market.active = false;
  });
  try {
    const entry = await entryOn('USD_ETH_PERP', mode, { code: BUYER, url: halted.url });
    const session = await entry.open({});
    await vi.waitFor(() => expect(session.core.counts.fills).toBeGreaterThan(0), { timeout: 20_000 });
    await session.stop();
  } finally {
    halted.close();
  }
}, 60_000);
