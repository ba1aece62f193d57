/** What JavaScript lets a strategy hand over, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/model/decimal.js';
import { StrategyError } from '../../src/model/errors.js';
import { checkHandlers } from '../../src/strategy/check-handlers.js';
import { checkOrder } from '../../src/strategy/check-want.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import { deskOf } from '../support/desk.js';

const GOOD = { side: 'buy', quantity: '0.01' };

describe('an order', () => {
  it.each([
    [{ ...GOOD }],
    [{ ...GOOD, side: 'sell', quantity: 0.01, price: new Decimal('60000') }],
    [{ ...GOOD, price: 60_000, timeInForce: 'FOK', postOnly: false, reduceOnly: true }],
    [{ ...GOOD, timeInForce: undefined, postOnly: undefined }],
  ])('%j is one', (order) => {
    expect(() => checkOrder(order as never)).not.toThrow();
  });

  it.each([
    [undefined, /an order must be .*, received undefined/],
    ['buy', /an order must be .*, received "buy"/],
    [{ ...GOOD, side: 'BUY' }, /the side of an order must be buy or sell, received "BUY"/],
    [{ quantity: '1' }, /the side of an order must be buy or sell, received undefined/],
    [{ ...GOOD, limitPrice: '1' }, /no more than side, quantity, price, .*, received the key limitPrice/],
    [{ ...GOOD, postonly: true }, /received the key postonly/],
    [
      { ...GOOD, price: undefined },
      /the price of an order must be a number \(a market order has no such key\)/,
    ],
    [{ ...GOOD, price: null }, /the price of an order must be a number .*, received null/],
    [{ side: 'buy' }, /the quantity of an order must be a number, received undefined/],
    [{ ...GOOD, timeInForce: 'gtc' }, /timeInForce must be GTC, IOC or FOK, received "gtc"/],
    [
      { ...GOOD, price: '1', timeInForce: 'IOC', postOnly: true },
      /a post-only order must be GTC, received "IOC"/,
    ],
    [{ side: 'buy', quantity: '0.01', postOnly: true }, /a post-only order must have a price, received none/],
    [{ ...GOOD, postOnly: 'false' }, /postOnly must be true or false, received "false"/],
    [{ ...GOOD, reduceOnly: 1 }, /reduceOnly must be true or false, received 1/],
  ])('%j is none', (order, message) => {
    expect(() => checkOrder(order as never)).toThrow(StrategyError);
    expect(() => checkOrder(order as never)).toThrow(message);
    expect(() => orders([order as never])).toThrow(message);
    // One that no function of ours made.
    const want = { kind: 'orders', orders: [order] } as unknown as Want;
    expect(() => deskOf(() => ({ onTrade: () => want })).trade(1_000, 10)).toThrow(message);
    const submitting = deskOf((context) => ({ onTrade: () => void context.submit(order as never) }));
    expect(() => submitting.trade(1_000, 10)).toThrow(message);
  });
});

it('a promise of a want is none, and is told as what it is', () => {
  const late = deskOf(() => ({ onTrade: (async () => holdPosition(1)) as unknown as () => Want }));
  expect(() => late.trade(1_000, 10)).toThrow(
    /a want must be holdPosition.*, or undefined, received a promise$/,
  );
  expect(() => checkOrder({ ...GOOD, quantity: Promise.resolve(1) })).toThrow(
    /the quantity of an order must be a number, received a promise$/,
  );
});

describe('a quote', () => {
  const BID = { price: 60_000, quantity: '0.01' };

  it.each([
    {},
    { bid: BID },
    { bid: undefined, ask: BID },
    { bid: BID, ask: { ...BID, price: 60_001 } },
  ])('%j is one', (sides) => {
    const desk = deskOf(() => ({ onTrade: () => quote(sides) }));
    expect(desk.trade(1_000, 10).refusals).toEqual([]);
  });

  it.each([
    [null, /quote must be given \{ bid, ask \}, received null/],
    [{ bids: BID }, /a quote must have no more than bid, ask, received the key bids/],
    [{ bid: BID, aks: BID }, /received the key aks/],
    [{ bid: null }, /the bid of a quote must be \{ price, quantity \} or undefined, received null/],
    [{ ask: 60_000 }, /the ask of a quote must be .*, received 60000/],
    [{ ask: { ...BID, reduceOnly: true } }, /never reduce-only\), received the key reduceOnly/],
    [{ bid: { price: 1, qty: 1 } }, /no more than price, quantity .*, received the key qty/],
  ])('%j is none', (sides, message) => {
    const desk = deskOf(() => ({ onTrade: () => quote(sides as never) }));
    expect(() => desk.trade(1_000, 10)).toThrow(message);
    if (sides === null) return;
    // One that no function of ours made.
    const want = { kind: 'quote', ...sides } as unknown as Want;
    expect(() => deskOf(() => ({ onTrade: () => want })).trade(1_000, 10)).toThrow(message);
  });
});

describe('a want', () => {
  it.each([
    [null, 'null'],
    [0.01, '0.01'],
    ['flat', '"flat"'],
    [() => undefined, 'the function without a name'],
    [[holdPosition('1')], '[{"kind":"position","quantity":"1"}]'],
    [{ kind: 'hold', quantity: 1 }, '{"kind":"hold","quantity":1}'],
    [{ kind: 'orders', orders: GOOD }, '{"kind":"orders","orders":{"side":"buy","quantity":"0.01"}}'],
  ])('%j is none', (want, received) => {
    const desk = deskOf(() => ({ onTrade: () => want as never }));
    expect(() => desk.trade(1_000, 10)).toThrow(
      new StrategyError(
        'TICKWRIGHT_E_WANT',
        `a want must be holdPosition(…), flat(), quote(…), orders(…), or undefined, received ${received}`,
      ),
    );
  });

  it('of flat() belongs to all strategies, so that none can write to it', () => {
    expect(() => Object.assign(flat(), { kind: 'position', quantity: 1 })).toThrow(TypeError);
    expect(flat()).toEqual({ kind: 'flat' });
  });

  it('is no promise, and one that is rejected later ends no process', async () => {
    const seen: unknown[] = [];
    const onUnhandled = (reason: unknown) => seen.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const desk = deskOf(() => ({ onTrade: () => Promise.reject(new Error('of the handler')) as never }));
    expect(() => desk.trade(1_000, 10)).toThrow(/a want must be .*, received a promise/);
    const create = () => Promise.reject(new Error('of create')) as never;
    expect(() => deskOf(create)).toThrow(/must return its handlers, received a promise/);
    // Node tells of rejections when the microtasks are done.
    await new Promise(setImmediate);
    process.off('unhandledRejection', onUnhandled);
    expect(seen).toEqual([]);
  });

  it.each([
    [
      { kind: 'position', quantity: '0.01', stopp: 90 },
      'a position must have no more than kind, quantity, stop, received the key stopp',
    ],
    [
      { kind: 'position', quantity: '0.01', stop: 50_000, stopPrice: 90 },
      'a position must have no more than kind, quantity, stop, received the key stopPrice',
    ],
    [{ kind: 'flat', at: 90 }, 'flat must have no more than kind, received the key at'],
    [
      { kind: 'orders', orders: [], postOnly: true },
      'a list of orders must have no more than kind, orders, received the key postOnly',
    ],
  ])('%j that no function of ours made has a key without an effect', (want, message) => {
    const desk = deskOf(() => ({ onTrade: () => want as never }));
    expect(() => desk.trade(1_000, 60_000)).toThrow(new StrategyError('TICKWRIGHT_E_WANT', message));
  });

  it('with a misspelt stop is none either where the same position stands without one', () => {
    const wants = [holdPosition('0.01'), { kind: 'position', quantity: '0.01', stopp: 90 }];
    const desk = deskOf(() => ({ onTrade: () => wants.shift() as never }));
    desk.trade(1_000, 60_000);
    expect(() => desk.trade(1_001, 60_000)).toThrow(/received the key stopp$/);
  });

  it.each([
    { kind: 'position', quantity: '0.01' },
    { kind: 'position', quantity: '0.01', stop: 50_000 },
    { kind: 'position', quantity: '0.01', stop: undefined },
    { kind: 'flat' },
    { kind: 'orders', orders: [{ ...GOOD, price: 50_000 }] },
  ] as readonly Want[])('%j may be made by hand', (want) => {
    const desk = deskOf(() => ({ onTrade: () => want }));
    expect(desk.trade(1_000, 60_000).refusals).toEqual([]);
    expect(desk.engine.want.kind).toBe(want.kind);
  });

  it.each([
    [[0.01], '[0.01]'],
    [1n, '1n'],
    [true, 'true'],
    [{}, '{}'],
    [Object.create(null), '{}'],
    [() => 1, 'the function without a name'],
  ])('with %o for a number is none, be it a position, a stop, a quote or an order', (value, received) => {
    const never = value as never;
    for (const [want, what] of [
      [() => holdPosition(never), 'the target position'],
      [() => holdPosition('0.01', { stop: never }), 'the stop of a position'],
      [() => ({ kind: 'position', quantity: '0.01', stop: never }), 'the stop'],
      [() => quote({ bid: { price: never, quantity: '0.01' } }), 'the buy quote'],
      [() => quote({ ask: { price: 60_000, quantity: never } }), 'the sell quote'],
      [() => orders([{ side: 'buy', quantity: never }]), 'the quantity of an order'],
    ] as const) {
      const desk = deskOf(() => ({ onTrade: want as () => Want }));
      expect(() => desk.trade(1_000, 10)).toThrow(
        new StrategyError('TICKWRIGHT_E_WANT', `${what} must be a number, received ${received}`),
      );
    }
  });

  it('of nothing is refused and takes nothing for 0, be it the first one or a later one', () => {
    for (const want of [holdPosition(undefined as never), holdPosition(null as never)]) {
      const { refusals } = deskOf(() => ({ onTrade: () => want })).trade(1_000, 10);
      expect(refusals).toMatchObject([{ rule: 'not-a-number' }]);
    }
    const nothing = { price: 60_000, quantity: undefined as never };
    const { refusals } = deskOf(() => ({ onTrade: () => quote({ bid: nothing }) })).trade(1_000, 10);
    expect(refusals).toMatchObject([{ rule: 'not-a-number' }]);
  });
});

describe('what to cancel', () => {
  const canceling = (intentId: unknown) =>
    deskOf((context) => ({
      onTrade() {
        if (context.workingOrders.length === 0)
          context.submit({ side: 'buy', quantity: '0.01', price: 50_000 });
        else context.cancel(intentId as never);
      },
    }));

  it.each([
    ['1', '"1"'],
    ['o1', '"o1"'],
    [{ intentId: 1 }, '{"intentId":1}'],
  ])('is told by its number, not by %j', (intentId, received) => {
    const desk = canceling(intentId);
    desk.trade(1_000, 60_000);
    desk.accept(1);
    expect(() => desk.trade(1_001, 60_000)).toThrow(
      new StrategyError(
        'TICKWRIGHT_E_WANT',
        `what to cancel must be the intentId of an order, a number, received ${received}`,
      ),
    );
  });

  it('is refused where it is nothing, such as the intentId of a fill of an earlier session', () => {
    const desk = canceling(undefined);
    desk.trade(1_000, 60_000);
    desk.accept(1);
    expect(desk.trade(1_001, 60_000).refusals).toMatchObject([{ rule: 'unknown-order' }]);
  });
});

describe('handlers', () => {
  it.each([
    [undefined, /create\(\) of bot must return its handlers, received undefined/],
    [{ onTick: () => undefined }, /a handler of bot must be one of onTrade, .*, received onTick/],
    [
      new (class {
        onTrades() {}
      })(),
      /received onTrades/,
    ],
    [{ onTrade: 5 }, /onTrade of bot must be a function, received 5/],
    [
      { trade: () => holdPosition(1), size: 1 },
      /create\(\) of bot must return at least one of onTrade, .*, onGap, received an object with trade, size$/,
    ],
    [
      new (class {
        bar() {}
      })(),
      /must return at least one of onTrade, .*, received an object with bar$/,
    ],
  ])('that are none are named: %#', (handlers, message) => {
    expect(() => checkHandlers('bot', handlers as never)).toThrow(message);
    const definition = defineStrategy({ name: 'bot', create: () => handlers as never });
    expect(() => bindStrategy(definition).start({} as never)).toThrow(message);
  });

  it('may have helpers beside them', () => {
    const helped = { onTrade: () => undefined, once: 1, helper: () => 2, onBar: undefined };
    expect(checkHandlers('bot', helped as never)).toBe(helped);
  });

  it('may be none at all, since what is scheduled in create goes on without them', () => {
    const none = {};
    expect(checkHandlers('bot', none)).toBe(none);
  });

  it('of streams are an Observable', () => {
    const definition = defineStrategy({ name: 'bot', streams: () => 5 as never });
    expect(() => bindStrategy(definition).start({} as never)).toThrow(
      /streams\(\) of bot must return an Observable of wants, received 5/,
    );
  });
});
