import type { Holding } from './account.js';
import type { OrderWeight } from './margin.js';

/** Far above the error of the sums below, which is some 10^-14 of the amounts in them. */
const TOLERANCE = 1e-9;

/**
 * True only if `shortfall` would certainly find nothing. This estimate in doubles errs on the safe side and spares the
 * exact computation except near the limit. It is O(pairs of the account), whatever the number of orders.
 *
 * It uses upper bounds. With X = N + max(buys, sells), where the new order counts at no less than the mark, the pair's Λ
 * + im(N) is at most im(X) + fee × max(buys, sells), before and after the order fills. What the fill costs against the
 * mark counts in full, as does every losing position; profits do not count. With working spot orders or isolated pairs it
 * returns false.
 */
export function isClearlyAffordable(holding: Holding, order: OrderWeight): boolean {
  if (holding.base !== undefined) return false;
  for (const { workingCount } of holding.cash.spots) if (workingCount > 0) return false;
  const cash = holding.cash.cashUnits.number;
  let left = cash;
  let size = Math.abs(cash);
  for (const pair of holding.cash.holdings) {
    const { state } = pair;
    if (!state.isNarrow || pair.leverage !== undefined) return false;
    const isOwn = pair === holding;
    if (pair.lots === 0 && pair.workingCount === 0 && !isOwn) continue;
    const { rules, unitsPerTickLotNumber: unit } = state;
    const mark = state.mark ?? (isOwn ? order.limitTicks : 0);
    const notional = Math.abs(pair.lots) * mark * unit;
    const upnl = pair.lots === 0 ? 0 : pair.lots * mark * unit - pair.costUnits.number;
    let buys = pair.buySteps * unit;
    let sells =
      (pair.sellSteps + (pair.sellLots > 0 ? pair.sellLots * Math.max(0, mark - pair.lowestSell) : 0)) * unit;
    if (isOwn) {
      const weight = order.lots * Math.max(order.limitTicks, mark) * unit;
      const loss =
        order.lots *
        Math.max(0, order.side === 'buy' ? order.limitTicks - mark : mark - order.limitTicks) *
        unit;
      if (order.side === 'buy') buys += weight;
      else sells += weight;
      left -= loss + weight * rules.feeNumber;
      size += loss;
    }
    const working = Math.max(buys, sells);
    const worst = notional + working;
    const margin = worst * (rules.baseNumber + rules.slopeNumber * worst);
    left -= margin + working * rules.feeNumber + Math.max(0, -upnl);
    size += worst + margin;
  }
  return left > size * TOLERANCE + 16;
}
