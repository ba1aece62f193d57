import { expect, it } from 'vitest';
import { ChurnWatch } from '../../src/certify/churn-watch.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { PlaceCommand } from '../../src/model/command.js';
import type { Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import { termsOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';

const SECOND = 1_000;
const ORDER = termsOf({ side: 'sell' });
const stopAt = (ticks: number): OrderTerms => ({
  ...ORDER,
  type: 'market',
  ticks: undefined,
  timeInForce: 'IOC',
  reduceOnly: true,
  trigger: { ticks: ticks as Ticks, event: 'last' },
});

/** One order each `everyMs` for an hour, each for a want of its own, with a fill after each `fillEach` of them: the first breach. */
function breachOf(
  everyMs: number,
  termsAt: (at: number) => OrderTerms,
  fillEach = Number.POSITIVE_INFINITY,
): string | undefined {
  const breaches: string[] = [];
  const watch = new ChurnWatch({ market: BTC, limits: NO_LIMITS, breach: (_, what) => breaches.push(what) });
  for (let at = 0; at < 3_600_000 / everyMs; at++) {
    const place: PlaceCommand = {
      kind: 'place',
      intentId: at + 1,
      pair: BTC.pair,
      want: at + 1,
      terms: termsAt(at),
    };
    watch.placed(at * everyMs, place);
    if ((at + 1) % fillEach === 0) watch.filled(at * everyMs);
  }
  return breaches[0];
}

it('lets a stop trail at each bar of five seconds: it protects, filled or not', () => {
  expect(breachOf(5 * SECOND, (at) => stopAt(590_000 + 50 * at))).toBeUndefined();
});

it('finds a stop that moves at each trade', () => {
  expect(breachOf(SECOND, (at) => stopAt(590_000 + 50 * at))).toBe(
    '201 orders within 10 minutes that only move a stop',
  );
});

it('counts the stops of one position only', () => {
  expect(breachOf(SECOND, (at) => stopAt(590_000 + 50 * at), 150)).toBeUndefined();
});

it('finds other orders that are never filled at that pace', () => {
  expect(breachOf(5 * SECOND, (at) => ({ ...ORDER, ticks: (600_000 + 50 * at) as Ticks }))).toBe(
    '100 orders within 10 minutes, and none of them filled',
  );
});
