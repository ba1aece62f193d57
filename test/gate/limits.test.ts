/** Each limit, tripped: what is at its bound leaves, what is one step beyond is refused with the rule and both numbers. */
import { describe, expect, it } from 'vitest';
import { DailyLoss } from '../../src/gate/daily-loss.js';
import type { GateState } from '../../src/gate/gate-state.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import { Pace } from '../../src/gate/pace.js';
import { Rejections } from '../../src/gate/rejections.js';
import type { RefusalRule } from '../../src/model/command.js';
import type { OrderTerms } from '../../src/model/order.js';
import { approved, cancel, lots, NOTHING_HELD, ruleOf, ticks, verdict } from './state.js';

interface Trip {
  readonly rule: RefusalRule;
  readonly limits: Partial<Limits>;
  readonly state?: Partial<GateState>;
  readonly within: Partial<OrderTerms>;
  readonly beyond: Partial<OrderTerms>;
  readonly reason: string;
}

const held = (position: number, buys = 0, sells = 0): Partial<GateState> => ({
  exposure: {
    ...NOTHING_HELD,
    position: lots(position),
    workingBuys: lots(buys),
    workingSells: lots(sells),
  },
});

const trips: readonly Trip[] = [
  {
    rule: 'max-order-quantity',
    limits: { maxOrderQuantity: lots(20) },
    within: { lots: lots(20) },
    beyond: { lots: lots(22) },
    reason: 'max-order-quantity: quantity must be at most 0.02, received 0.022',
  },
  {
    // 0.02 × 450 = 9.
    rule: 'max-order-notional',
    limits: { maxOrderNotional: 9 },
    within: { lots: lots(20), ticks: ticks(4_500) },
    beyond: { lots: lots(22), ticks: ticks(4_500) },
    reason: 'max-order-notional: notional must be at most 9, received 9.9',
  },
  {
    // At market: 0.018 × 500 = 9.
    rule: 'max-order-notional',
    limits: { maxOrderNotional: 9 },
    within: { lots: lots(18) },
    beyond: { lots: lots(20) },
    reason: 'max-order-notional: notional must be at most 9, received 10',
  },
  {
    // A sale at 400 trades at the mark of 500 if it can.
    rule: 'max-order-notional',
    limits: { maxOrderNotional: 9 },
    within: { side: 'sell', lots: lots(18), ticks: ticks(4_000) },
    beyond: { side: 'sell', lots: lots(20), ticks: ticks(4_000) },
    reason: 'max-order-notional: notional must be at most 9, received 10',
  },
  {
    rule: 'price-collar',
    limits: { priceCollar: 0.02 },
    within: { ticks: ticks(5_100) },
    beyond: { ticks: ticks(5_105) },
    reason: 'price-collar: price must be at most 510, received 510.5',
  },
  {
    rule: 'price-collar',
    limits: { priceCollar: 0.02 },
    within: { side: 'sell', ticks: ticks(4_900) },
    beyond: { side: 'sell', ticks: ticks(4_895) },
    reason: 'price-collar: price must be at least 490, received 489.5',
  },
  {
    // The nearer of both: 1.02 × the last trade of 495 = 504.9; on the tick 504.5.
    rule: 'price-collar',
    limits: { priceCollar: 0.02 },
    state: { lastTicks: ticks(4_950) },
    within: { ticks: ticks(5_045), postOnly: true },
    beyond: { ticks: ticks(5_050), postOnly: true },
    reason: 'price-collar: price must be at most 504.9, received 505',
  },
  {
    // … and below 0.98 × the mark of 500.
    rule: 'price-collar',
    limits: { priceCollar: 0.02 },
    state: { lastTicks: ticks(4_950) },
    within: { ticks: ticks(4_900) },
    beyond: { ticks: ticks(4_895) },
    reason: 'price-collar: price must be at least 490, received 489.5',
  },
  {
    // 500 / 10 + what works and what is held: (12 + 4 + 4) lots of 0.001 at 500 = 10.
    rule: 'max-gross-notional',
    limits: { maxGrossNotional: 10 },
    state: held(12, 4),
    within: { lots: lots(4) },
    beyond: { lots: lots(6) },
    reason: 'max-gross-notional: resulting position × mark must be at most 10, received 11',
  },
  {
    // (12 + 4 + 4) lots of 0.001 at 500 = 10: twice the equity of 5.
    rule: 'max-leverage',
    limits: { maxLeverage: 2 },
    state: { ...held(12, 4), equity: 5 },
    within: { lots: lots(4) },
    beyond: { lots: lots(6) },
    reason: 'max-leverage: resulting position × mark ÷ equity must be at most 2, received 2.2',
  },
  {
    rule: 'max-position',
    limits: { maxPosition: lots(20) },
    state: held(-12, 50, 4),
    within: { side: 'sell', lots: lots(4) },
    beyond: { side: 'sell', lots: lots(6) },
    reason: 'max-position: resulting position must be at most 0.02, received 0.022',
  },
];

describe('a limit of what an order asks for', () => {
  it.each(trips)('$rule lets its bound pass, and no step more: $reason', (trip) => {
    const { rule, limits, state = {}, within, beyond, reason } = trip;
    expect(ruleOf(within, state, limits)).toBeUndefined();
    const refusal = verdict(beyond, state, limits);
    expect(refusal).toMatchObject({ kind: 'refusal', rule, reason });
    if (refusal.kind !== 'refusal') throw new Error('expected a refusal');
    expect(reason).toContain(refusal.asked);
    expect(reason).toContain(refusal.bound);
    // Without its limit the same order leaves.
    expect(ruleOf(beyond, state, {})).toBeUndefined();
  });
});

describe('max-open-orders', () => {
  it('lets the last one pass that there is room for', () => {
    const open = (openOrders: number) => ({ exposure: { ...NOTHING_HELD, openOrders } });
    expect(ruleOf({}, open(2), { maxOpenOrders: 3 })).toBeUndefined();
    expect(verdict({}, open(3), { maxOpenOrders: 3 })).toMatchObject({
      rule: 'max-open-orders',
      asked: '4',
      bound: '3',
    });
  });

  it('is asked again where orders of another pair are in the way, and only there', () => {
    const others = { position: 0, notional: 0, openOrders: 1 } as unknown as GateState['others'];
    expect(verdict({}, { time: 7, others }, { maxOpenOrders: 1 })).toMatchObject({ until: 7 });
    const own = { exposure: { ...NOTHING_HELD, openOrders: 1 } };
    expect(verdict({}, own, { maxOpenOrders: 1 })).not.toHaveProperty('until', expect.anything());
  });
});

describe('the limits on one order', () => {
  const limits = { maxOrderQuantity: lots(20), maxOrderNotional: 9 };
  const exit = { side: 'sell', reduceOnly: true, lots: lots(40) } as const;
  const waits = { ticks: ticks(4_900), event: 'last' } as const;

  it('let an exit at market leave that is larger, and a stop, since both only make a position smaller', () => {
    expect(ruleOf(exit, held(40), limits)).toBeUndefined();
    expect(ruleOf({ ...exit, trigger: waits }, held(40), limits)).toBeUndefined();
    expect(ruleOf(exit, { ...held(40), markPrice: undefined }, { maxOrderNotional: 9 })).toBeUndefined();
  });

  it('hold for an exit at a limit, and for what is not reduce-only', () => {
    expect(ruleOf({ ...exit, ticks: ticks(5_000) }, held(40), limits)).toBe('max-order-quantity');
    expect(ruleOf({ ...exit, reduceOnly: false }, held(40), limits)).toBe('max-order-quantity');
  });

  it('let an exit at market leave however many orders are open, and not a stop, which is one of them', () => {
    const full = { exposure: { ...NOTHING_HELD, position: lots(40), openOrders: 3 } };
    expect(ruleOf(exit, full, { maxOpenOrders: 3 })).toBeUndefined();
    expect(ruleOf({ ...exit, trigger: waits }, full, { maxOpenOrders: 3 })).toBe('max-open-orders');
  });
});

describe('the price collar', () => {
  const limits = { priceCollar: 0.02 };
  const market = { lots: lots(10) };

  it('judges what takes the price of the market by how far last trade and mark are apart', () => {
    expect(ruleOf(market, { lastTicks: ticks(5_100) }, limits)).toBeUndefined();
    expect(verdict(market, { lastTicks: ticks(5_101) }, limits)).toMatchObject({
      rule: 'price-collar',
      asked: '510.1',
      bound: '510',
    });
    expect(ruleOf(market, { lastTicks: ticks(4_900) }, limits)).toBeUndefined();
    expect(verdict(market, { lastTicks: ticks(4_899) }, limits)).toMatchObject({
      rule: 'price-collar',
      asked: '489.9',
      bound: '490',
    });
  });

  it('takes a limit through the last trade for one that takes, and a post-only one never', () => {
    // Mark 500, last 485: 3 % apart. Within 2 % of both lie 490 to 494.7.
    const apart = { lastTicks: ticks(4_850) };
    expect(ruleOf({ ticks: ticks(4_900) }, apart, limits)).toBe('price-collar');
    expect(ruleOf({ ticks: ticks(4_900), postOnly: true }, apart, limits)).toBeUndefined();
    expect(ruleOf({ side: 'sell', ticks: ticks(4_900) }, apart, limits)).toBeUndefined();
  });

  it('lets an exit at market leave whatever the prices say, and not one at a limit beyond it', () => {
    const exit = { side: 'sell', reduceOnly: true } as const;
    expect(ruleOf(exit, { lastTicks: ticks(4_000) }, limits)).toBeUndefined();
    expect(ruleOf({ ...exit, ticks: ticks(4_000) }, {}, limits)).toBe('price-collar');
  });

  it('refuses what nothing is known to judge it by', () => {
    const blind = { lastTicks: undefined, markPrice: undefined };
    expect(verdict(market, blind, limits)).toMatchObject({ rule: 'price-collar', asked: 'unknown' });
    expect(verdict(market, blind, { maxOrderNotional: 9 })).toMatchObject({ asked: 'unknown' });
    expect(verdict(market, blind, { maxGrossNotional: 9 })).toMatchObject({ asked: 'unknown' });
  });
});

describe('limits of what an order leads to', () => {
  it('let an order make a position smaller that is beyond them already', () => {
    const beyond = held(80);
    const limits = { maxPosition: lots(20), maxGrossNotional: 10, minLiquidationDistance: 0.5 };
    const near = { ...beyond, liquidationPrice: 499 };
    expect(ruleOf({ side: 'sell' }, near, limits)).toBeUndefined();
    expect(ruleOf({ side: 'buy' }, near, limits)).toBe('max-position');
  });

  it('refuse more risk when the liquidation price is nearer than its bound, and name both distances', () => {
    const limits = { minLiquidationDistance: 0.1 };
    expect(ruleOf({}, { liquidationPrice: undefined }, limits)).toBeUndefined();
    expect(ruleOf({}, { liquidationPrice: 450 }, limits)).toBeUndefined();
    expect(ruleOf({}, { liquidationPrice: 550 }, limits)).toBeUndefined();
    expect(verdict({}, { liquidationPrice: 450.5 }, limits)).toMatchObject({
      rule: 'liquidation-distance',
      asked: '0.099',
      bound: '0.1',
    });
  });

  it('say when a reserve that is in the way ceases to count', () => {
    const exposure = { ...NOTHING_HELD, workingBuys: lots(12), reservedUntil: 600_000 };
    expect(verdict({}, { exposure }, { maxPosition: lots(20) })).toMatchObject({ until: 600_000 });
    expect(
      verdict({}, { exposure: { ...exposure, reservedUntil: Infinity } }, { maxPosition: lots(20) }),
    ).not.toHaveProperty('until');
  });
});

describe('limits of pace', () => {
  function paceOf(
    limits: Partial<Limits>,
    ...commands: readonly (readonly [number, Partial<OrderTerms> | 'cancel'])[]
  ) {
    const pace = new Pace({ ...NO_LIMITS, ...limits });
    for (const [time, what] of commands) pace.approved(what === 'cancel' ? cancel : approved(what), time);
    return pace;
  }

  it('max-orders-per-minute counts the orders of the last 60 s, exits included, and frees with the oldest', () => {
    const limits = { maxOrdersPerMinute: 3 };
    const pace = paceOf(limits, [0, {}], [10, { reduceOnly: true }], [20, {}]);
    expect(ruleOf({}, { pace: paceOf(limits, [0, {}], [10, {}]), time: 20 }, limits)).toBeUndefined();
    expect(verdict({}, { pace, time: 59_999 }, limits)).toMatchObject({
      rule: 'max-orders-per-minute',
      asked: '4',
      bound: '3',
      reason: 'max-orders-per-minute: orders in 60 s must be at most 3, received 4',
      until: 60_000,
    });
    expect(ruleOf({ reduceOnly: true }, { pace, time: 59_999 }, limits)).toBe('max-orders-per-minute');
    expect(ruleOf({}, { pace, time: 60_000 }, limits)).toBeUndefined();
  });

  it('limits of pace count what earlier sessions sent', () => {
    const sent = [
      { sentAt: 0, side: 'buy', reduceOnly: true },
      { sentAt: 1_000, side: 'sell', reduceOnly: false },
    ] as const;
    const hourly = { maxOrdersPerHour: 2 };
    const pace = new Pace({ ...NO_LIMITS, ...hourly }, sent);
    expect(verdict({}, { pace, time: 3_599_999 }, hourly)).toMatchObject({
      rule: 'max-orders-per-hour',
      until: 3_600_000,
    });
    const byTheMinute = { maxOrdersPerMinute: 2 };
    const ofTheMinute = new Pace({ ...NO_LIMITS, ...byTheMinute }, sent);
    expect(verdict({}, { pace: ofTheMinute, time: 59_999 }, byTheMinute)).toMatchObject({ until: 60_000 });
    const apart = { minRepeatMs: 500 };
    const repeats = new Pace({ ...NO_LIMITS, ...apart }, sent);
    expect(ruleOf({ side: 'buy' }, { pace: repeats, time: 1_001 }, apart)).toBeUndefined();
    expect(ruleOf({ side: 'sell' }, { pace: repeats, time: 1_001 }, apart)).toBe('same-side-repeat');
  });

  it('max-orders-per-hour counts the orders of the last 60 min, exits included, frees with the oldest, and lets exits leave', () => {
    const limits = { maxOrdersPerHour: 3, maxOrdersPerMinute: 3 };
    const pace = paceOf(limits, [0, {}], [100_000, { reduceOnly: true }], [200_000, {}]);
    const two = paceOf(limits, [0, {}], [100_000, {}]);
    expect(ruleOf({}, { pace: two, time: 200_000 }, limits)).toBeUndefined();
    expect(verdict({}, { pace, time: 3_599_999 }, limits)).toMatchObject({
      rule: 'max-orders-per-hour',
      asked: '4',
      bound: '3',
      reason: 'max-orders-per-hour: orders in 60 min must be at most 3, received 4',
      until: 3_600_000,
    });
    expect(ruleOf({ reduceOnly: true }, { pace, time: 3_599_999 }, limits)).toBeUndefined();
    expect(ruleOf({}, { pace, time: 3_600_000 }, limits)).toBeUndefined();
  });

  it('max-cancels-per-minute keeps risk from leaving, never a cancel and never an exit', () => {
    const limits = { maxCancelsPerMinute: 2 };
    const pace = paceOf(limits, [0, 'cancel'], [5, 'cancel']);
    expect(ruleOf({}, { pace: paceOf(limits, [0, 'cancel']), time: 5 }, limits)).toBeUndefined();
    expect(verdict({}, { pace, time: 5 }, limits)).toMatchObject({
      rule: 'max-cancels-per-minute',
      asked: '3',
      bound: '2',
      until: 60_000,
    });
    expect(ruleOf({ reduceOnly: true }, { pace, time: 5 }, limits)).toBeUndefined();
    expect(ruleOf({}, { pace, time: 60_000 }, limits)).toBeUndefined();
  });

  it('same-side-repeat holds the next order of a side back, not one of the other side or an exit', () => {
    const limits = { minRepeatMs: 500 };
    const pace = paceOf(limits, [1_000, {}]);
    expect(verdict({}, { pace, time: 1_499 }, limits)).toMatchObject({
      rule: 'same-side-repeat',
      asked: '499',
      bound: '500',
      until: 1_500,
    });
    expect(ruleOf({}, { pace, time: 1_500 }, limits)).toBeUndefined();
    expect(ruleOf({ side: 'sell' }, { pace, time: 1_001 }, limits)).toBeUndefined();
    expect(ruleOf({ reduceOnly: true }, { pace, time: 1_001 }, limits)).toBeUndefined();
  });
});

describe('reject-ratio', () => {
  const limits = { rejectPause: { rejected: 5, of: 10, forMs: 60_000 } };

  /** One letter an order, a second apart from 0 on: r rejected, a accepted, d doubtful and never heard of again. */
  function after(outcomes: string) {
    const rejections = new Rejections(limits.rejectPause);
    for (const [at, outcome] of outcomes.split('').entries()) {
      rejections.approved(approved({}, at));
      const news = { intentId: at, reason: '', time: at * 1_000 };
      if (outcome === 'r') rejections.report({ kind: 'rejected', ...news });
      else if (outcome === 'd') rejections.report({ kind: 'in-doubt', ...news });
      else rejections.report({ kind: 'accepted', orderId: 'o', ...news });
    }
    return rejections;
  }

  it.each([
    ['rrrr', false],
    ['rrrrr', true],
    ['rarararar', true],
    ['raaraarararr', true],
    // Five, but the first of them is eleven orders ago.
    ['raaaaaarrrr', false],
    ['rrddrrdd', false],
  ])('after %s more risk is refused: %s', (outcomes, refused) => {
    const rejections = after(outcomes);
    const time = (outcomes.length - 1) * 1_000;
    expect(ruleOf({}, { rejections, time }, limits)).toBe(refused ? 'reject-ratio' : undefined);
  });

  it('ends after its time, lets exits leave, and counts anew after it', () => {
    const rejections = after('rrrrr');
    expect(verdict({}, { rejections, time: 63_999 }, limits)).toMatchObject({
      rule: 'reject-ratio',
      asked: '5',
      bound: '4',
      until: 64_000,
    });
    expect(ruleOf({ reduceOnly: true }, { rejections, time: 5_000 }, limits)).toBeUndefined();
    expect(ruleOf({}, { rejections, time: 64_000 }, limits)).toBeUndefined();
    rejections.approved(approved({}, 77));
    rejections.report({ kind: 'rejected', intentId: 77, reason: '', time: 70_000 });
    expect(ruleOf({}, { rejections, time: 70_000 }, limits)).toBeUndefined();
  });

  it.each([
    'unsent',
    'tooSoon',
    'alike',
  ] as const)('counts no order that never left, and says nothing of it (%s)', (why) => {
    const rejections = new Rejections(limits.rejectPause);
    for (let intentId = 1; intentId <= 10; intentId++) {
      rejections.approved(approved({}, intentId));
      rejections.report({ kind: 'rejected', intentId, reason: 'not sent', time: 1, [why]: true });
    }
    expect([rejections.rejected, rejections.reason]).toEqual([0, undefined]);
  });

  it('counts the first word on an order only: a partial fill and its cancellation are not two more', () => {
    const rejections = new Rejections(limits.rejectPause);
    for (let intentId = 1; intentId <= 4; intentId++) {
      rejections.approved(approved({}, intentId));
      rejections.report({ kind: 'rejected', intentId, reason: '', time: 1 });
      rejections.report({ kind: 'rejected', intentId, reason: '', time: 1 });
    }
    expect(rejections.rejected).toBe(4);
    expect(rejections.pausedUntil).toBeLessThan(0);
  });
});

describe('max-daily-loss', () => {
  const limits = { maxDailyLoss: 200 };
  const dayOfLoss = (loss: number) => {
    const day = new DailyLoss({ bound: 200, precision: 8, baseline: undefined, tell: () => undefined });
    day.turn(1_000, 10_000);
    day.look(10_000 - loss);
    return day;
  };

  it('refuses more risk once the loss is as large as the bound, and names both amounts and the day', () => {
    expect(ruleOf({}, { day: dayOfLoss(199.99) }, limits)).toBeUndefined();
    expect(verdict({}, { day: dayOfLoss(200) }, limits)).toMatchObject({
      rule: 'max-daily-loss',
      asked: '200',
      bound: '200',
      reason:
        'max-daily-loss: loss since 00:00 UTC must be below 200 USD, received 200: no more risk before 1970-01-02',
      until: 86_400_000,
    });
  });

  it('lets exits leave', () => {
    expect(ruleOf({ reduceOnly: true }, { day: dayOfLoss(500) }, limits)).toBeUndefined();
  });

  it('refuses what cannot be judged: no equity is known', () => {
    const day = new DailyLoss({ bound: 200, precision: 8, baseline: undefined, tell: () => undefined });
    day.turn(1_000, undefined);
    expect(verdict({}, { day, time: 1_000 }, limits)).toMatchObject({
      rule: 'max-daily-loss',
      asked: 'unknown',
      bound: '200',
    });
  });
});
