import type { Lots, Ticks } from '../../model/grid.js';
import { divCeil, type Money, type Rate } from '../../model/money.js';
import { averageEntry } from '../../model/position.js';
import type { CoreFill, Holding } from './account.js';
import { openFills } from './completed-positions.js';
import { criticalPrices } from './liquidation-price.js';
import { pairMargin } from './margin.js';
import { groupOf, positionOf } from './margin-group.js';

/**
 * All fields of a Position record (`money.md` §6, `dialect.md` §6). Money in units of the quote asset. P&L counts since
 * the position was last flat; what was paid is negative.
 */
export interface PositionFacts {
  /** Signed. */
  readonly lots: Lots;
  readonly cost: Money;
  /** Venue ms of the fill that opened it; 0 when flat. */
  readonly openedAt: number;
  /** L; `undefined` in cross. */
  readonly leverage: Rate | undefined;
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
  /** `undefined` before the market's first price. */
  readonly mark: Ticks | undefined;
  /** N = |s| · mark. */
  readonly notional: Money;
  /** M of an isolated position; im(N), rounded up, of a cross one. Wire: free and stats.margin. */
  readonly margin: Money;
  /** Λ: what the pair's working orders reserve, rounded up. Wire: locked. */
  readonly reserved: Money;
  readonly upnl: Money;
  /** realised + funding + fees. */
  readonly rpnl: Money;
  /** rpnl + upnl. */
  readonly pnl: Money;
  /** margin + upnl. */
  readonly equity: Money;
  /** Nearest doubles. Entry: cost / size in quote units; effective leverage: notional / equity, 0 unless equity > 0. */
  readonly averageEntry: number;
  readonly effectiveLeverage: number;
  /** pnl / (k / L) of an isolated position, pnl / im(k) of a cross one. */
  readonly roe: number;
  /** 0 when there is no such price. */
  readonly liquidationTicks: Ticks;
  readonly bankruptcyTicks: Ticks;
  /** Newest first, as far as the account's history still has them. */
  readonly fills: readonly CoreFill[];
}

export function positionFacts(holding: Holding): PositionFacts {
  const { lots, cost, leverage, realised, fees, funding, state, margin: assigned } = holding;
  const { scale } = state.rules;
  const { initial, reserved } = pairMargin(holding);
  const position = positionOf(holding);
  const margin = leverage === undefined ? divCeil(initial, scale) : assigned;
  const notional = position?.notional ?? 0n;
  const upnl = position?.upnl ?? 0n;
  const rpnl = realised + funding + fees;
  const pnl = rpnl + upnl;
  const equity = margin + upnl;
  const prices = position === undefined ? undefined : criticalPrices(groupOf(holding), position);
  return {
    lots,
    cost,
    openedAt: lots === 0 ? 0 : holding.openedAt,
    leverage,
    realised,
    fees,
    funding,
    mark: state.mark,
    notional,
    margin,
    reserved: divCeil(reserved, scale),
    upnl,
    rpnl,
    pnl,
    equity,
    averageEntry: entryOf(holding),
    effectiveLeverage: equity > 0n ? Number(notional) / Number(equity) : 0,
    roe: lots === 0 ? 0 : Number(pnl) / entryMargin(holding),
    liquidationTicks: prices?.liquidation ?? (0 as Ticks),
    bankruptcyTicks: prices?.bankruptcy ?? (0 as Ticks),
    fills: openFills(holding),
  };
}

/** Cache of average entries, valid for the same lots and cost: positions are read far more often than they change. */
const ENTRIES = new WeakMap<
  Holding,
  { readonly lots: Lots; readonly cost: Money; readonly averageEntry: number }
>();

function entryOf(holding: Holding): number {
  const { lots, cost, state } = holding;
  const known = ENTRIES.get(holding);
  if (known !== undefined && known.lots === lots && known.cost === cost) return known.averageEntry;
  const entry = averageEntry(state.market, holding)?.toNumber() ?? 0;
  ENTRIES.set(holding, { lots, cost, averageEntry: entry });
  return entry;
}

/** Margin that the position needed when it was opened, units: k / L, or im(k). */
function entryMargin({ cost, leverage, state }: Holding): number {
  const held = Math.abs(Number(cost));
  if (leverage !== undefined) return (held * Number(leverage.denominator)) / Number(leverage.numerator);
  return held * (state.rules.baseNumber + state.rules.slopeNumber * held);
}
