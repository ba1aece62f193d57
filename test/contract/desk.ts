import assert from 'node:assert/strict';
import type { Customer, Door, Fields, RawReply, RawRequest, Reply } from './door.js';
import { hmac } from './hmac.js';
import type { ByKey, WireBalance, WireDepth, WireFill, WireOrder, WirePosition } from './wire-records.js';

/** The pair that most cards trade: the market of the worked examples of the money rules, mark 60 000. */
export const PAIR = 'USD_BTC_PERP';
export const ETH = 'USD_ETH_PERP';
export const SPOT = 'BTC_USD';
export const OPTION = 'USD_BTC_CALL';

/** How a card speaks to a venue, whatever the door. */
export class Desk {
  readonly door: Door;

  constructor(door: Door) {
    this.door = door;
  }

  get now(): number {
    return this.door.now();
  }

  /** A read that must succeed; gives its result. */
  async get<T = unknown>(path: string, query: Fields = {}, who?: Customer): Promise<T> {
    return success<T>(await this.door.get(path, query, who), `GET ${path}`);
  }

  async tryGet(path: string, query: Fields = {}, who?: Customer): Promise<Reply> {
    return this.door.get(path, query, who);
  }

  /** A write that must succeed; gives its result. */
  async post<T = unknown>(path: string, fields: Fields, who: Customer): Promise<T> {
    return success<T>(await this.door.post(path, fields, who), `POST ${path}`);
  }

  async tryPost(path: string, fields: Fields, who: Customer): Promise<Reply> {
    return this.door.post(path, fields, who);
  }

  async send(request: RawRequest): Promise<RawReply> {
    return this.door.send(request);
  }

  /** Headers of a POST by hand. */
  signed(who: Customer, body: string): Readonly<Record<string, string>> {
    const { key, secret } = this.door.credentials(who);
    return { ...FORM, 'x-api-key': key, 'x-signature': hmac(secret, body) };
  }

  keyed(who: Customer): Readonly<Record<string, string>> {
    return { 'x-api-key': this.door.credentials(who).key };
  }

  async admin<T = unknown>(path: string, fields: Fields): Promise<T> {
    return success<T>(await this.door.admin(path, fields), `admin POST ${path}`);
  }

  async advance(ms: number): Promise<void> {
    await this.door.advance(ms);
  }

  /** Sets the index and goes on to its next update, a second later; without a fair price the mark follows it. */
  async index(pair: string, price: number): Promise<void> {
    await this.admin('/index', { pair, price });
    await this.advance(1_000);
  }

  /** An order that must be accepted; gives its record. The pair is `PAIR` unless told otherwise. */
  async place(who: Customer, fields: Fields): Promise<WireOrder> {
    const { order } = await this.post<{ order: WireOrder }>('/auth/order', { pair: PAIR, ...fields }, who);
    return order;
  }

  async tryPlace(who: Customer, fields: Fields): Promise<Reply> {
    return this.tryPost('/auth/order', { pair: PAIR, ...fields }, who);
  }

  /** `seller` rests, `buyer` takes, both with one order; gives both records as they are then. */
  async trade(price: number, qty: number, pair = PAIR, seller: Customer = 'bert', buyer: Customer = 'anna') {
    const maker = await this.place(seller, { pair, side: 'SELL', price, qty });
    const taker = await this.place(buyer, { pair, side: 'BUY', price, qty });
    return { maker: await this.order(seller, maker.id), taker: await this.order(buyer, taker.id) };
  }

  async order(who: Customer, id: string): Promise<WireOrder> {
    return this.get<WireOrder>('/order', { id }, who);
  }

  async list(who: Customer, path: string, query: Fields = {}): Promise<readonly WireOrder[]> {
    return this.get<readonly WireOrder[]>(path, query, who);
  }

  /** Newest first. */
  async fills(who: Customer, query: Fields = {}): Promise<readonly WireFill[]> {
    return this.get<readonly WireFill[]>('/fills', query, who);
  }

  async position(who: Customer, pair = PAIR): Promise<WirePosition> {
    return this.get<WirePosition>('/position', { pair }, who);
  }

  async balances(who: Customer): Promise<ByKey<WireBalance>> {
    const { balances } = await this.get<{ balances: ByKey<WireBalance> }>('/personal', {}, who);
    return balances;
  }

  async balance(who: Customer, asset = 'USD'): Promise<WireBalance> {
    const balance = (await this.balances(who))[asset];
    assert(balance !== undefined, `there must be a balance of ${asset}`);
    return balance;
  }

  async depth(pair = PAIR, limit?: number): Promise<WireDepth> {
    return this.get<WireDepth>('/depth', { pair, limit });
  }

  /** The first active market of whatever venue this is. */
  async someMarket(): Promise<readonly [string, Readonly<Record<string, unknown>>]> {
    const pairs = await this.pairs();
    const found = Object.entries(pairs).find(([, market]) => market['active'] === true);
    assert(found !== undefined, 'the venue must list an active market');
    return found;
  }

  async pairs(): Promise<ByKey<Readonly<Record<string, unknown>>>> {
    return keyed(await this.get('/pairs'));
  }

  async market(pair = PAIR): Promise<Readonly<Record<string, unknown>>> {
    const market = (await this.pairs())[pair];
    assert(market !== undefined, `there must be a market ${pair}`);
    return market;
  }

  async assets(): Promise<ByKey<Readonly<Record<string, unknown>>>> {
    return keyed(await this.get('/assets'));
  }

  async asset(key: string): Promise<Readonly<Record<string, unknown>>> {
    const asset = (await this.assets())[key];
    assert(asset !== undefined, `there must be an asset ${key}`);
    return asset;
  }

  async ticker(pair = PAIR): Promise<Readonly<Record<string, unknown>>> {
    const tickers = await this.get<ByKey<Readonly<Record<string, unknown>>>>('/ticker', { pair });
    const ticker = tickers[pair];
    assert(ticker !== undefined, `there must be a ticker of ${pair}`);
    return ticker;
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const;

function success<T>({ status, code, msg, result }: Reply, what: string): T {
  assert.equal(status, 200, `${what} must be answered with HTTP 200, received ${status} ${String(msg)}`);
  assert.equal(code, 200, `${what} must carry code 200, received ${String(code)} ${String(msg)}`);
  return result as T;
}

/** A refusal in the envelope of the specification: HTTP 503, code 503, an empty object, this rule's text in front. */
export function refused(reply: Reply, rule: string): void {
  const { status, code, msg, result } = reply;
  assert.equal(status, 503, `it must be refused with HTTP 503, received ${status} ${String(msg)}`);
  assert.equal(code, 503);
  assert.deepEqual(result, {});
  assert(
    typeof msg === 'string' && msg.startsWith(rule),
    `msg must begin with "${rule}", received "${String(msg)}"`,
  );
}

/** The named fields are what they must be, exactly; there may be more. */
export function has(actual: unknown, expected: Readonly<Record<string, unknown>>): void {
  assert(typeof actual === 'object' && actual !== null, `there must be a record, received ${String(actual)}`);
  const record = actual as Readonly<Record<string, unknown>>;
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, record[name]]));
  assert.deepEqual(shown, expected);
}

/** Within a unit of the fifteenth digit: what a double can print of a quotient. */
export function nearly(actual: unknown, expected: number): void {
  assert(typeof actual === 'number', `there must be a number, received ${String(actual)}`);
  const error = Math.abs(actual - expected);
  assert(error <= Math.abs(expected) * 1e-14, `there must be ${expected}, received ${actual}`);
}

/** An object keyed by names, or the one object of an array (the samples of the specification show both). */
function keyed(result: unknown): ByKey<Readonly<Record<string, unknown>>> {
  const only = Array.isArray(result) && result.length === 1 ? (result[0] as unknown) : result;
  assert(
    typeof only === 'object' && only !== null && !Array.isArray(only),
    'it must be an object keyed by names',
  );
  return only as ByKey<Readonly<Record<string, unknown>>>;
}

/** The one of a list. */
export function only<T>(list: readonly T[]): T {
  assert.equal(list.length, 1, `there must be one, received ${list.length}`);
  return list[0] as T;
}

export function ids(list: readonly { readonly id: string }[]): readonly string[] {
  return list.map(({ id }) => id);
}
