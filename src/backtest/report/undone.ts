/** Lists orders that were not carried out in full, with the reasons, so that none is dropped silently. */
import type { BacktestResult } from '../result.js';
import { details, escaped, htmlTable } from './html.js';
import { number } from './numbers.js';

type Part = Pick<BacktestResult, 'pair' | 'reasons'>;

const WHO = { refused: 'refused by us', rejected: 'rejected', canceled: 'cancelled by the venue' } as const;

/** HTML of the list; empty if all orders were carried out. */
export function undone(parts: readonly Part[]): string {
  const rows = parts.flatMap(({ pair, reasons }) =>
    (['refused', 'rejected', 'canceled'] as const).flatMap((what) =>
      reasons[what].map(({ count, first }) => [escaped(pair), WHO[what], number(count, 0), escaped(first)]),
    ),
  );
  if (rows.length === 0) return '';
  const table = htmlTable(
    'Orders that were not carried out, or not in full',
    [
      { head: 'pair', isText: true },
      { head: 'what became of it', isText: true },
      { head: 'orders' },
      { head: 'the first one, word for word', isText: true },
    ],
    rows,
  );
  return details('Why orders were not carried out, or not in full', table);
}
