import type { TransferRecord } from '../../model/venue-records.js';
import { amount, type Column, moment, recordTable, words } from './record-table.js';

const COLUMNS: readonly Column<TransferRecord>[] = [
  moment('TIME', ({ time }) => time),
  words('ASSET', ({ asset }) => asset),
  amount('QUANTITY', ({ quantity }) => quantity),
  amount('NET', ({ net }) => net),
  words('STATUS', ({ status }) => status),
  words('ADDRESS', ({ address }) => address),
  words('HASH', ({ transaction }) => transaction?.hash),
  { head: 'ID', align: 'right', text: ({ id }) => id },
];

/** A table of deposits or withdrawals. */
export function transferTable(transfers: readonly TransferRecord[]): string {
  return recordTable(transfers, COLUMNS);
}
