/** `attach` against our own venue, over real HTTP on loopback, with a journal on the disk, in one process. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attach, type AttachOptions } from '../../../src/cli/commands/attach.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { defineMarket } from '../../../src/model/market.js';
import { systemClock } from '../../../src/platform/clock.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { readJournal } from '../../../src/storage/journal/journal-reader.js';
import { JournalWriter } from '../../../src/storage/journal/journal-writer.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import type { Account } from '../../../src/venue/core/account.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { prepOf, termsOf } from '../../support/intents.js';

const BTC = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
});

let core: VenueCore;
let server: VenueServer;
let anna: Account;
let bert: Account;
let folder: string;

beforeEach(async () => {
  core = new VenueCore({ markets: [{ market: BTC, prices: 'index' }], assets: ASSETS });
  anna = core.openAccount('anna', { USD: '100000' });
  bert = core.openAccount('bert', { USD: '100000' });
  server = await startVenueServer({
    core,
    drivers: [],
    clock: systemClock,
    timers: systemTimers,
    accounts: [{ key: 'anna-key', secret: 'anna-secret', account: 'anna' }],
    port: 0,
  });
  core.setIndex(BTC.pair, 600_000 as Ticks, now());
  folder = await nodeFiles.temporaryDirectory('attach-');
});
afterEach(async () => {
  await server.close();
  await nodeFiles.remove(folder);
});

function now(): number {
  return server.venue.clock.now();
}

/** Anna buys at the price, and bert sells to her. */
function annaBuys(lots: number): void {
  const terms = (side: 'buy' | 'sell') => termsOf({ side, lots: lots as Lots });
  core.place(bert, { pair: BTC.pair, terms: terms('sell') }, now());
  core.place(anna, { pair: BTC.pair, terms: terms('buy') }, now());
}

async function written(...records: readonly JournalRecord[]): Promise<void> {
  await writtenIn(folder, ...records);
}

async function writtenIn(bot: string, ...records: readonly JournalRecord[]): Promise<void> {
  const { journal } = await JournalWriter.open({
    directory: join(bot, 'journal'),
    files: nodeFiles,
    timers: systemTimers,
    clock: systemClock,
    ballastBytes: 0,
  });
  for (const record of records) journal.append(record, 'durable');
  await journal.close();
}

const checkpoint = (): JournalRecord => ({
  kind: 'checkpoint',
  pair: BTC.pair,
  position: 0 as Lots,
  time: Math.floor(now()) - 1_000,
  fillIds: [],
  by: 'first start',
  reason: '',
});

async function run(options: Partial<AttachOptions> = {}) {
  vi.stubEnv('TICKWRIGHT_VENUE__API_KEY', 'anna-key');
  vi.stubEnv('TICKWRIGHT_VENUE__API_SECRET', 'anna-secret');
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(((chunk: string, done?: () => void) => {
    text += chunk;
    done?.();
    return true;
  }) as typeof process.stdout.write);
  try {
    const code = await attach({ venue: server.url, journal: folder, pair: BTC.pair, ...options });
    return { code, text };
  } finally {
    write.mockRestore();
  }
}

async function plan(options: Partial<AttachOptions> = {}) {
  const { code, text } = await run({ json: true, ...options });
  return {
    code,
    plan: JSON.parse(text) as { differences: { kind: string; endedBy: string }[]; accepted: boolean },
  };
}

/** A configuration whose state is `state` in the folder. */
async function configured(): Promise<{ readonly config: string; readonly state: string }> {
  const [config, state] = [join(folder, 'bot.yaml'), join(folder, 'state')];
  await nodeFiles.writeAtomic(config, `version: 1\nstate: ${state}\n`);
  return { config, state };
}

const VOUCH = { accept: true, by: 'anna', reason: 'bought by hand', yes: true } as const;

describe('attach', () => {
  it('shows a first start where there is no journal yet, and makes none', async () => {
    const { code, plan: found } = await plan();
    expect(code).toBe(0);
    expect(found).toMatchObject({
      schemaVersion: 1,
      pair: BTC.pair,
      journal: { openOrders: [], doubts: [] },
      venue: { position: '0', activeOrders: [], unbookedFills: [] },
      differences: [{ kind: 'first-start', endedBy: 'start' }],
      accepted: false,
    });
    expect(await nodeFiles.stat(join(folder, 'journal'))).toBeUndefined();
  });

  it('finds an order in doubt by its tag, and sends nothing', async () => {
    const terms = termsOf({ ticks: 590_000 as Ticks });
    await written(checkpoint(), prepOf('s1-1', { sentAt: Math.floor(now()), terms }));
    core.place(anna, { pair: BTC.pair, terms, tag: 's1-1' }, now());
    const { code, plan: found } = await plan();
    expect(code).toBe(0);
    expect(found.differences).toMatchObject([{ kind: 'doubt-found', endedBy: 'start' }]);
    expect(core.orders(anna, 'active')).toHaveLength(1);
    expect((await readJournal(nodeFiles, join(folder, 'journal'))).records).toHaveLength(2);
    const { text } = await run();
    expect(text).toContain('· doubt-found ');
    expect(text).toContain('a start ends them by itself');
  });

  it('ends with 3 where a person is needed, whose word ends it', async () => {
    await written(checkpoint());
    annaBuys(5);
    const before = await plan();
    expect(before).toMatchObject({ code: 3, plan: { differences: [{ kind: 'foreign-fill' }] } });
    const accepted = await plan(VOUCH);
    expect(accepted).toMatchObject({ code: 0, plan: { accepted: true } });
    const { records } = await readJournal(nodeFiles, join(folder, 'journal'));
    expect(records.at(-1)?.record).toMatchObject({
      kind: 'checkpoint',
      position: 5,
      by: 'anna',
      reason: 'bought by hand',
    });
    expect(await plan()).toMatchObject({ code: 0, plan: { differences: [] } });
  });

  it("without --journal reads and writes the pair's journal in the state of the configured daemon", async () => {
    const { config, state } = await configured();
    const bot = join(state, BTC.pair);
    await writtenIn(bot, checkpoint());
    annaBuys(5);
    const given = { config, journal: undefined };
    expect(await plan(given)).toMatchObject({ code: 3, plan: { differences: [{ kind: 'foreign-fill' }] } });
    expect(await plan({ ...given, ...VOUCH })).toMatchObject({ code: 0, plan: { accepted: true } });
    const { records } = await readJournal(nodeFiles, join(bot, 'journal'));
    expect(records.at(-1)?.record).toMatchObject({ kind: 'checkpoint', position: 5, by: 'anna' });
    expect(await nodeFiles.stat(join(state, 'journal'))).toBeUndefined();
  });

  it('without --journal takes the journal right in the state where the pair has none', async () => {
    const { config, state } = await configured();
    await writtenIn(state, checkpoint());
    annaBuys(5);
    expect((await plan({ config, journal: undefined })).code).toBe(3);
  });

  it('accepts nothing where no journal is, and begins none', async () => {
    const { config, state } = await configured();
    annaBuys(5);
    const refusal = /must be the folder of a journal, received no segment of one there/;
    await expect(run({ ...VOUCH, config, journal: undefined })).rejects.toThrow(refusal);
    await expect(run(VOUCH)).rejects.toThrow(refusal);
    expect(await nodeFiles.stat(state)).toBeUndefined();
    expect(await nodeFiles.stat(join(folder, 'journal'))).toBeUndefined();
  });

  it('says that a halt stays', async () => {
    await written(checkpoint(), { kind: 'halt', level: 'pause', reason: 'r', by: 'b', wall: 0 });
    expect((await run(VOUCH)).code).toBe(3);
  });

  it.each([
    [{ accept: true }, '--by NAME --reason TEXT'],
    [{ accept: true, by: 'anna' }, '--by NAME --reason TEXT'],
    [{ accept: true, by: ' ', reason: 'r' }, '--by NAME --reason TEXT'],
    [{ by: 'anna' }, 'must go with --accept'],
    [{ ...VOUCH, plan: true }, 'either --plan or --accept'],
    [{ ...VOUCH, yes: undefined }, '--yes must be given where nobody can be asked'],
  ] as const)('refuses %o before it asks anybody', async (options, said) => {
    await expect(run(options)).rejects.toThrow(said);
  });
});
