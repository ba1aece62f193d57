import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { OrderTerms } from '../../model/order.js';
import { readSteps } from './decimal-text.js';
import { Refused } from './envelope.js';
import { flag, malformed, oneOf, requiredText, text } from './fields.js';
import type { Form } from './form.js';

/** An order as it was sent (`dialect.md` §5), in steps of its market's grids, maybe between two, and not yet judged. */
export interface OrderFields {
  readonly terms: OrderTerms;
  /** `oco`: echoed. */
  readonly tag: string | undefined;
  /** Echoed; 0 when not sent. */
  readonly leverage: number;
}

const SIDES = ['BUY', 'SELL'] as const;
const TIMES_IN_FORCE = ['GTC', 'FOK', 'IOC'] as const;
/** Fields of the order body that this venue does not act on yet, with the value that asks for nothing. */
const UNSUPPORTED = [
  ['hidden', 'false'],
  ['close_on_trigger', 'false'],
  ['icebergs', undefined],
  ['trigger_price', undefined],
  ['trigger_event', undefined],
] as const;
const MAX_TAG = 64;
const DECIMAL = 'a plain decimal number of at most 15 digits';

export function orderFields(fields: Form, market: Market): OrderFields | Refused {
  for (const [name, idle] of UNSUPPORTED) {
    const value = text(fields, name);
    if (value instanceof Refused) return value;
    if (value !== undefined && value !== idle)
      return malformed(name, 'left out, it is not supported yet', value);
  }
  const side = oneOf(fields, 'side', SIDES);
  if (side === undefined) return malformed('side', 'BUY or SELL');
  if (side instanceof Refused) return side;
  const timeInForce = oneOf(fields, 'time_in_force', TIMES_IN_FORCE);
  if (timeInForce instanceof Refused) return timeInForce;
  const postOnly = flag(fields, 'post_only');
  if (postOnly instanceof Refused) return postOnly;
  const reduceOnly = flag(fields, 'reduce_only');
  if (reduceOnly instanceof Refused) return reduceOnly;
  const tag = text(fields, 'oco');
  if (tag instanceof Refused) return tag;
  if (tag !== undefined && (tag === '' || tag.length > MAX_TAG)) {
    return malformed('oco', `a text of 1 to ${MAX_TAG} characters`, tag);
  }
  const leverage = leverageField(fields);
  if (leverage instanceof Refused) return leverage;
  const quantity = requiredText(fields, 'qty', DECIMAL);
  if (quantity instanceof Refused) return quantity;
  // Absent means a market order, so an empty price must not pass for an absent one.
  const price = text(fields, 'price');
  if (price instanceof Refused) return price;
  const lots = readSteps(market.quantityGrid, quantity);
  if (lots === undefined) return malformed('qty', DECIMAL, quantity);
  const ticks = price === undefined ? undefined : readSteps(market.priceGrid, price);
  if (price !== undefined && ticks === undefined) return malformed('price', DECIMAL, price);
  return {
    terms: {
      side: side === 'BUY' ? 'buy' : 'sell',
      type: ticks === undefined ? 'market' : 'limit',
      ticks: ticks as Ticks | undefined,
      lots: lots as Lots,
      timeInForce: timeInForce ?? (ticks === undefined ? 'IOC' : 'GTC'),
      postOnly,
      reduceOnly,
    },
    tag,
    leverage,
  };
}

function leverageField(fields: Form): number | Refused {
  const value = text(fields, 'leverage');
  if (value === undefined) return 0;
  if (value instanceof Refused) return value;
  return /^\d{1,6}(\.\d{1,8})?$/.test(value) ? Number(value) : malformed('leverage', DECIMAL, value);
}
