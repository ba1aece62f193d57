/** The client against our own venue, over real signed HTTP on loopback, in real time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVenueClient, type VenueClient, type VenueClientOptions } from '../../src/client/client.js';
import { isDefiniteRefusal, tickwright } from '../../src/client/profile.js';
import { undiciTransport } from '../../src/client/transport.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import type { OrderTerms } from '../../src/model/order.js';
import { seededRandom } from '../../src/model/random.js';
import { systemClock } from '../../src/platform/clock.js';
import { systemTimers } from '../../src/platform/timers.js';
import { SILENT } from '../../src/ports/log.js';
import { type PlaceRequest, VenueError } from '../../src/ports/venue-api.js';
import { createWithdrawClient } from '../../src/client/withdraw.js';
import { ASSETS } from '../../src/venue/catalogue.js';
import { VenueCore } from '../../src/venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../src/venue/http/server.js';

const BTC = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  icebergs: { min: '0.01', max: '50', step: '0.001' },
  interest: { min: '0', max: '5', step: '0.001' },
  fees: { maker: '-0.0001', taker: '0.0006', liquidation: '0.003' },
});
const BID: OrderTerms = {
  side: 'buy',
  type: 'limit',
  ticks: 600_000 as Ticks, // 60 000.0
  lots: 250 as Lots, // 0.250
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
};
const ASK: OrderTerms = { ...BID, side: 'sell', ticks: 610_000 as Ticks };
const LIFT: OrderTerms = { ...BID, type: 'market', ticks: undefined, postOnly: false, lots: 100 as Lots };

const SPEED = 10;
/** Requests are good for a time of the venue's, which passes faster: a client that is new does not know that yet. */
const PROFILE = { ...tickwright, recvWindowMs: SPEED * tickwright.recvWindowMs };
let server: VenueServer;
let core: VenueCore;
let closing: (() => Promise<void>)[];

beforeEach(async () => {
  core = new VenueCore({ markets: [{ market: BTC }], assets: ASSETS });
  const names = ['anna', 'bert'];
  for (const name of names) core.openAccount(name, { USD: '100000' });
  server = await startVenueServer({
    core,
    drivers: [],
    clock: systemClock,
    timers: systemTimers,
    accounts: names.map((name) => ({ key: `${name}-key`, secret: `${name}-secret`, account: name })),
    speed: SPEED,
    port: 0,
  });
  closing = [() => server.close()];
});
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
});

function partsOf(name: string, apiSecret = `${name}-secret`): VenueClientOptions {
  const transport = undiciTransport({
    baseUrl: server.url,
    clock: systemClock,
    timers: systemTimers,
    environment: {},
  });
  closing.push(() => transport.close());
  return {
    baseUrl: server.url,
    profile: PROFILE,
    credentials: { apiKey: `${name}-key`, apiSecret },
    transport,
    clock: systemClock,
    timers: systemTimers,
    random: seededRandom(1),
    log: SILENT,
  };
}

const clientOf = (name: string, apiSecret?: string): VenueClient =>
  createVenueClient(partsOf(name, apiSecret));

/** Anna sells 0.1 at 61 000 to Bert. */
async function trade(): Promise<{ readonly anna: VenueClient; readonly bert: VenueClient }> {
  const [anna, bert] = [clientOf('anna'), clientOf('bert')];
  await anna.place(BTC, ASK, undefined);
  expect((await bert.place(BTC, LIFT, undefined)).kind).toBe('accepted');
  return { anna, bert };
}

describe('our client at our venue', () => {
  it('gets back exactly the market that the venue was made with', async () => {
    expect((await clientOf('anna').markets()).get(BTC.pair)).toEqual(BTC);
  });

  it('follows a clock that runs ten times as fast', async () => {
    const { clock } = clientOf('anna');
    const began = systemClock.monotonic();
    await clock.sync();
    const tookMs = systemClock.monotonic() - began;
    const before = clock.reached();
    const now = server.venue.clock.now();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(now);
    expect(Math.abs(clock.now() - now)).toBeLessThan((100 + tookMs) * SPEED);
  });

  it('places, reads, cancels, and reads again', async () => {
    const anna = clientOf('anna');
    const placed = await anna.place(BTC, BID, 's1-1');
    expect(placed).toMatchObject({
      kind: 'accepted',
      order: { status: 'ACTIVE', oco: 's1-1', postOnly: true },
    });
    const id = placed.kind === 'accepted' ? placed.order.id : '';
    expect(await anna.order(id)).toMatchObject({
      priceOriginal: 60_000,
      quantity: 0.25,
      leavesQuantity: 0.25,
    });
    expect((await anna.orders('active', { pair: BTC.pair })).map((order) => order.id)).toEqual([id]);
    expect((await anna.depth(BTC.pair)).bids).toEqual([{ price: 60_000, quantity: 0.25 }]);
    expect((await anna.cancel(id)).kind).toBe('answered');
    expect((await anna.order(id)).status).toBe('CANCELLED');
    expect(await anna.cancel(id)).toMatchObject({ kind: 'refused' });
    expect(await anna.orders('active')).toEqual([]);
    expect((await anna.orders('canceled')).map((order) => order.id)).toEqual([id]);
  });

  it('cancels many by id and leaves the others', async () => {
    const anna = clientOf('anna');
    const ids: string[] = [];
    for (const ticks of [600_000, 600_005, 600_010]) {
      const placed = await anna.place(BTC, { ...BID, ticks: ticks as Ticks }, undefined);
      if (placed.kind === 'accepted') ids.push(placed.order.id);
    }
    expect(await anna.cancelMany([ids[0] as string, ids[1] as string])).toMatchObject({
      kind: 'answered',
      orders: [{ id: ids[0] }, { id: ids[1] }],
    });
    expect((await anna.orders('active')).map(({ id }) => id)).toEqual([ids[2]]);
  });

  it('sees a trade from both sides: fills, positions, prints, money', async () => {
    const [anna, bert] = [clientOf('anna'), clientOf('bert')];
    await anna.place(BTC, ASK, undefined);
    const lifted = await bert.place(BTC, LIFT, undefined);
    expect(lifted).toMatchObject({
      kind: 'accepted',
      order: { type: 'market', status: 'COMPLETED', filledQuantity: 0.1 },
    });
    const [made] = await anna.fills({ pair: BTC.pair });
    const [taken] = await bert.fills({ pair: BTC.pair });
    // 0.1 × 61 000 = 6 100: a rebate of 1 bp to the maker, 6 bp from the taker.
    expect(made).toMatchObject({ quantity: 0.1, price: 61_000, isBuyerMaker: false, netCommission: -0.61 });
    expect(taken).toMatchObject({ quantity: 0.1, price: 61_000, isBuyerMaker: false, netCommission: 3.66 });
    expect(await anna.position(BTC.pair)).toMatchObject({ size: -0.1, averageEntry: 61_000, fees: 0.61 });
    expect(await bert.position(BTC.pair)).toMatchObject({ size: 0.1, averageEntry: 61_000, fees: -3.66 });
    expect(await bert.trades({ pair: BTC.pair })).toMatchObject([
      { pair: BTC.pair, price: 61_000, quantity: 0.1 },
    ]);
    expect((await bert.ticker(BTC.pair)).lastPrice).toBe(61_000);
    expect((await bert.balances()).find(({ asset }) => asset === 'USD')?.fees).toBe(3.66);
  });

  it('takes a post-only order that would trade for accepted and cancelled at once', async () => {
    const [anna, bert] = [clientOf('anna'), clientOf('bert')];
    await anna.place(BTC, ASK, undefined);
    expect(await bert.place(BTC, { ...BID, ticks: 620_000 as Ticks }, undefined)).toMatchObject({
      kind: 'accepted',
      order: { status: 'CANCELLED', message: 'post-only would trade' },
    });
  });

  it('knows each kind of refusal that it can cause as definite', async () => {
    const anna = clientOf('anna');
    const broke = { ...BID, lots: 5_000 as Lots, ticks: 9_000_000 as Ticks };
    const refusals: readonly [string, OrderTerms][] = [
      ['price off tick', { ...BID, ticks: 600_001 as Ticks }],
      ['price outside filter', { ...BID, ticks: 10_000_005 as Ticks }],
      ['quantity outside filter', { ...BID, lots: 100_001 as Lots }],
      ['interest exceeded', { ...BID, lots: 5_001 as Lots }],
      ['insufficient balance', broke],
    ];
    for (const [rule, terms] of refusals) {
      expect(await anna.place(BTC, terms, undefined)).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining(rule),
      });
    }
    const elsewhere = defineMarket({
      pair: 'USD_XYZ_PERP',
      base: 'XYZ',
      quote: 'USD',
      price: { min: '0.5', max: '1000000', step: '0.5' },
      quantity: { min: '0.001', max: '100', step: '0.001' },
      fees: { maker: 0, taker: 0 },
    });
    expect((await anna.place(elsewhere, BID, undefined)).kind).toBe('refused');
    expect((await clientOf('anna', 'another-secret').place(BTC, BID, undefined)).kind).toBe('refused');
    expect((await clientOf('carl').place(BTC, BID, undefined)).kind).toBe('refused');
    expect(await anna.orders('all')).toEqual([]);
  });

  it('is told what it cannot read, in words that prove it', async () => {
    const anna = clientOf('anna');
    for (const read of [
      () => anna.order('no-such-order'),
      () => anna.trades({ pair: 'NO_PAIR' }),
      () => clientOf('carl').position(BTC.pair),
    ]) {
      const error = await read().then(
        () => undefined,
        (failure: unknown) => failure as VenueError,
      );
      expect(error).toBeInstanceOf(VenueError);
      expect(error?.kind).toBe('refused');
      expect([error?.message, isDefiniteRefusal(tickwright, error?.message ?? '')]).toEqual([
        error?.message,
        true,
      ]);
    }
  });
});

describe('the whole specification at our venue', () => {
  const below = { ticks: 590_000 as Ticks, event: 'last' } as const;

  it('hidden orders do not show, and icebergs show one slice', async () => {
    const anna = clientOf('anna');
    const hidden = await anna.place(BTC, BID, undefined, { hidden: true });
    expect(hidden).toMatchObject({ kind: 'accepted', order: { hidden: true } });
    expect((await anna.depth(BTC.pair)).bids).toEqual([]);
    const sliced = await anna.place(BTC, ASK, undefined, { icebergs: 5 });
    expect(sliced).toMatchObject({ kind: 'accepted', order: { icebergs: 5, quantity: 0.25 } });
    // 0.25 in 5 slices.
    expect((await anna.depth(BTC.pair)).asks).toEqual([{ price: 61_000, quantity: 0.05 }]);
  });

  it('triggers wait in their own list and outlive the bulk cancel', async () => {
    const { anna } = await trade();
    const options = { trigger: below, leverage: 3 };
    const placed = await anna.place(
      BTC,
      { ...BID, postOnly: false, ticks: 589_000 as Ticks },
      undefined,
      options,
    );
    expect(placed).toMatchObject({
      kind: 'accepted',
      order: { status: 'UNTRIGGERED', triggerPrice: 59_000, triggerEvent: 'last', leverage: 3 },
    });
    const resting = await anna.place(BTC, BID, undefined);
    expect(resting.kind).toBe('accepted');
    const canceled = await anna.cancelEverything();
    // The rest of the ask of 0.25 and the new bid.
    expect(canceled.kind === 'answered' && canceled.orders.length).toBe(2);
    expect(await anna.orders('active')).toEqual([]);
    expect((await anna.triggers()).map(({ status }) => status)).toEqual(['UNTRIGGERED']);
  });

  it('one order of a group cancels the other when it fills', async () => {
    const [anna, bert] = [clientOf('anna'), clientOf('bert')];
    await anna.place(BTC, BID, undefined, { oco: 'pair-1' });
    await anna.place(BTC, ASK, 'a tag that gives way', { oco: 'pair-1' });
    await bert.place(BTC, LIFT, undefined);
    const [canceled] = await anna.orders('canceled');
    expect(canceled).toMatchObject({ side: 'buy', oco: 'pair-1', message: 'oco sibling' });
  });

  it('a bulk order is placed whole or refused whole', async () => {
    const anna = clientOf('anna');
    const bids = [600_000, 600_005, 600_010].map((ticks, i) => ({
      terms: { ...BID, ticks: ticks as Ticks },
      tag: `b${i}`,
    }));
    const [first, ...rest] = bids as [PlaceRequest, ...PlaceRequest[]];
    const placed = await anna.placeMany(BTC, [first, ...rest]);
    expect(placed).toMatchObject({
      kind: 'accepted',
      orders: [
        { oco: 'b0', price: 60_000 },
        { oco: 'b1', price: 60_000.5 },
        { oco: 'b2', price: 60_001 },
      ],
    });
    const bad = { terms: { ...BID, ticks: 600_001 as Ticks } };
    expect(await anna.placeMany(BTC, [first, bad])).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('price off tick'),
    });
    expect(await anna.orders('active')).toHaveLength(3);
  });

  it('a position is isolated, funded, drawn on, closed and listed as completed', async () => {
    const { bert } = await trade();
    const isolated = await bert.setLeverage(BTC.pair, 10);
    const of = (outcome: typeof isolated) =>
      outcome.kind === 'done'
        ? outcome.account.positions.find(({ pair }) => pair === BTC.pair)?.margin
        : outcome.reason;
    const margin = of(isolated);
    expect(margin).toBeGreaterThan(0);
    expect(of(await bert.fund(BTC.pair, '50'))).toBeCloseTo((margin as number) + 50, 8);
    expect(of(await bert.draw(BTC.pair, 25))).toBeCloseTo((margin as number) + 25, 8);
    expect(await bert.setLeverage(BTC.pair, 100_000)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('leverage above the maximum'),
    });
    expect((await bert.setLeverage(BTC.pair, 0)).kind).toBe('done');
    expect(await bert.fund(BTC.pair, 1)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('not isolated'),
    });
    expect(await bert.activePositions()).toMatchObject([
      { pair: BTC.pair, size: 0.1, fills: [{ price: 61_000, quantity: 0.1 }] },
    ]);
    const buyer = clientOf('anna');
    await buyer.place(BTC, BID, undefined);
    expect(await bert.close(BTC)).toMatchObject({
      kind: 'accepted',
      order: { side: 'sell', reduceOnly: true, filledQuantity: 0.1 },
    });
    expect(await bert.activePositions()).toEqual([]);
    // Bought at 61 000 and sold at 60 000: −100 for 0.1.
    expect(await bert.completedPositions({ pair: BTC.pair })).toMatchObject([
      { pair: BTC.pair, realized: -100 },
    ]);
  });

  it('the account says the same at each of its doors', async () => {
    const { bert } = await trade();
    const balances = await bert.balances();
    const usd = balances.find(({ asset }) => asset === 'USD');
    expect(usd).toMatchObject({ fees: 3.66 });
    expect((await bert.personal()).balances).toEqual(balances);
    expect(await bert.raw('balances', {})).toEqual(balances);
    const { balances: listed, positions } = await bert.account();
    expect(listed).toEqual(balances);
    expect(positions).toMatchObject([{ pair: BTC.pair, size: 0.1, direction: 'buy', statsSize: 0.1 }]);
  });

  it('public facts come whole: markets, assets, tickers, candles', async () => {
    const { bert } = await trade();
    expect((await bert.marketRecords()).get(BTC.pair)).toMatchObject({
      makerFee: -0.0001,
      orderTypes: ['LIMIT', 'MARKET'],
      status: 'TRADING',
      filters: { interest: { type: 'INTEREST', max: 5 } },
    });
    const asset = (await bert.assets()).find(({ key }) => key === 'USD');
    expect(asset).toMatchObject({ key: 'USD', precision: 8 });
    expect(asset?.filters?.quantity?.type).toBe('LOT_SIZE');
    expect((await bert.tickers()).get(BTC.pair)).toMatchObject({ lastPrice: 61_000, lastQuantity: 0.1 });
    const candles = await bert.candles({ pair: BTC.pair, interval: '1m' });
    // Another minute may have begun since.
    expect(candles.findLast(({ trades = 0 }) => trades > 0)).toMatchObject({
      close: 61_000,
      baseVolume: 0.1,
      trades: 1,
    });
  });

  it('money comes in and goes out', async () => {
    const anna = clientOf('anna');
    const account = core.account('anna');
    if (account === undefined) throw new Error('anna has an account');
    const id = core.wallet.detectDeposit(
      account,
      'USD',
      '250',
      { address: 'in-1', hash: '0xa', from: 'bank' },
      server.venue.clock.now(),
    );
    const [pending] = await anna.deposits();
    expect(pending).toMatchObject({ id, asset: 'USD', quantity: 250, status: 'PENDING' });
    expect(pending?.transaction).toEqual({ hash: '0xa', from: 'bank' });
    core.wallet.confirmDeposit(id, server.venue.clock.now());
    expect((await anna.deposits())[0]?.status).toBe('COMPLETED');

    const door = createWithdrawClient(partsOf('anna'));
    const submitted = await door.withdraw({ asset: 'USD', quantity: '100', address: 'out-1' });
    expect(submitted).toMatchObject({
      kind: 'submitted',
      withdrawal: { status: 'PENDING', quantity: 100, address: 'out-1', manuallyApproved: false },
    });
    expect((await anna.balances()).find(({ asset }) => asset === 'USD')?.withdrawn).toBe(100);
    const listed = await anna.withdrawals();
    expect(submitted.kind === 'submitted' && listed.map((one) => one.id)).toEqual(
      submitted.kind === 'submitted' && [submitted.withdrawal.id],
    );
    expect(await door.withdraw({ asset: 'USD', quantity: '1000000', address: 'out-1' })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('insufficient balance'),
    });
  });
});
