import { describe, expect, it } from 'vitest';
import {
  checkOrderText,
  orderRequest,
  type OrderText,
  requestText,
} from '../../../src/cli/order/order-request.js';
import { UsageError } from '../../../src/model/errors.js';
import { BTC } from '../../support/markets.js';

const BUY: OrderText = { side: 'buy', quantity: '0.01', price: '60000' };

const VAST = '99999999999999999999';

/** What it becomes on the grid of the market (tick 0.1, lot 0.001), or why not. */
function request(order: Partial<OrderText>) {
  return orderRequest(BTC, { ...BUY, ...order });
}

describe('an order in words', () => {
  it('is a limit order on the grid, exactly', () => {
    expect(request({ price: '60000.1', quantity: '0.012', timeInForce: 'IOC', reduceOnly: true })).toEqual({
      terms: {
        side: 'buy',
        type: 'limit',
        ticks: 600_001,
        lots: 12,
        timeInForce: 'IOC',
        postOnly: false,
        reduceOnly: true,
      },
      options: {},
    });
  });

  it('is a market order without a price', () => {
    expect(request({ price: undefined })).toMatchObject({ terms: { type: 'market', ticks: undefined } });
  });

  it('watches the mark unless told otherwise, and close-on-trigger only reduces', () => {
    expect(request({ triggerPrice: '55000', closeOnTrigger: true })).toMatchObject({
      terms: { reduceOnly: true },
      options: { trigger: { ticks: 550_000, event: 'mark' }, closeOnTrigger: true },
    });
    expect(request({ triggerPrice: '55000', triggerEvent: 'last' })).toMatchObject({
      options: { trigger: { event: 'last' } },
    });
  });

  it('is said in full before it is sent', () => {
    const asked = request({
      triggerPrice: '61000',
      triggerEvent: 'last',
      postOnly: true,
      oco: 'pair',
      hidden: true,
    });
    if ('kind' in asked) throw new Error(asked.reason);
    expect(requestText(BTC, asked)).toBe(
      'buy 0.01 BTC at 60000 USD on USD_BTC_PERP, when the last price reaches 61000, post-only, hidden, oco pair',
    );
  });

  it.each([
    [{ price: '60000.05' }, 'tick: price must be a multiple of 0.1, received 60000.05'],
    [{ quantity: '0.0105' }, 'lot: quantity must be a multiple of 0.001, received 0.0105'],
    [{ quantity: '1e3' }, 'lot: quantity must be a multiple of 0.001, received "1e3"'],
    [{ triggerPrice: '60000.05' }, 'tick: trigger price must be a multiple of 0.1, received 60000.05'],
    [{ triggerPrice: '0' }, /^tick: trigger price must be from \S+ to \S+, received 0$/],
    // On the grid, and beyond what can be counted in its steps.
    [{ price: VAST }, `max-price: price must be at most 1000000, received ${VAST}`],
    [{ quantity: `${VAST}.001` }, `max-quantity: quantity must be at most 100, received ${VAST}.001`],
    [{ triggerPrice: VAST }, `max-price: trigger price must be at most 1000000, received ${VAST}`],
    [{ price: `${VAST}.05` }, `tick: price must be a multiple of 0.1, received ${VAST}.05`],
  ] as const)('%j is refused, never rounded', (order, reason) => {
    const expected: unknown = typeof reason === 'string' ? reason : expect.stringMatching(reason);
    expect(request(order)).toEqual({ kind: 'unsendable', reason: expected });
  });

  it('in icebergs has slices inside their filter, rounded up to its step', () => {
    const filters = { ...BTC.filters, icebergs: { min: 5, max: 8, step: 5 } as typeof BTC.filters.icebergs };
    const slices = (quantity: string, icebergs: number) =>
      orderRequest({ ...BTC, filters }, { ...BUY, quantity, icebergs });
    // 11 lots in 3: 3.67, up to a step of 5 lots: 5. In 2: 5.5, up to 10: above the 8 of the filter.
    expect(slices('0.011', 3)).toMatchObject({ options: { icebergs: 3 } });
    expect(slices('0.011', 2)).toEqual({
      kind: 'unsendable',
      reason: 'iceberg: a slice must be from 0.005 to 0.008, received 0.01',
    });
  });

  it.each([
    [{ price: undefined, postOnly: true }, '--post-only must go with a limit order that is GTC'],
    [{ timeInForce: 'IOC', postOnly: true }, '--post-only must go with a limit order that is GTC'],
    [{ timeInForce: 'FOK', icebergs: 2 }, '--icebergs must go with a limit order that is GTC'],
    [{ hidden: true, icebergs: 2 }, '--icebergs must go with an order that is not --hidden'],
    [{ triggerEvent: 'index' }, '--trigger-event must go with --trigger-price'],
    [{ closeOnTrigger: true }, '--close-on-trigger must go with --trigger-price'],
  ] as const)('%j is a mistake whatever the market', (order, said) => {
    expect(() => checkOrderText({ ...BUY, ...order })).toThrow(UsageError);
    expect(() => checkOrderText({ ...BUY, ...order })).toThrow(said);
  });
});
