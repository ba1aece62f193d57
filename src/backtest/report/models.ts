import type { FillModelName } from '../../venue/tape/fill-model.js';
import { type Column, htmlTable, section } from './html.js';
import { amount, number, percent, signed, toned } from './numbers.js';

/** The result of a run under one fill model, as decimals. */
interface Summary {
  readonly pnl: string;
  readonly fills: number;
  readonly roundTrips: number;
  readonly fees: string;
  readonly funding: string;
  readonly maxDrawdown: string;
}

interface Modelled<S extends Summary> {
  readonly models: Readonly<Partial<Record<FillModelName, S>>>;
  readonly headline: FillModelName;
  readonly quote: string;
}

const NOTE =
  '<p class="note">through: a limit fills only when the market trades through it, takers pay twice the slippage. queue: behind the volume that was there first. touch: first in the queue, no slippage. A range of models, not a confidence interval.</p>';

/** A table with a row per fill model. `last`: columns that only some runs have. */
export function modelsSection<S extends Summary>(
  { models, headline, quote }: Modelled<S>,
  ...last: readonly { readonly head: string; readonly of: (summary: S) => string }[]
): string {
  const rows = (Object.entries(models) as [FillModelName, S][]).map(([name, each]) => [
    name === headline ? `<strong>${name}</strong>` : name,
    toned(signed(each.pnl), each.pnl),
    number(each.fills, 0),
    number(each.roundTrips, 0),
    amount(each.fees),
    amount(each.funding),
    percent(each.maxDrawdown, 3),
    ...last.map(({ of }) => of(each)),
  ]);
  const heads = ['fills', 'round trips', 'fees', 'funding', 'max drawdown', ...last.map(({ head }) => head)];
  const columns: Column[] = [
    { head: 'fill model', isText: true },
    { head: `P&L, ${quote}` },
    ...heads.map((head) => ({ head })),
  ];
  return section('models', 'Fill models', htmlTable('Fill models', columns, rows) + NOTE);
}
