import type { Lots, Ticks } from '../../model/grid.js';
import type { Account, Holding } from './account.js';
import { compareFractions, type Fraction } from './fraction.js';
import { groupOf, positionOf } from './margin-group.js';
import type { OrderDesk } from './order-desk.js';

/** The provider comes after customers. The street comes last, because on a tape it stands for the market itself. */
const CLASSES = ['customer', 'provider', 'street'] as const;

/**
 * Closes a bankrupt position completely at `ticks` against holders of the other side, without fees. No customer may fall
 * below 0: `ticks` may be far from the mark if another position of the bankrupt group made the loss, so each customer
 * takes only what its equity pays for. The provider, who has no limits, takes the rest. `holders`: everybody who may have
 * a position on the market.
 */
export function deleverage(
  bankrupt: Holding,
  ticks: Ticks,
  market: {
    readonly holders: readonly Holding[];
    readonly provider: Holding;
    readonly accounts: readonly Account[];
    readonly desk: OrderDesk;
    readonly now: number;
  },
): void {
  const { provider, desk, now } = market;
  const isLong = bankrupt.lots > 0;
  const close = (other: Holding, most: number) => {
    const lots = Math.min(Math.abs(bankrupt.lots), most) as Lots;
    if (lots > 0) desk.transfer(bankrupt, other, { lots, ticks, kind: 'deleverage', now });
  };
  const others = market.holders.filter(({ lots }) => (isLong ? lots < 0 : lots > 0));
  for (const other of deleverageOrder(others, market.accounts)) close(other, affordableLots(other, ticks));
  close(provider, Number.POSITIVE_INFINITY);
}

/** How many lots of its position a holder can close at a price without going into debt. */
function affordableLots(holding: Holding, ticks: Ticks): number {
  const held = Math.abs(holding.lots);
  const position = positionOf(holding);
  if (!holding.account.isCustomer || position === undefined) return held;
  const { market } = holding.state;
  const worse = holding.lots > 0 ? position.mark - ticks : ticks - position.mark;
  if (worse <= 0) return held;
  const loss = BigInt(worse) * market.unitsPerTickLot;
  const { equity, scale, isolated } = groupOf(holding);
  let lots = equity <= 0n ? 0n : equity / (scale * loss);
  if (isolated !== undefined) {
    // A part of an isolated position must not realise more than the margin covers, whatever the rest has gained: M +
    // c·U/|s| ≥ c·loss.
    const size = BigInt(held);
    const lack = loss * size - position.upnl;
    if (lack > 0n) lots = least(lots, (isolated.margin * size) / lack);
  }
  const { step } = market.filters.quantity;
  const whole = lots >= BigInt(held) ? held : Number(lots);
  return whole - (whole % step);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * The holders of the other side in the order of deleveraging (`money.md` §8.4): customers, then the provider, then the
 * street; within each class the highest score first, then the oldest account. `accounts`: all accounts, oldest first.
 */
function deleverageOrder(holders: Iterable<Holding>, accounts: readonly Account[]): Holding[] {
  const ages = new Map(accounts.map((account, age) => [account, age]));
  const ranked = [...holders].map((holding) => ({
    holding,
    rank: CLASSES.findIndex((kind) => kind === holding.account.kind),
    score: deleverageScore(holding),
    age: ages.get(holding.account) ?? accounts.length,
  }));
  ranked.sort((a, b) => a.rank - b.rank || compareFractions(b.score, a.score) || a.age - b.age);
  return ranked.map(({ holding }) => holding);
}

/**
 * How much a position gains on its cost, times the leverage of its group when it gains, divided by it when it loses:
 * (U/k)·(N/E) or (U/k)/(N/E), exactly. A group's equity counts as at least one unit.
 */
export function deleverageScore(holding: Holding): Fraction {
  const position = positionOf(holding);
  if (position === undefined) return { numerator: 0n, denominator: 1n };
  const { equity, scale } = groupOf(holding);
  const { upnl, notional } = position;
  const worth = atLeastOne(equity / scale);
  const cost = atLeastOne(holding.cost < 0n ? -holding.cost : holding.cost);
  return upnl > 0n
    ? { numerator: upnl * notional, denominator: cost * worth }
    : { numerator: upnl * worth, denominator: cost * atLeastOne(notional) };
}

function atLeastOne(units: bigint): bigint {
  return units < 1n ? 1n : units;
}
