import fc from 'fast-check';
import { concatMap, from, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { TapeSession } from '../../src/backtest/tape-session.js';
import { Engine } from '../../src/engine/engine.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved, Refusal, Supersession } from '../../src/model/command.js';
import type { Lots } from '../../src/model/grid.js';
import type { ExecutionReport } from '../../src/model/report.js';
import type { Trade } from '../../src/model/trade.js';
import { runSession } from '../../src/session/session.js';
import { SessionCore } from '../../src/session/session-core.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { tapeGateway } from '../../src/venue/tape/tape-gateway.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import { BTC } from '../support/markets.js';
import { sendingStops } from '../support/stops.js';
import { type Act, scripted, scripts, tapes } from './scripted.js';

const limits: Limits = {
  ...NO_LIMITS,
  maxPosition: 15 as Lots,
  maxOrderQuantity: 12 as Lots,
  maxOpenOrders: 3,
};

/** So narrow that a few hundred tapes meet each of them. */
const narrow: Partial<Limits> = {
  maxPosition: 9 as Lots,
  maxOrderQuantity: 4 as Lots,
  maxOpenOrders: 1,
  maxOrderNotional: 250,
  priceCollar: 0.00003,
  maxOrdersPerMinute: 5,
  maxCancelsPerMinute: 3,
  minRepeatMs: 30,
  rejectPause: { rejected: 5, of: 10, forMs: 60_000 },
  maxGrossNotional: 500,
  maxDailyLoss: 0.1,
  maxOrdersPerHour: 8,
  maxDrawdown: 0.15,
  lossPause: { losses: 2, forMs: 60_000 },
  maxLeverage: 0.05,
  minLiquidationDistance: 0.1,
  maxBareMs: 60,
};

const anyLimits = fc
  .subarray(Object.keys(narrow) as (keyof Limits)[])
  .map(
    (names): Limits => ({ ...NO_LIMITS, ...Object.fromEntries(names.map((name) => [name, narrow[name]])) }),
  );

interface Seen {
  readonly commands: Approved[];
  readonly refusals: Refusal[];
  readonly superseded: Supersession[];
}

function record(seen: Seen) {
  return {
    decision: (
      _: number,
      commands: readonly Approved[],
      refusals: readonly Refusal[],
      superseded: readonly Supersession[],
    ) => {
      seen.commands.push(...commands);
      seen.refusals.push(...refusals);
      seen.superseded.push(...superseded);
    },
  };
}

function fast(
  tape: readonly Trade[],
  acts: readonly Act[],
  latency: number,
  seen: Seen,
  bounds = limits,
  hasStops = false,
) {
  const session = new TapeSession({
    engine: new Engine({ strategy: bindStrategy(scripted(acts)), market: BTC, seed: '1', warmUp: false }),
    venue: new TapeVenue({ market: BTC, deposit: '1000', latency: { placeMs: latency, cancelMs: latency } }),
    limits: bounds,
    capital: 1_000,
    gaps: [],
    observer: record(seen),
  });
  if (hasStops) sendingStops(session);
  session.run(TradeColumns.of(tape));
  return session.core;
}

function streamed(
  tape: readonly Trade[],
  acts: readonly Act[],
  latency: number,
  bounds: Limits,
  hasStops: boolean,
) {
  let now = 0;
  const venue = new TapeVenue({
    market: BTC,
    deposit: '1000',
    latency: { placeMs: latency, cancelMs: latency },
  });
  const gateway = tapeGateway(venue, () => now, new Subject<ExecutionReport>());
  if (hasStops) sendingStops(gateway);
  const core = new SessionCore({
    engine: new Engine({ strategy: bindStrategy(scripted(acts)), market: BTC, seed: '1', warmUp: false }),
    limits: bounds,
    warmUp: false,
    funds: 1_000,
    sink: gateway,
  });
  runSession({
    core,
    feed: {
      events$: from(tape).pipe(
        concatMap((trade) => of({ kind: 'trade' as const, trade, receivedAt: trade.time })),
      ),
    },
    reports$: gateway.reports$,
    beforeTrade: ({ trade }) => {
      now = trade.time;
      if (venue.print(trade.time, trade.price, trade.quantity, trade.isBuyerMaker)) gateway.deliver();
    },
  }).subscribe();
  return core;
}

describe('one engine', () => {
  it('decides the same through streams as through the fast loop, whatever the tape and the strategy', () => {
    let decided = 0;
    let bare = 0;
    const refused = new Map<string, number>();
    fc.assert(
      fc.property(
        tapes,
        scripts,
        fc.constantFrom(0, 50),
        anyLimits,
        fc.boolean(),
        (tape, acts, latency, bounds, hasStops) => {
          const a = fast(
            tape,
            acts,
            latency,
            { commands: [], refusals: [], superseded: [] },
            bounds,
            hasStops,
          );
          const b = streamed(tape, acts, latency, bounds, hasStops);
          expect(b.counts).toEqual(a.counts);
          expect(b.decisionHash()).toBe(a.decisionHash());
          expect(b.engine.wantsHash()).toBe(a.engine.wantsHash());
          expect([b.engine.bareUse, b.engine.bareExposure]).toEqual([
            a.engine.bareUse,
            a.engine.bareExposure,
          ]);
          decided += a.counts.orders;
          bare += a.engine.bareUse?.hits ?? 0;
          for (const { reason, count } of a.reasons.refused) {
            refused.set(reason, (refused.get(reason) ?? 0) + count);
          }
        },
      ),
      { numRuns: 300 },
    );
    // The property says nothing if nothing happened; the tapes differ each time, so the bounds are wide.
    expect(decided).toBeGreaterThan(300);
    expect(bare).toBeGreaterThan(5);
    expect([...refused.keys()]).toEqual(
      expect.arrayContaining([
        'max-position',
        'max-order-quantity',
        'max-order-notional',
        'max-open-orders',
        'price-collar',
        'max-orders-per-minute',
        'max-cancels-per-minute',
        'same-side-repeat',
        'max-gross-notional',
        'max-daily-loss',
      ]),
    );
  });

  it('ends every command derived from a want as exactly one of sent, refused, superseded or still waiting', () => {
    fc.assert(
      fc.property(tapes, scripts, fc.constantFrom(0, 50), (tape, acts, latency) => {
        const seen: Seen = { commands: [], refusals: [], superseded: [] };
        const { engine } = fast(tape, acts, latency, seen);
        const { derived, sent, refused, superseded, waiting } = engine.counts;
        expect(derived).toBe(sent + refused + superseded + waiting);
        const ends = new Map<number, string[]>();
        const end = (intentId: number, how: string) =>
          ends.set(intentId, [...(ends.get(intentId) ?? []), how]);
        for (const command of seen.commands) if (command.kind === 'place') end(command.intentId, 'sent');
        for (const { intentId, rule } of seen.refusals) {
          if (intentId !== undefined && rule !== 'unknown-order') end(intentId, 'refused');
        }
        for (const { intentId } of seen.superseded) end(intentId, 'superseded');
        expect([...ends].filter(([, how]) => how.length !== 1)).toEqual([]);
        expect([...ends.values()].flat().filter((how) => how === 'superseded')).toHaveLength(superseded);
      }),
      { numRuns: 300 },
    );
  });

  it('never holds or risks more than its limits', () => {
    fc.assert(
      fc.property(tapes, scripts, (tape, acts) => {
        const seen: Seen = { commands: [], refusals: [], superseded: [] };
        const core = fast(tape, acts, 50, seen);
        expect(Math.abs(core.exposure.position)).toBeLessThanOrEqual(15);
        expect(core.exposure.position).toBe(core.engine.position.lots);
        for (const command of seen.commands) {
          if (command.kind !== 'place') continue;
          // An order at market that can only shrink a position may be as large as the position.
          const { lots, reduceOnly, ticks } = command.terms;
          expect(lots).toBeLessThanOrEqual(reduceOnly && ticks === undefined ? 15 : 12);
        }
      }),
    );
  });
});
