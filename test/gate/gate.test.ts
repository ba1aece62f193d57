import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exposure } from '../../src/gate/exposure.js';
import { check, type GateState, isRefusal } from '../../src/gate/gate.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { PlaceCommand, RefusalRule } from '../../src/model/command.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import type { OrderTerms } from '../../src/model/order.js';

// Tick 0.5 on a grid of 0.1, lot 0.002 on a grid of 0.001: filters coarser than their grids.
const market = defineMarket({
  pair: 'P',
  base: 'B',
  quote: 'USD',
  price: { min: '100', max: '1000', step: '0.5' },
  quantity: { min: '0.004', max: '0.1', step: '0.002' },
  interest: { min: '0.006', max: '0.2', step: '0.002' },
  fees: { maker: '0', taker: '0.001' },
  margin: {
    initial: '0.1',
    maintenance: '0.05',
    initialRiskLimit: '0.000001',
    maintenanceRiskLimit: '0.0000005',
  },
});

const nothing = { position: 0 as Lots, workingBuys: 0 as Lots, workingSells: 0 as Lots, openOrders: 0 };

function order(terms: Partial<OrderTerms>): PlaceCommand {
  return {
    kind: 'place',
    intentId: 1,
    pair: 'P',
    want: undefined,
    terms: {
      side: 'buy',
      type: terms.ticks === undefined ? 'market' : 'limit',
      ticks: undefined,
      lots: 10 as Lots,
      timeInForce: 'GTC',
      postOnly: false,
      reduceOnly: false,
      ...terms,
    },
  };
}

function verdict(terms: Partial<OrderTerms>, state: Partial<GateState> = {}, limits: Partial<Limits> = {}) {
  return check(
    market,
    { ...NO_LIMITS, ...limits },
    { exposure: nothing, lastTicks: 5_000 as Ticks, equity: undefined, ...state },
    order(terms),
  );
}

const ticks = (n: number) => n as Ticks;
const lots = (n: number) => n as Lots;

describe('the gate', () => {
  const refused: readonly [RefusalRule, string, Parameters<typeof verdict>][] = [
    ['tick', 'tick: price must be a multiple of 0.5, received 500.3', [{ ticks: ticks(5_003) }]],
    ['min-price', 'min-price: price must be at least 100, received 99.5', [{ ticks: ticks(995) }]],
    ['max-price', 'max-price: price must be at most 1000, received 1000.5', [{ ticks: ticks(10_005) }]],
    ['lot', 'lot: quantity must be a multiple of 0.002, received 0.005', [{ lots: lots(5) }]],
    ['min-quantity', 'min-quantity: quantity must be at least 0.004, received 0.002', [{ lots: lots(2) }]],
    ['max-quantity', 'max-quantity: quantity must be at most 0.1, received 0.102', [{ lots: lots(102) }]],
    [
      'max-order-quantity',
      'max-order-quantity: quantity must be at most 0.008, received 0.01',
      [{}, {}, { maxOrderQuantity: lots(8) }],
    ],
    [
      'max-open-orders',
      'max-open-orders: open orders must be at most 3, received 4',
      [{}, { exposure: { ...nothing, openOrders: 3 } }, { maxOpenOrders: 3 }],
    ],
    [
      'interest',
      'interest: resulting position must be at most 0.2, received 0.202',
      [{ lots: lots(10) }, { exposure: { ...nothing, position: lots(180), workingBuys: lots(12) } }],
    ],
    ['interest', 'interest: resulting position must be at least 0.006, received 0.004', [{ lots: lots(4) }]],
    [
      'max-position',
      'max-position: resulting position must be at most 0.05, received 0.052',
      [
        { side: 'sell' },
        { exposure: { ...nothing, position: lots(-30), workingSells: lots(12), workingBuys: lots(90) } },
        { maxPosition: lots(50) },
      ],
    ],
    [
      // 0.1 × 500 × 0.1 + 0.001 × 500 × 0.1 = 5.05
      'balance',
      'balance: margin and fee of a position of 0.1 must be at most the equity of 5.04 USD, received 5.05',
      [{ lots: lots(100) }, { equity: 5.04 }],
    ],
  ];

  it.each(refused)('refuses by %s: %s', (rule, reason, [terms, state, limits]) => {
    const answer = verdict(terms, state, limits);
    expect(answer).toMatchObject({ kind: 'refusal', rule, reason, intentId: 1, pair: 'P' });
    if (isRefusal(answer)) {
      expect(answer.reason).toContain(answer.asked);
      expect(answer.reason).toContain(answer.bound);
    }
  });

  it('lets what is within all of them pass unchanged', () => {
    const command = order({ ticks: ticks(5_005), lots: lots(10) });
    const state = { exposure: nothing, lastTicks: undefined, equity: 1_000 };
    expect(check(market, NO_LIMITS, state, command)).toBe(command);
    expect(isRefusal(verdict({ lots: lots(100) }, { equity: 5.05 }))).toBe(false);
  });

  it('lets reduce-only orders and cancels pass whatever the exposure', () => {
    const full = { exposure: { ...nothing, position: lots(200), workingBuys: lots(500) }, equity: 0 };
    expect(isRefusal(verdict({ reduceOnly: true, side: 'sell' }, full, { maxPosition: lots(1) }))).toBe(
      false,
    );
    const cancel = { kind: 'cancel', intentId: 1, pair: 'P', orderId: 'x', want: undefined } as const;
    expect(check(market, NO_LIMITS, { ...full, lastTicks: undefined }, cancel)).toBe(cancel);
  });

  it('lets an order shrink a position that is beyond its limit already', () => {
    const beyond = { exposure: { ...nothing, position: lots(80) } };
    expect(isRefusal(verdict({ side: 'sell', lots: lots(10) }, beyond, { maxPosition: lots(50) }))).toBe(
      false,
    );
    expect(isRefusal(verdict({ side: 'buy', lots: lots(10) }, beyond, { maxPosition: lots(50) }))).toBe(true);
  });

  it('refuses an inactive market', () => {
    const state = { exposure: nothing, lastTicks: undefined, equity: undefined };
    expect(check({ ...market, active: false }, NO_LIMITS, state, order({}))).toMatchObject({
      rule: 'market-inactive',
    });
  });
});

describe('exposure', () => {
  it('is what a recount of all orders says, through any life of orders', () => {
    const step = fc.record({
      order: fc.integer({ min: 1, max: 6 }),
      act: fc.constantFrom('place', 'fill', 'cancel', 'reject', 'doubt'),
      lots: fc.integer({ min: 1, max: 9 }),
      buy: fc.boolean(),
      reduceOnly: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const exposure = new Exposure();
        const book = new Map<number, { terms: OrderTerms; leaves: number }>();
        let position = 0;
        for (const { order: intentId, act, lots: size, buy, reduceOnly } of steps) {
          const known = book.get(intentId);
          if (act === 'place') {
            if (known !== undefined) continue;
            const command = {
              ...order({ side: buy ? 'buy' : 'sell', lots: lots(size), reduceOnly }),
              intentId,
            };
            exposure.approved(command);
            book.set(intentId, { terms: command.terms, leaves: size });
            continue;
          }
          if (act === 'doubt') exposure.report({ kind: 'in-doubt', intentId, reason: '', time: 0 });
          else if (act === 'reject') exposure.report({ kind: 'rejected', intentId, reason: '', time: 0 });
          else if (act === 'cancel')
            exposure.report({ kind: 'canceled', intentId, orderId: '', reason: '', time: 0 });
          else if (known !== undefined) {
            const part = Math.min(size, known.leaves);
            const { side } = known.terms;
            exposure.report({
              kind: 'filled',
              intentId,
              time: 0,
              fill: {
                id: '',
                orderId: '',
                time: 0,
                side,
                lots: lots(part),
                ticks: ticks(1),
                liquidity: 'maker',
                fee: 0n,
              },
            });
            position += side === 'buy' ? part : -part;
            known.leaves -= part;
            if (known.leaves === 0) book.delete(intentId);
          }
          if (act === 'cancel' || act === 'reject') book.delete(intentId);
        }
        const open = [...book.values()];
        const sum = (side: string) =>
          open
            .filter(({ terms }) => terms.side === side && !terms.reduceOnly)
            .reduce((all, { leaves }) => all + leaves, 0);
        expect([exposure.position, exposure.workingBuys, exposure.workingSells, exposure.openOrders]).toEqual(
          [position, sum('buy'), sum('sell'), open.length],
        );
      }),
    );
  });
});
