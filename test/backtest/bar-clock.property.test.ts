import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BarSession } from '../../src/backtest/bar-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved } from '../../src/model/command.js';
import type { TradeGap } from '../../src/model/trade.js';
import { type BarRow, barColumns } from '../../src/storage/rows/bar-columns.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { flat, holdPosition, quote, type Want } from '../../src/strategy/want.js';
import { BarsVenue } from '../../src/venue/tape/bars-venue.js';
import { BTC } from '../support/markets.js';

const MINUTE = 60_000;
const START = 1_640_995_200_000;

/** Notes when each command was sent. */
class NotingVenue extends BarsVenue {
  readonly sent: number[] = [];

  override submit(command: Approved, sentAt: number): void {
    this.sent.push(sentAt);
    super.submit(command, sentAt);
  }
}

interface Tape {
  /** Minutes that are missing before each bar. */
  readonly missing: readonly number[];
  /** Of each bar, quote units. */
  readonly prices: readonly number[];
}

const tapes = fc
  .array(
    fc.record({
      missing: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 9 })),
      price: fc.integer({ min: 59_995, max: 60_005 }),
    }),
    { minLength: 2, maxLength: 25 },
  )
  .map(
    (rows): Tape => ({
      missing: rows.map(({ missing }) => missing),
      prices: rows.map(({ price }) => price),
    }),
  );

function barsOf({ missing, prices }: Tape): {
  readonly rows: readonly BarRow[];
  readonly gaps: readonly TradeGap[];
} {
  const rows: BarRow[] = [];
  const gaps: TradeGap[] = [];
  let end = START;
  for (const [i, price] of prices.entries()) {
    const time = end + (missing[i] ?? 0) * MINUTE;
    if (time > end) gaps.push({ from: end, to: time, missing: undefined });
    rows.push({ time, open: price, high: price + 2, low: price - 2, close: price, volume: 1 });
    end = time + MINUTE;
  }
  return { rows, gaps };
}

/** What the handlers answer, one after the other and from the beginning again. */
const WANTS: readonly (Want | undefined)[] = [
  quote({ bid: { price: 59_998, quantity: '0.01' }, ask: undefined }),
  flat(),
  undefined,
  holdPosition('0.02'),
  quote({ bid: undefined, ask: { price: 60_002, quantity: '0.01' } }),
];

interface Habits {
  readonly bars: '1m' | '3m';
  /** From being asked to the timer that is set then, ms. */
  readonly wait: number;
  /** The first of the answers. */
  readonly first: number;
}

const habits = fc.record<Habits>({
  bars: fc.constantFrom('1m', '3m'),
  wait: fc.integer({ min: 7_000, max: 4 * MINUTE }),
  first: fc.nat({ max: WANTS.length - 1 }),
});

function clockOf(tape: Tape, { bars, wait, first }: Habits) {
  const seen: number[] = [];
  let asked = first;
  const wild = defineStrategy({
    name: 'wild',
    params: { bars: barInterval({ default: bars }) },
    create(_, context: StrategyContext) {
      const answer = () => {
        seen.push(context.now);
        context.setTimer('later', context.now + wait);
        return WANTS[asked++ % WANTS.length];
      };
      return { onBar: answer, onGap: answer, onTimer: answer, onFill: answer };
    },
  });
  const venue = new NotingVenue({ market: BTC, deposit: '100000' });
  const engine = new Engine({ strategy: bindStrategy(wild), market: BTC, seed: '1', warmUp: false });
  const told: number[] = [];
  const { rows, gaps } = barsOf(tape);
  const session = new BarSession({
    engine,
    venue,
    limits: NO_LIMITS,
    capital: 100_000,
    gaps,
    observer: {
      input: (_, event) => {
        told.push(engine.now);
        if (event.kind === 'report') told.push(event.report.time);
      },
    },
  });
  session.run(barColumns(rows, MINUTE));
  return { seen, told, sent: venue.sent, counts: session.core.counts };
}

const ascending = (times: readonly number[]) => [...times].sort((a, b) => a - b);

describe('the clock of a session on bars', () => {
  it('never turns back: not for the strategy, not in what it is told, and not in what it sends', () => {
    let sent = 0;
    let fills = 0;
    let gaps = 0;
    fc.assert(
      fc.property(tapes, habits, (tape, habit) => {
        const clock = clockOf(tape, habit);
        expect(clock.seen).toEqual(ascending(clock.seen));
        expect(clock.told).toEqual(ascending(clock.told));
        expect(clock.sent).toEqual(ascending(clock.sent));
        sent += clock.sent.length;
        fills += clock.counts.fills;
        gaps += clock.counts.gaps;
      }),
      { numRuns: 200 },
    );
    expect([sent > 500, fills > 100, gaps > 100]).toEqual([true, true, true]);
  });
});
