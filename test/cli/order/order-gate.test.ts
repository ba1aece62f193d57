/** The gate of orders that a person sends, with what our own venue says of the account, over HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeyedConnection, connect } from '../../../src/cli/connection/connection.js';
import { OrderGate } from '../../../src/cli/order/order-gate.js';
import { orderRequest, type OrderText } from '../../../src/cli/order/order-request.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { type Limits, NO_LIMITS } from '../../../src/gate/limits.js';
import type { Lots } from '../../../src/model/grid.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { BTC } from '../../support/markets.js';

const credentials = { apiKey: 'k', apiSecret: 's' };
let server: VenueServer;
let mine: KeyedConnection;
let other: KeyedConnection;

beforeEach(async () => {
  const core = new VenueCore({ markets: [{ market: BTC }], assets: ASSETS });
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

function request(order: OrderText) {
  const made = orderRequest(BTC, order);
  if ('kind' in made) throw new Error(made.reason);
  return made;
}

async function send({ api }: KeyedConnection, order: OrderText): Promise<void> {
  const { terms, options } = request(order);
  expect(await api.place(BTC, terms, undefined, options)).toMatchObject({ kind: 'accepted' });
}

const gate = (limits: Limits = NO_LIMITS) => OrderGate.read(mine.api, BTC, limits, 1_000);
const buy = (quantity: string, price?: string): OrderText => ({ side: 'buy', quantity, price });
const sell = (quantity: string, price?: string): OrderText => ({ side: 'sell', quantity, price });

describe('the gate of an order by hand', () => {
  it('counts the position and what is working already', async () => {
    // Long 0.02; working: buy 0.03. A maximum of 0.06 leaves 0.01 to buy, and 0.08 to sell.
    await send(other, sell('0.02', '60000'));
    await send(mine, buy('0.02', '60000'));
    await send(mine, buy('0.03', '59000'));
    const limits = { ...NO_LIMITS, maxPosition: 60 as Lots };
    expect((await gate(limits)).refusalOf(request(buy('0.01', '59000')))).toBeUndefined();
    expect((await gate(limits)).refusalOf(request(buy('0.011', '59000')))).toEqual({
      kind: 'unsendable',
      reason: 'max-position: resulting position must be at most 0.06, received 0.061',
    });
    expect((await gate(limits)).refusalOf(request(sell('0.08', '61000')))).toBeUndefined();
    expect((await gate(limits)).refusalOf(request(sell('0.081', '61000')))?.reason).toContain(
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

  it('bounds orders by the filters of the pair', async () => {
    const open = await gate();
    expect(open.refusalOf(request(buy('0', '60000')))?.reason).toContain('min-quantity');
    expect(open.refusalOf(request(buy('101', '60000')))?.reason).toContain('max-quantity');
    expect(open.refusalOf(request(buy('51', '60000')))?.reason).toContain('interest');
    expect(open.refusalOf(request(buy('1', '1000000.1')))?.reason).toContain('max-price');
  });
});
