/**
 * A linear position in exact money (`money.md` §5): its size, the signed cost of the open part, and the realised P&L. The
 * average entry is cost / size; it is computed for display and never stored.
 */
import { Decimal } from './decimal.js';
import type { Fill } from './fill.js';
import { type Lots, NO_LOTS, stepsNear, type Ticks } from './grid.js';
import { type Market, notional, worthAt } from './market.js';
import {
  type Amount,
  amountOfMoney,
  differenceOf,
  divHalfEven,
  type Money,
  moneyOfAmount,
  sumOf,
} from './money.js';
import { type Side, signOf } from './side.js';
import type { PositionRecord } from './venue-records.js';

/**
 * The parts of a position. Money in units of the quote asset, signed as on the wire: fees and funding that we paid are
 * negative.
 */
export interface PositionParts {
  /** Signed: negative is short. */
  readonly lots: Lots;
  /** Signed sum of quantity × price of the open part. */
  readonly cost: Money;
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
}

/**
 * A position. Every fill makes a new one, so the amounts are kept in the form that is cheapest to add to (`Amount`) and
 * converted to `Money` by the getters. They are private fields: spreading would lose them, so `{ ...position }` does not
 * type-check as a Position.
 */
export class Position implements PositionParts {
  readonly lots: Lots;
  readonly #cost: Amount;
  readonly #realised: Amount;
  readonly #fees: Amount;
  readonly funding: Money;

  constructor(lots: Lots, cost: Amount, realised: Amount, fees: Amount, funding: Money) {
    this.lots = lots;
    this.#cost = cost;
    this.#realised = realised;
    this.#fees = fees;
    this.funding = funding;
  }

  static of({ lots, cost, realised, fees, funding }: PositionParts): Position {
    return new Position(lots, amountOfMoney(cost), amountOfMoney(realised), amountOfMoney(fees), funding);
  }

  get cost(): Money {
    return moneyOfAmount(this.#cost);
  }

  get realised(): Money {
    return moneyOfAmount(this.#realised);
  }

  get fees(): Money {
    return moneyOfAmount(this.#fees);
  }

  get costAmount(): Amount {
    return this.#cost;
  }

  get realisedAmount(): Amount {
    return this.#realised;
  }

  get feesAmount(): Amount {
    return this.#fees;
  }

  /** Cash that the position has brought so far: realised + fees + funding. */
  get settledAmount(): Amount {
    const net = sumOf(this.#realised, this.#fees);
    return this.funding === 0n ? net : sumOf(net, amountOfMoney(this.funding));
  }

  /** The same position with this much more funding received. */
  withFunding(received: Money): Position {
    return new Position(this.lots, this.#cost, this.#realised, this.#fees, this.funding + received);
  }
}

export const FLAT = new Position(NO_LOTS, 0, 0, 0, 0n);

/** Result of one execution on (size, cost): the execution first closes, and the rest opens at the fill's price. */
export interface Execution {
  readonly lots: Lots;
  readonly cost: Money;
  /** Realised P&L of the closing part, before fees. */
  readonly realised: Money;
}

/**
 * `money.md` §5. Closing c of |s| lots takes K·c/|s| out of the cost K, half-even to the unit; the rounding residue stays
 * in the cost.
 */
export function execute(
  market: Market,
  lots: Lots,
  cost: Money,
  execution: { readonly side: Side; readonly lots: Lots; readonly ticks: Ticks },
): Execution {
  const signed = signOf(execution.side) * execution.lots;
  if (lots === 0 || lots > 0 === signed > 0) {
    const amount = notional(market, signed as Lots, execution.ticks);
    return { lots: (lots + signed) as Lots, cost: cost + amount, realised: 0n };
  }
  // Most closing executions close the whole position. Then there is no division and no residue.
  if (lots + signed === 0) {
    return { lots: NO_LOTS, cost: 0n, realised: -notional(market, signed as Lots, execution.ticks) - cost };
  }
  const price = BigInt(execution.ticks) * market.unitsPerTickLot;
  const held = Math.abs(lots);
  const closing = Math.min(execution.lots, held);
  const costOut = closing === held ? cost : divHalfEven(cost * BigInt(closing), BigInt(held));
  const signedClosing = signOf(execution.side) * closing;
  const realised = -BigInt(signedClosing) * price - costOut;
  const opening = signed - signedClosing;
  return {
    lots: (lots + signed) as Lots,
    cost: cost - costOut + BigInt(opening) * price,
    realised,
  };
}

export function applyFill(market: Market, position: Position, fill: Fill): Position {
  const { lots: before, costAmount: cost, realisedAmount, funding } = position;
  const fees = differenceOf(position.feesAmount, fill.feeAmount ?? fill.fee);
  const signed = signOf(fill.side) * fill.lots;
  const amount = signed * fill.ticks * market.tickLotUnits;
  // Nearly every fill opens, enlarges or closes a position with numbers that doubles hold exactly: no bigint is needed.
  if (typeof cost === 'number' && Number.isSafeInteger(amount)) {
    if (before === 0 || before > 0 === signed > 0) {
      return new Position((before + signed) as Lots, sumOf(cost, amount), realisedAmount, fees, funding);
    }
    if (before + signed === 0) {
      const realised = sumOf(realisedAmount, differenceOf(-amount, cost));
      return new Position(NO_LOTS, 0, realised, fees, funding);
    }
  }
  const moved = execute(market, before, moneyOfAmount(cost), fill);
  const realised = sumOf(realisedAmount, amountOfMoney(moved.realised));
  return new Position(moved.lots, amountOfMoney(moved.cost), realised, fees, funding);
}

/**
 * Signed lots of a position as the venue printed it; `undefined` when the size is off the grid or contradicts
 * `direction`.
 */
export function positionLots(
  { quantityGrid }: Market,
  { size, direction }: Pick<PositionRecord, 'size' | 'direction'>,
): Lots | undefined {
  // Float noise around a flat position has a sign and can round to −0: neither belongs to the position.
  const lots = stepsNear(quantityGrid, size) + 0;
  const contradicts = lots !== 0 && direction !== undefined && lots > 0 !== (direction === 'buy');
  return Number.isNaN(lots) || contradicts ? undefined : (lots as Lots);
}

/** Unrealised P&L: size × mark − cost. */
export function unrealised(market: Market, position: Pick<Position, 'lots' | 'cost'>, mark: Ticks): Money {
  return BigInt(position.lots) * BigInt(mark) * market.unitsPerTickLot - position.cost;
}

/** What the position has brought in cash: realised + fees + funding. */
export function settled(position: Position): Money {
  return moneyOfAmount(position.settledAmount);
}

/** Realised + unrealised + fees + funding (wire: stats.pnl). */
export function totalPnl(market: Market, position: Position, mark: Ticks): Money {
  return position.realised + unrealised(market, position, mark) + position.fees + position.funding;
}

/** `totalPnl` at a printed price, which may lie between two ticks. */
export function totalPnlAt(market: Market, position: Position, price: number): Money {
  return settled(position) + worthAt(market, position.lots, price) - position.cost;
}

/** cost / size in quote units; `undefined` when flat. */
export function averageEntry(market: Market, position: Pick<Position, 'lots' | 'cost'>): Decimal | undefined {
  if (position.lots === 0) return undefined;
  const unitsPerTick = new Decimal(position.lots).times(market.unitsPerTickLot.toString());
  return new Decimal(position.cost.toString()).div(unitsPerTick).div(market.priceGrid.scale);
}
