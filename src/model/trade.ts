/** A public trade, as printed by the venue (specification: Public trade). Price and quantity are measurements. */
export interface Trade {
  /** Opaque text. The ids of our venue are ascending decimals in execution order. */
  readonly id: string;
  /** Venue time, ms since the epoch. */
  readonly time: number;
  /** Quote units. */
  readonly price: number;
  /** Base units. */
  readonly quantity: number;
  /** True when the buyer was the maker, i.e. the aggressor sold. */
  readonly isBuyerMaker: boolean;
}

/** A stretch of the tape that the feed could not get. Both bounds are inclusive venue times in ms. */
export interface TradeGap {
  readonly from: number;
  readonly to: number;
  /** Number of missing trades, where the venue's ids are contiguous and so tell it; else `undefined`. */
  readonly missing: number | undefined;
}

const DECIMAL_ID = /^\d+$/;

/** Whether the id is a decimal number. Only such ids tell which trade came first. */
export function isDecimalId(id: string): boolean {
  return DECIMAL_ID.test(id);
}

/** Order of ids: both decimal compare as integers, else by (length, text). */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  // Fast path, as neighbours on a tape nearly always have ids of equal length: their numeric order is that of the texts.
  if (a.length === b.length) return a < b ? -1 : 1;
  if (isDecimalId(a) && isDecimalId(b)) {
    const left = stripZeros(a);
    const right = stripZeros(b);
    if (left.length !== right.length) return left.length - right.length;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return a.length - b.length;
}

/** The order of trades in the whole project: by time, then by id. */
export function compareTrades(a: Pick<Trade, 'time' | 'id'>, b: Pick<Trade, 'time' | 'id'>): number {
  return a.time - b.time || compareIds(a.id, b.id);
}

function stripZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}
