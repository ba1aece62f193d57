/** What is the newest of a bot is so by its journal: a clock that is set back takes nothing newer away. */
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newestOrder, why } from '../../../src/cli/commands/why.js';
import { journalOf } from '../../../src/cli/journal/journaled.js';
import { diffNewest } from '../../../src/cli/replay/session-of-pair.js';
import type { Settings } from '../../../src/cli/settings/settings.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { folder } from '../../storage/support.js';
import { prepOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';

const machine = thisMachine('error');
const HOUR = 3_600_000;
let state: string;

beforeEach(async () => {
  state = await folder();
});
afterEach(() => void vi.restoreAllMocks());

const write = (pair: string, ...records: readonly JournalRecord[]) =>
  addToJournal(machine, journalOf(state, pair), () => records);
const startOf = (session: string, wall: number): JournalRecord => ({
  kind: 'start',
  session,
  wall,
  engine: '0',
  hashes: {},
});
const refusalOf = (reason: string, time: number): JournalRecord => ({
  kind: 'refusal',
  pair: BTC.pair,
  rule: 'not-synced',
  asked: '1',
  bound: '0',
  reason,
  intent: undefined,
  time,
});

it('the newest order is the last of its journal, and of several the one that the venue saw last', async () => {
  await write(
    BTC.pair,
    prepOf('a-1', { sentAt: 10, wall: 5 * HOUR }),
    prepOf('b-1', { sentAt: 20, wall: HOUR }),
  );
  const folders = [{ journal: journalOf(state, BTC.pair) }];
  expect(await newestOrder(machine, folders)).toMatchObject({ intent: 'b-1' });
  await write('USD_ETH_PERP', prepOf('c-1', { sentAt: 15, wall: 6 * HOUR }));
  const both = [...folders, { journal: journalOf(state, 'USD_ETH_PERP') }];
  expect(await newestOrder(machine, both)).toMatchObject({ intent: 'b-1' });
});

it('the newest refusals are the last of their journal', async () => {
  const early = Array.from({ length: 50 }, (_, n) => refusalOf('early', 5 * HOUR + n));
  await write(BTC.pair, ...early, refusalOf('after the clock was set back', HOUR));
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest: unknown[]) => {
    printed.push(String(text));
    const done = rest.find((each) => typeof each === 'function');
    (done as (() => void) | undefined)?.();
    return true;
  });
  await why(undefined, { refusals: true, journal: journalOf(state, BTC.pair) });
  const lines = printed.join('').trimEnd().split('\n');
  expect(lines).toHaveLength(52);
  expect(lines.at(-1)).toContain('after the clock was set back');
});

it('a change is held against the session that began last, whatever the times of its files', async () => {
  await write(BTC.pair, startOf('tw-a', 5 * HOUR), startOf('tw-b', HOUR));
  const capture = (session: string) => join(state, BTC.pair, 'capture', session);
  for (const session of ['tw-a', 'tw-b']) await mkdir(capture(session), { recursive: true });
  const tomorrow = new Date(Date.now() + 24 * HOUR);
  await utimes(capture('tw-a'), tomorrow, tomorrow);
  const settings = { state } as Settings;
  // Both are empty: the message names the one that was opened.
  await expect(diffNewest(machine, settings, BTC.pair, { set: {} })).rejects.toThrow(/tw-b/);
});
