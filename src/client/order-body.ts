import { plain, Decimal } from '../model/decimal.js';
import { InvariantError } from '../model/errors.js';
import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { type OrderTerms, sameTrigger, type TriggerEvent } from '../model/order.js';
import type { Side } from '../model/side.js';
import type { PlaceOptions, PlaceRequest } from '../ports/venue-api.js';
import { type Field, formBody } from './form-body.js';
import { saysPlainly } from './plain-order-body.js';
import type { VenueProfile } from './profile.js';
import { addStamp, type Stamp, stampFields } from './stamp.js';
import { requireStamp, verifyBulkBody, verifyOrderBody } from './verify-order-body.js';

const SIDES = { buy: 'BUY', sell: 'SELL' } as const;

const TRIGGER_EVENTS: Readonly<Record<TriggerEvent, string>> = {
  mark: 'MARK_PRICE',
  index: 'INDEX_PRICE',
  last: 'LAST_PRICE',
};

/**
 * The body of POST /auth/order. On this interface a missing price makes a market order, so each type has its own builder,
 * and none drops a field because it is undefined.
 *
 * @throws InvariantError when the terms are not an order, or the finished body does not say exactly the same.
 */
export function orderBody(
  profile: VenueProfile,
  market: Market,
  request: PlaceRequest,
  stamp: Stamp,
): string {
  const fields = orderFields(profile, market, request);
  addStamp(fields, profile, stamp);
  const body = formBody(fields);
  // The fast check proves most bodies. Any other is read field by field.
  if (!saysPlainly(profile, market, request, body)) verifyOrderBody(profile, market, request, body);
  return body;
}

/**
 * The body of POST /auth/order/bulk: `orders[0][pair]=…`, of one market.
 *
 * @throws InvariantError as `orderBody`, and when the members are too many or one is reduce-only.
 */
export function bulkOrderBody(
  profile: VenueProfile,
  market: Market,
  requests: readonly PlaceRequest[],
  stamp: Stamp,
): string {
  const { bulk } = profile;
  if (requests.length === 0 || requests.length > bulk.maxOrders) {
    throw new InvariantError(
      `a bulk order must have 1 to ${bulk.maxOrders} members, received ${requests.length}`,
    );
  }
  if (requests.some(({ terms }) => terms.reduceOnly)) {
    throw new InvariantError('a member of a bulk order must not be reduce-only');
  }
  const inOrders = bulk.stamp === 'order' ? stampFields(profile, stamp) : [];
  const fields = requests.flatMap((request, i) =>
    [...orderFields(profile, market, request), ...inOrders].map(
      ([name, value]): Field => [`${bulk.ordersField}[${i}][${name}]`, value],
    ),
  );
  const body = formBody(bulk.stamp === 'order' ? fields : [...fields, ...stampFields(profile, stamp)]);
  verifyBulkBody(profile, market, requests, body);
  return body;
}

/** What POST /auth/close takes besides the pair; a missing quantity is the whole position, a missing price the market. */
export interface CloseFields {
  readonly market: Market;
  readonly lots: number | undefined;
  readonly ticks: number | undefined;
}

/** The body of POST /auth/close. */
export function closeBody(profile: VenueProfile, { market, lots, ticks }: CloseFields, stamp: Stamp): string {
  const names = profile.orderFields;
  const fields: Field[] = [[names.pair, market.pair]];
  if (lots !== undefined) {
    requireSteps('quantity', lots);
    fields.push([names.quantity, textOf(market.quantityGrid, lots)]);
  }
  if (ticks !== undefined) {
    requireSteps('price', ticks);
    fields.push([names.price, textOf(market.priceGrid, ticks)]);
  }
  const body = formBody([...fields, ...stampFields(profile, stamp)]);
  requireStamp(profile, new Map(new URLSearchParams(body)));
  return body;
}

function orderFields(profile: VenueProfile, market: Market, { terms, tag, options }: PlaceRequest): Field[] {
  const names = profile.orderFields;
  requireSteps('quantity', terms.lots);
  if (terms.trigger !== undefined && !sameTrigger(terms.trigger, options?.trigger)) {
    // Only the options reach the body: without them a stop would leave as an order that is executed at once.
    throw new InvariantError('an order with a trigger in its terms must have the same one in its options');
  }
  const fields: Field[] = [
    [names.pair, market.pair],
    [names.quantity, textOf(market.quantityGrid, terms.lots)],
    [names.side, SIDES[requireSide(terms.side)]],
  ];
  if (terms.type === 'limit') addLimit(fields, profile, market, terms);
  else addMarket(fields, profile, terms);
  if (terms.reduceOnly) fields.push([names.reduceOnly, 'true']);
  if (options !== undefined) fields.push(...optionFields(profile, market, terms, options));
  const oco = echoFor(profile, tag, options);
  if (oco !== undefined) fields.push([names.oco, oco]);
  return fields;
}

/** The value of the `oco` field: the group of a real OCO order, else our tag where the venue echoes it. */
export function echoFor(
  profile: VenueProfile,
  tag: string | undefined,
  options: PlaceOptions = {},
): string | undefined {
  if (options.oco === '') throw new InvariantError('an oco group must have a name, received an empty one');
  return options.oco ?? (profile.echo === undefined ? undefined : tag);
}

function addLimit(fields: Field[], profile: VenueProfile, market: Market, terms: OrderTerms): void {
  const names = profile.orderFields;
  if (terms.ticks === undefined) throw new InvariantError('a limit order must have a price, received none');
  requireSteps('price', terms.ticks);
  fields.push([names.price, textOf(market.priceGrid, terms.ticks)], [names.timeInForce, terms.timeInForce]);
  if (terms.postOnly) fields.push([names.postOnly, 'true']);
}

function addMarket(fields: Field[], profile: VenueProfile, terms: OrderTerms): void {
  if (terms.ticks !== undefined) throw new InvariantError('a market order must have no price, received one');
  if (terms.postOnly) throw new InvariantError('a market order must not be post-only');
  if (terms.timeInForce !== 'GTC') fields.push([profile.orderFields.timeInForce, terms.timeInForce]);
}

function optionFields(
  profile: VenueProfile,
  market: Market,
  terms: OrderTerms,
  { hidden = false, icebergs, trigger, closeOnTrigger = false, leverage }: PlaceOptions,
): readonly Field[] {
  const names = profile.orderFields;
  const fields: Field[] = [];
  if (hidden) fields.push([names.hidden, 'true']);
  if (icebergs !== undefined)
    fields.push([names.icebergs, icebergsText(profile, market, terms.lots, icebergs)]);
  if (trigger !== undefined) {
    requireSteps('trigger price', trigger.ticks);
    fields.push(
      [names.triggerPrice, textOf(market.priceGrid, trigger.ticks)],
      [names.triggerEvent, TRIGGER_EVENTS[trigger.event]],
    );
  }
  if (closeOnTrigger) {
    if (trigger === undefined) throw new InvariantError('an order that closes on its trigger must have one');
    fields.push([names.closeOnTrigger, 'true']);
  }
  if (leverage !== undefined) {
    if (!(Number.isFinite(leverage) && leverage > 0)) {
      throw new InvariantError(`an order's leverage must be above 0, received ${leverage}`);
    }
    fields.push([names.leverage, plain(new Decimal(String(leverage)))]);
  }
  return fields;
}

/** Iceberg slices in the venue's dialect: their number, or the quantity of one slice, rounded up to a lot. */
export function icebergsText(profile: VenueProfile, market: Market, lots: number, slices: number): string {
  if (!Number.isSafeInteger(slices) || slices < 2 || slices > lots) {
    throw new InvariantError(
      `an iceberg must have at least 2 slices and at most one for each lot, received ${slices} for ${lots}`,
    );
  }
  return profile.icebergs === 'slices'
    ? String(slices)
    : textOf(market.quantityGrid, Math.ceil(lots / slices));
}

/** A wrong side, smuggled in by a cast, must not leave as the other side. */
function requireSide(side: Side): Side {
  if (Object.hasOwn(SIDES, side)) return side;
  throw new InvariantError(`the side of an order must be buy or sell, received ${String(side)}`);
}

function requireSteps(what: string, steps: number): void {
  if (!Number.isSafeInteger(steps) || steps <= 0) {
    throw new InvariantError(`an order's ${what} must be a whole number of steps above 0, received ${steps}`);
  }
}
