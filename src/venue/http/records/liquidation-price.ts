import { Decimal } from '../../../model/decimal.js';
import type { Market } from '../../../model/market.js';

/** One position of a margin group and what else the group has, in units of the quote asset; `money.md` §6. */
export interface LiquidationFacts {
  readonly market: Market;
  readonly isLong: boolean;
  /** |s|, base units, above 0. */
  readonly quantity: Decimal;
  /** |K|. */
  readonly cost: Decimal;
  readonly mark: Decimal;
  /** Cash of the group, W. */
  readonly cash: Decimal;
  /** Unrealised P&L and maintenance margin of the group's other positions, taken to stand still. */
  readonly othersUpnl: Decimal;
  readonly othersMaintenance: Decimal;
}

const ZERO = new Decimal(0);

/** mm(x) = x · (m₀ + rₘ · x) for a notional x in quote units. */
export function maintenanceMargin(market: Market, x: Decimal): Decimal {
  const { m0, rm } = maintenanceRates(market);
  return x.times(rm.times(x).plus(m0));
}

/** The mark at which the group's equity is 0, on the tick, toward solvency. */
export function bankruptcyPrice({
  market,
  isLong,
  quantity,
  cost,
  cash,
  othersUpnl,
}: LiquidationFacts): Decimal {
  const collateral = cash.plus(othersUpnl);
  const price = (isLong ? cost.minus(collateral) : cost.plus(collateral)).div(quantity);
  return onTick(market, price, isLong ? 'up' : 'down');
}

/** The mark at which the group's equity is its maintenance margin, on the tick, toward the mark. */
export function liquidationPrice(facts: LiquidationFacts): Decimal {
  const { market, isLong, quantity, cost, mark, cash, othersUpnl, othersMaintenance } = facts;
  const { m0, rm } = maintenanceRates(market);
  const notional = quantity.times(mark);
  const upnl = isLong ? notional.minus(cost) : cost.minus(notional);
  const maintenance = maintenanceMargin(market, notional).plus(othersMaintenance);
  if (cash.plus(othersUpnl).plus(upnl).lt(maintenance)) return mark;
  const collateral = cash.plus(othersUpnl).minus(othersMaintenance);
  const base = isLong ? cost.minus(collateral) : cost.plus(collateral);
  const rate = isLong ? new Decimal(1).minus(m0) : m0.plus(1);
  const under = rate.times(rate).plus(rm.times(base).times(isLong ? -4 : 4));
  if (under.isNegative()) return mark;
  const price = base.times(2).div(rate.plus(under.sqrt())).div(quantity);
  return onTick(market, price, isLong ? 'up' : 'down');
}

function onTick({ priceGrid, filters }: Market, price: Decimal, direction: 'up' | 'down'): Decimal {
  if (price.lte(0)) return ZERO;
  const tick = new Decimal(filters.price.tickSize).div(priceGrid.scale);
  const ticks = price.div(tick);
  return (direction === 'up' ? ticks.ceil() : ticks.floor()).times(tick);
}

function maintenanceRates({ margin: { maintenance, maintenanceRiskLimit } }: Market) {
  return {
    m0: new Decimal(maintenance.numerator.toString()).div(maintenance.denominator.toString()),
    rm: new Decimal(maintenanceRiskLimit.numerator.toString()).div(
      maintenanceRiskLimit.denominator.toString(),
    ),
  };
}
