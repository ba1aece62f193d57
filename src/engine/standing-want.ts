/**
 * A want on the grid of its market: what the engine compares, hashes and works toward. Quantising never makes an
 * order larger or more aggressive than asked (bids down, asks up, targets toward zero).
 */
import type { Refusal } from '../model/command.js';
import { type DecimalSource, parseDecimal } from '../model/decimal.js';
import { exactSteps, type Grid, type Lots, type Ticks, textOf } from '../model/grid.js';
import type { HashChain } from '../model/hash-chain.js';
import type { Market } from '../model/market.js';
import { type OrderTerms, sameTerms, TRIGGER_EVENTS } from '../model/order.js';
import { isNothing, quantise } from '../model/quantise.js';
import { checkNumeric, checkOrder, checkQuote, checkWantKeys, notAWant } from '../strategy/check-want.js';
import type { OrderRequest, OrdersWant, QuoteSide, Want } from '../strategy/want.js';

export type StandingWant =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'position';
      readonly lots: Lots;
      /** Price of the order that waits at the venue to end the position; `undefined`: none does. */
      readonly stop: Ticks | undefined;
    }
  | { readonly kind: 'flat' }
  | { readonly kind: 'quote'; readonly bid: OrderTerms | undefined; readonly ask: OrderTerms | undefined }
  | { readonly kind: 'orders'; readonly orders: readonly OrderTerms[] };

export const NO_WANT: StandingWant = { kind: 'none' };
export const FLAT_WANT: StandingWant = { kind: 'flat' };

const NO_QUOTE: StandingWant = { kind: 'quote', bid: undefined, ask: undefined };

/** A part of a want that this market cannot take at all: the core of a refusal. */
export type Misfit = Pick<Refusal, 'rule' | 'asked' | 'bound' | 'reason'>;

/** Quantises the wants for one market. Remembers the last quantities, since strategies mostly repeat them. */
export class Quantiser {
  readonly #market: Market;
  // NaN equals nothing, so the first quantity never matches.
  #quoted: DecimalSource = Number.NaN;
  #quotedLots = 0;
  #target: DecimalSource = Number.NaN;
  #targetLots = 0 as Lots;

  constructor(market: Market) {
    this.#market = market;
  }

  /**
   * Puts a want on the grid. Hands misfits to `refuse` and returns the rest of the want; `undefined`: nothing is left.
   *
   * @throws StrategyError for a value that is not a want.
   */
  stand(given: Want, refuse: (misfit: Misfit) => void): StandingWant | undefined {
    // A strategy may be untyped JavaScript, so the value may be anything.
    const want = given as Want | null;
    switch (want?.kind) {
      case 'position': {
        const lots = this.#targetOf(want.quantity, refuse);
        if (lots === undefined) return undefined;
        if (want.stop === undefined || lots === 0) {
          // `holdPosition` always gives this key. Without it somebody wrote the want, and may have misspelt it.
          if (!('stop' in want)) checkWantKeys(want);
          return { kind: 'position', lots, stop: undefined };
        }
        const stop = this.#stopOf(want.stop, lots, refuse);
        // A position whose stop does not fit is not wanted without it.
        return stop === undefined ? undefined : { kind: 'position', lots, stop };
      }
      case 'flat':
        return FLAT_WANT;
      case 'quote': {
        checkQuote(want, 'kind');
        const bid = want.bid && this.#quoteTerms('buy', want.bid, refuse);
        const ask = want.ask && this.#quoteTerms('sell', want.ask, refuse);
        const crosses = bid?.ticks !== undefined && ask?.ticks !== undefined && bid.ticks >= ask.ticks;
        if (!crosses) return { kind: 'quote', bid, ask };
        refuse(crossed(this.#market, bid.ticks, ask.ticks));
        // Nobody knows which of the two is wrong, and the quote before it is not wanted any more.
        return NO_QUOTE;
      }
      case 'orders':
        return {
          kind: 'orders',
          orders: listOf(want).flatMap((request) => this.exact(request, refuse) ?? []),
        };
      default:
        throw notAWant(given);
    }
  }

  /**
   * The terms exactly as asked; a price or quantity off the grid
   * is a misfit. @throws StrategyError for what is not an order
   */
  exact(request: OrderRequest, refuse: (misfit: Misfit) => void): OrderTerms | undefined {
    checkOrder(request);
    const { priceGrid, quantityGrid } = this.#market;
    const lots = gridSteps(quantityGrid, request.quantity, 'lot', 'quantity', refuse);
    if (lots === undefined) return undefined;
    let ticks: number | undefined;
    if (request.price !== undefined) {
      ticks = gridSteps(priceGrid, request.price, 'tick', 'price', refuse);
      if (ticks === undefined) return undefined;
    }
    return {
      side: request.side,
      type: ticks === undefined ? 'market' : 'limit',
      ticks: ticks as Ticks | undefined,
      lots: lots as Lots,
      timeInForce: request.timeInForce ?? (ticks === undefined ? 'IOC' : 'GTC'),
      postOnly: request.postOnly ?? false,
      reduceOnly: request.reduceOnly ?? false,
      trigger: undefined,
    };
  }

  #targetOf(quantity: DecimalSource, refuse: (misfit: Misfit) => void): Lots | undefined {
    if (quantity === this.#target) return this.#targetLots;
    const { quantityGrid, filters } = this.#market;
    const lots = quantise(quantityGrid, filters.quantity.step, quantity, 'toward-zero');
    if (Number.isNaN(lots)) {
      refuse(notANumber('target position', quantity));
      return undefined;
    }
    if (lots === 0 && !isNothing(quantityGrid, filters.quantity.step, quantity)) {
      const asked = String(quantity);
      const bound = textOf(quantityGrid, filters.quantity.step);
      const reason = `target-below-lot: target position must be at least ${bound}, received ${asked}`;
      refuse({ rule: 'target-below-lot', asked, bound, reason });
    }
    this.#target = quantity;
    this.#targetLots = lots as Lots;
    return this.#targetLots;
  }

  /** Rounded towards the market, so that it is never hit later than asked for. */
  #stopOf(stop: DecimalSource, lots: Lots, refuse: (misfit: Misfit) => void): Ticks | undefined {
    const { priceGrid, filters } = this.#market;
    const { tickSize, min, max } = filters.price;
    const ticks = quantise(priceGrid, tickSize, stop, lots > 0 ? 'up' : 'down');
    if (Number.isNaN(ticks)) {
      refuse(notANumber('stop', stop));
      return undefined;
    }
    if (ticks >= min && ticks <= max) return ticks as Ticks;
    const isBelow = ticks < min;
    const bound = textOf(priceGrid, isBelow ? min : max);
    const asked = String(stop);
    refuse({
      rule: isBelow ? 'min-price' : 'max-price',
      asked,
      bound,
      reason: `${isBelow ? 'min-price' : 'max-price'}: stop must be at ${isBelow ? 'least' : 'most'} ${bound}, received ${asked}`,
    });
    return undefined;
  }

  #quoteTerms(side: 'buy' | 'sell', { price, quantity }: QuoteSide, refuse: (misfit: Misfit) => void) {
    const { priceGrid, quantityGrid, filters } = this.#market;
    const ticks = quantise(priceGrid, filters.price.tickSize, price, side === 'buy' ? 'down' : 'up');
    if (quantity !== this.#quoted) {
      this.#quotedLots = quantise(quantityGrid, filters.quantity.step, quantity, 'down');
      this.#quoted = quantity;
    }
    const lots = this.#quotedLots;
    if (Number.isNaN(ticks) || Number.isNaN(lots)) {
      refuse(notANumber(`${side} quote`, Number.isNaN(ticks) ? price : quantity));
      return undefined;
    }
    const terms: OrderTerms = {
      side,
      type: 'limit',
      ticks: ticks as Ticks,
      lots: lots as Lots,
      timeInForce: 'GTC',
      postOnly: true,
      reduceOnly: false,
      trigger: undefined,
    };
    return terms;
  }
}

/** @throws StrategyError when `orders` is not an array */
function listOf(want: OrdersWant): OrdersWant['orders'] {
  const { orders } = want;
  if (!Array.isArray(orders)) throw notAWant(want);
  return orders as OrdersWant['orders'];
}

function gridSteps(
  grid: Grid,
  value: DecimalSource,
  rule: 'tick' | 'lot',
  what: string,
  refuse: (misfit: Misfit) => void,
): number | undefined {
  const steps = exactSteps(grid, value);
  // Off the grid is a number that ends between its steps; one that is on it lacks steps for being too large.
  if (steps === undefined && parseDecimal(value)?.times(grid.scale).isInteger() !== false)
    refuse(notANumber(what, value));
  else if (steps === undefined) {
    const asked = String(value);
    const bound = textOf(grid, 1);
    refuse({
      rule,
      asked,
      bound,
      reason: `${rule}: ${what} must be a multiple of ${bound}, received ${asked}`,
    });
  }
  return steps;
}

/** @throws StrategyError for a value of another type: only a number can be wrong, or missing, by chance. */
function notANumber(what: string, value: DecimalSource): Misfit {
  checkNumeric(what, value);
  const asked = String(value);
  const bound = 'a finite plain decimal';
  const reason = `not-a-number: ${what} must be ${bound} (no exponent) in the exact range, received ${asked}`;
  return { rule: 'not-a-number', asked, bound, reason };
}

/** Its sides would trade with each other, or be rejected: post-only orders of one account. */
function crossed({ priceGrid }: Market, bid: Ticks, ask: Ticks): Misfit {
  const asked = textOf(priceGrid, bid);
  const bound = textOf(priceGrid, ask);
  const reason = `crossed-quote: the bid must be below the ask, ${bound}, received ${asked}`;
  return { rule: 'crossed-quote', asked, bound, reason };
}

export function sameWant(a: StandingWant, b: StandingWant): boolean {
  switch (a.kind) {
    case 'none':
    case 'flat':
      return a.kind === b.kind;
    case 'position':
      return b.kind === 'position' && a.lots === b.lots && a.stop === b.stop;
    case 'quote':
      return b.kind === 'quote' && sameSide(a.bid, b.bid) && sameSide(a.ask, b.ask);
    case 'orders':
      return (
        b.kind === 'orders' &&
        a.orders.length === b.orders.length &&
        a.orders.every((terms, i) => sameTerms(terms, b.orders[i] as OrderTerms))
      );
  }
}

function sameSide(a: OrderTerms | undefined, b: OrderTerms | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameTerms(a, b);
}

/** Feeds a want into a hash chain, so that equal wants and only those give equal records. */
export function hashWant(chain: HashChain, want: StandingWant): void {
  // Literal codes: looking them up by kind would be the slowest step of the hash.
  switch (want.kind) {
    case 'none':
      chain.integer(0);
      return;
    case 'position':
      if (want.stop === undefined) chain.integer(1).integer(want.lots);
      else chain.integer(5).integer(want.lots).integer(want.stop);
      return;
    case 'flat':
      chain.integer(2);
      return;
    case 'quote':
      chain.integer(3);
      hashSide(chain, want.bid);
      hashSide(chain, want.ask);
      return;
    case 'orders':
      chain.integer(4).integer(want.orders.length);
      for (const terms of want.orders) hashTerms(chain, terms);
  }
}

function hashSide(chain: HashChain, terms: OrderTerms | undefined): void {
  if (terms === undefined) chain.integer(-1);
  else hashTerms(chain, terms);
}

export function hashTerms(chain: HashChain, terms: OrderTerms): void {
  const flags =
    (terms.side === 'buy' ? 0 : 1) +
    (terms.type === 'limit' ? 0 : 2) +
    (terms.postOnly ? 4 : 0) +
    (terms.reduceOnly ? 8 : 0) +
    (terms.timeInForce === 'GTC' ? 0 : terms.timeInForce === 'IOC' ? 16 : 32) +
    (terms.trigger === undefined ? 0 : 64);
  chain
    .integer(flags)
    .integer(terms.ticks ?? -1)
    .integer(terms.lots);
  if (terms.trigger !== undefined) {
    chain.integer(terms.trigger.ticks).integer(TRIGGER_EVENTS.indexOf(terms.trigger.event));
  }
}
