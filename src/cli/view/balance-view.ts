import type { BalanceRecord } from '../../model/venue-records.js';
import { amount, type Column, recordTable, words } from './record-table.js';

const COLUMNS: readonly Column<BalanceRecord>[] = [
  words('ASSET', ({ asset }) => asset),
  amount('FREE', ({ free }) => free),
  amount('IN ORDERS', ({ locked }) => locked),
  amount('MARGIN', ({ margin }) => margin),
  amount('WITHDRAWING', ({ withdrawn }) => withdrawn),
  amount('REALISED', ({ pnl }) => pnl),
  amount('FEES PAID', ({ fees }) => fees),
];

export function balanceTable(balances: readonly BalanceRecord[]): string {
  return recordTable(balances, COLUMNS);
}
