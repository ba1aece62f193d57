/** A small venue with everything switched on, for the fuzzing to move, and all of its state as a list of values. */
import { defineMarket, type MarketSpec } from '../../../src/model/market.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import type { Account, CoreOrder } from '../../../src/venue/core/account.js';
import type { History } from '../../../src/venue/core/history.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { adminApp } from '../../../src/venue/http/admin-app.js';
import { venueApp } from '../../../src/venue/http/venue-app.js';
import type { Handle } from '../../../src/venue/http/wire.js';
import type { Log } from '../../../src/ports/log.js';
import { VirtualTime } from './virtual-time.js';

const PERP = {
  quote: 'USD',
  contract: 'linear',
  fees: { maker: '-0.0001', taker: '0.0006', liquidation: '0.003' },
  margin: {
    initial: '0.01',
    maintenance: '0.005',
    initialRiskLimit: '0.000001',
    maintenanceRiskLimit: '0.0000005',
  },
  funding: { intervalMs: 60_000, timeWindowMs: 600_000, min: '-0.003', max: '0.003', threshold: '0' },
} as const;
const PRICING = {
  indexIntervalMs: 1_000,
  markEmaRange: 5,
  markMaxDeviation: '0.05',
  bandDeviation: '0.1',
  fairMultiplier: '0.01',
} as const;

const SPECS: readonly MarketSpec[] = [
  {
    ...PERP,
    pair: 'USD_BTC_PERP',
    base: 'BTC',
    price: { min: '0.5', max: '1000000', step: '0.5' },
    quantity: { min: '0.001', max: '10', step: '0.001' },
    icebergs: { min: '0.002', max: '10', step: '0.001' },
    interest: { min: '0', max: '2', step: '0.001' },
    pricing: { ...PRICING, fairQuantity: '0.005' },
  },
  {
    ...PERP,
    pair: 'USD_ETH_PERP',
    base: 'ETH',
    price: { min: '0.01', max: '100000', step: '0.01' },
    quantity: { min: '0.01', max: '200', step: '0.01' },
    interest: { min: '0', max: '40', step: '0.01' },
    pricing: { ...PRICING, fairQuantity: '0' },
  },
  {
    pair: 'BTC_USD',
    base: 'BTC',
    quote: 'USD',
    contract: 'spot',
    fees: { maker: '0.0002', taker: '0.0006' },
    price: { min: '0.5', max: '1000000', step: '0.5' },
    quantity: { min: '0.0001', max: '10', step: '0.0001' },
  },
  {
    ...PERP,
    pair: 'USD_BTC_CALL',
    base: 'BTC',
    contract: 'option',
    price: { min: '0.5', max: '1000000', step: '0.5' },
    quantity: { min: '0.001', max: '10', step: '0.001' },
    active: false,
  },
];

/** Where prices hover, quote units; what the admin door sets and orders lie around. */
export const HOVERS: Readonly<Record<string, number>> = {
  USD_BTC_PERP: 60_000,
  USD_ETH_PERP: 2_500,
  BTC_USD: 60_000,
  USD_BTC_CALL: 1_000,
};
export const PAIRS = Object.keys(HOVERS);
/** What the fuzzing puts into `oco`. */
export const TAGS = Array.from({ length: 24 }, (_, index) => `tag-${index}`);

export interface Key {
  readonly key: string;
  readonly secret: string;
  readonly account: string;
}

const FUNDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  anna: { USD: '100000', BTC: '2' },
  bert: { USD: '100000', BTC: '2', TWT: '1000' },
  cora: { USD: '2500' },
  dirk: { USD: '12' },
};
export const KEYS: readonly Key[] = Object.keys(FUNDS).map((account) => ({
  account,
  key: `${account}-key`,
  secret: `${account}-secret`,
}));

/** Short, so that all of it is compared after every request. */
const HISTORY = 12;

export class FuzzVenue {
  readonly time = new VirtualTime();
  readonly core: VenueCore;
  readonly door: Handle;
  readonly adminDoor: Handle;
  /** What an endpoint threw. */
  readonly errors: unknown[] = [];
  readonly catchUp: () => number;

  constructor() {
    this.core = new VenueCore({
      markets: SPECS.map((spec) => ({
        market: defineMarket(spec),
        prices: 'index' as const,
        keepTrades: 200,
      })),
      assets: ASSETS,
      insurance: { USD: '500' },
      commissionDiscount: { rate: '0.1' },
      historyLimit: HISTORY,
    });
    for (const [name, deposits] of Object.entries(FUNDS)) this.core.openAccount(name, deposits);
    const log: Log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (_message, facts) => this.errors.push(facts?.['error']),
    };
    const { handle, host, headers } = venueApp({
      core: this.core,
      drivers: [],
      clock: this.time,
      accounts: KEYS,
      rateLimit: 20,
      log,
    });
    this.door = handle;
    this.adminDoor = adminApp({ venue: host, headers, log });
    this.catchUp = () => host.catchUp();
  }
}

export type Value = string | number | bigint | boolean | undefined;

/**
 * Everything that anybody could ever see or feel of a venue, read from the raw accounts: equal lists, equal states.
 * Names stand between the values, so that a difference can be found. Written over `out`.
 */
export function stateOf(core: VenueCore, out: Value[]): Value[] {
  out.length = 0;
  for (const account of core.accounts) {
    out.push(account.name);
    for (const [asset, { isOpened, cash, withdrawing, pnl, feesPaid }] of account.balances) {
      if (isOpened || cash !== 0n) out.push(asset, cash, withdrawing, pnl, feesPaid);
    }
    addHoldings(out, account);
    out.push('waiting');
    for (const order of account.waiting) addOrder(out, order);
    addHistory(out, 'done', account.doneOrders, addOrder);
    addHistory(out, 'refused', account.refusedTriggers, addOrder);
    addHistory(out, 'fills', account.fills, (into, { id, lots, ticks, fee, grossFee, realised, time }) =>
      into.push(id, lots, ticks, fee, grossFee, realised, time),
    );
    addHistory(
      out,
      'closed',
      account.completedPositions,
      (into, { pair, realised, fees, funding, closedAt }) =>
        into.push(pair, realised, fees, funding, closedAt),
    );
    if (!account.isCustomer) continue;
    out.push('deposits');
    for (const { id, status, confirmations, doneAt } of core.wallet.deposits(account, EVERYTHING)) {
      out.push(id, status, confirmations, doneAt);
    }
    out.push('withdrawals');
    for (const { id, status, doneAt } of core.wallet.withdrawals(account, EVERYTHING)) {
      out.push(id, status, doneAt);
    }
  }
  for (const { pair } of core.markets) addMarket(out, core, pair);
  return out;
}

const EVERYTHING = { limit: Number.POSITIVE_INFINITY };

function addHoldings(out: Value[], account: Account): void {
  for (const [pair, holding] of account.holdings) {
    const { lots, cost, margin, leverage, realised, fees, funding, groups } = holding;
    const isBlank =
      lots === 0 && leverage === undefined && holding.workingCount === 0 && groups === undefined;
    if (isBlank && realised === 0n && cost === 0n && margin === 0n) continue;
    out.push(pair, lots, cost, margin, leverage?.numerator, leverage?.denominator, realised, fees, funding);
    out.push(holding.openedAt, holding.workingCount, holding.reduceOnlyCount);
    out.push(holding.buyLots, holding.sellLots, holding.buySteps, holding.sellSteps);
    for (let order = holding.firstWorking; order !== undefined; order = order.nextWorking)
      addOrder(out, order);
    if (groups !== undefined) for (const tag of TAGS) out.push(groups.hasEnded(tag));
  }
}

function addOrder(out: Value[], order: CoreOrder): void {
  const { sequence, limitTicks, leaves, status, updatedAt, doneReason, lastTicks, isTaking, special } = order;
  out.push(
    sequence,
    limitTicks,
    leaves,
    status,
    updatedAt,
    doneReason,
    lastTicks,
    isTaking,
    order.fills.length,
  );
  if (special !== undefined) {
    out.push(special.shown, special.rises, special.isFiring, special.message, special.group?.members.length);
  }
}

function addHistory<T>(
  out: Value[],
  name: string,
  history: History<T>,
  add: (out: Value[], item: T) => void,
): void {
  out.push(name, history.pushed);
  for (let n = 0; n < history.size; n++) add(out, history.newest(n) as T);
}

function addMarket(out: Value[], core: VenueCore, pair: string): void {
  const { isActive, mark, lastPrice, previousPrice, lastQuantity, prices } = core.market(pair);
  out.push(pair, isActive, mark, lastPrice, previousPrice, lastQuantity);
  if (prices !== undefined) {
    const { sum, count } = prices.premiums;
    out.push(prices.known, prices.index, prices.fair, prices.mark, sum, count);
  }
  const { bids, asks } = core.depth(pair, 1_000);
  for (const { ticks, lots } of bids) out.push(ticks, lots);
  out.push('asks');
  for (const { ticks, lots } of asks) out.push(ticks, lots);
}

/** Where two states differ, with what stands before; `undefined` when they are the same. */
export function differenceOf(before: readonly Value[], after: readonly Value[]): string | undefined {
  const length = Math.max(before.length, after.length);
  for (let at = 0; at < length; at++) {
    if (Object.is(before[at], after[at])) continue;
    const around = (values: readonly Value[]) =>
      values
        .slice(Math.max(0, at - 12), at + 4)
        .map(String)
        .join(' ');
    return `at ${at} of ${before.length}: … ${around(before)} … became … ${around(after)} …`;
  }
  return undefined;
}
