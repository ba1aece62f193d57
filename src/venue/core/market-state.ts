import { Decimal } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import { type Lots, stepsOf, type Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { Money, Rate } from '../../model/money.js';
import { amountOf, ceilQuotient, type FeeRule, feeRule, floorQuotient } from './amounts.js';
import { Candles } from './candles.js';
import type { EventPrices } from './event-prices.js';
import type { MarginRules } from './margin-rates.js';
import type { MarketPrices } from './prices.js';
import { TradeLog } from './trade-log.js';

/** Prices and public records of one market, which do not depend on the accounts. */
export class MarketState {
  market: Market;
  rules: MarginRules;
  /** The trading band as a fraction of the mark. */
  readonly band: Rate;
  /** Σ quantity × price of all orders that an account may have working is an exact double. */
  isNarrow: boolean;
  readonly unitsPerTickLotNumber: number;
  fees: { readonly maker: FeeRule; readonly taker: FeeRule };
  readonly trades: TradeLog;
  readonly candles = new Candles();
  /** Whether the market takes orders; starts with the market's own value. */
  isActive: boolean;
  /** Quote units; NaN before the first trade. */
  lastPrice = Number.NaN;
  previousPrice = Number.NaN;
  /** Base units; NaN before the first trade. */
  lastQuantity = Number.NaN;
  /** Index, fair and mark price; `undefined` where the mark is the one that was set, or else the last trade. */
  prices: MarketPrices | undefined = undefined;
  readonly #bandNumerator: number;
  readonly #bandDenominator: number;
  #mark: Ticks | undefined = undefined;
  /** Cache of the last price that was rounded to a mark, because one order asks for it several times. */
  #roundedPrice = Number.NaN;
  #rounded = 0 as Ticks;

  constructor(market: Market, rules: MarginRules, options: { band: Rate; keepTrades: number }) {
    this.market = market;
    this.isActive = market.active;
    this.rules = rules;
    this.band = options.band;
    this.#bandNumerator = Number(options.band.numerator);
    this.#bandDenominator = Number(options.band.denominator);
    if (options.band.numerator < 0n || options.band.numerator > options.band.denominator) {
      throw new UsageError(
        'TICKWRIGHT_E_BAND',
        `${market.pair}: the trading band must be a fraction from 0 to 1`,
      );
    }
    if (!Number.isSafeInteger(market.filters.price.max * 4 * this.#bandDenominator)) {
      throw new UsageError('TICKWRIGHT_E_BAND', `${market.pair}: the trading band must have fewer digits`);
    }
    this.trades = new TradeLog(options.keepTrades);
    this.fees = feesOf(market);
    this.unitsPerTickLotNumber = Number(market.unitsPerTickLot);
    this.isNarrow = isNarrow(market);
  }

  /**
   * Sets new filters, fees and funding rules, on the same grids. Margin rates stay those of the beginning, and working
   * orders are not checked again. The caller renews `rules`, because they depend on the asset's other markets.
   */
  turn(market: Market): void {
    this.market = Object.freeze({ ...market, margin: this.market.margin });
    this.isActive = market.active;
    this.fees = feesOf(market);
    this.isNarrow &&= isNarrow(market);
    this.#roundedPrice = Number.NaN;
  }

  /** The mark that was set, else the last trade; `undefined` before either. */
  get mark(): Ticks | undefined {
    return this.#mark ?? this.lastTicks;
  }

  /** The index price; without index prices, the last trade. */
  get index(): Ticks | undefined {
    return this.prices === undefined ? this.lastTicks : this.prices.index;
  }

  /** The last trade, rounded half-even to the tick; `undefined` before the first. */
  get lastTicks(): Ticks | undefined {
    const { lastPrice } = this;
    if (Number.isNaN(lastPrice)) return undefined;
    if (lastPrice !== this.#roundedPrice) {
      this.#roundedPrice = lastPrice;
      this.#rounded = roundedTicks(this.market, lastPrice);
    }
    return this.#rounded;
  }

  setMark(mark: Ticks | undefined): void {
    this.#mark = mark;
  }

  /** The highest price at which a buy may execute, given a mark (`money.md` §2); rounded inward to the filter's tick. */
  upperEdge(mark: Ticks): Ticks {
    const { tickSize } = this.market.filters.price;
    const edge = mark * (this.#bandDenominator + this.#bandNumerator);
    return (floorQuotient(edge, this.#bandDenominator * tickSize) * tickSize) as Ticks;
  }

  /** The lowest price at which a sell may execute, given a mark. */
  lowerEdge(mark: Ticks): Ticks {
    const { tickSize } = this.market.filters.price;
    const edge = mark * (this.#bandDenominator - this.#bandNumerator);
    return (ceilQuotient(edge, this.#bandDenominator * tickSize) * tickSize) as Ticks;
  }

  /** The prices that triggers watch. */
  get eventPrices(): EventPrices {
    const { mark, lastPrice, prices } = this;
    const last = Number.isNaN(lastPrice) ? undefined : lastPrice;
    const price = (ticks: Ticks | undefined) => (ticks === undefined ? undefined : this.priceOf(ticks));
    return { mark: price(mark), index: prices === undefined ? last : price(prices.index), last };
  }

  /** Publishes a trade: last price, candles, public record. */
  record(id: string | number, time: number, price: number, quantity: number, isBuyerMaker: boolean): void {
    this.previousPrice = this.lastPrice;
    this.lastPrice = price;
    this.lastQuantity = quantity;
    this.trades.push(id, time, price, quantity, isBuyerMaker);
    this.candles.add(time, price, quantity);
  }

  /** quantity × price in units of the quote asset; exact. */
  amountOf(lots: Lots, ticks: Ticks): Money {
    return amountOf(this.market, this.unitsPerTickLotNumber, lots, ticks);
  }

  /** `amountOf` as a double; NaN where that is not exact. */
  unitsOf(lots: Lots, ticks: Ticks): number {
    const units = lots * ticks * this.unitsPerTickLotNumber;
    return units <= Number.MAX_SAFE_INTEGER ? units : Number.NaN;
  }

  priceOf(ticks: Ticks): number {
    return ticks / this.market.priceGrid.scale;
  }

  quantityOf(lots: Lots): number {
    return lots / this.market.quantityGrid.scale;
  }
}

function feesOf({ fees }: Market): { readonly maker: FeeRule; readonly taker: FeeRule } {
  return { maker: feeRule(fees.maker), taker: feeRule(fees.taker) };
}

function isNarrow({ filters: { interest, price } }: Market): boolean {
  return 2 * interest.max * price.max < Number.MAX_SAFE_INTEGER;
}

/**
 * A printed price, rounded half-even to the filter's tick. Uses the printed decimals, as the double may lie on the other
 * side of a half.
 */
function roundedTicks({ priceGrid, filters }: Market, price: number): Ticks {
  const { tickSize } = filters.price;
  const steps = stepsOf(priceGrid, price);
  if (steps % tickSize === 0) return steps as Ticks;
  const multiples = new Decimal(price).times(priceGrid.scale).div(tickSize);
  return (multiples.toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).toNumber() * tickSize) as Ticks;
}
