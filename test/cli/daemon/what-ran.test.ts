/** What another process knows of a daemon before it ends it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { journaledLeft, whatRan } from '../../../src/cli/daemon/what-ran.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { type DaemonFile, writeDaemonFile } from '../../../src/daemon/daemon-file.js';
import type { Lots } from '../../../src/model/grid.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { openChronicle } from '../../../src/runner/open-chronicle.js';
import { lockJournal } from '../../../src/storage/journal/journal-lock.js';

const machine = thisMachine('error');
const { files, processes } = machine;
const GONE = processes.self.replace(/\d+$/, (start) => String(Number(start) + 1));
let state: string;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'tickwright-ran-'));
});
afterEach(() => rm(state, { recursive: true }));

const wrote = (more: Partial<DaemonFile>) =>
  writeDaemonFile(files, state, {
    formatVersion: 1,
    pid: 1,
    process: processes.self,
    version: '0',
    mode: 'live',
    venue: 'https://venue.example',
    startedAt: 0,
    socket: '/nowhere',
    url: undefined,
    ...more,
  });

describe('what ran on a state', () => {
  it('is what the running daemon wrote', async () => {
    await wrote({});
    expect(await whatRan(machine, state)).toEqual({
      isAlive: true,
      mode: 'live',
      venue: 'https://venue.example',
    });
  });

  it('is what one that died without order wrote', async () => {
    await wrote({ process: GONE, mode: 'paper' });
    expect(await whatRan(machine, state)).toMatchObject({ isAlive: false, mode: 'paper' });
  });

  it('is not what the daemon before wrote when another one runs that is not ready and does not answer', async () => {
    await wrote({ process: GONE, mode: 'paper' });
    await lockJournal(files, processes, join(state, 'lock'));
    expect(await whatRan(machine, state)).toEqual({ isAlive: true, mode: undefined, venue: undefined });
  });

  it('is nobody where nothing ran, and nobody knows where the file cannot be read', async () => {
    expect(await whatRan(machine, state)).toEqual({ isAlive: false, mode: undefined, venue: undefined });
    await writeFile(join(state, 'daemon.json'), '{"mode":"paper"}');
    expect(await whatRan(machine, state)).toMatchObject({ isAlive: false, mode: undefined });
  });
});

describe('what journals say is left', () => {
  const PAIR = 'USD_BTC_PERP';
  const wall = 0;
  const prep: JournalRecord = {
    kind: 'prep',
    intent: 'a-1',
    pair: PAIR,
    terms: { side: 'buy', type: 'limit', quantity: 2, price: 5, timeInForce: 'GTC' } as never,
    tag: undefined,
    sentAt: 1,
    validUntil: undefined,
    wall,
    bodySha256: 'a'.repeat(64),
    position: 0 as Lots,
  };
  const accepted: JournalRecord = { kind: 'out', intent: 'a-1', outcome: 'accepted', orderId: '17' };
  const end: JournalRecord = {
    kind: 'end',
    intent: 'a-1',
    orderId: '17',
    status: 'canceled',
    filled: 0 as Lots,
    time: 2,
  };
  const held = (position: number): JournalRecord => ({
    kind: 'checkpoint',
    pair: PAIR,
    position: position as Lots,
    time: 1,
    fillIds: [],
    by: 'a test',
    reason: 'to see',
  });

  it.each<[string, JournalRecord[], string[], string[]]>([
    ['nothing', [], [], []],
    ['an order whose answer never came', [prep], ['what became of a-1'], ['what became of a-1']],
    ['an order that rests', [prep, accepted], ['orders 17'], ['orders 17']],
    ['an order that ended', [prep, accepted, end], [], []],
    ['a position', [held(3)], [], ['a position of 3 lots']],
    ['none', [held(0)], [], []],
  ])('by %s', async (_, records, cancel, flat) => {
    const directory = join(state, PAIR, 'journal');
    const story = await openChronicle({
      ...machine,
      directory,
      session: 'a',
      engine: '0',
      hashes: {},
    });
    for (const record of records) story.chronicle.note(record, 'durable');
    await story.close();
    const words = (each: readonly string[]) => each.map((what) => `${PAIR}: ${what}`);
    expect(await journaledLeft(files, state, 'cancel')).toEqual(words(cancel));
    expect(await journaledLeft(files, state, 'flat')).toEqual(words(flat));
  });

  it('is unknown where one cannot be read, and nothing where there is none', async () => {
    expect(await journaledLeft(files, join(state, 'no'), 'flat')).toEqual([]);
    await mkdir(join(state, 'sessions'), { recursive: true });
    expect(await journaledLeft(files, state, 'flat')).toEqual([]);
    const directory = join(state, PAIR, 'journal');
    const story = await openChronicle({ ...machine, directory, session: 'a', engine: '0', hashes: {} });
    for (const record of [held(0), held(1), held(2)]) story.chronicle.note(record, 'durable');
    await story.close();
    for (const { name, path } of await files.list(directory)) {
      if (name.startsWith('snapshot-')) await rm(path);
      else await writeFile(path, (await files.readText(path)).replace('a test', 'a tesT'));
    }
    expect(await journaledLeft(files, state, 'cancel')).toEqual([expect.stringMatching(/^USD_BTC_PERP: /)]);
  });
});
