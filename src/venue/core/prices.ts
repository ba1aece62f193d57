import { UsageError } from '../../model/errors.js';
import type { Ticks } from '../../model/grid.js';
import type { Market, PricingRules } from '../../model/market.js';
import { divHalfEven, type Rate } from '../../model/money.js';
import { type Fraction, larger, scaled, smaller, ticksOf } from './fraction.js';

/**
 * Resolution of averages and premiums: 10^-18 of a tick, or of 1. Each division is rounded half-even to it in integers,
 * so every machine gets the same digits. An average over n periods forgets its rounding errors, so its error stays below
 * n/4 of this. A mark is therefore the same tick as with exact fractions, unless these are within 10^-15 of a tick of the
 * middle between two ticks.
 */
const FINE = 10n ** 18n;

/** Inputs of a market's prices. */
export interface PriceSource {
  /** Average prices of selling and of buying fair_qty at once; `undefined` while a side of the book shows less. */
  readonly impact: () => Impact | undefined;
  /** Price of the last print, on the tick. */
  readonly last: () => Ticks | undefined;
}

export interface Impact {
  readonly bestBid: Ticks;
  readonly bestAsk: Ticks;
  /** In ticks. */
  readonly bid: Fraction;
  readonly ask: Fraction;
}

/** Premiums (m − I)/I at the index updates since the last funding. `sum` is in 10^-18. */
export interface Premiums {
  readonly sum: bigint;
  readonly count: number;
}

/** Index, fair and mark price of one market (`money.md` §2) as of the last index update. */
export class MarketPrices {
  readonly #rules: PricingRules;
  readonly #tickSize: number;
  readonly #source: PriceSource;
  /** Average of fair − index, in 10^-18 of a tick. */
  #delta = 0n;
  #given: Ticks | undefined = undefined;
  #told: Ticks | undefined = undefined;
  #index: Ticks | undefined = undefined;
  #fair: Ticks | undefined = undefined;
  /** The inputs of the present index and fair price: most updates find the same ones. */
  #known: Ticks | undefined = undefined;
  #impact: Impact | undefined = undefined;
  /** Lowest and highest mark for the present index; in ticks. */
  #bounds: readonly [least: Fraction, most: Fraction] | undefined = undefined;
  #mark: Ticks | undefined = undefined;
  #premiumSum = 0n;
  #premiumCount = 0;

  constructor(market: Market, source: PriceSource) {
    assertPriced(market);
    this.#rules = market.pricing;
    this.#tickSize = market.filters.price.tickSize;
    this.#source = source;
  }

  get index(): Ticks | undefined {
    return this.#index;
  }

  /** `undefined` while a side of the book shows less than fair_qty. */
  get fair(): Ticks | undefined {
    return this.#fair;
  }

  get mark(): Ticks | undefined {
    return this.#mark;
  }

  get premiums(): Premiums {
    return { sum: this.#premiumSum, count: this.#premiumCount };
  }

  /** The source of the index: the given one, else what the market's driver told, else the last print. `undefined` before any. */
  get known(): Ticks | undefined {
    return this.#given ?? this.#told ?? this.#source.last();
  }

  /** Sets the index from outside, from the next update on; `undefined`: back to the market's own. */
  give(index: Ticks | undefined): void {
    this.#given = index;
  }

  /** Sets the index of the market's driver, from the next update on; a given one counts before it. */
  tell(index: Ticks): void {
    this.#told = index;
  }

  /** To be called when an index update is due. False when there is no price yet. */
  update(): boolean {
    const { known } = this;
    if (known === undefined) return false;
    if (this.#index === undefined || known !== this.#known) {
      this.#index = this.#onTick({ numerator: BigInt(known), denominator: 1n });
      this.#known = known;
      this.#bounds = undefined;
    }
    const index = this.#index;
    const impact = this.#source.impact();
    if (impact === undefined) this.#fair = undefined;
    else if (!isSame(impact, this.#impact))
      this.#fair = this.#onTick(fairPrice(impact, this.#rules.fairMultiplier));
    this.#impact = impact;
    if (this.#fair !== undefined) {
      const gap = BigInt(this.#fair - index) * FINE - this.#delta;
      this.#delta += divHalfEven(2n * gap, BigInt(this.#rules.markEmaRange + 1));
    }
    this.#bounds ??= boundsAround(index, this.#rules.markMaxDeviation);
    this.#mark = this.#onTick(markPrice(index, this.#delta, this.#bounds));
    this.#premiumSum += divHalfEven(BigInt(this.#mark - index) * FINE, BigInt(index));
    this.#premiumCount++;
    return true;
  }

  /** Returns the premiums of the funding period that is over, and begins the next one. */
  takePremiums(): Premiums {
    const { premiums } = this;
    this.#premiumSum = 0n;
    this.#premiumCount = 0;
    return premiums;
  }

  /** Rounded half-even, and never below a tick, because no price may be 0. */
  #onTick(price: Fraction): Ticks {
    return ticksOf(price, this.#tickSize);
  }
}

/** The mean of the premiums; `undefined` without any. */
export function meanPremium({ sum, count }: Premiums): Fraction | undefined {
  return count === 0 ? undefined : { numerator: sum, denominator: BigInt(count) * FINE };
}

/** Mean of the impact prices, each limited to `multiplier` beyond the best price; in ticks. */
export function fairPrice({ bestBid, bestAsk, bid, ask }: Impact, multiplier: Rate): Fraction {
  const least = scaled(bestBid, { ...multiplier, numerator: -multiplier.numerator });
  const most = scaled(bestAsk, multiplier);
  const low = larger(bid, least);
  const high = smaller(ask, most);
  return {
    numerator: low.numerator * high.denominator + high.numerator * low.denominator,
    denominator: 2n * low.denominator * high.denominator,
  };
}

/** I + δ, limited to I × (1 ± deviation); in ticks. */
function markPrice(index: Ticks, delta: bigint, [least, most]: readonly [Fraction, Fraction]): Fraction {
  const exact = { numerator: BigInt(index) * FINE + delta, denominator: FINE };
  return smaller(larger(exact, least), most);
}

function boundsAround(index: Ticks, deviation: Rate): readonly [least: Fraction, most: Fraction] {
  return [scaled(index, { ...deviation, numerator: -deviation.numerator }), scaled(index, deviation)];
}

/** Whether both give the same fair price. */
function isSame(one: Impact, other: Impact | undefined): boolean {
  return (
    other !== undefined &&
    one.bestBid === other.bestBid &&
    one.bestAsk === other.bestAsk &&
    one.bid.numerator === other.bid.numerator &&
    one.ask.numerator === other.ask.numerator &&
    one.bid.denominator === other.bid.denominator &&
    one.ask.denominator === other.ask.denominator
  );
}

function assertPriced({ pair, pricing, funding }: Market): void {
  const { indexIntervalMs, markEmaRange, markMaxDeviation, fairMultiplier } = pricing;
  whole(pair, 'index_price_update_interval', indexIntervalMs);
  whole(pair, 'mark_price_ema_range', markEmaRange);
  whole(pair, 'funding_interval', funding.intervalMs);
  whole(pair, 'funding_time_window', funding.timeWindowMs);
  for (const [name, rate] of [
    ['mark_price_max_deviation', markMaxDeviation],
    ['fair_multiplier', fairMultiplier],
  ] as const) {
    if (rate.numerator >= 0n && rate.numerator < rate.denominator) continue;
    throw new UsageError('TICKWRIGHT_E_MARKET', `${pair}: ${name} must be at least 0 and below 1`);
  }
}

function whole(pair: string, name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new UsageError(
    'TICKWRIGHT_E_MARKET',
    `${pair}: ${name} must be a whole number above 0, received ${value}`,
  );
}
