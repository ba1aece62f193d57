/** Tables of decoded records. */
import { decimalText } from './decimal-text.js';
import { momentText } from './moment.js';
import { printable } from './printable.js';
import { type Align, table } from './table.js';

/** A column: its head, its alignment, and the text of a row. `undefined` leaves the cell empty. */
export interface Column<Row> {
  readonly head: string;
  readonly align: Align;
  readonly text: (row: Row) => string | undefined;
}

export function words<Row>(head: string, text: (row: Row) => string | undefined): Column<Row> {
  return { head, align: 'left', text };
}

/** A column of amounts, prices or rates. */
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

/** A column of times, from venue ms. */
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

/** The fields of one record as lines `name  value`, without unknown ones. */
export function factLines(facts: readonly (readonly [name: string, value: string | undefined])[]): string {
  const known = facts.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );
  const width = Math.max(0, ...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n');
}
