/** `explain-pnl` against our own venue, over real HTTP on loopback, in one process. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explainPnl } from '../../../src/cli/commands/explain-pnl.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { OrderTerms } from '../../../src/model/order.js';
import { defineMarket } from '../../../src/model/market.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import type { Account } from '../../../src/venue/core/account.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';

const BTC = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
});
/** Venue time runs ahead, so that trades of one test do not fall into one millisecond, where no page could part them. */
const SPEED = 100;
/** The most that our venue puts into a page here, whatever is asked for. */
const MAX_LIMIT = 20;
const PLAIN = { timeInForce: 'GTC', postOnly: false, reduceOnly: false } as const;

let core: VenueCore;
let server: VenueServer;
let anna: Account;
let bert: Account;
/** Ids of fills that the list leaves out. */
let unlisted: Set<string>;

/** A venue whose list of fills can forget some. */
class Forgetful extends VenueCore {
  override fills(...args: Parameters<VenueCore['fills']>) {
    return super.fills(...args).filter(({ id }) => !unlisted.has(id));
  }
}

beforeEach(async () => {
  unlisted = new Set();
  core = new Forgetful({ markets: [{ market: BTC, prices: 'index' }], assets: ASSETS });
  anna = core.openAccount('anna', { USD: '100000' });
  bert = core.openAccount('bert', { USD: '100000' });
  server = await startVenueServer({
    core,
    drivers: [],
    clock: systemClock,
    timers: systemTimers,
    accounts: [{ key: 'anna-key', secret: 'anna-secret', account: 'anna' }],
    speed: SPEED,
    port: 0,
    maxLimit: MAX_LIMIT,
  });
  core.setIndex(BTC.pair, 600_000 as Ticks, now());
});
afterEach(() => server.close());

function now(): number {
  return server.venue.clock.now();
}

/** Bert stands at the price, Anna takes. */
function trade(side: 'buy' | 'sell', lots: number, price: number): void {
  const terms = (of: 'buy' | 'sell'): OrderTerms => ({
    ...PLAIN,
    side: of,
    type: 'limit',
    lots: lots as Lots,
    ticks: (price * 10) as Ticks,
  });
  core.place(bert, { pair: BTC.pair, terms: terms(side === 'buy' ? 'sell' : 'buy') }, now());
  const taken = core.place(anna, { pair: BTC.pair, terms: terms(side) }, now());
  if (taken.kind === 'refused' || taken.order.status !== 'completed')
    throw new Error('the trade must take place');
}

async function explain(options: Parameters<typeof explainPnl>[0] = {}) {
  // Secrets are taken out of the environment as they are read.
  vi.stubEnv('TICKWRIGHT_VENUE__API_KEY', 'anna-key');
  vi.stubEnv('TICKWRIGHT_VENUE__API_SECRET', 'anna-secret');
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(((chunk: string, done?: () => void) => {
    text += chunk;
    done?.();
    return true;
  }) as typeof process.stdout.write);
  try {
    const code = await explainPnl({ venue: server.url, ...options });
    return { code, text };
  } finally {
    write.mockRestore();
  }
}

async function document(options: Parameters<typeof explainPnl>[0] = {}) {
  const { code, text } = await explain({ json: true, ...options });
  return { code, document: JSON.parse(text) as Record<string, readonly Record<string, unknown>[]> };
}

describe('explain-pnl', () => {
  it('says of no position that the venue ended it which an own order closed against the liquidation of another', async () => {
    const carl = core.openAccount('carl', { USD: '50' });
    const limit = { ...PLAIN, type: 'limit', lots: 10 as Lots } as const;
    const at = (price: number) => (price * 10) as Ticks;
    core.place(anna, { pair: BTC.pair, terms: { ...limit, side: 'buy', ticks: at(60_000) } }, now());
    core.place(carl, { pair: BTC.pair, terms: { ...limit, side: 'sell', ticks: at(60_000) } }, now());
    core.place(anna, { pair: BTC.pair, terms: { ...limit, side: 'sell', ticks: at(64_000) } }, now());
    core.setMark(BTC.pair, at(64_735), now());
    expect(core.position(carl, BTC.pair).lots).toBe(0);
    const { code, document: found } = await document();
    expect(code).toBe(0);
    expect(found['roundTrips']).toMatchObject([{ realised: '40' }]);
    expect(found).not.toHaveProperty('liquidated');
  });

  it('says of a position that the venue ended that it did, whether it liquidated or deleveraged', async () => {
    const carl = core.openAccount('carl', { USD: '50' });
    const limit = { ...PLAIN, type: 'limit', lots: 10 as Lots, ticks: 600_000 as Ticks } as const;
    core.place(anna, { pair: BTC.pair, terms: { ...limit, side: 'buy' } }, now());
    core.place(carl, { pair: BTC.pair, terms: { ...limit, side: 'sell' } }, now());
    core.setMark(BTC.pair, 670_000 as Ticks, now());
    expect(core.position(anna, BTC.pair).lots).toBe(0);
    const { code, text } = await explain();
    expect(code).toBe(0);
    expect(text).toContain('The venue itself ended a position, by liquidation or deleveraging: ');
  });

  it('adds opening, transfers, realised P&L and fees up to the balance of the venue', async () => {
    const id = core.wallet.detectDeposit(anna, 'USD', '500', {}, now());
    core.wallet.confirmDeposit(id, now());
    trade('buy', 100, 60_000);
    trade('sell', 100, 61_000);
    trade('buy', 50, 60_500);
    const { code, document: found } = await document();
    expect(code).toBe(0);
    const fee = Number(ASSETS.find(({ key }) => key === 'USD')?.fees.deposit);
    // 0.1 × 1 000 = 100 realised; taker fees of 6 bp on 6 000, 6 100 and 3 025.
    const fees = 3.6 + 3.66 + 1.815 + fee;
    expect(found['schemaVersion']).toBe(1);
    expect(found['assets']).toMatchObject([
      {
        asset: 'USD',
        opening: '100000',
        deposits: '500',
        withdrawals: '0',
        realised: '100',
        fees: String(-fees),
        funding: '0',
        suspense: '0',
        closing: String(100_600 - fees),
      },
    ]);
    expect(found['pairs']).toMatchObject([
      { pair: BTC.pair, roundTrips: 2, realised: '100', fees: '-9.075' },
    ]);
    expect(found['roundTrips']).toMatchObject([
      {
        side: 'buy',
        realised: '100',
        fees: '-7.26',
        difference: '0',
        fills: [
          { realised: '0', fee: '-3.6' },
          { realised: '100', fee: '-3.66' },
        ],
      },
      { side: 'buy', realised: '0', fees: '-1.815', difference: '0', fills: [{ fee: '-1.815' }] },
    ]);
  });

  it('fails the check by exactly what a missing fill brought, and names the fill', async () => {
    trade('buy', 100, 60_000);
    trade('sell', 100, 61_000);
    trade('buy', 50, 60_500);
    trade('sell', 50, 60_600);
    const [, , closing] = core.fills(anna);
    unlisted.add(closing?.id as string);
    const { code, document: found } = await document();
    expect(code).toBe(3);
    // Its realised 100 less its fee of 3.66.
    expect(found['assets']).toMatchObject([{ suspense: '96.34', opening: '100000' }]);
    expect(found['pairs']).toMatchObject([{ suspense: '96.34', unlistedFills: [closing?.id] }]);
    const { text } = await explain();
    expect(text).toContain('96.34 USD is not explained by any record.');
    expect(text).toContain(`does not list: ${closing?.id}`);
  });

  it('reads every page, however few records the venue puts into one', async () => {
    for (let n = 0; n < 130; n++) trade(n % 2 === 0 ? 'buy' : 'sell', 1 + (n % 3), 60_000 + n);
    const { code, document: found } = await document();
    expect(code).toBe(0);
    const fills = found['roundTrips']?.flatMap(({ fills: inside }) =>
      (inside as { id: string }[]).map(({ id }) => id),
    );
    expect(new Set(fills).size).toBe(130);
  });

  it('explains a stretch of time by what happened in it', async () => {
    trade('buy', 100, 60_000);
    trade('sell', 100, 61_000);
    await vi.waitFor(() => expect(now()).toBeGreaterThan((core.fills(anna)[0]?.time ?? 0) + 2), {
      timeout: 60_000,
    });
    const from = Math.floor(now());
    trade('buy', 50, 60_500);
    const { code, document: found } = await document({ from: String(from) });
    expect(code).toBe(0);
    expect(found['assets']).toMatchObject([
      { opening: '100092.74', realised: '0', fees: '-1.815', closing: '100090.925' },
    ]);
    const before = await document({ to: String(from - 1) });
    expect(before.document['assets']).toMatchObject([
      { opening: '100000', realised: '100', fees: '-7.26', closing: '100092.74' },
    ]);
  });

  it('is read by people as a column of sums that ends with the balance', async () => {
    trade('buy', 100, 60_000);
    trade('sell', 100, 61_000);
    const { code, text } = await explain();
    expect(code).toBe(0);
    expect(text).toMatch(/opening balance +100000\n/);
    expect(text).toMatch(/realised P&L +100\n/);
    expect(text).toMatch(/fees +-7\.26\n/);
    expect(text).toMatch(/closing balance +100092\.74\n/);
    expect(text).toContain('Every unit of the balance is explained.');
  });

  it('refuses a market that the venue does not list, and a stretch that ends before it begins', async () => {
    await expect(explain({ pair: 'NO_PAIR' })).rejects.toThrow('--pair must be one of USD_BTC_PERP');
    await expect(explain({ from: '2024-01-02', to: '2024-01-01' })).rejects.toThrow(
      '--from must be at or before --to',
    );
    await explain({ from: '2024-01-02', to: '2024-01-02' });
    await expect(explain({ from: '2100-01-01' })).rejects.toThrow(
      /--from must have passed at the venue, where it is .*, received 2100-01-01/,
    );
  });

  it('does not say that all is explained where fills of a market that is listed no more cannot be read', async () => {
    trade('buy', 100, 60_000);
    trade('sell', 100, 61_000);
    const readable = server.venue.markets;
    Object.assign(server.venue, { markets: new Map() });
    const { code, text } = await explain();
    expect(code).toBe(3);
    expect(text).toContain('cannot be read is not explained: it is in the opening balance.');
    expect(text).not.toContain('Every unit');
    // What was before the stretch is in its opening balance anyway.
    const later = await explain({ from: String(Math.floor(now())) });
    expect(later).toMatchObject({
      code: 0,
      text: expect.stringContaining('Every unit of the balance is explained.'),
    });
    Object.assign(server.venue, { markets: readable });
  });

  it('explains an asset that the venue lists no more by what its records say of it', async () => {
    const id = core.wallet.detectDeposit(anna, 'ETH', '1.25', {}, now());
    core.wallet.confirmDeposit(id, now());
    trade('buy', 100, 60_000);
    const before = (await document()).document['assets'];
    Object.assign(core.wallet, { assets: core.wallet.assets.filter(({ key }) => key !== 'ETH') });
    const { code, document: found } = await document();
    expect(code).toBe(0);
    expect(found['assets']).toEqual(before);
    expect(before?.[0]).toMatchObject({ asset: 'ETH', opening: '0', suspense: '0' });
  });
});
