import { expect, test } from 'vitest';
import type { TransferMark } from '../../src/model/journal-record.js';
import type { TransferRecord } from '../../src/model/venue-records.js';
import { SILENT } from '../../src/ports/log.js';
import { readCash } from '../../src/runner/cash-read.js';
import { BTC } from '../support/markets.js';

const deposit = (id: number, time: number) =>
  ({ id: String(id), asset: 'USD', time, quantity: 1, net: 1, status: 'COMPLETED' }) as TransferRecord;

const MARK: TransferMark = { until: 1_000, last: ['deposit 1'], open: [] };

/** What is warned of where the venue lists these deposits, of which one answer holds two. */
async function warned(rows: readonly TransferRecord[], since: TransferMark | undefined) {
  const said: unknown[] = [];
  const read = await readCash(
    {
      api: {
        deposits: () => Promise.resolve(rows as never),
        withdrawals: () => Promise.resolve([]),
      },
      market: BTC,
      limit: 2,
      since,
      log: { ...SILENT, warn: (message, facts) => said.push([message, facts]) },
    },
    () => Promise.resolve([]),
  );
  expect(read.transfers).toHaveLength(rows.length);
  return said;
}

test('transfers that one answer of the venue does not hold any more are told', async () => {
  expect(await warned([deposit(3, 1_002), deposit(2, 1_001)], MARK)).toEqual([
    [
      'a list of transfers does not reach back to the last session: older ones count as profit and loss',
      { pair: 'USD_BTC_PERP', list: 'deposits', rows: 2 },
    ],
  ]);
});

test('a list that is not full, or reaches back, is whole; and so is any where nothing is compared', async () => {
  expect(await warned([deposit(2, 1_001)], MARK)).toEqual([]);
  expect(await warned([deposit(2, 1_001), deposit(1, 1_000)], MARK)).toEqual([]);
  expect(await warned([deposit(3, 1_002), deposit(2, 1_001)], undefined)).toEqual([]);
});
