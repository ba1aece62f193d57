import type { Ticks } from '../../model/grid.js';
import type { Money } from '../../model/money.js';
import { unrealised } from '../../model/position.js';
import type { CashBalance, CoreOrder, Holding } from './account.js';
import { type Fine, maintenanceMargin } from './margin-rates.js';

/** One open position of a margin group, at its mark. */
export interface GroupPosition {
  readonly holding: Holding;
  readonly mark: Ticks;
  /** N = |s| · mark, units. */
  readonly notional: Money;
  /** U = s · mark − K, units. */
  readonly upnl: Money;
  /** mm(N). */
  readonly maintenance: Fine;
}

/**
 * The unit of liquidation: all cross positions of an asset with the cash W, or one isolated position with its margin M
 * (`money.md` §1, §6). A snapshot, so take a new one after each posting.
 */
export interface MarginGroup {
  readonly cash: CashBalance;
  /** The holding of an isolated group; `undefined` for the cross group of the asset. */
  readonly isolated: Holding | undefined;
  /** W or M, units. */
  readonly collateral: Money;
  /** ΣU, units. */
  readonly upnl: Money;
  /** Fine units in a unit. */
  readonly scale: bigint;
  /** E = collateral + ΣU, fine units; always whole units. */
  readonly equity: Fine;
  /** MM = Σ mm(N), fine units. */
  readonly maintenance: Fine;
  /** Open positions only, in the order of their holdings. */
  readonly positions: readonly GroupPosition[];
}

/** The group that a holding's position belongs to, or would belong to if it were opened now. */
export function groupOf(holding: Holding): MarginGroup {
  if (holding.leverage === undefined) return crossGroup(holding.cash);
  const position = positionOf(holding);
  return group(holding.cash, holding, position === undefined ? [] : [position]);
}

/** All cross positions of an asset. */
export function crossGroup(cash: CashBalance): MarginGroup {
  const positions: GroupPosition[] = [];
  for (const holding of cash.holdings) {
    if (holding.leverage !== undefined) continue;
    const position = positionOf(holding);
    if (position !== undefined) positions.push(position);
  }
  return group(cash, undefined, positions);
}

/** E < MM: it must be liquidated. */
export function isBelowMaintenance({ equity, maintenance }: MarginGroup): boolean {
  return equity < maintenance;
}

/**
 * The working orders that end when the group is liquidated, oldest first: those of its pairs and, for a cross group, all
 * others that use its cash, i.e. spot orders that lock the asset (`money.md` §9) and orders that may open isolated
 * positions.
 */
export function ordersOf({ cash, isolated }: MarginGroup): CoreOrder[] {
  const orders: CoreOrder[] = [];
  const collect = (holding: Holding, locks: (order: CoreOrder) => boolean) => {
    for (let order = holding.firstWorking; order !== undefined; order = order.nextWorking) {
      if (locks(order)) orders.push(order);
    }
  };
  if (isolated !== undefined) collect(isolated, () => true);
  else {
    for (const holding of cash.holdings) {
      // An order that opens an isolated position is paid out of the cash as well.
      const isIsolated = holding.leverage !== undefined;
      collect(holding, ({ terms }) => !isIsolated || !terms.reduceOnly);
    }
    for (const holding of cash.spots) {
      collect(holding, ({ side }) => (side === 'buy') === (holding.cash === cash));
    }
  }
  return orders.sort((a, b) => a.sequence - b.sequence);
}

/** Whether a cross position of the asset is open. */
export function hasCrossPosition(cash: CashBalance): boolean {
  for (const { lots, leverage } of cash.holdings) if (lots !== 0 && leverage === undefined) return true;
  return false;
}

/** `undefined` when the holding is flat. A position comes from a trade, so there is a mark. */
export function positionOf(holding: Holding): GroupPosition | undefined {
  const { state, lots } = holding;
  const { mark, market, rules } = state;
  if (lots === 0 || mark === undefined) return undefined;
  const notional = state.amountOf((lots < 0 ? -lots : lots) as typeof lots, mark);
  return {
    holding,
    mark,
    notional,
    upnl: unrealised(market, holding, mark),
    maintenance: maintenanceMargin(rules, notional),
  };
}

function group(
  cash: CashBalance,
  isolated: Holding | undefined,
  positions: readonly GroupPosition[],
): MarginGroup {
  let upnl = 0n;
  let maintenance = 0n;
  for (const position of positions) {
    upnl += position.upnl;
    maintenance += position.maintenance;
  }
  const collateral = isolated === undefined ? cash.cash : isolated.margin;
  const { scale } = cash;
  return {
    cash,
    isolated,
    collateral,
    upnl,
    scale,
    equity: (collateral + upnl) * scale,
    maintenance,
    positions,
  };
}
