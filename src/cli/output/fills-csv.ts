import type { Fill } from '../../model/fill.js';
import { textOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { moneyText } from '../../model/money.js';

const HEADER = 'id,order_id,time,side,price,quantity,liquidity,fee';

/** Fills as CSV: time in ms, fee in the quote asset, negative for a rebate. */
export function fillsCsv(market: Market, fills: readonly Fill[]): string {
  const lines = fills.map(({ id, orderId, time, side, ticks, lots, liquidity, fee }) =>
    [
      id,
      orderId,
      time,
      side,
      textOf(market.priceGrid, ticks),
      textOf(market.quantityGrid, lots),
      liquidity,
      moneyText(fee, market.quotePrecision),
    ].join(','),
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}
