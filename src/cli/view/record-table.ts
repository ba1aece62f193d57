/** Tables of decoded records. */
import { decimalText } from './decimal-text.js';
import { momentText } from './moment.js';
import { printable } from './printable.js';
import { type Align, table } from './table.js';

/** One column: its head, where its text stands, and what a row shows there. `undefined` shows as nothing. */
export interface Column<Row> {
  readonly head: string;
  readonly align: Align;
  readonly text: (row: Row) => string | undefined;
}

export function words<Row>(head: string, text: (row: Row) => string | undefined): Column<Row> {
  return { head, align: 'left', text };
}

/** An amount, a price or a rate. */
export function amount<Row>(head: string, value: (row: Row) => number | undefined): Column<Row> {
  return {
    head,
    align: 'right',
    text: (row) => {
      const number = value(row);
      return number === undefined ? undefined : decimalText(number);
    },
  };
}

/** A moment, from venue ms. */
export function moment<Row>(head: string, time: (row: Row) => number | undefined): Column<Row> {
  return words(head, (row) => {
    const ms = time(row);
    return ms === undefined ? undefined : momentText(ms);
  });
}

export function recordTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return table(
    columns.map(({ head }) => head),
    rows.map((row) => columns.map(({ text }) => printable(text(row) ?? ''))),
    columns.map(({ align }) => align),
  );
}

/** `name  value` lines of one record; what is not known is left out. */
export function factLines(facts: readonly (readonly [name: string, value: string | undefined])[]): string {
  const known = facts.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );
  const width = Math.max(0, ...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n');
}
