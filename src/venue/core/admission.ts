import { type Grid, type Lots, textOf, type Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { type Money, moneyText } from '../../model/money.js';
import type { OrderTerms } from '../../model/order.js';
import type { Holding } from './account.js';
import { isClearlyAffordable } from './estimate.js';
import type { Ledger } from './ledger.js';
import { type OrderWeight, type Shortfall, shortfall, spotShortfall } from './margin.js';
import { refusalText } from './refusals.js';

const NO_EXCEPTIONS = {};

/**
 * Why an order's terms cannot be accepted, whatever the book holds; `undefined` when they can (`money.md` §3, steps 0–1).
 * `anyQuantity`: the bounds of the quantity do not apply, only its step.
 */
export function termsRefusal(
  market: Market,
  terms: OrderTerms,
  { anyQuantity = false }: { readonly anyQuantity?: boolean } = NO_EXCEPTIONS,
): string | undefined {
  const isMarket = terms.type === 'market';
  if (isMarket !== (terms.ticks === undefined)) {
    return refusalText('malformed', `price must be ${isMarket ? 'absent' : 'given'} for ${terms.type}`);
  }
  if (terms.postOnly && (isMarket || terms.timeInForce !== 'GTC')) {
    return refusalText('malformed', `post_only must not go with ${isMarket ? 'MARKET' : terms.timeInForce}`);
  }
  if (terms.reduceOnly && market.contract === 'spot') {
    return refusalText('malformed', `reduce_only must not go with ${market.pair}, which is spot`);
  }
  const { quantity } = market.filters;
  const { ticks, lots } = terms;
  if (ticks !== undefined) {
    const refusal = priceRefusal(market, ticks);
    if (refusal !== undefined) return refusal;
  }
  if (!isMultiple(lots, quantity.step)) {
    return offGrid(
      'quantityStep',
      textOrRaw(market.quantityGrid, lots),
      textOf(market.quantityGrid, quantity.step),
    );
  }
  const least = anyQuantity ? quantity.step : Math.max(quantity.min, quantity.step);
  if (lots < least || (lots > quantity.max && !anyQuantity)) {
    return outsideFilter('quantityRange', market.quantityGrid, lots, least, quantity.max);
  }
  return undefined;
}

/** A price must be a multiple of the tick and within the filter. `name`: the field, if it is not the order's price. */
export function priceRefusal(market: Market, ticks: Ticks, name?: string): string | undefined {
  const { priceGrid, filters } = market;
  const { tickSize, min, max } = filters.price;
  if (!isMultiple(ticks, tickSize)) {
    return offGrid('priceTick', textOrRaw(priceGrid, ticks), textOf(priceGrid, tickSize), name);
  }
  // A price of 0 would give the asset away, even if the filter allows it.
  const lowest = Math.max(min, tickSize);
  if (ticks >= lowest && ticks <= max) return undefined;
  return outsideFilter('priceRange', priceGrid, ticks, lowest, max, name);
}

/** The refusal of a printed price that lies between ticks of the grid. */
export function priceOffTick(market: Market, price: string): string {
  return offGrid('priceTick', price, textOf(market.priceGrid, market.filters.price.tickSize));
}

/** The refusal of a printed quantity that lies between steps of the grid. */
export function quantityOffStep(market: Market, quantity: string): string {
  return offGrid('quantityStep', quantity, textOf(market.quantityGrid, market.filters.quantity.step));
}

/** The largest position that the order and all working orders of its side could lead to must fit the interest filter. */
export function interestRefusal(holding: Holding, terms: OrderTerms): string | undefined {
  const { market } = holding.state;
  // A spot pair has no position.
  if (terms.reduceOnly || market.contract === 'spot') return undefined;
  const { interest } = market.filters;
  const position =
    terms.side === 'buy'
      ? holding.lots + holding.buyLots + terms.lots
      : holding.lots - holding.sellLots - terms.lots;
  const size = Math.abs(position);
  if (size <= interest.max && (size === 0 || size >= interest.min)) return undefined;
  return outsideFilter('interest', market.quantityGrid, position, interest.min, interest.max);
}

/**
 * Checks that depend on the moment at which an order enters the market: whether the market is active, the interest
 * filter, and the balance. Only customers have limits. `limit` undefined: a MARKET order without any price in the market,
 * which costs nothing and is canceled at once.
 */
export function admissionRefusal(
  holding: Holding,
  terms: OrderTerms,
  limit: Ticks | undefined,
  ledger: Ledger,
): string | undefined {
  const { market, isActive } = holding.state;
  if (!isActive) return refusalText('inactive', market.pair);
  if (!holding.account.isCustomer) return undefined;
  return (
    interestRefusal(holding, terms) ??
    (limit === undefined ? undefined : balanceRefusal(holding, terms, limit, ledger))
  );
}

/** Whether the account can pay for the order (`money.md` §3.2). */
function balanceRefusal(
  holding: Holding,
  { side, lots, reduceOnly }: OrderTerms,
  limitTicks: Ticks,
  ledger: Ledger,
): string | undefined {
  const order: OrderWeight = { side, lots, limitTicks };
  if (isClearlyAffordable(holding, order)) return undefined;
  const { account, state, base } = holding;
  const short =
    base === undefined
      ? shortfall(holding, order, {
          reduceOnly,
          fee: (filled: Lots) => ledger.fee(account, state, 'taker', state.amountOf(filled, limitTicks)),
        })
      : spotShortfall(holding, base, order);
  return short === undefined ? undefined : balanceText(short);
}

export function balanceText({ needs, available, cash, isIsolated = false }: Shortfall): string {
  const amount = (money: Money) => `${moneyText(money, cash.precision)} ${cash.asset}`;
  if (isIsolated) {
    const worth = `worth ${amount(-needs)} at the mark`;
    return refusalText(
      'balance',
      `filled at the worst price it allows, the isolated position would be ${worth}: a better limit price helps`,
    );
  }
  return refusalText('balance', `needs ${amount(needs)}, available ${amount(available)}`);
}

function isMultiple(steps: number, step: number): boolean {
  return Number.isSafeInteger(steps) && steps % step === 0;
}

function offGrid(rule: 'priceTick' | 'quantityStep', asked: string, step: string, name?: string): string {
  return refusalText(rule, `${label(name)}${asked} is not a multiple of ${step}`);
}

export function outsideFilter(
  rule: 'priceRange' | 'quantityRange' | 'iceberg' | 'interest',
  grid: Grid,
  asked: number,
  min: number,
  max: number,
  name?: string,
): string {
  return refusalText(
    rule,
    `${label(name)}${textOf(grid, asked)} is not within ${textOf(grid, min)} to ${textOf(grid, max)}`,
  );
}

function label(name: string | undefined): string {
  return name === undefined ? '' : `${name} `;
}

/** A number of steps that is not whole is printed as a decimal. */
function textOrRaw(grid: Grid, steps: number): string {
  return Number.isSafeInteger(steps) ? textOf(grid, steps) : String(steps / grid.scale);
}
