/** Columns of prints, to whose rows the watch refers. */
export interface WatchedRows {
  /** ms. */
  readonly time: Float64Array;
  /** Quote units. */
  readonly price: Float64Array;
}

/** Follows stretches of prints during which a position does not change. */
export interface StretchWatch {
  /** Equity up to this counts as 0, quote units. */
  readonly nothing: number;
  /**
   * Over rows `from` to `to`, at prices from `low` to `high`, equity is base + quantity × price; quote and base units.
   */
  stretch(
    rows: WatchedRows,
    from: number,
    to: number,
    equity: { readonly base: number; readonly quantity: number; readonly low: number; readonly high: number },
  ): void;
}
