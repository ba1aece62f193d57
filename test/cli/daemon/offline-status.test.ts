/** What `status` says of a daemon that does not run: the keys and units of one that does, and the same as its text. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { journalOf, noteMarket } from '../../../src/cli/journal/journaled.js';
import { offlineStatus } from '../../../src/cli/daemon/offline-status.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { writeDaemonFile } from '../../../src/daemon/daemon-file.js';
import { offlineText } from '../../../src/cli/view/status-text.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { lockJournal } from '../../../src/storage/journal/journal-lock.js';
import { folder } from '../../storage/support.js';
import { acceptedOf, checkpointOf, prepOf, termsOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';

const machine = thisMachine('error');
const { files, processes } = machine;
const HALT: JournalRecord = { kind: 'halt', level: 'pause', reason: 'lunch', by: 'anna', wall: 0 };
let config: string;
let state: string;

beforeEach(async () => {
  const directory = await folder();
  config = join(directory, 'bot.yaml');
  state = join(directory, 'state');
  await writeFile(join(directory, 'maker.ts'), '');
  const lines = ['version: 1', 'state: state', `strategies: [{ file: maker.ts, pair: ${BTC.pair} }]`];
  await writeFile(config, lines.join('\n'));
});

const write = (...records: readonly JournalRecord[]) =>
  addToJournal(machine, journalOf(state, BTC.pair), () => records);

it('has the keys and units of a running one, and says what the next start is halted with', async () => {
  await noteMarket(files, state, BTC);
  await write(checkpointOf(14), prepOf('s1-1'), acceptedOf('s1-1', '7'), prepOf('s1-2'), HALT);
  const status = await offlineStatus(config);
  expect(JSON.parse(JSON.stringify(status))).toMatchObject({
    state: 'not running',
    halted: { level: 'pause', reason: `${BTC.pair}: lunch`, by: 'anna' },
    problems: [`halted (pause) by anna: ${BTC.pair}: lunch`, `${BTC.pair}: 1 order in doubt`],
    pairs: [
      {
        pair: BTC.pair,
        state: 'HALTED',
        reason: 'pause: lunch',
        running: false,
        source: 'journal',
        position: '0.014',
        orders: ['7'],
        doubt: 1,
        inDoubt: ['s1-2'],
      },
    ],
  });
  expect(offlineText(status).split('\n')).toEqual([
    'NOT RUNNING · this is what the journal says',
    `  ! halted (pause) by anna: ${BTC.pair}: lunch`,
    `  ! ${BTC.pair}: 1 order in doubt`,
    `${BTC.pair} · HALTED: pause: lunch`,
    '  position  0.014',
    '  orders    7',
    '  in doubt  s1-2',
  ]);
});

it('shows a stop that rests at the venue as such', async () => {
  await noteMarket(files, state, BTC);
  const terms = termsOf({
    side: 'sell',
    type: 'market',
    ticks: undefined,
    lots: 14 as Lots,
    trigger: { ticks: 595_000 as Ticks, event: 'last' },
  });
  await write(checkpointOf(14), prepOf('s1-1'), acceptedOf('s1-1', '7'));
  await write(prepOf('s1-2', { terms }), acceptedOf('s1-2', '8'));
  const status = await offlineStatus(config);
  const leftStops = [{ orderId: '8', side: 'sell', quantity: '0.014', triggerPrice: '59500' }];
  expect(status.pairs).toMatchObject([{ orders: ['7', '8'], leftStops }]);
  expect(offlineText(status).split('\n').slice(-3)).toEqual([
    '  position  0.014',
    '  orders    7',
    '  stop      sell 0.014 at 59500 (8)',
  ]);
});

it('says why a pair is quarantined, with a space before it', async () => {
  await write({
    kind: 'state',
    pair: BTC.pair,
    state: 'QUARANTINED',
    reason: 'fill 11715 is of no order of ours',
    time: 1,
  });
  const status = await offlineStatus(config);
  expect(status.pairs).toMatchObject([{ state: 'QUARANTINED', orders: [], doubt: 0 }]);
  expect(status.pairs[0]).not.toHaveProperty('positionLots');
  const text = offlineText(status);
  expect(text).toContain(`${BTC.pair} · QUARANTINED: fill 11715 is of no order of ours`);
  expect(text).toContain('  position  never agreed with the venue');
});

/** As a daemon writes it when it is ready. */
async function ready(process: string): Promise<void> {
  await mkdir(state, { recursive: true });
  await writeDaemonFile(files, state, {
    formatVersion: 1,
    pid: 1,
    process,
    version: '0.0.0',
    mode: 'live',
    venue: 'http://127.0.0.1:1',
    startedAt: 0,
    socket: join(state, 'control.sock'),
    url: undefined,
  });
}

it('of a process that was ready and does not answer says that it hangs', async () => {
  const lock = await lockJournal(files, processes, join(state, 'lock'));
  await ready(processes.self);
  const status = await offlineStatus(config);
  const venue = 'http://127.0.0.1:1';
  expect(status).toMatchObject({ state: 'hung', pid: process.pid, mode: 'live', venue, pairs: [] });
  expect(status.problems).toEqual([`process ${process.pid} runs and does not answer`]);
  expect(offlineText(status)).toContain(`HUNG · process ${process.pid}; this is what its journal says`);
  await lock.release();
});

it('of one that has the lock and was never ready says that it starts, and nothing that an earlier one said', async () => {
  const lock = await lockJournal(files, processes, join(state, 'lock'));
  await ready('999999-1-gone');
  const status = await offlineStatus(config);
  expect(status).toMatchObject({ state: 'starting', pid: process.pid, mode: undefined, venue: undefined });
  expect(offlineText(status)).toContain(`STARTING · process ${process.pid} runs and has not answered yet`);
  await lock.release();
});

it('tells of HALT files, and how they end', async () => {
  const paths = [join(state, 'HALT'), join(state, BTC.pair, 'HALT')];
  await mkdir(join(state, BTC.pair), { recursive: true });
  for (const path of paths) await writeFile(path, 'cancel the news');
  expect((await offlineStatus(config)).problems).toEqual(
    paths.map(
      (path) => `${path} is there: every start is halted while it is; remove it, then tickwright resume`,
    ),
  );
});

it('of one that does not run tells nothing of the mode that it had', async () => {
  await ready('999999-1-gone');
  expect(await offlineStatus(config)).toMatchObject({
    state: 'not running',
    mode: undefined,
    venue: undefined,
  });
});

it('of a pair whose journal is damaged says so, and of the others what theirs say', async () => {
  const other = 'USD_ETH_PERP';
  const two = `strategies: [{ file: maker.ts, pair: ${BTC.pair} }, { file: maker.ts, pair: ${other} }]`;
  await writeFile(config, ['version: 1', 'state: state', two].join('\n'));
  await write(checkpointOf(14), prepOf('s1-1'), acceptedOf('s1-1', '7'));
  const pairOf = <R extends JournalRecord>(record: R): R => ({ ...record, pair: other });
  const journal = journalOf(state, other);
  await addToJournal(machine, journal, () => [pairOf(checkpointOf(3)), pairOf(prepOf('s2-1'))]);
  const [segment] = (await files.list(journal)).filter(({ name }) => name.startsWith('segment-'));
  const path = segment?.path ?? '';
  const bytes = await files.read(path);
  bytes[40] = (bytes[40] as number) ^ 1;
  await writeFile(path, bytes);
  const status = await offlineStatus(config);
  expect(status.pairs).toMatchObject([
    { pair: BTC.pair, state: 'BOOT', orders: ['7'] },
    { pair: other, state: 'BOOT', damage: expect.stringContaining(path) },
  ]);
  expect(status.problems).toEqual([expect.stringMatching(/^USD_ETH_PERP: its journal cannot be read: /)]);
  const text = offlineText(status);
  expect(text).toContain('  orders    7\n');
  expect(text).toContain(`${other} · its journal cannot be read: what it has at the venue is not known`);
});

it('names what is left on a pair that the configuration does not name any more', async () => {
  const other = 'USD_ETH_PERP';
  await write(checkpointOf(0));
  await addToJournal(machine, journalOf(state, other), () => [
    prepOf('s1-1', { pair: other }),
    acceptedOf('s1-1', '7'),
  ]);
  const status = await offlineStatus(config);
  expect(status.pairs.map(({ pair, orders }) => [pair, orders])).toEqual([
    [BTC.pair, []],
    [other, ['7']],
  ]);
  expect(status.problems).toEqual([
    expect.stringMatching(
      /^USD_ETH_PERP: orders 7 \(by its journal\), on a pair that the configuration does not name/,
    ),
  ]);
});
