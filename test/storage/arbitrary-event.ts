import fc from 'fast-check';
import type { EngineEvent } from '../../src/model/event.js';
import type { Lots, Ticks } from '../../src/model/grid.js';

const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { noNullPrototype: true });

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constant('\ud800"\n\u2028'),
);
const double = fc.oneof(fc.double(), fc.constantFrom(-0, Number.NaN, Infinity, -Infinity, 5e-324, 0.1 + 0.2));
const maybe = fc.option(double, { nil: undefined });
const step = fc.oneof(fc.maxSafeInteger(), fc.constant(-0));
const lots = step.map((n) => n as Lots);
const intentId = fc.nat();

const trade = record({ id: text, time, price: double, quantity: double, isBuyerMaker: fc.boolean() });
const fill = record({
  id: text,
  orderId: text,
  time,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  lots,
  ticks: step.map((n) => n as Ticks),
  liquidity: fc.constantFrom('maker' as const, 'taker' as const),
  fee: fc.bigInt(),
});
const report = fc.oneof(
  record({ kind: fc.constant('accepted' as const), intentId, orderId: text, time }),
  record({
    kind: fc.constantFrom('rejected' as const, 'cancel-rejected' as const, 'in-doubt' as const),
    intentId,
    reason: text,
    time,
  }),
  record({ kind: fc.constant('rejected' as const), intentId, reason: text, time, reservedUntil: double }),
  record({
    kind: fc.constant('rejected' as const),
    intentId,
    reason: text,
    time,
    unsent: fc.constant(true as const),
  }),
  record({
    kind: fc.constant('rejected' as const),
    intentId,
    reason: text,
    time,
    tooSoon: fc.constant(true as const),
  }),
  record({
    kind: fc.constant('rejected' as const),
    intentId,
    reason: text,
    time,
    alike: fc.constant(true as const),
  }),
  record({ kind: fc.constant('canceled' as const), intentId, orderId: text, reason: text, time }),
  record({ kind: fc.constant('filled' as const), intentId, fill, time }),
  record({
    kind: fc.constant('late-fill' as const),
    intentId: fc.option(intentId, { nil: undefined }),
    fill,
    time,
  }),
);

/** Any input that an engine can be given, with the numbers and texts that break naive encodings. */
export const anyEvent: fc.Arbitrary<EngineEvent> = fc.oneof(
  record({ kind: fc.constant('trade' as const), trade, receivedAt: time }),
  record({ kind: fc.constantFrom('mark' as const, 'live' as const, 'resumed' as const), time }),
  record({ kind: fc.constant('others' as const), time, notional: double, openOrders: fc.nat(), pnl: maybe }),
  record({ kind: fc.constant('transfers' as const), time, change: double }),
  record({
    kind: fc.constant('others' as const),
    time,
    notional: double,
    openOrders: fc.nat(),
    pnl: maybe,
    lostUntil: double,
    fell: fc.constant(true as const),
  }),
  record({
    kind: fc.constant('gap' as const),
    gap: record({ from: time, to: time, missing: fc.option(fc.nat(), { nil: undefined }) }),
  }),
  record({ kind: fc.constant('report' as const), report }),
  record({
    kind: fc.constant('position' as const),
    position: fc.oneof(
      record({ time, lots, averageEntry: double, liquidationPrice: maybe }),
      record({ time, lots, averageEntry: double, liquidationPrice: maybe, funding: double }),
    ),
  }),
  record({
    kind: fc.constant('ticker' as const),
    ticker: record({
      time,
      lastPrice: maybe,
      markPrice: maybe,
      indexPrice: maybe,
      bidPrice: maybe,
      bidQuantity: maybe,
      askPrice: maybe,
      askQuantity: maybe,
    }),
  }),
  record({
    kind: fc.constant('permit' as const),
    time,
    permission: fc.constantFrom('all' as const, 'reduce-only' as const, 'cancel-only' as const),
    state: fc.constantFrom(
      'BOOT' as const,
      'RECONCILING' as const,
      'SYNCED' as const,
      'SUSPECT' as const,
      'QUARANTINED' as const,
      'HALTED' as const,
    ),
    reason: text,
  }),
);
