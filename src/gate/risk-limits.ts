/** Limits on orders that may add risk: the position that they may lead to, and times at which none may add any. */
import { dayName, dayOf } from '../model/calendar.js';
import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import { worstOf, worstWithExits } from './exposure.js';
import type { GateState } from './gate-state.js';
import type { Limits } from './limits.js';
import { MINUTE_MS } from './pace.js';
import { amountText, atLeast, atMost, fractionText, type Objection } from './refusal.js';

/** Objections that hold for every order that may add risk, whatever its size. */
export function checkStops(
  market: Market,
  limits: Limits,
  state: GateState,
  { side }: OrderTerms,
): Objection | undefined {
  const { time } = state;
  const { rejectPause, minRepeatMs, maxCancelsPerMinute } = limits;
  if (rejectPause !== undefined && state.rejections.pausedUntil > time) {
    const { rejected, of } = rejectPause;
    const what = `rejected of the last ${of} orders`;
    const until = state.rejections.pausedUntil;
    return atMost('reject-ratio', what, String(rejected), String(rejected - 1), until);
  }
  if (minRepeatMs !== undefined) {
    const since = time - state.pace.lastOrderAt(side);
    if (since < minRepeatMs) {
      const what = `ms between two ${side} orders`;
      const asked = String(Math.max(0, since));
      return atLeast('same-side-repeat', what, asked, String(minRepeatMs), time - since + minRepeatMs);
    }
  }
  if (maxCancelsPerMinute !== undefined && state.pace.cancelsFreeAt > time) {
    const what = `cancels in ${MINUTE_MS / 1_000} s with the one that an order may need`;
    const asked = String(maxCancelsPerMinute + 1);
    const bound = String(maxCancelsPerMinute);
    return atMost('max-cancels-per-minute', what, asked, bound, state.pace.cancelsFreeAt);
  }
  const { maxDailyLoss, lossPause } = limits;
  if (lossPause !== undefined && state.streak !== undefined && state.streak.pausedUntil > time) {
    const asked = String(lossPause.losses);
    const bound = String(lossPause.losses - 1);
    return atMost('max-consecutive-losses', 'losses in a row', asked, bound, state.streak.pausedUntil);
  }
  return (
    (maxDailyLoss === undefined || state.day === undefined ? undefined : checkDay(market, state.day, time)) ??
    (state.drawdown === undefined ? undefined : checkDrawdown(market, state.drawdown, time))
  );
}

function checkDrawdown(
  market: Market,
  { bound, isKnown, tripped, worst }: NonNullable<GateState['drawdown']>,
  time: number,
): Objection | undefined {
  if (isKnown && !tripped) return undefined;
  const rule = 'max-drawdown' as const;
  const most = amountText(market, bound);
  const what = `fall of the equity from its highest must be below ${most} ${market.quote}, received`;
  if (!tripped) {
    const text = `${what} an equity that is not known yet`;
    return { rule, text, asked: 'unknown', bound: most, until: time };
  }
  const asked = amountText(market, worst);
  const text = `${what} ${asked}: no more risk before somebody resumes`;
  return { rule, text, asked, bound: most };
}

function checkDay(
  market: Market,
  { bound, isKnown, tripped, worst, endsAt }: NonNullable<GateState['day']>,
  time: number,
): Objection | undefined {
  if (isKnown && !tripped) return undefined;
  const most = amountText(market, bound);
  const what = `max-daily-loss` as const;
  if (!tripped) {
    const text = `loss since 00:00 UTC must be below ${most} ${market.quote}, received an equity that is not known yet`;
    return { rule: what, text, asked: 'unknown', bound: most, until: time };
  }
  const asked = amountText(market, worst);
  const next = dayName(dayOf(endsAt));
  const text = `loss since 00:00 UTC must be below ${most} ${market.quote}, received ${asked}: no more risk before ${next}`;
  return { rule: what, text, asked, bound: most, until: endsAt };
}

/** Checks the worst case: the position if the order and everything else that may still fill on its side does fill. */
export function checkOutcome(
  market: Market,
  limits: Limits,
  state: GateState,
  terms: OrderTerms,
): Objection | undefined {
  const { quantityGrid } = market;
  const { interest } = market.filters;
  const { exposure } = state;
  const { maxPosition, maxGrossNotional, maxLeverage, minLiquidationDistance } = limits;
  const [held, reducing, working] =
    terms.side === 'buy'
      ? ([exposure.position, exposure.reducingBuys, exposure.workingBuys] as const)
      : ([-exposure.position, exposure.reducingSells, exposure.workingSells] as const);
  const adding = working + terms.lots;
  // The venue's own filter knows of no order to come.
  const worst = worstOf(held, reducing, adding);
  const most = worstWithExits(held, reducing, adding);
  const adds = most > Math.abs(held);
  // Reserves cease to count at a known time: the order may pass then.
  const until = Number.isFinite(exposure.reservedUntil) ? exposure.reservedUntil : undefined;
  const what = 'resulting position';
  if (worst > interest.max) {
    const bound = textOf(quantityGrid, interest.max);
    return atMost('interest', what, textOf(quantityGrid, worst), bound, until);
  }
  if (worst !== 0 && worst < interest.min) {
    return atLeast('interest', what, textOf(quantityGrid, worst), textOf(quantityGrid, interest.min));
  }
  if (maxPosition !== undefined && most > maxPosition && adds) {
    const bound = textOf(quantityGrid, maxPosition);
    return atMost('max-position', what, textOf(quantityGrid, most), bound, until);
  }
  if (maxGrossNotional !== undefined && adds) {
    const objection = checkGross(market, maxGrossNotional, state, terms, most);
    if (objection !== undefined) return objection;
  }
  if (maxLeverage !== undefined && adds) {
    const objection = checkLeverage(market, maxLeverage, state, terms, most);
    if (objection !== undefined) return objection;
  }
  if (minLiquidationDistance !== undefined && adds) {
    const objection = checkDistance(minLiquidationDistance, state);
    if (objection !== undefined) return objection;
  }
  return state.locksNothing === true ? undefined : checkBalance(market, state, terms, worst, until);
}

const OWN_GROSS = 'resulting position × mark';
const ACCOUNT_GROSS = 'resulting position × mark, with those of the other pairs,';

function checkGross(
  market: Market,
  bound: number,
  { markPrice, time, others }: GateState,
  { ticks }: OrderTerms,
  worst: number,
): Objection | undefined {
  const { priceGrid, quantityGrid } = market;
  const price = markPrice === undefined ? ticks : markPrice * priceGrid.scale;
  const own = price === undefined ? undefined : (worst * price) / (priceGrid.scale * quantityGrid.scale);
  const gross = own === undefined ? undefined : own + (others?.notional ?? 0);
  if (gross !== undefined && gross <= bound) return undefined;
  const asked = gross === undefined ? 'unknown' : amountText(market, gross);
  return atMost(
    'max-gross-notional',
    others === undefined ? OWN_GROSS : ACCOUNT_GROSS,
    asked,
    amountText(market, bound),
    time,
  );
}

/**
 * (|position| × mark + `others`, the notional of the account's other pairs) ÷ equity. `undefined`: mark or equity is not
 * known, or the equity is not above 0.
 */
export function leverageOf(
  { quantityGrid }: Market,
  markPrice: number | undefined,
  equity: number | undefined,
  lots: number,
  others = 0,
): number | undefined {
  if (markPrice === undefined || equity === undefined || !(equity > 0)) return undefined;
  return ((lots / quantityGrid.scale) * markPrice + others) / equity;
}

function checkLeverage(
  market: Market,
  bound: number,
  { markPrice, equity, time, others }: GateState,
  { ticks }: OrderTerms,
  worst: number,
): Objection | undefined {
  const price = markPrice ?? priceOf(market, ticks);
  const leverage = leverageOf(market, price, equity, worst, others?.notional);
  if (leverage !== undefined && leverage <= bound) return undefined;
  const asked = leverage === undefined ? 'unknown' : fractionText(leverage);
  return atMost('max-leverage', 'resulting position × mark ÷ equity', asked, fractionText(bound), time);
}

function priceOf({ priceGrid }: Market, ticks: number | undefined): number | undefined {
  return ticks === undefined ? undefined : ticks / priceGrid.scale;
}

/** Distance of mark and liquidation price, as a fraction of the mark; `undefined`: one of them is not known. */
export function liquidationDistance({
  markPrice,
  liquidationPrice,
}: Pick<GateState, 'markPrice' | 'liquidationPrice'>): number | undefined {
  if (markPrice === undefined || liquidationPrice === undefined) return undefined;
  return Math.abs(markPrice - liquidationPrice) / markPrice;
}

function checkDistance(bound: number, state: GateState): Objection | undefined {
  const distance = liquidationDistance(state);
  if (distance === undefined || distance >= bound) return undefined;
  const what = 'distance of mark and liquidation price';
  return atLeast('liquidation-distance', what, fractionText(distance), fractionText(bound), state.time);
}

/**
 * Estimates the initial margin of the worst case and the taker fee of everything that
 * may trade on this side, by the market's lowest rates, to refuse early and with both
 * numbers. The venue's own check is exact. It is stricter for large positions, and for market orders, which may cost the
 * edge of the band.
 */
function checkBalance(
  market: Market,
  { exposure, lastTicks, equity, others, rates, time }: GateState,
  { side, ticks, lots }: OrderTerms,
  worst: number,
  until: number | undefined,
): Objection | undefined {
  const { priceGrid, quantityGrid } = market;
  const at = ticks ?? lastTicks;
  if (equity === undefined || at === undefined || worst <= Math.abs(exposure.position)) return undefined;
  const working = side === 'buy' ? exposure.workingBuys : exposure.workingSells;
  const lotPrice = at / (priceGrid.scale * quantityGrid.scale);
  const { initial, taker } = rates.of(market);
  // Positions of other pairs hold margin, too. Their rates are not known here and are taken to equal this pair's.
  const margin = (worst * lotPrice + (others?.notional ?? 0)) * initial;
  const fees = (working + lots) * lotPrice * taker;
  if (margin + fees <= equity) return undefined;
  const asked = cents(margin + fees);
  const bound = cents(equity);
  const position = textOf(quantityGrid, worst);
  const text = `margin and fee of a position of ${position} must be at most the equity of ${bound} ${market.quote}, received at least ${asked}`;
  // Equity, price and other pairs may change it at any time.
  return { rule: 'balance', text, asked, bound, until: until ?? time };
}

function cents(amount: number): string {
  return (Math.round(amount * 100) / 100).toFixed(2);
}
