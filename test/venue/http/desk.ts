/** A venue in process, and an account's way to it: requests built and signed by hand, with no code of ours. */
import { createHmac } from 'node:crypto';
import { defineMarket } from '../../../src/model/market.js';
import type { Trade } from '../../../src/model/trade.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore, type VenueCoreOptions, type VenueMarket } from '../../../src/venue/core/venue-core.js';
import { adminApp } from '../../../src/venue/http/admin-app.js';
import { type VenueAppOptions, venueApp } from '../../../src/venue/http/venue-app.js';
import { type Handle, splitTarget } from '../../../src/venue/http/wire.js';
import { SILENT } from '../../../src/ports/log.js';
import type { MarketDriver } from '../../../src/venue/market-driver.js';
import { QueueModel } from '../../../src/venue/tape/queue-model.js';
import { VirtualTime } from './virtual-time.js';

export const PAIR = 'USD_BTC_PERP';
export const ANNA = { key: 'anna-key', secret: 'anna-secret', account: 'anna' } as const;
export const BERT = { key: 'bert-key', secret: 'bert-secret', account: 'bert' } as const;

export const BTC = defineMarket({
  pair: PAIR,
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  interest: { min: '0', max: '5', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
});

export const ETH = defineMarket({
  pair: 'USD_ETH_PERP',
  base: 'ETH',
  quote: 'USD',
  price: { min: '0.01', max: '100000', step: '0.01' },
  quantity: { min: '0.01', max: '1000', step: '0.01' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
});

export const IDLE = defineMarket({
  pair: 'USD_OLD_PERP',
  base: 'OLD',
  quote: 'USD',
  price: { min: '0.01', max: '100000', step: '0.01' },
  quantity: { min: '0.01', max: '1000', step: '0.01' },
  fees: { maker: '0.0002', taker: '0.0006' },
  active: false,
});

export interface Envelope<T> {
  readonly code: number;
  readonly msg: string;
  readonly result: T;
}

export interface Reply<T> extends Envelope<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as a test writes it. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** What the tests read of records, as the wire names it. */
export interface WireOrder {
  readonly id: string;
  readonly pair: string;
  readonly price: number;
  readonly price_orig: number;
  readonly qty_orig: number;
  readonly qty_remaining: number;
  readonly qty_filled: number;
  readonly side: string;
  readonly status: string;
  readonly time: number;
  readonly time_in_force: string;
  readonly type: string;
  readonly oco: string | null;
  readonly post_only: boolean;
  readonly reduce_only: boolean;
  readonly leverage: number;
  readonly customer_id: string;
  readonly fills: readonly WireFill[];
  readonly msg?: string;
}

export interface WireFill {
  readonly id: string;
  readonly pair: string;
  readonly price: number;
  readonly qty: number;
  readonly side: string;
  readonly type: string;
  readonly time: number;
  readonly is_buyer_maker: boolean;
  readonly net_commission: number;
}

export interface WireTrade {
  readonly id: string;
  readonly price: number;
  readonly qty: number;
  readonly time: number;
  readonly is_buyer_maker: boolean;
}

export interface WirePosition {
  readonly size: number;
  readonly free: number;
  readonly locked: number;
  readonly realized: number;
  readonly fees: number;
  readonly stats: Readonly<Record<string, number | string>>;
}

type Credentials = { readonly key: string; readonly secret: string };
type Fields = Readonly<Record<string, string | number | boolean>>;

export function form(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

export function sign(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

export function bookCore(
  markets: readonly VenueMarket[] = [{ market: BTC }, { market: ETH }, { market: IDLE }],
  options: Partial<VenueCoreOptions> = {},
) {
  const core = new VenueCore({ markets, assets: ASSETS, ...options });
  core.openAccount('anna', { USD: '100000' });
  core.openAccount('bert', { USD: '100000' });
  return core;
}

/** A tape market of BTC with the queue model. */
export function tapeCore() {
  return bookCore([{ market: BTC, tape: (market, sink) => new QueueModel({ market, sink }) }]);
}

export function print(id: number, time: number, price: number, quantity = 0.01, isBuyerMaker = false): Trade {
  return { id: String(id), time, price, quantity, isBuyerMaker };
}

/** Sends a request through a door without sockets. */
export function exchange<T = unknown>(handle: Handle, target: string, sent: Sent = {}): Reply<T> {
  const { method = 'GET', headers = {}, body = '' } = sent;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const answer = handle({ method, ...splitTarget(target), headers, body: bytes });
  const envelope = JSON.parse(answer.body) as Envelope<T>;
  return { ...envelope, status: answer.status, headers: answer.headers };
}

export class Desk {
  readonly time: VirtualTime;
  readonly core: VenueCore;
  readonly venue: ReturnType<typeof venueApp>;
  readonly #admin: Handle;

  constructor(
    options: Partial<VenueAppOptions> & {
      core?: VenueCore;
      drivers?: readonly MarketDriver[];
      time?: VirtualTime;
    } = {},
  ) {
    this.time = options.time ?? new VirtualTime();
    this.core = options.core ?? bookCore();
    this.venue = venueApp({
      drivers: [],
      accounts: [ANNA, BERT],
      ...options,
      clock: this.time,
      core: this.core,
    });
    const { host, headers } = this.venue;
    this.#admin = adminApp({ venue: host, headers, log: options.log ?? SILENT });
  }

  get now(): number {
    return this.venue.host.clock.now();
  }

  async request<T = unknown>(target: string, sent?: Sent): Promise<Reply<T>> {
    return exchange<T>(this.venue.handle, target, sent);
  }

  /** Through the admin door. */
  async admin<T = unknown>(path: string, fields: Fields = {}): Promise<Reply<T>> {
    return exchange<T>(this.#admin, path, { method: 'POST', body: form(fields) });
  }

  async get<T = unknown>(path: string, query: Fields = {}, who?: Credentials): Promise<Reply<T>> {
    const text = form(query);
    return this.request<T>(text === '' ? path : `${path}?${text}`, {
      headers: who === undefined ? {} : { 'x-api-key': who.key },
    });
  }

  async post<T = unknown>(path: string, fields: Fields | string, who: Credentials): Promise<Reply<T>> {
    const body = typeof fields === 'string' ? fields : form(fields);
    return this.request<T>(path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-api-key': who.key,
        'x-signature': sign(who.secret, body),
      },
    });
  }

  /** Places an order that must be accepted; gives its record. */
  async place(who: Credentials, fields: Fields): Promise<WireOrder> {
    const reply = await this.post<{ readonly order: WireOrder }>(
      '/auth/order',
      { pair: PAIR, ...fields },
      who,
    );
    if (reply.status !== 200) throw new Error(`an order must be accepted here, received ${reply.msg}`);
    return reply.result.order;
  }

  /** A trade between the two: anna sells resting, bert buys. */
  async trade(price: number, qty: number): Promise<void> {
    await this.place(ANNA, { side: 'SELL', price, qty });
    await this.place(BERT, { side: 'BUY', price, qty });
  }
}
