import { describe, expect, test } from 'vitest';
import type { EngineEvent } from '../../src/model/event.js';
import type { Fill } from '../../src/model/fill.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { Side } from '../../src/model/side.js';
import { DecisionDiffer } from '../../src/runner/black-box/decision-diff.js';
import type { BoxedPlan } from '../../src/runner/black-box/session-in-box.js';
import { type Decided, WhatIf } from '../../src/runner/black-box/what-if.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, quote, type Want } from '../../src/strategy/want.js';
import { trade } from '../support/desk.js';
import { BTC } from '../support/markets.js';

const PRICE = 60_000;

/** A session whose strategy wants what the test says at each trade; told what it wants and what it sees. */
function whatIf() {
  const wants: (Want | undefined)[] = [];
  const positions: number[] = [];
  const definition = defineStrategy({
    name: 'told',
    create: (_, context) => ({
      onTrade: () => {
        positions.push(context.position);
        return wants.shift();
      },
    }),
  });
  const strategy = bindStrategy(definition);
  const every = { trades: 1_000, position: 1_000, orders: 1_000 };
  const plan = { market: BTC, seed: '1', limits: NO_LIMITS, every } as unknown as BoxedPlan;
  const session = new WhatIf(plan, strategy, {
    cash: { funds: 1_000_000, wealth: 1_000_000 },
    baseline: undefined,
    reserves: [],
    sent: [],
  });
  session.input({ kind: 'live', time: 0 });
  let time = 0;
  const input = (event: EngineEvent) => brief(session.input(event));
  return {
    positions,
    want: (want?: Want) => {
      wants.push(want);
      time += 1_000;
      return input({ kind: 'trade', trade: trade(time, PRICE), receivedAt: time });
    },
    fill: (side: Side, lots: number, price: number) => {
      const fill: Fill = {
        id: String(time),
        orderId: 'recorded',
        time,
        side,
        lots: lots as Lots,
        ticks: (price * 10) as Ticks,
        liquidity: 'maker',
        fee: 0n,
      };
      return input({ kind: 'report', report: { kind: 'filled', intentId: 77, fill, time } });
    },
    other: (kind: 'accepted' | 'canceled') =>
      input({ kind: 'report', report: { kind, intentId: 1, orderId: 'x', reason: '', time } }),
  };
}

const words = (terms: readonly OrderTerms[]) =>
  terms.map(({ side, lots, ticks }) => `${side} ${lots}${ticks === undefined ? '' : ` @ ${ticks / 10}`}`);

function brief({ places, cancels }: Decided): string {
  return [...words(cancels).map((each) => `cancel ${each}`), ...words(places)].join(', ');
}

const quotes = (bid: number, ask: number) =>
  quote({ bid: { price: bid, quantity: '0.01' }, ask: { price: ask, quantity: '0.01' } });

describe('a session on the inputs of another', () => {
  test('has orders that rest from their sending on, and are gone when they are canceled', () => {
    const { want } = whatIf();
    expect(want(quotes(59_990, 60_010))).toBe('buy 10 @ 59990, sell 10 @ 60010');
    expect(want(quotes(59_990, 60_010))).toBe('');
    expect(want(quotes(59_980, 60_010))).toContain('cancel buy 10 @ 59990');
  });

  test('is filled by what was recorded and nothing else: first the order of its price, and the rest by hand', () => {
    const { want, fill, positions } = whatIf();
    want(quotes(59_990, 60_010));
    fill('buy', 4, 59_990);
    want();
    // More than the order has left: the position is the recorded one all the same.
    fill('buy', 10, 59_985);
    want();
    expect(positions).toEqual([0, 0.004, 0.014]);
  });

  test('hears nothing about orders that are not its own', () => {
    const { want, other } = whatIf();
    want(quotes(59_990, 60_010));
    expect(other('canceled')).toBe('');
    expect(other('accepted')).toBe('');
    // Both still rest.
    expect(want(flat()).split(', ')).toEqual(['cancel buy 10 @ 59990', 'cancel sell 10 @ 60010']);
  });

  test('has a position by fills of orders that only the other session had', () => {
    const { want, fill, positions } = whatIf();
    want();
    fill('sell', 7, 60_005);
    want();
    expect(positions).toEqual([0, -0.007]);
  });
});

describe('the difference of two sessions', () => {
  const buy = (lots: number): Decided => ({
    places: [
      {
        side: 'buy',
        type: 'market',
        ticks: undefined,
        lots: lots as Lots,
        timeInForce: 'IOC',
        postOnly: false,
        reduceOnly: false,
      },
    ],
    cancels: [],
    refusals: [],
  });
  const nothing: Decided = { places: [], cancels: [], refusals: [] };
  const live: EngineEvent = { kind: 'live', time: 5 };

  test('counts all and keeps the first', () => {
    const differ = new DecisionDiffer(1);
    differ.add(live, buy(5), buy(5));
    differ.add(live, buy(5), buy(6));
    differ.add({ kind: 'trade', trade: trade(9, PRICE), receivedAt: 9 }, nothing, buy(1));
    expect(differ.diff).toEqual({
      inputs: 3,
      differing: 2,
      differences: [{ input: 2, event: 'live', time: 5, unchanged: buy(5), changed: buy(6) }],
      unchanged: { orders: 2, cancels: 0, refusals: 0, buys: 10, sells: 0 },
      changed: { orders: 3, cancels: 0, refusals: 0, buys: 12, sells: 0 },
    });
  });
});
