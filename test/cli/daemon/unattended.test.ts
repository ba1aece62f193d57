/** What a running daemon says of pairs that an earlier configuration traded, and this one does not. */
import { expect, it } from 'vitest';
import { journalOf } from '../../../src/cli/journal/journaled.js';
import { unattended, watchUnattended } from '../../../src/cli/daemon/unattended.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { folder } from '../../storage/support.js';
import { acceptedOf, checkpointOf, prepOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';

const machine = thisMachine('error');
const { files } = machine;
const named = { file: 'maker.ts', params: {}, onDoubt: 'cancel', warmUp: 0 } as const;

it('is what their journals know of orders and positions, until it is gone', async () => {
  const state = await folder();
  const elsewhere = { state, strategies: [{ ...named, pair: 'USD_ETH_PERP' }] };
  const write = (...records: readonly JournalRecord[]) =>
    addToJournal(machine, journalOf(state, BTC.pair), () => records);
  await write(checkpointOf(-100), prepOf('s1-1'), acceptedOf('s1-1', '7'));
  expect(await unattended(files, { state, strategies: [{ ...named, pair: BTC.pair }] })).toEqual([]);

  const said: unknown[] = [];
  const log = { ...machine.log, warn: (_: string, fields?: object) => void said.push(fields) };
  let look: (() => void) | undefined;
  const timers = { ...machine.timers, after: (_: number, task: () => void) => ((look = task), () => {}) };
  const watch = await watchUnattended({ files, timers, log }, elsewhere);
  const what = `${BTC.pair}: a position of -100 lots (by its journal), on a pair that the configuration does not name`;
  expect(said).toContainEqual({ what });
  expect(watch.problems).toHaveLength(2);

  await write(checkpointOf(0));
  look?.();
  await expect.poll(() => watch.problems).toHaveLength(1);
  watch.stop();
});
