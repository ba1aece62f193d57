import { expect, it } from 'vitest';
import { paperDayAfter } from '../../../src/cli/daemon/paper-day.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import { SessionDouble } from '../../daemon/session-double.js';
import { BTC } from '../../support/markets.js';

const USD = 10n ** BigInt(BTC.quotePrecision);
const limits = { ...NO_LIMITS, maxDailyLoss: 6, maxDrawdown: 60, lossPause: { losses: 3, forMs: 60_000 } };

/** One that has lost so much, and another one after it. */
function successor(lost: bigint) {
  const before = new SessionDouble(BTC, { limits });
  before.trade(1_000, 50_000);
  before.pays(2_000, lost * USD);
  const next = new SessionDouble(BTC, { limits, baseline: paperDayAfter(before.core) });
  next.trade(3_000, 50_000);
  return { before: before.core.risk, after: next.core.risk };
}

it('what was lost on a day stays lost for the session after it, whose account begins anew', () => {
  const { before, after } = successor(4n);
  const { day, drawdown, streak } = after;
  expect([day?.loss, day?.tripped]).toEqual([4, false]);
  expect(drawdown?.tripped).toBe(false);
  expect(drawdown?.fall).toBeGreaterThan(4);
  expect(drawdown?.fall).toBeCloseTo(before.drawdown?.fall ?? 0, 6);
  expect(streak?.losses).toBe(1);
});

it('a bound that was reached stays reached', () => {
  expect(successor(7n).after.day?.tripped).toBe(true);
  expect(successor(80n).after.drawdown?.tripped).toBe(true);
});

it('an open position is gone, and counts as what it was worth', () => {
  const before = new SessionDouble(BTC, { limits });
  before.trade(1_000, 50_000);
  before.holds(1_000, 500_000);
  before.trade(2_000, 49_997);
  const next = new SessionDouble(BTC, { limits, baseline: paperDayAfter(before.core) });
  next.trade(3_000, 49_000);
  expect(next.core.risk.day?.loss).toBe(3);
});

it('nothing is handed on where no limit counts a loss, or none has begun to', () => {
  const counts = new SessionDouble(BTC, { limits });
  expect(paperDayAfter(counts.core)).toBeUndefined();
  const unlimited = new SessionDouble();
  unlimited.trade(1_000, 50_000);
  expect(paperDayAfter(unlimited.core)).toBeUndefined();
});
