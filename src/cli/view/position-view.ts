import type { PositionRecord } from '../../model/venue-records.js';
import { decimalText } from './decimal-text.js';
import { recordJson } from './record-json.js';
import { amount, type Column, recordTable, words } from './record-table.js';

export function positionJson(position: PositionRecord): Record<string, unknown> {
  const { size, markPrice, realized, unrealized, realizedTotal, statsSize: _, ...rest } = position;
  const { pair, averageEntry, liquidationPrice, ...others } = recordJson(rest);
  return {
    pair,
    quantity: decimalText(size),
    averageEntry,
    mark: decimalText(markPrice),
    ...(liquidationPrice === undefined ? {} : { liquidationPrice }),
    realised: decimalText(realized),
    unrealised: decimalText(unrealized),
    ...(realizedTotal === undefined ? {} : { realisedTotal: decimalText(realizedTotal) }),
    ...others,
  };
}

const OPEN: readonly Column<PositionRecord>[] = [
  words('PAIR', ({ pair }) => pair),
  amount('POSITION', ({ size }) => size),
  amount('ENTRY', ({ averageEntry }) => averageEntry),
  amount('MARK', ({ markPrice }) => markPrice),
  amount('LIQUIDATION', ({ liquidationPrice }) => liquidationPrice),
  amount('MARGIN', ({ margin }) => margin),
  amount('UNREALISED', ({ unrealized }) => unrealized),
  amount('REALISED', ({ realized }) => realized),
  amount('FUNDING', ({ funding }) => funding),
  amount('FEES', ({ fees }) => fees),
];

const COMPLETED: readonly Column<PositionRecord>[] = [
  words('PAIR', ({ pair }) => pair),
  amount('REALISED', ({ realized }) => realized),
  amount('FUNDING', ({ funding }) => funding),
  amount('FEES', ({ fees }) => fees),
  amount('P&L', ({ realizedTotal, pnl }) => realizedTotal ?? pnl),
  words('FILLS', ({ fills }) => fills?.length.toString()),
];

export function positionTable(positions: readonly PositionRecord[]): string {
  return recordTable(positions, OPEN);
}

export function completedPositionTable(positions: readonly PositionRecord[]): string {
  return recordTable(positions, COMPLETED);
}
