import { describe, expect, it } from 'vitest';
import { check, isRefusal } from '../../src/gate/gate.js';
import type { Permit } from '../../src/gate/gate-state.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { RefusalRule } from '../../src/model/command.js';
import type { PairState } from '../../src/model/pair-state.js';
import {
  CALM,
  cancel,
  lots,
  MARKET as market,
  NOTHING_HELD as nothing,
  order,
  ruleOf,
  ticks,
  verdict,
} from './state.js';

describe('the gate', () => {
  const refused: readonly [RefusalRule, string, Parameters<typeof verdict>][] = [
    ['tick', 'tick: price must be a multiple of 0.5, received 500.3', [{ ticks: ticks(5_003) }]],
    ['min-price', 'min-price: price must be at least 100, received 99.5', [{ ticks: ticks(995) }]],
    ['max-price', 'max-price: price must be at most 1000, received 1000.5', [{ ticks: ticks(10_005) }]],
    [
      'tick',
      'tick: trigger price must be a multiple of 0.5, received 500.3',
      [{ trigger: { ticks: ticks(5_003), event: 'last' } }],
    ],
    [
      'min-price',
      'min-price: trigger price must be at least 100, received 99.5',
      [{ trigger: { ticks: ticks(995), event: 'last' } }],
    ],
    [
      'max-price',
      'max-price: trigger price must be at most 1000, received 1000.5',
      [{ trigger: { ticks: ticks(10_005), event: 'last' } }],
    ],
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
      'max-position',
      'max-position: resulting position must be at most 0.05, received 0.052',
      // The stop of the short position may close it before the order fills.
      [
        { lots: lots(52) },
        { exposure: { ...nothing, position: lots(-10), reducingBuys: lots(10) } },
        { maxPosition: lots(50) },
      ],
    ],
    [
      // 0.1 × 500 × 0.1 + 0.001 × 500 × 0.1 = 5.05
      'balance',
      'balance: margin and fee of a position of 0.1 must be at most the equity of 5.04 USD, received at least 5.05',
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
    const state = { ...CALM, lastTicks: undefined, equity: 1_000 };
    expect(check(market, NO_LIMITS, state, command)).toBe(command);
    expect(isRefusal(verdict({ lots: lots(100) }, { equity: 5.05 }))).toBe(false);
  });

  it('lets reduce-only orders and cancels pass whatever the exposure', () => {
    const full = { exposure: { ...nothing, position: lots(200), workingBuys: lots(500) }, equity: 0 };
    expect(isRefusal(verdict({ reduceOnly: true, side: 'sell' }, full, { maxPosition: lots(1) }))).toBe(
      false,
    );
    expect(check(market, NO_LIMITS, { ...CALM, ...full }, cancel)).toBe(cancel);
  });

  it('lets an order shrink a position that is beyond its limit already', () => {
    const beyond = { exposure: { ...nothing, position: lots(80) } };
    expect(isRefusal(verdict({ side: 'sell', lots: lots(10) }, beyond, { maxPosition: lots(50) }))).toBe(
      false,
    );
    expect(isRefusal(verdict({ side: 'buy', lots: lots(10) }, beyond, { maxPosition: lots(50) }))).toBe(true);
  });

  it('refuses an inactive market', () => {
    expect(check({ ...market, active: false }, NO_LIMITS, CALM, order({}))).toMatchObject({
      rule: 'market-inactive',
    });
  });
});

describe('what a pair permits', () => {
  const permit = (permission: Permit['permission'], state: PairState): { readonly permit: Permit } => ({
    permit: { time: 0, permission, state, reason: 'order 7 is in doubt' },
  });
  const exit = { side: 'sell', reduceOnly: true } as const;

  it('is everything until somebody says otherwise, and while it says all', () => {
    expect(ruleOf({})).toBeUndefined();
    expect(ruleOf({}, permit('all', 'SYNCED'))).toBeUndefined();
  });

  it('is only what reduces while the pair is not synced, and the refusal names state and reason', () => {
    const suspect = permit('reduce-only', 'SUSPECT');
    expect(verdict({}, suspect)).toMatchObject({
      rule: 'not-synced',
      asked: 'SUSPECT',
      bound: 'SYNCED',
      reason:
        'not-synced: P must be SYNCED for an order that is not reduce-only, received SUSPECT (order 7 is in doubt)',
    });
    expect(ruleOf(exit, suspect)).toBeUndefined();
    expect(check(market, NO_LIMITS, { ...CALM, ...suspect }, cancel)).toBe(cancel);
  });

  it('is only what reduces while the pair is synced and something else keeps risk back, which the refusal says', () => {
    expect(verdict({}, permit('reduce-only', 'SYNCED'))).toMatchObject({
      rule: 'not-synced',
      asked: 'reduce-only',
      bound: 'all',
      reason: 'not-synced: only reduce-only orders may leave on P until this is over: order 7 is in doubt',
    });
  });

  it('is cancels alone while the pair is halted', () => {
    const halted = permit('cancel-only', 'HALTED');
    expect(verdict({}, halted)).toMatchObject({
      rule: 'halted',
      reason: 'halted: P must be released before any order, received HALTED (order 7 is in doubt)',
    });
    expect(ruleOf(exit, halted)).toBe('halted');
    expect(check(market, NO_LIMITS, { ...CALM, ...halted }, cancel)).toBe(cancel);
  });

  it('comes before every filter and limit: it is the reason that matters', () => {
    expect(ruleOf({ lots: lots(1) }, permit('reduce-only', 'BOOT'))).toBe('not-synced');
  });
});
