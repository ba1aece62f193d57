/** Shows the statement of an account: as tables for people, as decimal texts for programs. */
import {
  type AssetStatement,
  isExplained,
  type PairStatement,
  type Statement,
} from '../../ledger/statement.js';
import type { TripStatement } from '../../ledger/trip-statement.js';
import { LEDGER_DIGITS } from '../../ledger/units.js';
import { type Money, moneyText } from '../../model/money.js';
import { momentText } from './moment.js';
import { type Column, recordTable, words } from './record-table.js';

/** The most round trips that are shown, the newest ones; the JSON document has all of them. */
const MOST_TRIPS = 40;

export function statementJson(statement: Statement, pair: string | undefined): Record<string, unknown> {
  const { from, to, assets, transfers, listedFrom, isLiquidated, unreadable } = statement;
  const pairs = shownPairs(statement, pair);
  return {
    ...(from === undefined ? {} : { from }),
    to,
    ...(listedFrom === undefined ? {} : { listedFrom }),
    ...(pair === undefined ? {} : { pair }),
    assets: assets.map(assetJson),
    pairs: pairs.map(pairJson),
    roundTrips: pairs.flatMap(({ trips, precision }) => trips.map((trip) => tripJson(trip, precision))),
    transfers: transfers.map(({ kind, id, asset, time, quantity, fee }) => ({
      kind,
      id,
      asset,
      time,
      quantity: moneyText(quantity, LEDGER_DIGITS),
      fee: moneyText(fee, LEDGER_DIGITS),
    })),
    ...(isLiquidated ? { liquidated: true } : {}),
    ...(unreadable.length === 0 ? {} : { unreadable }),
  };
}

function assetJson({ asset, ...parts }: AssetStatement) {
  return { asset, ...texts(parts, LEDGER_DIGITS) };
}

function pairJson({ pair, precision, trips, unlisted, undatedFunding, ...parts }: PairStatement) {
  return {
    pair,
    roundTrips: trips.length,
    ...texts(parts, precision),
    ...(unlisted.length === 0 ? {} : { unlistedFills: unlisted }),
    ...(undatedFunding === 0n ? {} : texts({ undatedFunding }, precision)),
  };
}

function tripJson(trip: TripStatement, precision: number) {
  const { pair, side, openedAt, closedAt, closingFill, realised, fees, funding, stated, difference } = trip;
  const text = (amount: Money) => moneyText(amount, precision);
  return {
    pair,
    side,
    openedAt,
    ...(closedAt === undefined ? {} : { closedAt, closingFill }),
    realised: text(realised),
    fees: text(-fees),
    funding: text(funding),
    ...(stated === undefined ? {} : { stated: texts(stated, precision) }),
    difference: text(difference),
    fills: trip.fills.map((fill) => ({
      id: fill.entry.fill.id,
      time: fill.entry.fill.time,
      side: fill.entry.fill.side,
      realised: text(fill.realised),
      fee: text(-fill.fee),
    })),
  };
}

function texts(parts: object, precision: number) {
  return Object.fromEntries(
    Object.entries(parts).map(([name, amount]: [string, Money]) => [name, moneyText(amount, precision)]),
  );
}

export function statementText(statement: Statement, pair: string | undefined): string {
  const { from, to, listedFrom, isLiquidated, unreadable } = statement;
  const pairs = shownPairs(statement, pair);
  const trips = pairs.flatMap(({ trips: some, precision }) => some.map((trip) => ({ ...trip, precision })));
  const shown = trips.slice(-MOST_TRIPS);
  const notes = [
    ...(listedFrom === undefined
      ? []
      : [
          `The venue lists fills without a hole from ${momentText(listedFrom)} on; what came before is in the opening balance.`,
        ]),
    ...(isLiquidated
      ? [
          'The venue itself ended a position, by liquidation or deleveraging: what a take-over took, or insurance paid, no list tells; it is in the opening balance.',
        ]
      : []),
    ...(unreadable.length === 0 ? [] : [`Fills that cannot be read: ${unreadable.join(', ')}.`]),
    ...pairs.flatMap(({ pair: name, unlisted }) =>
      unlisted.length === 0
        ? []
        : [`${name}: the venue counts fills that it does not list: ${unlisted.join(', ')}.`],
    ),
    ...pairs.flatMap(({ pair: name, undatedFunding, precision }) =>
      undatedFunding === 0n
        ? []
        : [
            `${name}: the venue states ${moneyText(undatedFunding, precision)} of funding for ended positions with which it lists no fill: nobody knows when it was paid, and it is in the opening balance.`,
          ],
    ),
    ...(trips.length > shown.length ? [`${trips.length - shown.length} older round trips: see --json.`] : []),
  ];
  const parts = [
    `${from === undefined ? 'from the opening of the account' : `from ${momentText(from)}`} to ${momentText(to)}`,
    statement.assets.map(assetText).join('\n\n'),
    pairs.length === 0 ? 'no trades on contracts' : recordTable(pairs, PAIR_COLUMNS),
    shown.length === 0 ? '' : recordTable(shown, TRIP_COLUMNS),
    notes.join('\n'),
    verdict(statement),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function shownPairs({ pairs }: Statement, pair: string | undefined): readonly PairStatement[] {
  return pair === undefined ? pairs : pairs.filter((each) => each.pair === pair);
}

/** The sums of an asset from opening to closing balance, in a column. */
function assetText({ asset, opening, suspense, closing, ...parts }: AssetStatement): string {
  const lines: (readonly [string, Money])[] = [
    ['opening balance', opening],
    ...Object.entries(parts)
      .filter(([, amount]) => amount !== 0n)
      .map(([name, amount]) => [PART_NAMES[name as keyof typeof parts], amount] as const),
    ['suspense', suspense],
    ['closing balance', closing],
  ];
  const texts = lines.map(([, amount]) => moneyText(amount, LEDGER_DIGITS));
  const decimals = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const aligned = texts.map((text) => {
    const fraction = text.split('.')[1] ?? '';
    const gap = decimals === 0 ? 0 : decimals - fraction.length + (fraction === '' ? 1 : 0);
    return text + ' '.repeat(gap);
  });
  const width = Math.max(...aligned.map(({ length }) => length));
  return [
    asset,
    ...lines.map(([name], at) => `  ${name.padEnd(18)}${(aligned[at] as string).padStart(width)}`.trimEnd()),
  ].join('\n');
}

const PART_NAMES = {
  deposits: 'deposits',
  withdrawals: 'withdrawals',
  realised: 'realised P&L',
  fees: 'fees',
  funding: 'funding',
  exchanged: 'spot exchange',
} as const;

function money<Row extends { readonly precision: number }>(
  head: string,
  value: (row: Row) => Money | undefined,
): Column<Row> {
  return {
    head,
    align: 'right',
    text: (row) => {
      const amount = value(row);
      return amount === undefined ? undefined : moneyText(amount, row.precision);
    },
  };
}

const PAIR_COLUMNS: readonly Column<PairStatement>[] = [
  words('PAIR', ({ pair }) => pair),
  { head: 'ROUND TRIPS', align: 'right', text: ({ trips }) => String(trips.length) },
  money('REALISED', ({ realised }) => realised),
  money('FEES', ({ fees }) => fees),
  money('FUNDING', ({ funding }) => funding),
  money('UNREALISED', ({ unrealised }) => unrealised),
  money('SUSPENSE', ({ suspense }) => suspense),
];

const TRIP_COLUMNS: readonly Column<TripStatement & { readonly precision: number }>[] = [
  words('PAIR', ({ pair }) => pair),
  words('SIDE', ({ side }) => (side === 'buy' ? 'long' : 'short')),
  words('OPENED', ({ openedAt }) => momentText(openedAt)),
  words('CLOSED', ({ closedAt }) => (closedAt === undefined ? 'open' : momentText(closedAt))),
  { head: 'FILLS', align: 'right', text: ({ fills }) => String(fills.length) },
  money('REALISED', ({ realised }) => realised),
  money('FEES', ({ fees }) => -fees),
  money('FUNDING', ({ funding }) => funding),
  money('UNEXPLAINED', ({ difference }) => (difference === 0n ? undefined : difference)),
];

function verdict(statement: Statement): string {
  const { assets, unreadable } = statement;
  if (isExplained(statement)) return 'Every unit of the balance is explained.';
  const lines = [
    ...assets
      .filter(({ suspense }) => suspense !== 0n)
      .map(
        ({ asset, suspense }) =>
          `${moneyText(suspense, LEDGER_DIGITS)} ${asset} is not explained by any record.`,
      ),
    ...(unreadable.length === 0
      ? []
      : ['What the fills brought that cannot be read is not explained: it is in the opening balance.']),
  ];
  return lines.length > 0
    ? lines.join('\n')
    : 'The balance adds up, but not all of its round trips do: see above.';
}
