import { type Grid, type Lots, textOf, type Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { type Money, moneyText } from '../../model/money.js';
import type { OrderTerms } from '../../model/order.js';
import type { Holding } from './account.js';
import { isClearlyAffordable } from './estimate.js';
import type { Ledger } from './ledger.js';
import { type OrderWeight, shortfall } from './margin.js';
import { refusalText } from './refusals.js';

/** Why an order cannot be accepted, whatever the book says; `undefined` when it can (`money.md` §3, steps 0–1). */
export function termsRefusal(market: Market, terms: OrderTerms): string | undefined {
  if (!market.active) return refusalText('inactive', market.pair);
  const isMarket = terms.type === 'market';
  if (isMarket !== (terms.ticks === undefined)) {
    return refusalText('malformed', `price must be ${isMarket ? 'absent' : 'given'} for ${terms.type}`);
  }
  if (terms.postOnly && (isMarket || terms.timeInForce !== 'GTC')) {
    return refusalText('malformed', `post_only must not go with ${isMarket ? 'MARKET' : terms.timeInForce}`);
  }
  const { price, quantity } = market.filters;
  const { ticks, lots } = terms;
  if (ticks !== undefined) {
    if (!isMultiple(ticks, price.tickSize)) {
      return offGrid(
        'priceTick',
        textOrRaw(market.priceGrid, ticks),
        textOf(market.priceGrid, price.tickSize),
      );
    }
    // A price of 0 would make a free trade, whatever the filter says.
    const lowest = Math.max(price.min, price.tickSize);
    if (ticks < lowest || ticks > price.max) {
      return outside('priceRange', market.priceGrid, ticks, lowest, price.max);
    }
  }
  if (!isMultiple(lots, quantity.step)) {
    return offGrid(
      'quantityStep',
      textOrRaw(market.quantityGrid, lots),
      textOf(market.quantityGrid, quantity.step),
    );
  }
  const least = Math.max(quantity.min, quantity.step);
  if (lots < least || lots > quantity.max) {
    return outside('quantityRange', market.quantityGrid, lots, least, quantity.max);
  }
  return undefined;
}

/** The refusal of a price as printed that is on no tick at all. */
export function priceOffTick(market: Market, price: string): string {
  return offGrid('priceTick', price, textOf(market.priceGrid, market.filters.price.tickSize));
}

/** The refusal of a quantity as printed that is on no step at all. */
export function quantityOffStep(market: Market, quantity: string): string {
  return offGrid('quantityStep', quantity, textOf(market.quantityGrid, market.filters.quantity.step));
}

/** The position that an order could lead to with everything that works on its side must fit the interest filter. */
export function interestRefusal(holding: Holding, terms: OrderTerms): string | undefined {
  if (terms.reduceOnly) return undefined;
  const { market } = holding.state;
  const { interest } = market.filters;
  const position =
    terms.side === 'buy'
      ? holding.lots + holding.buyLots + terms.lots
      : holding.lots - holding.sellLots - terms.lots;
  const size = Math.abs(position);
  if (size <= interest.max && (size === 0 || size >= interest.min)) return undefined;
  return outside('interest', market.quantityGrid, position, interest.min, interest.max);
}

/** Whether the account can pay for the order (`money.md` §3.2). */
export function balanceRefusal(
  holding: Holding,
  { side, lots, reduceOnly }: OrderTerms,
  limitTicks: Ticks,
  ledger: Ledger,
): string | undefined {
  const order: OrderWeight = { side, lots, limitTicks };
  if (isClearlyAffordable(holding, order)) return undefined;
  const { account, state } = holding;
  const { market } = state;
  const short = shortfall(holding, order, {
    reduceOnly,
    fee: (filled: Lots) => ledger.fee(account, state, 'taker', state.amountOf(filled, limitTicks)),
  });
  if (short === undefined) return undefined;
  const amount = (money: Money) => `${moneyText(money, market.quotePrecision)} ${market.quote}`;
  return refusalText('balance', `needs ${amount(short.needs)}, available ${amount(short.available)}`);
}

function isMultiple(steps: number, step: number): boolean {
  return Number.isSafeInteger(steps) && steps % step === 0;
}

function offGrid(rule: 'priceTick' | 'quantityStep', asked: string, step: string): string {
  return refusalText(rule, `${asked} is not a multiple of ${step}`);
}

function outside(
  rule: 'priceRange' | 'quantityRange' | 'interest',
  grid: Grid,
  asked: number,
  min: number,
  max: number,
): string {
  return refusalText(
    rule,
    `${textOf(grid, asked)} is not within ${textOf(grid, min)} to ${textOf(grid, max)}`,
  );
}

/** Steps that are no whole number are shown as they are. */
function textOrRaw(grid: Grid, steps: number): string {
  return Number.isSafeInteger(steps) ? textOf(grid, steps) : String(steps / grid.scale);
}
