/** What a daemon says of its own end, at a venue that does not answer. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Crash, finishDaemon } from '../../../src/cli/daemon/daemon-end.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { thisMachine } from '../../../src/cli/machine.js';
import type { DaemonEnd } from '../../../src/daemon/daemon.js';
import type { StopLevel } from '../../../src/daemon/daemon-api.js';
import { prepOf } from '../../support/intents.js';

const machine = thisMachine('error');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-end-'));
  for (const name of ['key', 'secret']) {
    await writeFile(join(folder, name), `${name}-of-a-test\n`);
    await chmod(join(folder, name), 0o600);
  }
  const lines = [
    'version: 1',
    'mode: paper',
    'venue: { url: http://127.0.0.1:1, apiKeyFile: key, apiSecretFile: secret }',
    'state: state',
    'strategies: [{ file: maker.ts, pair: USD_BTC_PERP }]',
  ];
  await writeFile(join(folder, 'bot.yaml'), lines.join('\n'));
});
afterEach(() => rm(folder, { recursive: true }));

const FLAT_MS = 300;
const stop = (level: StopLevel): DaemonEnd => ({ kind: 'stop', level, by: 'a test', reason: 'to see' });

/** Its sessions leave this. */
async function finished(
  end: DaemonEnd | Crash,
  leftOpen: readonly string[],
  mode: 'paper' | 'live' = 'live',
  unbegun: readonly string[] = [],
) {
  const settings = await readSettings(machine, join(folder, 'bot.yaml'));
  const venue = mode === 'live' ? await settings.venueWithKeys({}) : settings.venue(undefined);
  const asked: unknown[] = [];
  const daemon = {
    unbegun,
    finish(orders: unknown) {
      asked.push(orders);
      return Promise.resolve(leftOpen);
    },
  };
  const left = await finishDaemon(machine, { settings, venue, daemon }, end, FLAT_MS);
  return { left, asked };
}

it('flat is not said of what nobody could look at', async () => {
  const { left, asked } = await finished(stop('flat'), []);
  expect(asked).toEqual(['cancel']);
  expect(left).toEqual([expect.stringMatching(/^USD_BTC_PERP: anything about USD_BTC_PERP: /)]);
});

it('flat is not said while somebody else writes the journal', async () => {
  const { lockJournal } = await import('../../../src/storage/journal/journal-lock.js');
  const { files, processes } = machine;
  const lock = await lockJournal(files, processes, join(folder, 'state', 'USD_BTC_PERP', 'journal'));
  const { left } = await finished(stop('flat'), ['17']);
  expect(left).toEqual([expect.stringMatching(/^that nothing is held: .*must have one writer/), '17']);
  await lock.release();
});

it('at every other end orders are left as asked, or what may be left is named', async () => {
  expect(await finished(stop('leave'), ['17'])).toEqual({ left: ['17'], asked: ['leave'] });
  expect(await finished(stop('cancel'), ['17'])).toEqual({ left: ['17'], asked: ['cancel'] });
  for (const kind of ['recycle', 'crash'] as const) {
    const ended = await finished({ kind, reason: 'memory' }, ['17']);
    expect(ended).toEqual({ left: ['17'], asked: ['keep-stops'] });
  }
});

it('what an earlier life left is named where no session was begun, and on paper there is nothing', async () => {
  await addToJournal(machine, join(folder, 'state', 'USD_BTC_PERP', 'journal'), () => [prepOf('s1-1')]);
  await addToJournal(machine, join(folder, 'state', 'USD_ETH_PERP', 'journal'), () => [prepOf('s1-1')]);
  const unbegun = ['USD_BTC_PERP'];
  const doubt = 'USD_BTC_PERP: what became of s1-1';
  expect((await finished(stop('cancel'), [], 'live', unbegun)).left).toEqual([doubt]);
  expect((await finished(stop('cancel'), ['77'], 'live', unbegun)).left).toEqual(['77', doubt]);
  expect((await finished(stop('cancel'), [], 'live')).left).toEqual([]);
  expect((await finished(stop('leave'), ['77'], 'live', unbegun)).left).toEqual(['77']);
  expect((await finished(stop('cancel'), [], 'paper', unbegun)).left).toEqual([]);
});

it('on paper nothing is held at a venue', async () => {
  expect(await finished(stop('flat'), [], 'paper')).toEqual({ left: [], asked: ['cancel'] });
});
