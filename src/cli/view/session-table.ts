/** A running session on a few lines, which a terminal redraws in place. */
import type { OutBy } from '../../engine/stop-desk.js';
import type { StandingWant } from '../../engine/standing-want.js';
import { counted } from '../../model/counted.js';
import { textOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { moneyText } from '../../model/money.js';
import { averageEntry, type Position, totalPnlAt } from '../../model/position.js';
import { wantText } from '../../session/want-text.js';
import type { WorkingOrder } from '../../strategy/context.js';
import { decimalText, gainText } from './decimal-text.js';
import { lengthText } from './moment.js';

/** The facts of a session that are shown. */
export interface SessionView {
  readonly title: string;
  readonly market: Market;
  readonly elapsedMs: number;
  readonly warmingUp: boolean;
  /** Last price, quote units; `undefined` before the first trade. */
  readonly lastPrice: number | undefined;
  readonly position: Position;
  readonly want: StandingWant;
  /** Why the want counts as flat; `undefined`: it does not. */
  readonly outBy: OutBy | undefined;
  readonly working: readonly WorkingOrder[];
  readonly orders: number;
  readonly fills: number;
  readonly refusals: number;
  readonly polls: number;
  readonly trades: number;
  readonly gaps: number;
}

const LABEL_WIDTH = 10;

/** Lines of at most `columns` characters. */
export function sessionTable(view: SessionView, columns: number): readonly string[] {
  const { market } = view;
  const lines = [
    `${view.title} · ${lengthText(view.elapsedMs)}${view.warmingUp ? ' · warming up' : ''}`,
    labelled(
      'price',
      view.lastPrice === undefined ? 'no trade yet' : `${decimalText(view.lastPrice)} ${market.quote}`,
    ),
    labelled('position', positionText(market, view.position)),
    labelled('wanted', wantText(market, view.want, view.outBy)),
    labelled('working', workingText(view.working)),
    labelled('P&L', `${pnlText(market, view.position, view.lastPrice)} ${market.quote}`),
    labelled('orders', `${view.orders} sent, ${counted(view.fills, 'fill')}, ${view.refusals} refused`),
    labelled(
      'feed',
      `${counted(view.polls, 'poll')}, ${counted(view.trades, 'trade')}, ${counted(view.gaps, 'gap')}`,
    ),
  ];
  return lines.map((line) => (line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line));
}

export function positionText(market: Market, position: Position): string {
  const entry = averageEntry(market, position);
  const quantity = textOf(market.quantityGrid, position.lots);
  return entry === undefined
    ? 'flat'
    : `${quantity} ${market.base} @ ${entry.toFixed(market.priceGrid.decimals)}`;
}

/** P&L with its sign, net of fees and funding, with the open position at the last price. */
export function pnlText(market: Market, position: Position, lastPrice: number | undefined): string {
  return gainText(moneyText(pnlOf(market, position, lastPrice), market.quotePrecision));
}

export function pnlOf(market: Market, position: Position, lastPrice: number | undefined): bigint {
  return totalPnlAt(market, position, lastPrice ?? 0);
}

function workingText(working: readonly WorkingOrder[]): string {
  if (working.length === 0) return 'none';
  return working
    .toSorted((a, b) => (a.side < b.side ? -1 : a.side > b.side ? 1 : a.intentId - b.intentId))
    .map(({ side, leavesQuantity, price, triggerPrice, state }) => {
      const at = price === undefined ? 'market' : decimalText(price);
      const when = triggerPrice === undefined ? `@ ${at}` : `stop ${decimalText(triggerPrice)}`;
      return `${side} ${decimalText(leavesQuantity)} ${when}${state === 'working' ? '' : ` (${state})`}`;
    })
    .join('   ');
}

function labelled(label: string, text: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${text}`;
}
