/** What a stop says of a venue that does not answer: what its journal has there, and nothing that nobody saw. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canceledBy, journalOf, noteMarket } from '../../../src/cli/journal/journaled.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { stopBot } from '../../../src/cli/stop/stop-bot.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { proofText } from '../../../src/cli/view/proof-text.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { acceptedOf, checkpointOf, endOf, prepOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';

const PAIR = 'USD_BTC_PERP';
const machine = thisMachine('error');
let folder: string;
let state: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-stop-'));
  state = join(folder, 'state');
  for (const name of ['key', 'secret']) {
    await writeFile(join(folder, name), `${name}-of-a-test\n`);
    await chmod(join(folder, name), 0o600);
  }
  const lines = [
    'version: 1',
    'mode: paper',
    'venue: { url: http://127.0.0.1:1, apiKeyFile: key, apiSecretFile: secret }',
    'state: state',
    `strategies: [{ file: maker.ts, pair: ${PAIR} }]`,
  ];
  await writeFile(join(folder, 'bot.yaml'), lines.join('\n'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (...records: readonly JournalRecord[]) =>
  addToJournal(machine, journalOf(state, PAIR), () => records);

const accepted = (intent: string, orderId: string) => [prepOf(intent), acceptedOf(intent, orderId)];

async function stopped(level: 'cancel' | 'flat', canceled?: (pair: string) => readonly string[]) {
  const settings = await readSettings(machine, join(folder, 'bot.yaml'));
  const venue = await settings.venueWithKeys({});
  const terms = {
    level,
    latches: false,
    all: false,
    deadlineMs: 300,
    by: 'a test',
    reason: 'to see',
    canceled,
  };
  const { proof } = await stopBot(machine, { settings, venue }, terms);
  return { proof, text: proofText(proof, undefined) };
}

it('shows no key that the venue says', async () => {
  const server = createServer((_, response) => {
    response.writeHead(401).end(JSON.stringify({ code: 401, msg: 'key-of-a-test is blocked', result: null }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const file = join(folder, 'bot.yaml');
    const { port } = server.address() as AddressInfo;
    await writeFile(file, (await readFile(file, 'utf8')).replace('127.0.0.1:1,', `127.0.0.1:${port},`));
    const { proof, text } = await stopped('cancel');
    expect(proof.proven).toBe(false);
    expect(text).toContain('is blocked');
    expect(JSON.stringify(proof) + text).not.toContain('key-of-a-test');
  } finally {
    server.close();
  }
});

it('names the orders, the doubts and the position that the journal has', async () => {
  await noteMarket(machine.files, state, BTC);
  await write(checkpointOf(14), ...accepted('s1-1', '43550'), ...accepted('s1-2', '43551'), prepOf('s1-3'));
  const { proof, text } = await stopped('flat');
  expect(proof).toMatchObject({
    proven: false,
    pairs: [
      {
        unproven: [
          expect.stringMatching(/^anything about USD_BTC_PERP: /),
          'that order 43550 is gone, which its journal has open',
          'that order 43551 is gone, which its journal has open',
          'what became of s1-3, which its journal has in doubt',
          'that the position is flat: by its journal 0.014 is held',
        ],
        journaled: { position: '0.014', orders: ['43550', '43551'], inDoubt: ['s1-3'] },
      },
    ],
  });
  expect(text).toContain('  NOT PROVEN that order 43550 is gone, which its journal has open');
  expect(text).toContain('  position 0.014 by its journal, at the venue not known');
});

it('says of no order that none was open, where nobody could look', async () => {
  const { text } = await stopped('cancel');
  expect(text).toContain(`${PAIR}: no order was canceled\n`);
  expect(text).not.toContain('no order of ours was open');
});

it('counts what is held in lots where nobody wrote down what a lot is', async () => {
  await write(checkpointOf(14));
  const { proof, text } = await stopped('cancel');
  expect(proof.pairs[0]?.journaled).toEqual({ pair: PAIR, positionLots: 14, orders: [], inDoubt: [] });
  expect(text).toContain('  position 14 lots by its journal, at the venue not known');
});

it('lists what the daemon canceled at its own end, and nothing that was canceled before', async () => {
  await write(...accepted('s1-1', '43550'), endOf('s1-1', '43550'), ...accepted('s1-2', '43551'));
  const { canceled } = await canceledBy(machine.files, state, () =>
    write(endOf('s1-2', '43551'), ...accepted('s1-3', '43552'), endOf('s1-3', '43552')),
  );
  expect(canceled(PAIR)).toEqual(['43551', '43552']);
  expect(canceled('USD_ETH_PERP')).toEqual([]);
  const { text } = await stopped('cancel', canceled);
  expect(text).toContain(`${PAIR}: 2 orders canceled (43551, 43552)`);
});
