import type { Trade } from '../../../model/trade.js';
import { rounded } from '../wire-number.js';

/** Length of a sign, a point and 15 digits. */
const SHORT = 17;

/**
 * Public trades (specification: Public trade) as a JSON array. Written by hand for speed: a page holds up to a thousand
 * trades, and every client requests it every second.
 */
export function tradesJson(pair: string, trades: readonly Trade[]): string {
  const pairJson = JSON.stringify(pair);
  let json = '[';
  for (const { id, time, price, quantity, isBuyerMaker } of trades) {
    if (json.length > 1) json += ',';
    json +=
      `{"id":${JSON.stringify(id)},"pair":${pairJson},"is_buyer_maker":${isBuyerMaker},"is_best_match":true,` +
      `"qty":${numberJson(quantity)},"price":${numberJson(price)},"time":${time}}`;
  }
  return `${json}]`;
}

function numberJson(value: number): string {
  const text = String(value);
  return text.length < SHORT && Number.isFinite(value) ? text : String(rounded(value));
}
