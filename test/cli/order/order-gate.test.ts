/** The gate of orders that a person sends, with what our own venue says of the account, over HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeyedConnection, connect } from '../../../src/cli/connection/connection.js';
import { OrderGate } from '../../../src/cli/order/order-gate.js';
import { orderRequest, type OrderText } from '../../../src/cli/order/order-request.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { type Limits, NO_LIMITS } from '../../../src/gate/limits.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket, type Market } from '../../../src/model/market.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { BTC } from '../../support/markets.js';

/** A second market of the same quote asset: tick 0.1, lot 0.01. */
const ETH: Market = defineMarket({
  pair: 'USD_ETH_PERP',
  base: 'ETH',
  quote: 'USD',
  price: { min: '0.1', max: '100000', step: '0.1' },
  quantity: { min: '0.01', max: '1000', step: '0.01' },
  interest: { min: '0', max: '500', step: '0.01' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
});

const SPOT: Market = defineMarket({
  pair: 'USD_BTC',
  base: 'BTC',
  quote: 'USD',
  contract: 'spot',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  interest: { min: '0', max: '50', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0' },
});

const credentials = { apiKey: 'k', apiSecret: 's' };
let core: VenueCore;
let server: VenueServer;
let mine: KeyedConnection;
let other: KeyedConnection;

beforeEach(async () => {
  core = new VenueCore({ markets: [{ market: BTC }, { market: ETH }, { market: SPOT }], assets: ASSETS });
  core.openAccount('mine', { USD: '10000' });
  core.openAccount('other', { USD: '1000000' });
  server = await startVenueServer({
    core,
    drivers: [],
    clock: systemClock,
    timers: systemTimers,
    accounts: [
      { key: 'k', secret: 's', account: 'mine' },
      { key: 'k2', secret: 's2', account: 'other' },
    ],
    port: 0,
  });
  const machine = thisMachine();
  mine = connect(machine, { url: server.url, credentials });
  other = connect(machine, { url: server.url, credentials: { apiKey: 'k2', apiSecret: 's2' } });
});
afterEach(async () => {
  await Promise.all([mine.close(), other.close()]);
  await server.close();
});

function request(order: OrderText, market = BTC) {
  const made = orderRequest(market, order);
  if ('kind' in made) throw new Error(made.reason);
  return made;
}

async function send({ api }: KeyedConnection, order: OrderText, market = BTC): Promise<void> {
  const { terms, options } = request(order, market);
  expect(await api.place(market, terms, undefined, options)).toMatchObject({ kind: 'accepted' });
}

/** Moves the mark of a market to this price. */
function mark({ pair, priceGrid }: Market, price: number): void {
  core.setMark(pair, (price * priceGrid.scale) as Ticks, systemClock.wall());
}

const gate = (limits: Limits = NO_LIMITS) => OrderGate.read(mine.api, BTC, limits, 1_000);
const buy = (quantity: string, price?: string): OrderText => ({ side: 'buy', quantity, price });
const sell = (quantity: string, price?: string): OrderText => ({ side: 'sell', quantity, price });

describe('the gate of an order by hand', () => {
  it('counts the position and what is working already', async () => {
    // Long 0.02; working: buy 0.03. A maximum of 0.06 leaves 0.01 to buy, and to sell no more
    // than itself, since the position may be closed before.
    await send(other, sell('0.02', '60000'));
    await send(mine, buy('0.02', '60000'));
    await send(mine, buy('0.03', '59000'));
    const limits = { ...NO_LIMITS, maxPosition: 60 as Lots };
    expect((await gate(limits)).refusalOf(request(buy('0.01', '59000')))).toBeUndefined();
    expect((await gate(limits)).refusalOf(request(buy('0.011', '59000')))).toEqual({
      kind: 'unsendable',
      reason: 'max-position: resulting position must be at most 0.06, received 0.061',
    });
    expect((await gate(limits)).refusalOf(request(sell('0.06', '61000')))).toBeUndefined();
    expect((await gate(limits)).refusalOf(request(sell('0.061', '61000')))?.reason).toContain(
      'received 0.061',
    );
  });

  it('counts the orders that pass for those after them', async () => {
    const passing = await gate({ ...NO_LIMITS, maxPosition: 20 as Lots });
    expect(passing.refusalOf(request(buy('0.015', '59000')))).toBeUndefined();
    expect(passing.refusalOf(request(buy('0.006', '59000')))?.reason).toContain('received 0.021');
    expect(passing.refusalOf(request(buy('0.005', '59000')))).toBeUndefined();
  });

  it('lets a reduce-only order pass whatever the position', async () => {
    const strict = await gate({ ...NO_LIMITS, maxPosition: 1 as Lots });
    expect(strict.refusalOf(request({ ...sell('5', '61000'), reduceOnly: true }))).toBeUndefined();
  });

  it('asks for margin and fee of what could come of it, and of a waiting trigger for none', async () => {
    // 20 × 60 000 = 1 200 000: margin 1 % is 12 000, fee 6 bp is 720; there are 10 000.
    expect((await gate()).refusalOf(request(buy('20', '60000')))?.reason).toBe(
      'balance: margin and fee of a position of 20 must be at most the equity of 10000.00 USD, received at least 12720.00',
    );
    const waiting = { ...buy('20', '60000'), triggerPrice: '61000' };
    expect((await gate()).refusalOf(request(waiting))).toBeUndefined();
  });

  it('holds the price to the mark and the last trade, but not that of a waiting trigger', async () => {
    await send(other, sell('0.02', '60000'));
    await send(mine, buy('0.02', '60000'));
    const limits = { ...NO_LIMITS, priceCollar: 0.02 };
    const strict = await gate(limits);
    expect(strict.refusalOf(request(buy('0.01', '61200')))).toBeUndefined();
    expect(strict.refusalOf(request(buy('0.01', '61200.1')))?.reason).toBe(
      'price-collar: price must be at most 61200, received 61200.1',
    );
    const waiting = { ...sell('0.01', '50000'), triggerPrice: '55000' };
    expect(strict.refusalOf(request(waiting))).toBeUndefined();
  });

  it('does not take what working orders have locked for spent', async () => {
    // 1 × 59 000 working: margin 590 and fee 35.40. Another 14 makes 15: 8 850 + 531 = 9 381 of 10 000.
    await send(mine, buy('1', '59000'));
    expect((await gate()).refusalOf(request(buy('14', '59000')))).toBeUndefined();
    expect((await gate()).refusalOf(request(buy('16', '59000')))?.reason).toContain('position of 17');
  });

  it('counts what the position has lost so far, and not what it has won', async () => {
    mark(BTC, 60_000);
    await send(other, sell('1', '60000'));
    await send(mine, buy('1', '60000'));
    const limits = { ...NO_LIMITS, maxLeverage: 6 };
    // Cash 10 000 − 36 of fees. At 52 000 the equity is 1 964, and 1.01 BTC are 52 520: a leverage of 26.7413.
    mark(BTC, 52_000);
    expect((await gate(limits)).refusalOf(request(buy('0.01', '52000')))?.reason).toBe(
      'max-leverage: resulting position × mark ÷ equity must be at most 6, received 26.7413',
    );
    // At 70 000 1.01 BTC are 70 700, for which the cash of 9 964 is too little and the equity of 19 964 would do.
    mark(BTC, 70_000);
    expect((await gate(limits)).refusalOf(request(buy('0.01', '70000')))?.reason).toContain('received 7.09');
  });

  it('counts what the positions of other pairs have lost so far', async () => {
    mark(BTC, 60_000);
    mark(ETH, 3_000);
    await send(other, sell('10', '3000'), ETH);
    await send(mine, buy('10', '3000'), ETH);
    mark(ETH, 2_200);
    // Cash 10 000 less fees and 8 000: about 2 000. 22 000 of ETH and 600 of BTC are a leverage of at least 11.3.
    const limits = { ...NO_LIMITS, maxLeverage: 11 };
    expect((await gate(limits)).refusalOf(request(buy('0.01', '60000')))?.reason).toMatch(
      /^max-leverage: .* must be at most 11, received 11\.[3-5]/,
    );
    expect(
      (await gate({ ...limits, maxLeverage: 12 })).refusalOf(request(buy('0.01', '60000'))),
    ).toBeUndefined();
  });

  it('counts orders of all pairs', async () => {
    const one = { ...NO_LIMITS, maxOpenOrders: 1 };
    expect((await gate(one)).refusalOf(request(buy('0.01', '59000')))).toBeUndefined();
    await send(mine, buy('1', '2900'), ETH);
    expect((await gate(one)).refusalOf(request(buy('0.01', '59000')))?.reason).toBe(
      'max-open-orders: open orders must be at most 1, received 2',
    );
    const two = { ...NO_LIMITS, maxOpenOrders: 2 };
    expect((await gate(two)).refusalOf(request(buy('0.01', '59000')))).toBeUndefined();
  });

  it('counts a stop as an order that stays open, and an exit at market as none', async () => {
    await send(other, sell('0.05', '60000'));
    await send(mine, buy('0.05'));
    await send(mine, buy('0.01', '59000'));
    const one = await gate({ ...NO_LIMITS, maxOpenOrders: 1, maxOrderQuantity: 10 as Lots });
    const exit = { ...sell('0.03'), reduceOnly: true };
    expect(one.refusalOf(request(exit))).toBeUndefined();
    expect(
      one.refusalOf(request({ ...sell('0.03'), triggerPrice: '40000', closeOnTrigger: true }))?.reason,
    ).toMatch(/^max-open-orders: open orders must be at most 1, received /);
  });

  it('counts what positions and orders of all pairs may come to, at their marks', async () => {
    mark(BTC, 60_000);
    mark(ETH, 3_000);
    await send(other, sell('2', '3000'), ETH);
    await send(mine, buy('2', '3000'), ETH);
    await send(mine, buy('1', '2900'), ETH);
    // 3 ETH at 3 000 and 0.01 BTC at 60 000.
    const asked = request(buy('0.01', '59000'));
    const limits = { ...NO_LIMITS, maxGrossNotional: 9_600 };
    expect((await gate(limits)).refusalOf(asked)).toBeUndefined();
    expect((await gate({ ...limits, maxGrossNotional: 9_599 })).refusalOf(asked)?.reason).toBe(
      'max-gross-notional: resulting position × mark, with those of the other pairs, must be at most 9599, received 9600',
    );
  });

  it('counts orders of a pair without a mark at their own price', async () => {
    mark(BTC, 60_000);
    await send(mine, buy('1', '2900'), ETH);
    const limits = { ...NO_LIMITS, maxGrossNotional: 3_499 };
    expect((await gate(limits)).refusalOf(request(buy('0.01', '59000')))?.reason).toContain('received 3500');
  });

  it('holds a waiting trigger to the leverage, by the equity of now', async () => {
    mark(BTC, 60_000);
    const waiting = request({ ...buy('1', '60000'), triggerPrice: '61000' });
    expect((await gate({ ...NO_LIMITS, maxLeverage: 100 })).refusalOf(waiting)).toBeUndefined();
    expect((await gate({ ...NO_LIMITS, maxLeverage: 5 })).refusalOf(waiting)?.reason).toBe(
      'max-leverage: resulting position × mark ÷ equity must be at most 5, received 6',
    );
  });

  it('lets only reduce-only orders pass where the account has more orders than one list holds', async () => {
    await send(mine, buy('1', '2900'), ETH);
    await send(mine, buy('1', '2901'), ETH);
    const full = await OrderGate.read(mine.api, BTC, NO_LIMITS, 2);
    expect(full.refusalOf(request(buy('0.01', '59000')))).toEqual({
      kind: 'unsendable',
      reason: 'the account must have fewer open orders than the 2 of one list, received a full list',
    });
    expect(full.refusalOf(request({ ...sell('0.01', '61000'), reduceOnly: true }))).toBeUndefined();
  });

  it('holds an order on a spot market to the limits of one order, at the price of the market', async () => {
    mark(SPOT, 60_000);
    const limits = {
      ...NO_LIMITS,
      priceCollar: 0.02,
      maxOrderNotional: 5_000,
      maxLeverage: 3,
      maxOpenOrders: 1,
    };
    const read = (some: Limits) => OrderGate.read(mine.api, SPOT, some, 1_000);
    const open = await read({ ...limits, maxOpenOrders: 9 });
    const asked = (order: OrderText) => request(order, SPOT);
    expect(open.refusalOf(asked(buy('0.01', '59900')))).toBeUndefined();
    expect(open.refusalOf(asked(buy('0.01', '61200.1')))?.reason).toBe(
      'price-collar: price must be at most 61200, received 61200.1',
    );
    expect(open.refusalOf(asked(buy('0.1')))?.reason).toBe(
      'max-order-notional: notional must be at most 5000, received 6000',
    );
    expect((await read(limits)).refusalOf(asked(buy('0.01', '59900')))).toBeUndefined();
    await send(mine, buy('0.01', '59000'));
    expect((await read(limits)).refusalOf(asked(buy('0.01', '59900')))?.reason).toContain('max-open-orders');
  });

  it('bounds orders by the filters of the pair', async () => {
    const open = await gate();
    expect(open.refusalOf(request(buy('0', '60000')))?.reason).toContain('min-quantity');
    expect(open.refusalOf(request(buy('101', '60000')))?.reason).toContain('max-quantity');
    expect(open.refusalOf(request(buy('51', '60000')))?.reason).toContain('interest');
    expect(open.refusalOf(request(buy('1', '1000000.1')))?.reason).toContain('max-price');
  });
});
