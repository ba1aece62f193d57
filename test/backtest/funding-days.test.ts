/** To which hour, and so to which day, funding belongs: the one that begins with it, whoever else trades on the account. */
import { describe, expect, it } from 'vitest';
import { AccountSession } from '../../src/backtest/account-session.js';
import type { EquityCloses } from '../../src/backtest/equity-closes.js';
import { pollsEvery, type PollSchedule } from '../../src/backtest/poll-schedule.js';
import { tapeSession } from '../../src/backtest/polled-session.js';
import { SharedAccount } from '../../src/backtest/shared-account.js';
import { SharedWatch } from '../../src/backtest/shared-watch.js';
import { TapeSession } from '../../src/backtest/tape-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { defineMarket } from '../../src/model/market.js';
import { rateOf } from '../../src/model/money.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { type BoundStrategy, bindStrategy } from '../../src/strategy/instance.js';
import { holdPosition } from '../../src/strategy/want.js';
import { TapeVenue, tapeVenues } from '../../src/venue/tape/tape-venue.js';
import { NO_PRICES } from '../support/no-prices.js';

const HOUR = 3_600_000;
const CAPITAL = 10_000;
const MARKET = defineMarket({
  pair: 'USD_X',
  base: 'X',
  quote: 'USD',
  price: { min: 0, max: 1_000_000, step: 1 },
  quantity: { min: 1, max: 1_000_000, step: 1 },
  fees: { maker: 0, taker: 0 },
  margin: { initial: '0.1', maintenance: '0.05', initialRiskLimit: 0, maintenanceRiskLimit: 0 },
});

/** Holds 10 from the second print on, all at 100. */
function parts() {
  const strategy = bindStrategy(
    defineStrategy({ name: 'holds', create: () => ({ onTrade: () => holdPosition(10) }) }),
  );
  return partsOf(strategy);
}

function partsOf(strategy: BoundStrategy) {
  return {
    engine: new Engine({ strategy, market: MARKET, seed: '1', warmUp: false }),
    limits: NO_LIMITS,
    capital: CAPITAL,
    gaps: [],
  };
}

const VENUE = { market: MARKET, deposit: String(CAPITAL), latency: { placeMs: 0, cancelMs: 0 } };

function tapeAt(times: readonly number[]): TradeColumns {
  return TradeColumns.of(
    times.map((time, at) => ({
      id: String(at + 1),
      time,
      price: 100,
      quantity: 1_000,
      isBuyerMaker: at % 2 === 1,
    })),
  );
}

/** Equity less capital at the end of each hour. */
function hours(closes: EquityCloses): (readonly [hour: number, pnl: number])[] {
  return Array.from({ length: closes.count }, (_, at) => [
    closes.timeAt(at) / HOUR,
    closes.equityAt(at) - CAPITAL,
  ]);
}

const SESSIONS: Readonly<Record<string, (tape: TradeColumns, facts: readonly WorldFact[]) => EquityCloses>> =
  {
    'a session alone'(tape, facts) {
      const session = new TapeSession({ ...parts(), venue: new TapeVenue(VENUE) });
      session.run(tape, facts);
      session.end();
      return session.watch.closes;
    },
    'a session that polls'(tape, facts) {
      const session = tapeSession({ ...parts(), venue: new TapeVenue(VENUE), polls: pollsEvery(1_000) });
      session.run(tape, facts);
      session.end();
      return session.watch.closes;
    },
    'a shared account'(tape, facts) {
      return shared(tape, facts).watch.closes;
    },
    'a market of a shared account'(tape, facts) {
      return shared(tape, facts).session.watch.closes;
    },
  };

function shared(tape: TradeColumns, facts: readonly WorldFact[]) {
  const [venue] = tapeVenues([VENUE]);
  const watch = new SharedWatch(CAPITAL, 10 ** MARKET.quotePrecision);
  const session = new AccountSession({ ...parts(), venue: venue as TapeVenue }, watch);
  const account = new SharedAccount([session], watch);
  account.open(0, tape, facts);
  while (account.run() !== undefined) account.finish(0);
  account.end();
  return { watch, session };
}

const paid = (time: number): WorldFact => ({ kind: 'funding', time, rate: rateOf('0.01') });
/** The index is 100. */
const ticker = (time: number, markPrice = 101): WorldFact => ({
  kind: 'ticker',
  time,
  ticker: { ...NO_PRICES, time, markPrice, indexPrice: 100 },
});

it.each(Object.entries(SESSIONS))('%s books funding in the hour that begins with it', (_, run) => {
  const prints = [0, 1_000, 2_000, HOUR - 500, HOUR + 300, 2 * HOUR, 2 * HOUR + 1, 3 * HOUR + 600_000];
  // 10 at 100, of which a hundredth.
  expect(hours(run(tapeAt(prints), [paid(HOUR), paid(2 * HOUR)]))).toEqual([
    [1, 0],
    [2, -10],
    [3, -20],
  ]);
});

it.each(Object.entries(SESSIONS))('%s books it there also where nobody trades for hours', (_, run) => {
  const prints = [0, 1_000, 2_000, 4 * HOUR + 1_800_000, 5 * HOUR + 1];
  const facts = [paid(HOUR + 1_800_000), paid(3 * HOUR)];
  expect(hours(run(tapeAt(prints), facts))).toEqual([
    [1, 0],
    [2, -10],
    [3, -10],
    [4, -20],
    [5, -20],
  ]);
});

it.each(Object.entries(SESSIONS))('%s books funding that is worked out there, too', (_, run) => {
  const interval = MARKET.funding.intervalMs / HOUR;
  const facts = Array.from({ length: interval * 2 + 1 }, (_each, at) => ticker(at * HOUR + 60_000));
  const prints = [0, 1_000, 2_000, ...facts.map(({ time }) => time + 1_000)];
  const pnls = hours(run(tapeAt(prints), facts));
  const byHour = new Map(pnls);
  expect(byHour.get(interval)).toBe(0);
  const rate = byHour.get(interval + 1) ?? Number.NaN;
  expect(rate).toBeLessThan(0);
  expect(byHour.get(2 * interval)).toBe(rate);
});

it.each(
  Object.entries(SESSIONS),
)('%s works it out from the marks up to and including its own time', (_, run) => {
  const before = [0, 1_000, 2_000, HOUR - 60_000];
  const after = [HOUR + 1_000, 2 * HOUR + 1];
  // Whether or not something prints at that time.
  for (const prints of [
    [...before, HOUR, ...after],
    [...before, ...after],
  ]) {
    const paid = (last: number) =>
      hours(run(tapeAt(prints), [ticker(HOUR - 30_000, 100), ticker(last)])).at(-1);
    // Premium (0 + 0.01) / 2, of which a tenth, of 10 at the mark of 101.
    expect(paid(HOUR)).toEqual([2, expect.closeTo(-0.505, 9)]);
    expect(paid(HOUR + 1)).toEqual([2, 0]);
  }
});

describe('a fill-or-kill order that waits for a second print', () => {
  /** Buys 10 with the second print, all of them or none: the third print completes it. */
  const waits = defineStrategy({
    name: 'waits',
    create: (_, context) => ({
      onTrade({ id }) {
        if (id === '2') context.submit({ side: 'buy', quantity: 10, price: 100, timeInForce: 'FOK' });
      },
    }),
  });

  const due = MARKET.funding.intervalMs;

  function run(bought: number, polls?: PollSchedule) {
    const prints = [due - 60_000, bought, bought + 700, due + 600_000];
    const session = tapeSession({
      ...partsOf(bindStrategy(waits)),
      venue: new TapeVenue(VENUE),
      ...(polls === undefined ? {} : { polls }),
    });
    session.run(tapeAt(prints), [ticker(due - 50_000), ticker(due - 5_000)]);
    session.end();
    const { position, watch } = session;
    return { lots: position.lots, funding: position.funding, closes: hours(watch.closes) };
  }

  it.each([100, 500])('pays the funding that was due after it and no other, polled every %d ms', (every) => {
    const polls = pollsEvery(every);
    // Complete 200 ms after the funding, and 800 ms before it.
    for (const bought of [due - 500, due - 1_500]) {
      const streamed = run(bought);
      expect(streamed.lots).toBe(10);
      expect(run(bought, polls)).toEqual(streamed);
    }
    expect(run(due - 500, polls).funding).toBe(0n);
    // 10 at a mark of 101, of which a thousandth.
    expect(run(due - 1_500, polls).funding).toBe(-101_000_000n);
  });
});
