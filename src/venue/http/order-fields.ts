import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { OrderOptions, OrderTerms, Trigger, TriggerEvent } from '../../model/order.js';
import { plainDecimal, readSteps } from './decimal-text.js';
import { Refused } from './envelope.js';
import { flag, malformed, oneOf, requiredText, text, whole } from './fields.js';
import type { Form } from './form.js';
import { rounded } from './wire-number.js';

/**
 * An order as it was sent (`dialect.md` §5), in steps of its market's grids, possibly fractional, and not checked yet.
 */
export interface OrderFields {
  readonly terms: OrderTerms;
  /** `undefined` if the order uses no option. */
  readonly options: OrderOptions | undefined;
  /** Name of the oco group (field `oco`); `undefined` without one. */
  readonly tag: string | undefined;
}

const SIDES = ['BUY', 'SELL'] as const;
const TIMES_IN_FORCE = ['GTC', 'FOK', 'IOC'] as const;
const TRIGGER_EVENTS: Readonly<Record<string, TriggerEvent>> = {
  MARK_PRICE: 'mark',
  INDEX_PRICE: 'index',
  LAST_PRICE: 'last',
};
const TRIGGER_EVENT_NAMES = Object.keys(TRIGGER_EVENTS);
const DECIMAL = 'a plain decimal number of at most 15 digits';

export function orderFields(fields: Form, market: Market): OrderFields | Refused {
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
  if (tag === '') return malformed('oco', 'the name of a group', tag);
  const options = orderOptions(fields, market);
  if (options instanceof Refused) return options;
  const quantity = requiredText(fields, 'qty', DECIMAL);
  if (quantity instanceof Refused) return quantity;
  const lots = readSteps(market.quantityGrid, quantity);
  if (lots === undefined) return malformed('qty', DECIMAL, quantity);
  const ticks = priceField(fields, 'price', market);
  if (ticks instanceof Refused) return ticks;
  return {
    terms: {
      side: side === 'BUY' ? 'buy' : 'sell',
      type: ticks === undefined ? 'market' : 'limit',
      ticks,
      lots: lots as Lots,
      timeInForce: timeInForce ?? (ticks === undefined ? 'IOC' : 'GTC'),
      postOnly,
      reduceOnly,
    },
    options,
    tag,
  };
}

/**
 * A price in steps, possibly fractional; `undefined` if absent, which makes a market order. An empty price is refused,
 * so that it never turns a limit order into a market order.
 */
export function priceField(fields: Form, name: string, market: Market): Ticks | undefined | Refused {
  const value = text(fields, name);
  if (value === undefined || value instanceof Refused) return value;
  return (readSteps(market.priceGrid, value) as Ticks | undefined) ?? malformed(name, DECIMAL, value);
}

/** Options that few orders use; `undefined` if the order uses none. */
function orderOptions(fields: Form, market: Market): OrderOptions | undefined | Refused {
  const hidden = flag(fields, 'hidden');
  if (hidden instanceof Refused) return hidden;
  const closeOnTrigger = flag(fields, 'close_on_trigger');
  if (closeOnTrigger instanceof Refused) return closeOnTrigger;
  const icebergs = whole(fields, 'icebergs', 'a whole number of slices, at least 2', 2);
  if (icebergs instanceof Refused) return icebergs;
  const leverage = leverageField(fields);
  if (leverage instanceof Refused) return leverage;
  const trigger = triggerField(fields, market);
  if (trigger instanceof Refused) return trigger;
  if (!hidden && !closeOnTrigger && (icebergs ?? leverage ?? trigger) === undefined) return undefined;
  return { hidden, closeOnTrigger, icebergs, leverage, trigger };
}

function triggerField(fields: Form, market: Market): Trigger | undefined | Refused {
  const ticks = priceField(fields, 'trigger_price', market);
  if (ticks instanceof Refused) return ticks;
  const name = oneOf(fields, 'trigger_event', TRIGGER_EVENT_NAMES);
  if (name instanceof Refused) return name;
  if (ticks !== undefined) {
    // The default: spot has no mark and no index.
    const idle = market.contract === 'spot' ? 'last' : 'mark';
    return { ticks, event: (name === undefined ? undefined : TRIGGER_EVENTS[name]) ?? idle };
  }
  return name === undefined
    ? undefined
    : malformed('trigger_event', 'left out without a trigger_price', name);
}

/** The leverage is only stored and echoed (`dialect.md` §6), so any value is accepted; 0 means none. */
function leverageField(fields: Form): number | undefined | Refused {
  const value = text(fields, 'leverage');
  if (value === undefined || value instanceof Refused) return value;
  const exact = plainDecimal(value);
  if (exact === undefined) return malformed('leverage', 'a plain decimal number', value);
  const leverage = rounded(Number(exact));
  return leverage === 0 ? undefined : leverage;
}
