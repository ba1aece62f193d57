import { InvariantError } from '../model/errors.js';
import { exactSteps, textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import type { VenueProfile } from './profile.js';

/** When a request may be executed: venue ms at which it was made, and how old it may get. */
export interface Stamp {
  readonly timestamp: number;
  readonly recvWindowMs: number;
}

type Field = readonly [name: string, value: string];

/** The one place where a form-urlencoded body is made; the string it returns is what is signed and sent. */
export function formBody(fields: readonly Field[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.append(name, value);
  return form.toString();
}

/**
 * The body of POST /auth/order. A missing price makes a market order on this interface, so there is a builder for
 * each type, and none that leaves out what is undefined.
 *
 * @throws InvariantError when the terms are no order, or the finished text does not say exactly what they say.
 */
export function orderBody(
  profile: VenueProfile,
  market: Market,
  terms: OrderTerms,
  tag: string | undefined,
  stamp: Stamp,
): string {
  const names = profile.orderFields;
  requireSteps('quantity', terms.lots);
  const fields: Field[] = [
    [names.pair, market.pair],
    [names.quantity, textOf(market.quantityGrid, terms.lots)],
    [names.side, terms.side === 'buy' ? 'BUY' : 'SELL'],
    ...(terms.type === 'limit' ? limitFields(profile, market, terms) : marketFields(profile, terms)),
  ];
  if (terms.reduceOnly) fields.push([names.reduceOnly, 'true']);
  if (tag !== undefined && profile.echo !== undefined) fields.push([profile.echo, tag]);
  fields.push([names.timestamp, String(stamp.timestamp)], [names.recvWindow, String(stamp.recvWindowMs)]);
  const body = formBody(fields);
  verifyOrderBody(profile, market, terms, tag, body);
  return body;
}

function limitFields(profile: VenueProfile, market: Market, terms: OrderTerms): readonly Field[] {
  const names = profile.orderFields;
  if (terms.ticks === undefined) throw new InvariantError('a limit order must have a price, received none');
  requireSteps('price', terms.ticks);
  const fields: Field[] = [
    [names.price, textOf(market.priceGrid, terms.ticks)],
    [names.timeInForce, terms.timeInForce],
  ];
  if (terms.postOnly) fields.push([names.postOnly, 'true']);
  return fields;
}

function marketFields(profile: VenueProfile, terms: OrderTerms): readonly Field[] {
  if (terms.ticks !== undefined) throw new InvariantError('a market order must have no price, received one');
  if (terms.postOnly) throw new InvariantError('a market order must not be post-only');
  return terms.timeInForce === 'GTC' ? [] : [[profile.orderFields.timeInForce, terms.timeInForce]];
}

function requireSteps(what: string, steps: number): void {
  if (!Number.isSafeInteger(steps) || steps <= 0) {
    throw new InvariantError(`an order's ${what} must be a whole number of steps above 0, received ${steps}`);
  }
}

/**
 * The last gate: reads the finished body as the venue will and compares it with the intent, field by field. It shares
 * nothing with the builder, so that a mistake there does not leave the house.
 *
 * @throws InvariantError naming the field that differs.
 */
export function verifyOrderBody(
  profile: VenueProfile,
  market: Market,
  terms: OrderTerms,
  tag: string | undefined,
  body: string,
): void {
  const names = profile.orderFields;
  const sent = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (sent.has(name)) throw differs(name, 'once', 'twice');
    sent.set(name, value);
  }
  const take = (name: string) => {
    const value = sent.get(name);
    sent.delete(name);
    return value;
  };
  const expect = (
    name: string,
    wanted: string | number | undefined,
    received: string | number | undefined,
  ) => {
    if (wanted !== received) throw differs(name, String(wanted ?? 'absent'), String(received ?? 'absent'));
  };
  const steps = (grid: Market['priceGrid'], text: string | undefined) =>
    text === undefined || !/^\d+(\.\d+)?$/.test(text) ? undefined : exactSteps(grid, text);

  expect(names.pair, market.pair, take(names.pair));
  expect(names.side, terms.side.toUpperCase(), take(names.side));
  expect(names.quantity, terms.lots, steps(market.quantityGrid, take(names.quantity)));
  const price = take(names.price);
  if (terms.type === 'market') expect(names.price, undefined, price);
  else expect(names.price, terms.ticks ?? Number.NaN, steps(market.priceGrid, price));
  expect(names.timeInForce, terms.timeInForce, take(names.timeInForce) ?? 'GTC');
  expect(names.postOnly, String(terms.postOnly), take(names.postOnly) ?? 'false');
  expect(names.reduceOnly, String(terms.reduceOnly), take(names.reduceOnly) ?? 'false');
  if (profile.echo !== undefined) expect(profile.echo, tag, take(profile.echo));
  for (const name of [names.timestamp, names.recvWindow]) {
    const value = take(name);
    if (value === undefined || !/^[1-9]\d{0,15}$/.test(value))
      throw differs(name, 'a whole number', value ?? 'absent');
  }
  for (const name of sent.keys()) throw differs(name, 'absent', 'present');
}

function differs(name: string, wanted: string, received: string): InvariantError {
  return new InvariantError(
    `the body of an order must say what its terms say: ${name} is ${received}, not ${wanted}`,
  );
}
