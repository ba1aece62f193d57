import type { Approved, Command, PlaceCommand, Refusal, RefusalRule } from '../model/command.js';
import { type Grid, type Ticks, textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { rateNumber } from '../model/money.js';
import type { Exposure } from './exposure.js';
import type { Limits } from './limits.js';

/** What the gate knows besides the order itself; all of it as of the event being decided. */
export interface GateState {
  readonly exposure: Pick<Exposure, 'position' | 'workingBuys' | 'workingSells' | 'openOrders'>;
  /** Last trade's price, ticks; what a market order's notional is judged by. */
  readonly lastTicks: Ticks | undefined;
  /** Cash, realised P&L and losses of the open position, quote units; undefined when the funds are not known. */
  readonly equity: number | undefined;
}

/**
 * The last check before a command leaves, in every mode: pair filters and risk limits. Pure. A command comes back as
 * approved, or as a refusal that names the rule and both numbers; nothing is dropped or changed.
 */
export function check(
  market: Market,
  limits: Limits,
  state: GateState,
  command: Command,
): Approved | Refusal {
  return command.kind === 'cancel'
    ? (command as Approved)
    : (checkPlace(market, limits, state, command) ?? (command as Approved));
}

export function isRefusal(verdict: Approved | Refusal): verdict is Refusal {
  return verdict.kind === 'refusal';
}

function checkPlace(
  market: Market,
  limits: Limits,
  state: GateState,
  command: PlaceCommand,
): Refusal | undefined {
  const { terms } = command;
  const { price, quantity, interest } = market.filters;
  const { priceGrid, quantityGrid } = market;
  const { ticks, lots } = terms;

  if (!market.active)
    return refuse(command, 'market-inactive', `${market.pair} must be active`, 'inactive', 'active');
  if (ticks !== undefined) {
    if (ticks % price.tickSize !== 0)
      return multiple(command, 'tick', 'price', priceGrid, ticks, price.tickSize);
    if (ticks < price.min) return atLeast(command, 'min-price', 'price', priceGrid, ticks, price.min);
    if (ticks > price.max) return atMost(command, 'max-price', 'price', priceGrid, ticks, price.max);
  }
  if (lots % quantity.step !== 0)
    return multiple(command, 'lot', 'quantity', quantityGrid, lots, quantity.step);
  if (lots < quantity.min || lots <= 0) {
    return atLeast(command, 'min-quantity', 'quantity', quantityGrid, lots, Math.max(1, quantity.min));
  }
  if (lots > quantity.max)
    return atMost(command, 'max-quantity', 'quantity', quantityGrid, lots, quantity.max);
  if (limits.maxOrderQuantity !== undefined && lots > limits.maxOrderQuantity) {
    return atMost(command, 'max-order-quantity', 'quantity', quantityGrid, lots, limits.maxOrderQuantity);
  }
  const { exposure } = state;
  if (limits.maxOpenOrders !== undefined && exposure.openOrders >= limits.maxOpenOrders) {
    const asked = String(exposure.openOrders + 1);
    const bound = String(limits.maxOpenOrders);
    return refuse(
      command,
      'max-open-orders',
      `open orders must be at most ${bound}, received ${asked}`,
      asked,
      bound,
    );
  }
  // A reduce-only order cannot make a position larger, so it always may leave.
  if (terms.reduceOnly) return undefined;

  const worst =
    terms.side === 'buy'
      ? Math.abs(exposure.position + exposure.workingBuys + lots)
      : Math.abs(exposure.position - exposure.workingSells - lots);
  if (worst > interest.max)
    return atMost(command, 'interest', 'resulting position', quantityGrid, worst, interest.max);
  if (worst !== 0 && worst < interest.min) {
    return atLeast(command, 'interest', 'resulting position', quantityGrid, worst, interest.min);
  }
  if (limits.maxPosition !== undefined && worst > limits.maxPosition && worst > Math.abs(exposure.position)) {
    return atMost(command, 'max-position', 'resulting position', quantityGrid, worst, limits.maxPosition);
  }
  return checkBalance(market, state, command, worst);
}

/**
 * Initial margin of the worst position on this side and the taker fee of what may trade, by the market's lowest
 * rates: an early no with both numbers. The venue's own admission is exact, and stricter for large positions.
 */
function checkBalance(
  market: Market,
  state: GateState,
  command: PlaceCommand,
  worst: number,
): Refusal | undefined {
  const { exposure, lastTicks, equity } = state;
  const { side, ticks, lots } = command.terms;
  const { priceGrid, quantityGrid } = market;
  const at = ticks ?? lastTicks;
  if (equity === undefined || at === undefined || worst <= Math.abs(exposure.position)) return undefined;
  const working = side === 'buy' ? exposure.workingBuys : exposure.workingSells;
  const lotPrice = at / (priceGrid.scale * quantityGrid.scale);
  const margin = worst * lotPrice * rateNumber(market.margin.initial);
  const fees = (working + lots) * lotPrice * Math.max(0, rateNumber(market.fees.taker));
  if (margin + fees <= equity) return undefined;
  const asked = round(margin + fees);
  const bound = round(equity);
  const position = textOf(quantityGrid, worst);
  return refuse(
    command,
    'balance',
    `margin and fee of a position of ${position} must be at most the equity of ${bound} ${market.quote}, received ${asked}`,
    asked,
    bound,
  );
}

function multiple(
  command: PlaceCommand,
  rule: RefusalRule,
  what: string,
  grid: Grid,
  value: number,
  step: number,
): Refusal {
  const asked = textOf(grid, value);
  const bound = textOf(grid, step);
  return refuse(command, rule, `${what} must be a multiple of ${bound}, received ${asked}`, asked, bound);
}

function atLeast(
  command: PlaceCommand,
  rule: RefusalRule,
  what: string,
  grid: Grid,
  value: number,
  min: number,
): Refusal {
  const asked = textOf(grid, value);
  const bound = textOf(grid, min);
  return refuse(command, rule, `${what} must be at least ${bound}, received ${asked}`, asked, bound);
}

function atMost(
  command: PlaceCommand,
  rule: RefusalRule,
  what: string,
  grid: Grid,
  value: number,
  max: number,
): Refusal {
  const asked = textOf(grid, value);
  const bound = textOf(grid, max);
  return refuse(command, rule, `${what} must be at most ${bound}, received ${asked}`, asked, bound);
}

function refuse(
  { intentId, pair, want }: PlaceCommand,
  rule: RefusalRule,
  text: string,
  asked: string,
  bound: string,
): Refusal {
  return { kind: 'refusal', intentId, pair, rule, asked, bound, reason: `${rule}: ${text}`, want };
}

function round(amount: number): string {
  return (Math.round(amount * 100) / 100).toFixed(2);
}
