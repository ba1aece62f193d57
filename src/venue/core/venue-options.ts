import type { DecimalSource } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { Rate } from '../../model/money.js';
import type { VenueAsset } from '../asset.js';
import type { TapeLiquidity, TapeSink } from '../liquidity.js';

/** How long a taker waits for prints of a tape, ms: MARKET orders, and all other takers (`architecture.md`). */
export interface TakerWindows {
  readonly market: number;
  readonly other: number;
}

export interface VenueMarket {
  readonly market: Market;
  /** Makes the other side of the market from recorded prints; absent: a book, where accounts trade with each other. */
  readonly tape?: ((market: Market, sink: TapeSink) => TapeLiquidity) | undefined;
  /**
   * `index`: the venue keeps index, fair and mark price, exchanges funding and liquidates (`money.md` §2, §7, §8).
   * `last-trade`, the default: the mark is the one that was set, else the last trade, and nothing happens by itself.
   */
  readonly prices?: 'index' | 'last-trade' | undefined;
  /** trading_max_mark_deviation: the band as a fraction of the mark; default: the market's, for books and tapes alike. */
  readonly band?: DecimalSource | undefined;
  /** Id of a book's first public trade; default 1. Ids ascend without gaps. */
  readonly firstTradeId?: number | undefined;
  /** How many public trades are kept for queries; default 100 000 for a book, all for a tape. */
  readonly keepTrades?: number | undefined;
}

export interface VenueCoreOptions {
  readonly markets: readonly VenueMarket[];
  /** Default 1. */
  readonly firstOrderId?: number | undefined;
  /** Digits of one unit of assets that are not the quote of any market; default 8. */
  readonly precisions?: Readonly<Record<string, number>> | undefined;
  /** What can be deposited and withdrawn, and how. Default: nothing. */
  readonly assets?: readonly VenueAsset[] | undefined;
  /**
   * Discount on fees, a fraction, while an account holds one of these assets; default: those of `assets` that are
   * special commission assets. Default: no discount.
   */
  readonly commissionDiscount?:
    | { readonly rate: DecimalSource; readonly assets?: readonly string[] | undefined }
    | undefined;
  /** What the insurance fund starts with, by asset. Default: nothing. */
  readonly insurance?: Readonly<Record<string, DecimalSource>> | undefined;
  /** How many done orders and fills of each account are kept for queries; default 10 000. */
  readonly historyLimit?: number | undefined;
  /** How long takers wait for the prints of a tape, ms; default 10 000 for MARKET, 1 000 for others. */
  readonly takerWindows?: Partial<TakerWindows> | undefined;
}

/** Digits of one unit of every known asset. */
export function precisionsOf(
  markets: readonly Market[],
  { assets = [], precisions: given = {} }: Pick<VenueCoreOptions, 'assets' | 'precisions'>,
): Map<string, number> {
  const listed = assets.map(({ key, precision }) => [key, precision] as const);
  const precisions = new Map([...listed, ...Object.entries(given)]);
  for (const { pair, quote, quotePrecision } of markets) {
    const known = precisions.get(quote);
    if (known !== undefined && known !== quotePrecision) {
      throw new UsageError(
        'TICKWRIGHT_E_MARKET',
        `${pair}: the precision of ${quote} must be the same everywhere, received ${quotePrecision} and ${known}`,
      );
    }
    precisions.set(quote, quotePrecision);
  }
  return precisions;
}

/** The discount with its assets, if there is one. */
export function discountOf({ commissionDiscount, assets = [] }: VenueCoreOptions) {
  if (commissionDiscount === undefined) return undefined;
  const special = assets.filter((asset) => asset.isSpecialCommissionAsset).map(({ key }) => key);
  return { rate: commissionDiscount.rate, assets: commissionDiscount.assets ?? special };
}

/**
 * Start-up checks of `money.md`, first paragraph. `precisions`: digits of one unit of each asset; 8 for an absent one.
 *
 * @throws UsageError for a market that the core cannot handle
 */
export function assertTradable(market: Market, precisions: ReadonlyMap<string, number>): void {
  const { pair, contract, active, base, quantityGrid } = market;
  if (contract === 'option') {
    if (active) fail(pair, 'an option is listed only, so its market must not be active');
  } else if (contract === 'spot') {
    const digits = precisions.get(base) ?? 8;
    if (quantityGrid.decimals > digits) {
      fail(
        pair,
        `the digits of a lot must be at most the ${digits} of ${base}, received ${quantityGrid.decimals}`,
      );
    }
  } else assertLeveraged(market);
}

function assertLeveraged({ pair, margin, liquidation }: Market): void {
  const { initial, maintenance, initialRiskLimit, maintenanceRiskLimit } = margin;
  if (compare(initial, maintenance) <= 0 || compare(initialRiskLimit, maintenanceRiskLimit) < 0) {
    fail(pair, 'the initial margin rates must be above the maintenance rates');
  }
  if (compare(maintenance, NONE) < 0 || compare(maintenanceRiskLimit, NONE) < 0) {
    fail(pair, 'the maintenance rates must not be negative');
  }
  const { swapThreshold, deleverageThreshold, liquidateThreshold, insurancePercentage } = liquidation;
  if (compare(deleverageThreshold, NONE) < 0 || compare(swapThreshold, deleverageThreshold) <= 0) {
    fail(pair, 'swap_threshold must be above deleverage_threshold, and that not below 0');
  }
  if (compare(liquidateThreshold, NONE) <= 0 || compare(liquidateThreshold, WHOLE) > 0) {
    fail(pair, 'liquidate_threshold must be above 0 and at most 1');
  }
  if (compare(insurancePercentage, NONE) < 0 || compare(insurancePercentage, WHOLE) > 0) {
    fail(pair, 'insurance_percentage must be a fraction from 0 to 1');
  }
}

const NONE: Rate = { numerator: 0n, denominator: 1n };
const WHOLE: Rate = { numerator: 1n, denominator: 1n };

function compare(a: Rate, b: Rate): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

function fail(pair: string, rule: string): never {
  throw new UsageError('TICKWRIGHT_E_MARKET', `${pair}: ${rule}`);
}
