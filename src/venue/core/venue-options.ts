import type { DecimalSource } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { TapeLiquidity, TapeSink } from '../liquidity.js';

/** How long a taker waits for prints of a tape, ms: MARKET, and everything else that takes (`architecture.md`). */
export interface TakerWindows {
  readonly market: number;
  readonly other: number;
}

export interface VenueMarket {
  readonly market: Market;
  /** Makes the other side of the market from recorded prints; absent: a book, where accounts trade with each other. */
  readonly tape?: ((market: Market, sink: TapeSink) => TapeLiquidity) | undefined;
  /** trading_max_mark_deviation: the band as a fraction of the mark; default 0.1, for books and tapes alike. */
  readonly band?: DecimalSource | undefined;
  /** Id of the first public trade of a book; default 1. They ascend without holes. */
  readonly firstTradeId?: number | undefined;
  /** How many public trades are kept for queries; default 100 000 for a book, all for a tape. */
  readonly keepTrades?: number | undefined;
}

export interface VenueCoreOptions {
  readonly markets: readonly VenueMarket[];
  /** Default 1. */
  readonly firstOrderId?: number | undefined;
  /** Digits of one unit of assets that are no market's quote; default 8. */
  readonly precisions?: Readonly<Record<string, number>> | undefined;
  /** Discount on fees, a fraction, while an account holds one of the assets. Default: none. */
  readonly commissionDiscount?:
    | { readonly rate: DecimalSource; readonly assets: readonly string[] }
    | undefined;
  /** What the insurance fund starts with, by asset. Default: nothing. */
  readonly insurance?: Readonly<Record<string, DecimalSource>> | undefined;
  /** How many done orders and fills of each account are kept for queries; default 100 000. */
  readonly historyLimit?: number | undefined;
  /** How long takers wait for the prints of a tape, ms; default 10 000 for MARKET, 1 000 for others. */
  readonly takerWindows?: Partial<TakerWindows> | undefined;
}

/** Digits of one unit of every asset that is known. */
export function precisionsOf(
  markets: readonly Market[],
  given: Readonly<Record<string, number>>,
): Map<string, number> {
  const precisions = new Map(Object.entries(given));
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

/** Start-up checks of `money.md`, first paragraph. @throws UsageError for a market that the core cannot keep */
export function assertTradable({ pair, contract, margin }: Market): void {
  if (contract !== 'linear') {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET',
      `${pair}: a market of the venue must be linear, received ${contract}`,
    );
  }
  const { initial, maintenance, initialRiskLimit, maintenanceRiskLimit } = margin;
  const isAbove = initial.numerator * maintenance.denominator > maintenance.numerator * initial.denominator;
  const isNotBelow =
    initialRiskLimit.numerator * maintenanceRiskLimit.denominator >=
    maintenanceRiskLimit.numerator * initialRiskLimit.denominator;
  if (!isAbove || !isNotBelow) {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET',
      `${pair}: the initial margin rates must be above the maintenance rates`,
    );
  }
}
