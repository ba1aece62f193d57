import type { Lots, Ticks } from '../../model/grid.js';
import { divCeil, divFloor, feeOf, type Money } from '../../model/money.js';
import { execute, unrealised } from '../../model/position.js';
import type { Side } from '../../model/side.js';
import type { CashBalance, Holding } from './account.js';
import { isolatedFlow } from './isolated-flow.js';
import { type Fine, initialMarginAt } from './margin-rates.js';
import { baseUnits, spotLock } from './spot.js';

/** An order that is about to enter, as margin sees it. For a MARKET order, `limitTicks` is the edge of the band. */
export interface OrderWeight {
  readonly side: Side;
  readonly lots: Lots;
  readonly limitTicks: Ticks;
}

/** The margin account of an asset's cash. Fine amounts are in 1/`scale` of a unit. */
export interface Standing {
  readonly scale: bigint;
  /** ΣΛ: what working orders reserve, including those of isolated pairs and spot. */
  readonly reserved: Fine;
  /** Σ im(N) of the cross positions. */
  readonly initial: Fine;
  /** ΣU of the cross positions, units. */
  readonly upnl: Money;
  /** E = W + ΣU of the cross group, units. */
  readonly equity: Money;
  /** A = W − ΣΛ − Σ im(N) + min(0, ΣU). */
  readonly available: Fine;
}

/** A hypothetical change: another position and cash, or one further order. */
export interface Change {
  readonly holding: Holding;
  readonly position?: { readonly lots: Lots; readonly cost: Money; readonly cash: Money };
  readonly order?: OrderWeight;
}

/** `money.md` §3.2, exactly. */
export function standing(cash: CashBalance, change?: Change): Standing {
  const { scale } = cash;
  let reserved = 0n;
  let initial = 0n;
  let upnl = 0n;
  for (const holding of cash.holdings) {
    const own = change?.holding === holding ? change : undefined;
    const position = own?.position ?? holding;
    if (position.lots === 0 && holding.workingCount === 0 && own?.order === undefined) continue;
    const mark = holding.state.mark;
    const margin = pairMargin(holding, position.lots, own?.order);
    reserved += margin.reserved;
    // An isolated position has its own margin; neither it nor its P&L counts for the cash.
    if (holding.leverage !== undefined) continue;
    initial += margin.initial;
    // A position comes from a trade, so there is a mark.
    if (mark !== undefined) upnl += unrealised(holding.state.market, position, mark);
  }
  for (const holding of cash.spots) reserved += spotLock(holding, cash);
  const held = change?.position?.cash ?? cash.cash;
  const loss = upnl < 0n ? upnl : 0n;
  return {
    scale,
    reserved,
    initial,
    upnl,
    equity: held + upnl,
    available: (held + loss) * scale - reserved - initial,
  };
}

/** im(N) of a position of `lots`, and Λ, which the pair's working orders reserve in addition. */
export function pairMargin(
  holding: Holding,
  lots: Lots = holding.lots,
  extra?: OrderWeight,
): { readonly initial: Fine; readonly reserved: Fine } {
  const { rules, market, mark } = holding.state;
  const { leverage } = holding;
  const unit = market.unitsPerTickLot;
  const size = mark === undefined ? 0n : BigInt(Math.abs(lots)) * BigInt(mark) * unit;
  const initial = initialMarginAt(rules, leverage, size);
  const buys = openOrders(holding, 'buy', lots < 0 ? -lots : 0, extra);
  const sells = openOrders(holding, 'sell', lots > 0 ? lots : 0, extra);
  const long = initialMarginAt(rules, leverage, (lots > 0 ? size : 0n) + buys.open * unit);
  const short = initialMarginAt(rules, leverage, (lots < 0 ? size : 0n) + sells.open * unit);
  const worst = long > short ? long : short;
  const reserve = worst > initial ? worst - initial : 0n;
  const dearest = buys.total > sells.total ? buys.total : sells.total;
  return { initial, reserved: reserve + rules.fee * dearest * unit };
}

/**
 * Σ quantity × price of working orders in lots × ticks: in total, and without the part that would first close `skip` lots
 * of the position, with the dearest buys and the cheapest sells first. Sells count at the mark at least.
 */
function openOrders(
  holding: Holding,
  side: Side,
  skip: number,
  extra: OrderWeight | undefined,
): { open: bigint; total: bigint } {
  const orders: { readonly lots: number; readonly price: number }[] = [];
  const floor = side === 'sell' ? (holding.state.mark ?? 0) : 0;
  for (let order = holding.firstWorking; order !== undefined; order = order.nextWorking) {
    if (order.side !== side || order.terms.reduceOnly) continue;
    orders.push({ lots: order.leaves, price: Math.max(order.limitTicks, floor) });
  }
  if (extra?.side === side) orders.push({ lots: extra.lots, price: Math.max(extra.limitTicks, floor) });
  if (skip > 0) orders.sort(side === 'buy' ? (a, b) => b.price - a.price : (a, b) => a.price - b.price);
  let open = 0n;
  let total = 0n;
  for (const { lots, price } of orders) {
    const skipped = Math.min(skip, lots);
    skip -= skipped;
    total += BigInt(lots) * BigInt(price);
    open += BigInt(lots - skipped) * BigInt(price);
  }
  return { open, total };
}

/** What an order needs and what is available, in units, as a refusal prints them. */
export interface Shortfall {
  readonly cash: CashBalance;
  readonly needs: Money;
  readonly available: Money;
  /** Only the isolated position is short, whatever the account has beside it. */
  readonly isIsolated?: boolean;
}

/**
 * Whether an account can afford an order (`money.md` §3.2), exactly; `undefined` when it can. `fee`: the taker fee on a
 * complete fill.
 */
export function shortfall(
  holding: Holding,
  order: OrderWeight,
  { reduceOnly, fee }: { reduceOnly: boolean; fee: (lots: Lots) => Money },
): Shortfall | undefined {
  const { cash, state } = holding;
  const { market, mark } = state;
  const now = standing(cash);
  if (!reduceOnly) {
    const after = standing(cash, { holding, order });
    const worse =
      mark === undefined ? 0 : order.side === 'buy' ? order.limitTicks - mark : mark - order.limitTicks;
    const loss = worse > 0 ? BigInt(worse) * BigInt(order.lots) * market.unitsPerTickLot : 0n;
    const needs = after.reserved - now.reserved + loss * cash.scale;
    if (needs > now.available) return rounded(cash, needs, now.available);
  }
  const held = Math.abs(holding.lots);
  const closing = (order.side === 'buy') === holding.lots < 0 ? Math.min(order.lots, held) : 0;
  const lots = (reduceOnly ? closing : order.lots) as Lots;
  if (lots === 0) return undefined;
  const filled = execute(market, holding.lots, holding.cost, {
    side: order.side,
    lots,
    ticks: order.limitTicks,
  });
  const result = filled.realised - fee(lots);
  const { leverage } = holding;
  let change = result;
  if (leverage !== undefined) {
    const opening = state.amountOf((lots - closing) as Lots, order.limitTicks);
    const flow = isolatedFlow(holding.margin, leverage, { held, closing, opening, result });
    change = flow.cash;
    // First the equity of the isolated group itself; the cash comes next.
    const equity = mark === undefined ? flow.margin : flow.margin + unrealised(market, filled, mark);
    if (equity < 0n) return { cash, needs: -equity, available: 0n, isIsolated: true };
  }
  const then = standing(cash, {
    holding,
    position: { lots: filled.lots, cost: filled.cost, cash: cash.cash + change },
  });
  // Without any cross position left, equity equals the cash.
  if (then.equity < 0n) return { cash, needs: now.equity - then.equity, available: now.equity };
  if (lots > closing && then.available < 0n) {
    return rounded(cash, now.available - then.available, now.available);
  }
  return undefined;
}

/**
 * Like `shortfall`, for a spot order, which locks what it gives away: a buy the amount with its fee, a sell the quantity
 * (`money.md` §9).
 */
export function spotShortfall(
  holding: Holding,
  base: CashBalance,
  { side, lots, limitTicks }: OrderWeight,
): Shortfall | undefined {
  const { state } = holding;
  const cash = side === 'buy' ? holding.cash : base;
  const amount = state.amountOf(lots, limitTicks);
  const fee = max(0n, feeOf(state.market.fees.taker, amount));
  const needs = side === 'buy' ? amount + fee : baseUnits(holding, base, lots);
  const available = divFloor(standing(cash).available, cash.scale);
  if (needs > available) return { cash, needs, available };
  if (side === 'buy') return undefined;
  // A seller whose debt in the quote asset is larger than the proceeds would stay in debt.
  const { equity } = standing(holding.cash);
  return equity + amount < fee ? { cash: holding.cash, needs: fee - amount, available: equity } : undefined;
}

function rounded(cash: CashBalance, needs: Fine, available: Fine): Shortfall {
  return { cash, needs: divCeil(needs, cash.scale), available: divFloor(available, cash.scale) };
}

function max(a: Money, b: Money): Money {
  return a > b ? a : b;
}
