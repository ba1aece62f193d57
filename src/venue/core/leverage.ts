import { type DecimalSource, parseDecimal } from '../../model/decimal.js';
import type { Market } from '../../model/market.js';
import { divCeil, divFloor, type Money, moneyOf, moneyText, type Rate, rateOf } from '../../model/money.js';
import type { Holding } from './account.js';
import { balanceText } from './admission.js';
import type { Change } from './commands.js';
import { marginAt } from './isolated-flow.js';
import { standing } from './margin.js';
import { positionOf } from './margin-group.js';
import { type Fine, initialMargin, type MarginRules } from './margin-rates.js';
import { refusalText } from './refusals.js';

const DONE: Change = { kind: 'done' };

/**
 * POST /leverage (`money.md` §6). Above 0: the pair becomes isolated at that leverage, and its position gets the required
 * margin from the cash. 0: back to cross.
 */
export function setLeverage(holding: Holding, leverage: DecimalSource): Change {
  const reason = contractOnly(holding.state.market, 'leverage');
  if (reason !== undefined) return refused(reason);
  const value = parseDecimal(leverage);
  if (value === undefined || value.lt(0) || (value.gt(0) && value.lt(1))) {
    return refused(
      refusalText('malformed', `leverage must be 0 or at least 1, received ${String(leverage)}`),
    );
  }
  return value.isZero() ? toCross(holding) : toIsolated(holding, rateOf(value));
}

/** POST /fund: moves cash W into the margin M of an isolated position. Its set leverage stays. */
export function fundMargin(holding: Holding, amount: DecimalSource): Change {
  const quantity = transferOf(holding, amount);
  if (typeof quantity === 'string') return refused(quantity);
  const { cash } = holding;
  const available = divFloor(standing(cash).available, cash.scale);
  if (quantity > available) return short(holding, quantity, available);
  cash.cash -= quantity;
  holding.margin += quantity;
  return DONE;
}

/** POST /draw: moves margin M into the cash W, as long as the rest covers the initial margin and the present loss. */
export function drawMargin(holding: Holding, amount: DecimalSource): Change {
  const quantity = transferOf(holding, amount);
  if (typeof quantity === 'string') return refused(quantity);
  const { cash } = holding;
  const spare = holding.margin - needOf(holding);
  if (quantity > spare) return short(holding, quantity, spare);
  holding.margin -= quantity;
  cash.cash += quantity;
  return DONE;
}

/** Whether the leverage is at most 1 / (i₀ + rᵢ · x), where x is the larger of notional and cost. */
function isWithinLeverage(rules: MarginRules, leverage: Rate, x: Money): boolean {
  return leverage.numerator * (rules.base + rules.slope * x) <= leverage.denominator * rules.scale;
}

function toIsolated(holding: Holding, leverage: Rate): Change {
  const { cash, state, cost } = holding;
  const held = cost < 0n ? -cost : cost;
  const notional = positionOf(holding)?.notional ?? 0n;
  const size = notional > held ? notional : held;
  if (!isWithinLeverage(state.rules, leverage, size)) {
    const most = Number(state.rules.scale) / Number(state.rules.base + state.rules.slope * size);
    return refused(
      refusalText(
        'leverage',
        `${textOfRate(leverage)} is above ${most.toFixed(4)} at a notional of ${moneyText(size, cash.precision)}`,
      ),
    );
  }
  const margin = marginAt(leverage, held);
  const difference = margin - holding.margin;
  const { available } = standing(cash);
  const units = divFloor(available, cash.scale);
  if (difference > units) return short(holding, difference, units);
  const before = { leverage: holding.leverage, margin: holding.margin, cash: cash.cash };
  holding.leverage = leverage;
  holding.margin = margin;
  cash.cash -= difference;
  const need = needOf(holding);
  // The remaining cash must cover the other positions and the working orders without this position's profit.
  const rest = standing(cash).available;
  if (margin >= need && rest >= 0n) return DONE;
  holding.leverage = before.leverage;
  holding.margin = before.margin;
  cash.cash = before.cash;
  return margin < need
    ? short(holding, need, margin)
    : short(holding, divCeil(available - rest, cash.scale), units);
}

function toCross(holding: Holding): Change {
  const { cash, leverage, margin } = holding;
  if (leverage === undefined) return DONE;
  holding.leverage = undefined;
  holding.margin = 0n;
  cash.cash += margin;
  const { equity, initial } = standing(cash);
  if (equity * cash.scale >= initial) return DONE;
  holding.leverage = leverage;
  holding.margin = margin;
  cash.cash -= margin;
  return short(holding, divCeil(initial, cash.scale), equity);
}

/** The least that M may be: im(N) as in cross plus the present loss, rounded up to a unit. */
function needOf(holding: Holding): Money {
  const position = positionOf(holding);
  if (position === undefined) return 0n;
  const { rules } = holding.state;
  const initial: Fine = initialMargin(rules, position.notional);
  return divCeil(initial, rules.scale) + (position.upnl < 0n ? -position.upnl : 0n);
}

/** The amount of a transfer of margin, or the text of a refusal. */
function transferOf(holding: Holding, amount: DecimalSource): Money | string {
  const { state, cash, leverage, lots } = holding;
  const reason = contractOnly(state.market, 'margin');
  if (reason !== undefined) return reason;
  const value = parseDecimal(amount);
  if (value === undefined || value.lte(0) || value.decimalPlaces() > cash.precision) {
    return refusalText(
      'malformed',
      `qty must be above 0 with at most ${cash.precision} digits after the point, received ${String(amount)}`,
    );
  }
  if (leverage === undefined || lots === 0) {
    return refusalText('notIsolated', `${state.market.pair} has no isolated position`);
  }
  return moneyOf(value, cash.precision);
}

function contractOnly({ pair, contract }: Market, what: string): string | undefined {
  if (contract === 'linear') return undefined;
  return refusalText('malformed', `${what} must be of a contract, received the ${contract} pair ${pair}`);
}

function short(holding: Holding, needs: Money, available: Money): Change {
  return refused(balanceText({ cash: holding.cash, needs, available }));
}

function refused(reason: string): Change {
  return { kind: 'refused', reason };
}

function textOfRate({ numerator, denominator }: Rate): string {
  return moneyText(numerator, denominator.toString().length - 1);
}
