import type { RefusalRule } from '../model/command.js';
import { textOf } from '../model/grid.js';
import { amountText, fractionText } from './refusal.js';
import { leverageOf, liquidationDistance } from './risk-limits.js';
import type { Risk } from './risk.js';

/** How much of a limit is used, for status lines: plain decimal text in the units of the limit. */
export interface LimitUse {
  /** `max-bare-time` refuses nothing: the engine acts on it. */
  readonly rule: RefusalRule | 'max-bare-time';
  readonly used: string;
  readonly bound: string;
}

/**
 * Each limit that is set, with its use as of the newest event. The use of a limit on single orders is the largest order so
 * far; of the collar, the distance of mark and last trade; of the repeat time, the time since the newest order; of the time
 * without a stop, how long it has lasted by now.
 */
export function limitUses(risk: Risk): readonly LimitUse[] {
  const { market, limits, exposure, time } = risk;
  const rows: LimitUse[] = [];
  const row = <T>(
    rule: LimitUse['rule'],
    bound: T | undefined,
    used: (bound: T) => string,
    text: (bound: T) => string = String,
  ) => {
    if (bound !== undefined) rows.push({ rule, used: used(bound), bound: text(bound) });
  };
  const quantity = (lots: number) => textOf(market.quantityGrid, lots);
  const amount = (value: number) => amountText(market, value);
  const worst = exposure.worstAt(time);
  const others = risk.others?.notional ?? 0;
  row('max-position', limits.maxPosition, () => quantity(worst), quantity);
  row('max-order-quantity', limits.maxOrderQuantity, () => quantity(risk.largest.lots), quantity);
  row('max-order-notional', limits.maxOrderNotional, () => amount(risk.largest.notional), amount);
  row('max-open-orders', limits.maxOpenOrders, () =>
    String(exposure.openOrders + (risk.others?.openOrders ?? 0)),
  );
  row('price-collar', limits.priceCollar, () => fractionText(apart(risk)), fractionText);
  row('max-orders-per-minute', limits.maxOrdersPerMinute, () => String(risk.pace.ordersWithin(time)));
  row('max-orders-per-hour', limits.maxOrdersPerHour, () => String(risk.pace.ordersWithinHour(time)));
  row('max-cancels-per-minute', limits.maxCancelsPerMinute, () => String(risk.pace.cancelsWithin(time)));
  row('same-side-repeat', limits.minRepeatMs, (bound) => {
    const newest = Math.max(risk.pace.lastOrderAt('buy'), risk.pace.lastOrderAt('sell'));
    return String(Math.min(bound, Math.max(0, time - newest)));
  });
  row(
    'reject-ratio',
    limits.rejectPause,
    ({ rejected }) => String(risk.rejections.pausedUntil > time ? rejected : risk.rejections.rejected),
    ({ rejected }) => String(rejected),
  );
  row(
    'max-gross-notional',
    limits.maxGrossNotional,
    () => amount((worst / market.quantityGrid.scale) * (risk.markPrice ?? 0) + others),
    amount,
  );
  row(
    'max-leverage',
    limits.maxLeverage,
    () => fractionText(leverageOf(market, risk.markPrice, risk.equity, worst, others) ?? 0),
    fractionText,
  );
  const { day, drawdown, streak } = risk;
  row(
    'max-daily-loss',
    limits.maxDailyLoss,
    () => amount(day === undefined ? 0 : day.tripped ? day.worst : Math.max(0, day.loss)),
    amount,
  );
  row(
    'max-drawdown',
    limits.maxDrawdown,
    () => amount(drawdown === undefined ? 0 : drawdown.tripped ? drawdown.worst : drawdown.fall),
    amount,
  );
  row(
    'max-consecutive-losses',
    limits.lossPause,
    ({ losses }) => String((streak?.pausedUntil ?? 0) > time ? losses : (streak?.losses ?? 0)),
    ({ losses }) => String(losses),
  );
  row(
    'liquidation-distance',
    limits.minLiquidationDistance,
    () => fractionText(liquidationDistance(risk) ?? 1),
    fractionText,
  );
  row('max-bare-time', limits.maxBareMs, () => String(risk.bareMs));
  return rows;
}

/** Distance of mark and last trade, as a fraction of the mark; 0 where one of them is not known. */
function apart({ markPrice, lastTicks, market }: Risk): number {
  if (markPrice === undefined || lastTicks === undefined) return 0;
  return Math.abs(lastTicks / market.priceGrid.scale - markPrice) / markPrice;
}
