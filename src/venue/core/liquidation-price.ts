import type { Ticks } from '../../model/grid.js';
import { divCeil, divFloor, type Money } from '../../model/money.js';
import type { Holding } from './account.js';
import { groupOf, type GroupPosition, type MarginGroup, positionOf } from './margin-group.js';
import { type Fine, maintenanceMargin } from './margin-rates.js';

/**
 * Critical prices of one position while the other positions of its group stay as they are (`money.md` §6). On the tick;
 * 0: none.
 */
export interface CriticalPrices {
  /** Where E = MM, rounded toward the mark; the mark itself when E < MM already. */
  readonly liquidation: Ticks;
  /** Where E = 0, rounded toward solvency. */
  readonly bankruptcy: Ticks;
}

const NEVER = 0 as Ticks;

export function criticalPrices(group: MarginGroup, position: GroupPosition): CriticalPrices {
  return {
    liquidation: liquidationTicks(group, position),
    bankruptcy: bankruptcyTicks(group, position),
  };
}

/** Quote units; `undefined`: there is no such price. */
export function liquidationPriceOf(holding: Holding): number | undefined {
  const position = positionOf(holding);
  const ticks = position === undefined ? NEVER : liquidationTicks(groupOf(holding), position);
  return ticks === NEVER ? undefined : ticks / holding.state.market.priceGrid.scale;
}

/** Where the group's equity is 0: a long's price rounded up, a short's down. */
export function bankruptcyTicks(group: MarginGroup, position: GroupPosition): Ticks {
  const { holding } = position;
  const { market } = holding.state;
  const step = market.filters.price.tickSize;
  const perStep = BigInt(Math.abs(holding.lots)) * market.unitsPerTickLot * BigInt(step);
  const isLong = holding.lots > 0;
  const collateral = group.collateral + group.upnl - position.upnl;
  // Computed from the cost and the collateral; a price below 0 means none.
  const amount = isLong ? holding.cost - collateral : -holding.cost + collateral;
  if (amount <= 0n) return NEVER;
  const steps = isLong ? divCeil(amount, perStep) : divFloor(amount, perStep);
  return (Number(steps) * step) as Ticks;
}

/** Where the group's equity falls below its maintenance margin: a long's price rounded up, a short's down. */
export function liquidationTicks(group: MarginGroup, position: GroupPosition): Ticks {
  const { holding, mark } = position;
  if (group.equity < group.maintenance) return mark;
  const { market } = holding.state;
  const step = market.filters.price.tickSize;
  const isLong = holding.lots > 0;
  const isSafe = (steps: number) => surplus(group, position, steps * step) >= 0n;
  const root = rootSteps(group, position);
  if (root <= 0) return NEVER;
  // The root may be off by one step, so both neighbours are checked.
  let steps = isLong ? Math.ceil(root) : Math.floor(root);
  if (isLong) {
    while (steps * step < mark && !isSafe(steps)) steps++;
    while (steps > 0 && isSafe(steps - 1)) steps--;
  } else {
    while (steps > 0 && !isSafe(steps)) steps--;
    while (isSafe(steps + 1)) steps++;
  }
  return (steps * step) as Ticks;
}

/** E − MM with the position's mark at a price. */
function surplus(group: MarginGroup, { holding, upnl, maintenance }: GroupPosition, ticks: number): Fine {
  const { rules, market } = holding.state;
  const value = BigInt(holding.lots) * BigInt(ticks) * market.unitsPerTickLot;
  const size: Money = value < 0n ? -value : value;
  const equity = group.equity + (value - holding.cost - upnl) * group.scale;
  return equity - (group.maintenance - maintenance + maintenanceMargin(rules, size));
}

/**
 * The price, in steps, at which E = MM. With N = q · P, a long has rₘN² − (1 − m₀)N + C = 0 and a short rₘN² + (1 + m₀)N
 * − B = 0; solved in the form that avoids cancellation and also holds for rₘ = 0. Exact to some fifteen digits, so the
 * caller checks the steps on either side.
 */
function rootSteps(group: MarginGroup, position: GroupPosition): number {
  const { holding } = position;
  const { rules, market } = holding.state;
  const scale = Number(group.scale);
  const isLong = holding.lots > 0;
  const others = group.equity - position.upnl * group.scale - (group.maintenance - position.maintenance);
  const cost = holding.cost * group.scale;
  // C or B, in units.
  const base = Number(isLong ? cost - others : others - cost) / scale;
  if (base <= 0) return 0;
  const one = isLong ? group.scale - rules.maintenanceBase : group.scale + rules.maintenanceBase;
  const rate = Number(one) / scale;
  const curve = (Number(rules.maintenanceSlope) / scale) * base * (isLong ? -4 : 4);
  // E ≥ MM at the mark, so a negative value can only come from rounding.
  const under = Math.max(0, rate * rate + curve);
  const perStep =
    BigInt(Math.abs(holding.lots)) * market.unitsPerTickLot * BigInt(market.filters.price.tickSize);
  return (2 * base) / (rate + Math.sqrt(under)) / Number(perStep);
}
