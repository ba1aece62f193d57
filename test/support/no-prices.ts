/** A ticker that says nothing, but for its time. */
export const NO_PRICES = {
  lastPrice: undefined,
  markPrice: undefined,
  indexPrice: undefined,
  bidPrice: undefined,
  bidQuantity: undefined,
  askPrice: undefined,
  askQuantity: undefined,
};
