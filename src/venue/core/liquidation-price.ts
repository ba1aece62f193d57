import type { Ticks } from '../../model/grid.js';
import { divCeil, divFloor, type Money } from '../../model/money.js';
import type { GroupPosition, MarginGroup } from './margin-group.js';
import { type Fine, maintenanceMargin } from './margin-rates.js';

/** Prices of one position of a group, the group's other positions held still (`money.md` §6). On the tick; 0: none. */
export interface CriticalPrices {
  /** Where E = MM, toward the mark; the mark itself when E < MM now. */
  readonly liquidation: Ticks;
  /** Where E = 0, toward solvency. */
  readonly bankruptcy: Ticks;
}

const NEVER = 0 as Ticks;

export function criticalPrices(group: MarginGroup, position: GroupPosition): CriticalPrices {
  return {
    liquidation: liquidationTicks(group, position),
    bankruptcy: bankruptcyTicks(group, position),
  };
}

/** Where the group's equity is 0: a long's price rounded up, a short's down. */
export function bankruptcyTicks(group: MarginGroup, position: GroupPosition): Ticks {
  const { holding } = position;
  const { market } = holding.state;
  const step = market.filters.price.tickSize;
  const perStep = BigInt(Math.abs(holding.lots)) * market.unitsPerTickLot * BigInt(step);
  const isLong = holding.lots > 0;
  const collateral = group.collateral + group.upnl - position.upnl;
  // Of the cost and the collateral; a price that would be below 0 is none.
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
  // The root is exact to some 30 digits, so it can be on the wrong side of a step by one at most.
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
 * The price in steps at which E = MM: with N = q · P, a long has rₘN² − (1 − m₀)N + C = 0 and a short
 * rₘN² + (1 + m₀)N − B = 0, in the form that does not cancel and holds for rₘ = 0. Good to some fifteen digits: what
 * it is for looks to either side.
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
  // E ≥ MM at the mark, so it is negative by rounding only.
  const under = Math.max(0, rate * rate + curve);
  const perStep =
    BigInt(Math.abs(holding.lots)) * market.unitsPerTickLot * BigInt(market.filters.price.tickSize);
  return (2 * base) / (rate + Math.sqrt(under)) / Number(perStep);
}
