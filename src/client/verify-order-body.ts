import { InvariantError } from '../model/errors.js';
import type { Grid } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { PlaceRequest } from '../ports/venue-api.js';
import type { VenueProfile } from './profile.js';

/**
 * The last gate: reads the finished body as the venue will and compares it with the intent, field by field. It shares no
 * code with the builder, so that a bug there cannot send a wrong order.
 *
 * @throws InvariantError naming the field that differs.
 */
export function verifyOrderBody(
  profile: VenueProfile,
  market: Market,
  request: PlaceRequest,
  body: string,
): void {
  const sent = fieldsIn(body);
  verifyOrder(profile, market, request, sent);
  requireStamp(profile, sent);
  requireNothingElse(sent);
}

/** The same for a bulk order: every member in its place, and no other fields. */
export function verifyBulkBody(
  profile: VenueProfile,
  market: Market,
  requests: readonly PlaceRequest[],
  body: string,
): void {
  const { ordersField, stamp } = profile.bulk;
  const sent = fieldsIn(body);
  for (const [i, request] of requests.entries()) {
    const start = `${ordersField}[${i}][`;
    const member = new Map<string, string>();
    for (const [name, value] of sent) {
      if (!name.startsWith(start) || !name.endsWith(']')) continue;
      member.set(name.slice(start.length, -1), value);
      sent.delete(name);
    }
    verifyOrder(profile, market, request, member);
    if (stamp === 'order') requireStamp(profile, member);
    requireNothingElse(member);
  }
  if (stamp === 'request') requireStamp(profile, sent);
  requireNothingElse(sent);
}

/** Removes timestamp and recv_window from `sent`. @throws InvariantError when one is missing or is not a number */
export function requireStamp({ orderFields: names }: VenueProfile, sent: Map<string, string>): void {
  for (const name of [names.timestamp, names.recvWindow]) {
    const value = sent.get(name);
    sent.delete(name);
    if (value === undefined || !/^[1-9]\d{0,15}$/.test(value)) {
      throw differs(name, 'a whole number', value ?? 'absent');
    }
  }
}

function verifyOrder(
  profile: VenueProfile,
  market: Market,
  { terms, tag, options = {} }: PlaceRequest,
  sent: Map<string, string>,
): void {
  const names = profile.orderFields;
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
  const flag = (name: string, wanted: boolean | undefined) =>
    expect(name, String(wanted ?? false), take(name) ?? 'false');

  expect(names.pair, market.pair, take(names.pair));
  expect(names.side, terms.side.toUpperCase(), take(names.side));
  expect(names.quantity, terms.lots, stepsIn(market.quantityGrid, take(names.quantity)));
  const price = take(names.price);
  if (terms.type === 'market') expect(names.price, undefined, price);
  else expect(names.price, terms.ticks ?? Number.NaN, stepsIn(market.priceGrid, price));
  expect(names.timeInForce, terms.timeInForce, take(names.timeInForce) ?? 'GTC');
  flag(names.postOnly, terms.postOnly);
  flag(names.reduceOnly, terms.reduceOnly);

  flag(names.hidden, options.hidden);
  const triggerPrice = take(names.triggerPrice);
  const event = take(names.triggerEvent);
  if (terms.trigger !== undefined) {
    expect(names.triggerPrice, terms.trigger.ticks, options.trigger?.ticks);
    expect(names.triggerEvent, terms.trigger.event, options.trigger?.event);
  }
  if (options.trigger === undefined) {
    // A trigger price that nobody asked for would keep the order out of the market; a lost one would place it at once.
    expect(names.triggerPrice, undefined, triggerPrice);
    expect(names.triggerEvent, undefined, event);
  } else {
    expect(names.triggerPrice, options.trigger.ticks, stepsIn(market.priceGrid, triggerPrice));
    expect(names.triggerEvent, `${options.trigger.event.toUpperCase()}_PRICE`, event);
  }
  flag(names.closeOnTrigger, options.closeOnTrigger);
  expect(names.leverage, options.leverage, optionalNumber(take(names.leverage)));
  expectIcebergs(take(names.icebergs));
  expect(names.oco, options.oco ?? (profile.echo === undefined ? undefined : tag), take(names.oco));

  function expectIcebergs(text: string | undefined): void {
    const slices = options.icebergs;
    if (slices === undefined || profile.icebergs === 'slices') {
      expect(names.icebergs, slices, optionalNumber(text));
      return;
    }
    // Must be the smallest shown quantity of which `slices` make up the whole.
    const shown = stepsIn(market.quantityGrid, text) ?? 0;
    const isIt = shown * slices >= terms.lots && (shown - 1) * slices < terms.lots;
    if (!isIt) throw differs(names.icebergs, `a ${slices}th of the quantity`, text ?? 'absent');
  }
}

function fieldsIn(body: string): Map<string, string> {
  const sent = new Map<string, string>();
  const take = (name: string, value: string) => {
    if (sent.has(name)) throw differs(name, 'once', 'twice');
    sent.set(name, value);
  };
  if (/[%+]/.test(body)) for (const [name, value] of new URLSearchParams(body)) take(name, value);
  else takePlain(body, take);
  return sent;
}

/** Reads a form body in which nothing is encoded. */
function takePlain(body: string, take: (name: string, value: string) => void): void {
  for (let start = 0; start < body.length; ) {
    const next = body.indexOf('&', start);
    const end = next < 0 ? body.length : next;
    const equals = body.indexOf('=', start);
    if (equals < 0 || equals >= end) {
      if (end > start) take(body.slice(start, end), '');
    } else take(body.slice(start, equals), body.slice(equals + 1, end));
    start = end + 1;
  }
}

/** Whole steps of a plain decimal, by its digits; `undefined`: not a decimal, off the grid, or too large to be exact. */
function stepsIn({ decimals }: Grid, text: string | undefined): number | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text ?? '');
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals) return undefined;
  const steps = Number(whole + digits.padEnd(decimals, '0'));
  return Number.isSafeInteger(steps) ? steps : undefined;
}

function requireNothingElse(sent: ReadonlyMap<string, string>): void {
  for (const name of sent.keys()) throw differs(name, 'absent', 'present');
}

function optionalNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function differs(name: string, wanted: string, received: string): InvariantError {
  return new InvariantError(
    `the body of an order must say what its terms say: ${name} is ${received}, not ${wanted}`,
  );
}
