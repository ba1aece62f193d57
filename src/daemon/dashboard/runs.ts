/**
 * The gallery of backtests: `/api/runs` as rows of a table. The folder may hold files of any origin, so nothing is
 * trusted.
 */
import { isRecord } from './message.js';
import { dayText, decimalText, plain } from './text.js';

export interface RunRow {
  readonly id: string;
  readonly strategy: string;
  readonly pair: string;
  /** `2026-01-01 to 2026-01-31` */
  readonly period: string;
  /** Lowest and highest P&L over the fill models; plain decimal text. */
  readonly range: readonly [string, string] | undefined;
  readonly quote: string;
  readonly verdict: string;
  readonly sharpe: string;
  /** `−1.25 %` */
  readonly drawdown: string;
  readonly roundTrips: string;
}

const MOST_RUNS = 100;

/** In the order given: newest first. */
export function runRows(value: unknown): readonly RunRow[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_RUNS).flatMap((each) => (isRecord(each) ? [runRow(each)] : []));
}

function runRow(run: Readonly<Record<string, unknown>>): RunRow {
  const { from, to, pnl, maxDrawdown, sharpe, roundTrips } = run;
  return {
    id: plain(run['runId'], 24),
    strategy: plain(run['strategy'], 48),
    pair: plain(run['pair'], 32),
    period: typeof from === 'number' && typeof to === 'number' ? `${dayText(from)} to ${dayText(to)}` : '',
    range: rangeOf(pnl),
    quote: plain(run['quote'], 12),
    verdict: plain(run['verdict'], 16),
    sharpe: typeof sharpe === 'string' ? decimalText(sharpe, 2) : '–',
    drawdown: percentText(maxDrawdown),
    roundTrips: typeof roundTrips === 'number' ? decimalText(String(roundTrips)) : '',
  };
}

function rangeOf(pnl: unknown): RunRow['range'] {
  if (!isRecord(pnl)) return undefined;
  const values = Object.values(pnl).filter(
    (each): each is string => typeof each === 'string' && Number.isFinite(Number(each)),
  );
  const sorted = values.toSorted((a, b) => Number(a) - Number(b));
  const [least] = sorted;
  const most = sorted.at(-1);
  return least === undefined || most === undefined ? undefined : [least, most];
}

function percentText(fraction: unknown): string {
  const value = typeof fraction === 'string' ? Number(fraction) : Number.NaN;
  if (!Number.isFinite(value)) return '–';
  return `${decimalText((100 * value).toFixed(2))} %`;
}
