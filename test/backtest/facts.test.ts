import { describe, expect, it } from 'vitest';
import { pollsEvery } from '../../src/backtest/poll-schedule.js';
import { tapeSession } from '../../src/backtest/polled-session.js';
import { Engine } from '../../src/engine/engine.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import { defineMarket, type Market } from '../../src/model/market.js';
import { rateOf } from '../../src/model/money.js';
import type { Ticker } from '../../src/model/ticker.js';
import type { Trade } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import type { Handlers } from '../../src/strategy/definition.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import { NO_PRICES } from '../support/no-prices.js';

function market(tick: string, taker = '0'): Market {
  return defineMarket({
    pair: 'USD_X',
    base: 'X',
    quote: 'USD',
    price: { min: 0, max: 1_000_000, step: tick },
    quantity: { min: 1, max: 1_000_000, step: 1 },
    fees: { maker: 0, taker },
    margin: { initial: '0.1', maintenance: '0.05', initialRiskLimit: 0, maintenanceRiskLimit: 0 },
  });
}

function ticker(time: number, prices: Partial<Ticker>): WorldFact {
  return { kind: 'ticker', time, ticker: { ...NO_PRICES, ...prices, time } };
}

/** Prints of `time price lots b|s`: who the aggressor was. */
function tapeOf(...lines: readonly string[]): TradeColumns {
  return TradeColumns.of(
    lines.map((line, at): Trade => {
      const [time, price, lots, who] = line.split(' ');
      const isBuyerMaker = who === 's';
      return {
        id: String(at + 1),
        time: Number(time),
        price: Number(price),
        quantity: Number(lots),
        isBuyerMaker,
      };
    }),
  );
}

function run(
  handlers: Handlers | ((context: StrategyContext) => Handlers),
  tape: TradeColumns,
  facts: readonly WorldFact[],
  given = market('1'),
  capital = '10000',
  limits: Partial<Limits> = {},
  pollMs?: number,
) {
  const fills: string[] = [];
  const strategy = defineStrategy({
    name: 'acts',
    create: (_, context) => (typeof handlers === 'function' ? handlers(context) : handlers),
  });
  const venue = new TapeVenue({ market: given, deposit: capital, latency: { placeMs: 0, cancelMs: 0 } });
  const session = tapeSession({
    engine: new Engine({ strategy: bindStrategy(strategy), market: given, seed: '1', warmUp: false }),
    venue,
    limits: { ...NO_LIMITS, ...limits },
    capital: Number(capital),
    gaps: [],
    polls: pollMs === undefined ? undefined : pollsEvery(pollMs),
    onFill: ({ time, side, lots, ticks, fee }) => fills.push(`${time} ${side} ${lots}@${ticks} ${fee}`),
  });
  session.run(tape, facts);
  session.end();
  return { session, venue, fills };
}

describe('a change of the market', () => {
  it('puts later quotes on the new tick, and lets later fills pay the new fee', () => {
    const handlers: Handlers = {
      onTrade: ({ time }) =>
        time >= 5 ? holdPosition(2) : quote({ bid: { price: 93, quantity: 1 }, ask: undefined }),
      onFill: () => undefined,
    };
    const facts: WorldFact[] = [{ kind: 'market', time: 2, market: market('5', '0.01') }];
    const observed = run(
      handlers,
      tapeOf('1 100 1 b', '2 100 1 b', '3 100 1 b', '5 100 9 b', '6 100 9 b', '7 100 9 b', '8 100 9 b'),
      facts,
    );
    // 93 is on the tick of 1 and not on that of 5, where the next one below is 90; a fill of 2 at 100 pays 1 %.
    expect(observed.fills).toEqual(['8 buy 2@100 200000000']);
    expect(observed.session.core.engine.market.filters.price.tickSize).toBe(5);
  });

  it('makes later orders reserve the new taker fee', () => {
    const handlers = (context: StrategyContext): Handlers => ({
      onTrade({ time }) {
        if (time === 1 || time === 2) context.submit({ side: 'buy', price: 91 - time, quantity: 30 });
        return undefined;
      },
    });
    const tape = tapeOf('1 100 1 b', '2 100 1 b', '3 100 1 b', '4 100 1 b');
    const working = (given: Market, facts: readonly WorldFact[]) =>
      run(handlers, tape, facts, given, '1070').session.core.engine.workingOrders.length;
    const turned = (time: number): WorldFact => ({ kind: 'market', time, market: market('1', '0.1') });
    // 270 of margin, and of fee 270 each at a tenth.
    expect(working(market('1', '0.1'), [])).toBe(1);
    expect(working(market('1'), [turned(0)])).toBe(1);
    expect(working(market('1'), [turned(2)])).toBe(1);
    expect(working(market('1'), [])).toBe(2);
  });

  it('makes the gate refuse what is off the new tick', () => {
    const handlers: Handlers = {
      onTrade: () => orders([{ side: 'buy', quantity: 1, price: 93 }]),
    };
    const facts: WorldFact[] = [{ kind: 'market', time: 0, market: market('5') }];
    const { session } = run(handlers, tapeOf('1 100 1 b', '2 100 1 b'), facts);
    expect(session.core.reasons.refused.map(({ reason }) => reason)).toEqual(['tick']);
  });

  it('cannot need a finer grid than the run has', () => {
    const facts: WorldFact[] = [{ kind: 'market', time: 0, market: market('0.1') }];
    expect(() => run({}, tapeOf('1 100 1 b'), facts)).toThrow('filter price must stay on a grid of 1');
  });
});

describe('a recorded ticker', () => {
  it('is seen by the strategy at its time, before the first later print', () => {
    const seen: string[] = [];
    const handlers: Handlers = {
      onTrade: ({ time }) => void seen.push(`trade ${time}`),
      onTicker: ({ time }) => void seen.push(`ticker ${time}`),
    };
    run(handlers, tapeOf('1 100 1 b', '2 100 1 b', '3 100 1 b'), [ticker(2, { bidPrice: 1 })]);
    expect(seen).toEqual(['trade 1', 'trade 2', 'ticker 2', 'trade 3']);
  });

  it('tells for 5 s whether a post-only order would trade; then the prints do', () => {
    const rejected = (sentAt: number) => {
      const handlers = (context: StrategyContext): Handlers => ({
        onTrade({ time }) {
          if (time === sentAt) context.submit({ side: 'buy', price: 99, quantity: 1, postOnly: true });
          return undefined;
        },
      });
      // Prints say bid 98, ask 100; the ticker says that the ask is 99.
      const prints = ['1 98 1 s', '1 100 1 b', '4000 100 1 b', '5500 100 1 b', '9000 97 5 s'];
      return run(handlers, tapeOf(...prints), [ticker(10, { bidPrice: 98, askPrice: 99 })]).fills;
    };
    expect(rejected(4_000)).toEqual([]);
    expect(rejected(5_500)).toEqual(['9000 buy 1@99 0']);
  });
});

describe('a recorded order book', () => {
  it('says how much is ahead: what it shows at the price, less what printed there since', () => {
    const handlers: Handlers = {
      onTrade: ({ time }) =>
        time === 20 ? quote({ bid: { price: 98, quantity: 3 }, ask: undefined }) : undefined,
    };
    const facts: WorldFact[] = [{ kind: 'depth', time: 10, bids: [[98, 10]], asks: [[100, 5]] }];
    // 10 shown, 4 gone by 20, so 6 ahead: 5, then 1 and 2 of ours, then the third.
    const prints = [
      '1 98 1 s',
      '1 100 1 b',
      '15 98 4 s',
      '20 100 1 b',
      '30 98 5 s',
      '40 98 3 s',
      '50 98 3 s',
    ];
    const { fills, session } = run(handlers, tapeOf(...prints), facts);
    expect(fills).toEqual(['40 buy 2@98 0', '50 buy 1@98 0']);
    expect(session.queueAhead).toBe('recorded');
  });

  it('seen later, leaves nobody behind more than it shows', () => {
    const handlers: Handlers = {
      onTrade: ({ time }) =>
        time === 20 ? quote({ bid: { price: 98, quantity: 3 }, ask: undefined }) : undefined,
    };
    const facts: WorldFact[] = [
      { kind: 'depth', time: 10, bids: [[98, 10]], asks: [[100, 5]] },
      { kind: 'depth', time: 25, bids: [[98, 2]], asks: [[100, 5]] },
    ];
    const prints = ['1 98 1 s', '1 100 1 b', '20 100 1 b', '21 100 1 b', '30 98 4 s'];
    expect(run(handlers, tapeOf(...prints), facts).fills).toEqual(['30 buy 2@98 0']);
  });

  const buyOnce =
    (price: number) =>
    (context: StrategyContext): Handlers => ({
      onTrade({ time }) {
        if (time === 20) context.submit({ side: 'buy', price, quantity: 1, postOnly: true });
        return undefined;
      },
    });

  it('or a ticker, whichever is newer, says what is inside the spread', () => {
    const prints = ['1 96 1 s', '1 100 1 b', '20 100 1 b', '21 100 1 b', '30 98 4 s', '40 98 3 s'];
    const filled = (bookAt: number, tickerAt: number) => {
      const book: WorldFact = { kind: 'depth', time: bookAt, bids: [[98, 6]], asks: [[100, 5]] };
      const facts = [book, ticker(tickerAt, { bidPrice: 96, askPrice: 100 })];
      facts.sort((a, b) => a.time - b.time);
      return run(buyOnce(98), tapeOf(...prints), facts).fills;
    };
    // The book shows 6 at 98: 4 go at 30, 2 at 40, and then ours.
    expect(filled(10, 5)).toEqual(['40 buy 1@98 0']);
    // By the ticker these 6 are gone.
    expect(filled(5, 10)).toEqual(['30 buy 1@98 0']);
  });

  it('has no best prices where a side is empty: those of the ticker count on', () => {
    const prints = ['1 96 1 s', '1 100 1 b', '20 100 1 b', '21 100 1 b', '30 98 4 s'];
    const facts: WorldFact[] = [
      ticker(5, { bidPrice: 96, askPrice: 100 }),
      { kind: 'depth', time: 10, bids: [], asks: [[100, 5]] },
    ];
    expect(run(buyOnce(98), tapeOf(...prints), facts).fills).toEqual(['30 buy 1@98 0']);
  });

  it('tells what a post-only order would trade with', () => {
    const prints = ['1 96 1 s', '1 100 1 b', '20 100 1 b', '21 100 1 b', '30 97 4 s'];
    const filled = (ask: number) =>
      run(buyOnce(99), tapeOf(...prints), [{ kind: 'depth', time: 10, bids: [[98, 6]], asks: [[ask, 5]] }])
        .fills;
    expect(filled(99)).toEqual([]);
    expect(filled(100)).toEqual(['30 buy 1@99 0']);
  });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('funding', () => {
  const holdTen: Handlers = { onTrade: ({ time }) => (time === 1 ? holdPosition(10) : undefined) };
  const prints = ['1 100 1 b', '2 100 99 b', `${HOUR - 1} 100 1 b`, `${HOUR} 100 1 b`, `${HOUR + 1} 100 1 b`];

  /** As a recorder writes them, for an hour. */
  const seen = Array.from({ length: 120 }, (_, i) =>
    ticker(1 + i * 30_000, { markPrice: 101, indexPrice: 100 }),
  );

  it('is paid at recorded rates on the recorded mark', () => {
    const facts: WorldFact[] = [...seen, { kind: 'funding', time: HOUR, rate: rateOf('0.0005') }];
    const { session } = run(holdTen, tapeOf(...prints), facts);
    // 10 × 101 × 0.0005 = 0.505
    expect(session.position.funding).toBe(-50_500_000n);
    expect(session.mark).toBe('recorded');
  });

  it('follows from recorded marks and indexes where no rate was recorded', () => {
    const { session } = run(holdTen, tapeOf(...prints), seen);
    // Premium 0.01, times 1 h / 10 h: 0.001; 10 × 101 × 0.001 = 1.01
    expect(session.position.funding).toBe(-101_000_000n);
  });

  it('that is worked out goes by a new interval at once, be it shorter or longer', () => {
    const every = (minutes: number): Market => {
      const given = market('1');
      return { ...given, funding: { ...given.funding, intervalMs: minutes * 60_000 } };
    };
    const funded = (before: number, then: number, at: number) => {
      const turned: WorldFact = { kind: 'market', time: at * 60_000, market: every(then) };
      const facts = [...seen, turned].sort((a, b) => a.time - b.time);
      const rows = Array.from({ length: 61 }, (_, minute) => `${minute * 60_000 + 1} 100 99 b`);
      rows.splice(1, 0, '2 100 99 b');
      return run(holdTen, tapeOf(...rows), facts, every(before)).session.position.funding;
    };
    // A premium of 0.01, a window of 10 h: 10 × 101 × 0.001 an hour, whatever its parts.
    expect(funded(60, 60, 5)).toBe(-101_000_000n);
    expect(funded(60, 15, 5)).toBe(-101_000_000n);
    // At 30, 45 and 60; the moment of the change is one of the new times.
    expect(funded(60, 15, 30)).toBe(-75_750_000n);
    expect(funded(15, 60, 5)).toBe(-101_000_000n);
    // At 15 by the old interval, at 60 by the new one; at 30 none.
    expect(funded(15, 60, 30)).toBe(-126_250_000n);
  });

  it('is paid where it was due before the first rate that turns up, though nothing printed between', () => {
    const facts: WorldFact[] = [...seen, { kind: 'funding', time: 2 * HOUR, rate: rateOf('0.0005') }];
    const { session } = run(holdTen, tapeOf(...prints.slice(0, 3), `${2 * HOUR + 1} 100 1 b`), facts);
    // 1.01 that was worked out, and 10 × 100 × 0.0005
    expect(session.position.funding).toBe(-151_000_000n);
  });

  it('is paid for what was held before the prints of its millisecond, though its mark is of the same one', () => {
    const buyAt = (sentAt: number): Handlers => ({
      onTrade: ({ time }) => (time === sentAt ? holdPosition(1) : undefined),
    });
    const facts = [ticker(HOUR, { markPrice: 101, indexPrice: 100 }), ...seen].sort(
      (a, b) => a.time - b.time,
    );
    const paid = (sentAt: number) => run(buyAt(sentAt), tapeOf(...prints), facts).session.position.funding;
    expect(paid(HOUR - 1)).toBe(0n);
    // 1 × 101 × 0.001
    expect(paid(1)).toBe(-10_100_000n);
  });

  it('is paid at recorded rates as at those worked out: on the mark of its millisecond, for what was held before it', () => {
    const rate = rateOf('0.0005');
    // As they are read: at one time the rate comes first.
    const facts: WorldFact[] = [...seen, { kind: 'funding', time: HOUR, rate }];
    facts.push(ticker(HOUR, { markPrice: 201, indexPrice: 200 }));
    const { session, venue } = run(holdTen, tapeOf(...prints), facts);
    // 10 × 201 × 0.0005
    expect(session.position.funding).toBe(-100_500_000n);
    expect(venue.fundingOfOne).toBe(-0.1005);
    // What is sent at that mark, or filled in that millisecond, comes later.
    const buyLate: Handlers = { onTicker: ({ time }) => (time === HOUR ? holdPosition(10) : undefined) };
    const late = run(buyLate, tapeOf(...prints), facts);
    expect(late.fills).toEqual([`${HOUR + 1} buy 1@100 0`]);
    expect(late.session.position.funding).toBe(0n);
    const buyBefore: Handlers = { onTrade: ({ time }) => (time === HOUR - 1 ? holdPosition(10) : undefined) };
    const filled = run(buyBefore, tapeOf(...prints), facts);
    expect(filled.fills[0]).toBe(`${HOUR} buy 1@100 0`);
    expect(filled.session.position.funding).toBe(0n);
  });

  it('is paid on the last print where the mark was not recorded for a minute', () => {
    const facts: WorldFact[] = [
      ...seen.filter(({ time }) => time < HOUR - 60_000),
      { kind: 'funding', time: HOUR, rate: rateOf('0.0005') },
    ];
    const { session } = run(holdTen, tapeOf(...prints), facts);
    // 10 × 100 × 0.0005 = 0.5
    expect(session.position.funding).toBe(-50_000_000n);
    expect(session.mark).toBe('mixed');
  });

  it('is paid at recorded rates on the last print where no mark was recorded yet, and the marks are mixed', () => {
    const rate = rateOf('0.0005');
    const late = Array.from({ length: 10 }, (_, i) => ticker(HOUR + 1 + i * 30_000, { markPrice: 101 }));
    const facts: WorldFact[] = [{ kind: 'funding', time: HOUR, rate }, ...late];
    const { session } = run(holdTen, tapeOf(...prints, `${HOUR + 60_000} 100 1 b`), facts);
    // 10 × 100 × 0.0005 = 0.5
    expect(session.position.funding).toBe(-50_000_000n);
    expect(session.mark).toBe('mixed');
  });

  it('is that of the recorded marks alone where nothing was traded before the first of them', () => {
    const holdLater: Handlers = { onTrade: ({ time }) => (time === HOUR ? holdPosition(10) : undefined) };
    const facts = [ticker(HOUR - 1, { markPrice: 101 })];
    expect(run(holdLater, tapeOf(...prints), facts).session.mark).toBe('recorded');
    expect(run(holdTen, tapeOf(...prints), facts).session.mark).toBe('mixed');
  });

  it('is what the recorded rates say without any recorded mark, and nothing without a rate', () => {
    const facts: WorldFact[] = [{ kind: 'funding', time: HOUR, rate: rateOf('0.0005') }];
    const { session } = run(holdTen, tapeOf(...prints), facts);
    expect(session.position.funding).toBe(-50_000_000n);
    expect(session.mark).toBe('last');
    expect(run(holdTen, tapeOf(...prints), []).session.position.funding).toBe(0n);
  });
});

describe('funding counts toward limits', () => {
  // 10 held at 100 when a tenth is due: 100.
  const dear: WorldFact[] = [{ kind: 'funding', time: 10, rate: rateOf('0.1') }];
  const refused = ({ session }: ReturnType<typeof run>) =>
    session.core.reasons.refused.map(({ reason }) => reason);

  const heldThen = (until: number, before: number, then: number) => (): Handlers => ({
    onTrade: ({ time }) => holdPosition(time < until ? before : then),
  });
  const flatPrints = ['1 100 50 b', '2 100 50 b', '3 100 50 b', '11 100 50 b', '12 100 50 b', '13 100 50 b'];

  it.each([undefined, 1])('on the loss of a day, polled every %s ms', (pollMs) => {
    const go = (maxDailyLoss: number, facts: readonly WorldFact[] = dear) =>
      run(heldThen(12, 10, 20), tapeOf(...flatPrints), facts, market('1'), '10000', { maxDailyLoss }, pollMs);
    const observed = go(50);
    expect(refused(observed)).toEqual(['max-daily-loss']);
    expect(observed.session.core.risk.dayPnl).toBe(-100);
    expect(observed.session.position).toMatchObject({ lots: 10, funding: -10_000_000_000n });
    // What the account is worth does not count it twice.
    expect(observed.session.watch.pnl).toBe(-100);
    expect(go(50, []).session.position.lots).toBe(20);
    expect(go(101).session.position.lots).toBe(20);
  });

  it.each([undefined, 1])('on the fall from a peak, polled every %s ms', (pollMs) => {
    const limits = { maxDrawdown: 50 };
    const go = (facts: readonly WorldFact[]) =>
      run(heldThen(12, 10, 20), tapeOf(...flatPrints), facts, market('1'), '10000', limits, pollMs);
    expect(refused(go(dear))).toEqual(['max-drawdown']);
    expect(refused(go([]))).toEqual([]);
  });

  it.each([undefined, 1])('on leverage, polled every %s ms', (pollMs) => {
    // 16 × 100 = 1 600 of 1 000 are 1.6, and of 900 1.78.
    const limits = { maxLeverage: 1.7 };
    const go = (facts: readonly WorldFact[]) =>
      run(heldThen(12, 10, 16), tapeOf(...flatPrints), facts, market('1'), '1000', limits, pollMs);
    expect(refused(go(dear))).toEqual(['max-leverage']);
    expect(refused(go([]))).toEqual([]);
  });

  it.each([undefined, 1])('on the losing streak, polled every %s ms', (pollMs) => {
    // It gains 10 by its price.
    const won = ['1 100 50 b', '2 100 50 b', '11 101 50 b', '12 101 50 b', '13 101 50 s', '14 101 50 s'];
    const again = ['15 101 50 b', '16 101 50 b', '17 101 50 b'];
    const handlers: Handlers = {
      onTrade: ({ time }) => holdPosition(time < 11 || time >= 16 ? 10 : 0),
    };
    const limits = { lossPause: { losses: 1, forMs: 60_000 } };
    const go = (facts: readonly WorldFact[]) =>
      run(handlers, tapeOf(...won, ...again), facts, market('1'), '10000', limits, pollMs);
    expect(refused(go(dear))).toEqual(['max-consecutive-losses']);
    expect(refused(go([]))).toEqual([]);
  });

  it('on the streak of the trip that it was paid for, where one poll tells of its first fill too', () => {
    const handlers: Handlers = {
      onTrade({ time }) {
        if (time < 150) return quote({ bid: { price: 99, quantity: 10 }, ask: undefined });
        return holdPosition(time < 250 ? 0 : 10);
      },
    };
    const sold = ['1 100 9 b', '150 98 999 s', '210 100 50 s', '211 100 50 s', '250 100 9 b', '310 100 9 b'];
    const limits = { lossPause: { losses: 1, forMs: 60_000 } };
    const go = (facts: readonly WorldFact[]) =>
      run(handlers, tapeOf(...sold), facts, market('1'), '10000', limits, 100);
    const paid = go([{ kind: 'funding', time: 160, rate: rateOf('0.1') }]);
    expect(paid.fills).toEqual(['150 buy 10@99 0', '210 sell 10@100 0']);
    expect(refused(paid)).toEqual(['max-consecutive-losses']);
    expect(refused(go([]))).toEqual([]);
  });

  it('of the day that begins with it', () => {
    const due: WorldFact[] = [{ kind: 'funding', time: DAY, rate: rateOf('0.1') }];
    const times = [1, 2, 3, DAY - 1, DAY, DAY + 1, DAY + 2];
    const { session } = run(
      heldThen(DAY + 1, 10, 20),
      tapeOf(...times.map((time) => `${time} 100 50 b`)),
      due,
      market('1'),
      '10000',
      { maxDailyLoss: 50 },
    );
    expect(session.core.reasons.refused.map(({ reason }) => reason)).toEqual(['max-daily-loss']);
    expect(session.core.risk.dayPnl).toBe(-100);
  });

  it('and nothing else: decisions without a limit are those without funding', () => {
    const go = (facts: readonly WorldFact[]) =>
      run(heldThen(12, 10, 20), tapeOf(...flatPrints), facts).session.core.decisionHash();
    expect(go(dear)).toBe(go([]));
  });
});

describe('liquidation', () => {
  // 50 at 100 with 1100 of cash. Maintenance is 5 %: equity 1100 + 50·(p − 100) < 2.5·p below 82.11.
  const handlers: Handlers = { onTrade: ({ time }) => (time === 1 ? holdPosition(50) : undefined) };

  it('leaves a position alone while its equity covers the maintenance margin', () => {
    const { fills } = run(
      handlers,
      tapeOf('1 100 1 b', '2 100 99 b', '3 83 9 s', '4 83 9 s'),
      [],
      market('1'),
      '1100',
    );
    expect(fills).toEqual(['2 buy 50@100 0']);
  });

  it("begins at the first print below, by the core's own rules, and the engine knows what is left", () => {
    const prints = ['1 100 1 b', '2 100 99 b', '3 82 9 s', '4 82 9 s', '5 82 90 s'];
    const { fills, session } = run(handlers, tapeOf(...prints), [], market('1'), '1100');
    // A tenth of 50 in a slice, from the next print on; then 200 of equity are above 5 % of 45·82 = 184.5.
    expect(fills).toEqual(['2 buy 50@100 0', '4 sell 5@82 0']);
    expect(session.core.engine.position.lots).toBe(45);
  });

  it('is judged by the recorded mark for a minute, then by the last print', () => {
    const at = (time: number) =>
      run(
        handlers,
        tapeOf('1 100 1 b', '2 100 99 b', `${time} 82 9 s`, `${time + 1} 82 9 s`),
        [ticker(0, { markPrice: 100 })],
        market('1'),
        '1100',
      );
    expect(at(59_999).fills).toEqual(['2 buy 50@100 0']);
    expect(at(59_999).session.mark).toBe('recorded');
    expect(at(60_001).fills).toEqual(['2 buy 50@100 0', '60002 sell 5@82 0']);
    expect(at(60_001).session.mark).toBe('mixed');
  });

  it('begins anew with a part where the last one found nobody and the margin was covered again', () => {
    // At 82 a tenth is offered, nobody buys it within its second, and at 83 it is not needed any more.
    const { fills } = run(
      handlers,
      tapeOf(
        '1 100 1 b',
        '2 100 99 b',
        '3 82 9 b',
        '500 83 9 b',
        '2000 83 9 b',
        '5000 82 9 b',
        '5001 82 9 s',
      ),
      [],
      market('1'),
      '1100',
    );
    expect(fills).toEqual(['2 buy 50@100 0', '5001 sell 5@82 0']);
  });

  it('takes all of it in the moment in which a part found nobody and the margin is still missing', () => {
    const { fills } = run(
      handlers,
      tapeOf('1 100 1 b', '2 100 99 b', '3 82 9 b', '500 82 9 b', '2000 83 9 b'),
      [],
      market('1'),
      '1100',
    );
    expect(fills.map((fill) => fill.split(' ').slice(0, 3).join(' '))).toEqual([
      '2 buy 50@100',
      '1003 sell 50@82',
    ]);
  });

  it('goes on from print to print while a recorded mark is below', () => {
    const prints = ['1 100 1 b', '2 100 99 b', '11 81 9 s', '12 81 9 s', '13 81 9 s', '14 81 9 s'];
    const marks = [ticker(0, { markPrice: 100 }), ticker(10, { markPrice: 81 })];
    const { fills } = run(handlers, tapeOf(...prints), marks, market('1'), '1100');
    // Equity 150: 5 % of 50·81 = 202.5, of 45·81 = 182.25, of 40·81 = 162, of 36·81 = 145.8.
    expect(fills).toEqual(['2 buy 50@100 0', '11 sell 5@81 0', '12 sell 5@81 0', '13 sell 4@81 0']);
  });

  it('begins with the funding that is paid from the margin, whatever the mark', () => {
    const funding: WorldFact = { kind: 'funding', time: 10, rate: rateOf('0.175') };
    const prints = ['1 100 1 b', '2 100 99 b', '11 100 9 s', '12 100 9 s'];
    for (const marks of [[], [ticker(0, { markPrice: 100 })]]) {
      const { fills } = run(handlers, tapeOf(...prints), [...marks, funding], market('1'), '1100');
      // 875 of 1100 are paid: 225 are below 5 % of 5000, and all of it of 4500.
      expect(fills).toEqual(['2 buy 50@100 0', '11 sell 5@100 0']);
    }
  });

  it('begins when the mark grew too old, where the last print is below: the next one fills already', () => {
    const { fills } = run(
      handlers,
      tapeOf('1 100 1 b', '2 100 99 b', '59000 82 9 s', '60050 82 9 s'),
      [ticker(0, { markPrice: 100 })],
      market('1'),
      '1100',
    );
    expect(fills).toEqual(['2 buy 50@100 0', '60050 sell 5@82 0']);
  });
});

describe('an own bid far below the market', () => {
  const withBid =
    (answer: (time: number) => Want | undefined) =>
    (context: StrategyContext): Handlers => ({
      onTrade({ time }) {
        if (time === 1) context.submit({ side: 'buy', price: 95, quantity: 1, postOnly: true });
        return answer(time);
      },
    });

  it('does not end what sells at the market', () => {
    const handlers = withBid((time) => (time === 3 ? holdPosition(-1) : undefined));
    const tape = tapeOf('1 100 5 s', '2 101 5 b', '3 100 5 s', '4 100 5 s', '5 100 5 s');
    const { fills, session } = run(handlers, tape, []);
    expect(fills).toEqual(['4 sell 1@100 0']);
    expect(session.core.reasons.canceled).toEqual([]);
  });

  it('does not end the stop of what is held', () => {
    const handlers = withBid((time) => (time < 6 ? holdPosition(1, { stop: 97 }) : undefined));
    const prints = ['1 100 5 s', '2 101 5 b', '3 101 5 b', '4 100 5 s', '5 99 5 s', '6 97 5 s', '7 97 5 s'];
    const tape = tapeOf(...prints, '8 97 5 s');
    const { fills, session } = run(handlers, tape, []);
    expect(fills.at(-1)).toBe('7 sell 1@97 0');
    expect(session.core.reasons.canceled).toEqual([]);
  });
});

describe('the distance to liquidation', () => {
  // 40 at 100 with 1000 of cash. Maintenance is 5 %: equity 1000 + 40·(p − 100) < 2·p below 78.95, of which the tick is 79.
  const prints = (price: number) =>
    tapeOf('1 100 90 b', '2 100 90 b', '3 100 90 b', ...[11, 12, 13].map((time) => `${time} ${price} 90 b`));
  const handlers: Handlers = { onTrade: ({ time }) => holdPosition(time < 12 ? 40 : 41) };
  const refused = (
    minLiquidationDistance: number,
    price: number,
    {
      facts = [],
      pollMs,
    }: { readonly facts?: readonly WorldFact[]; readonly pollMs?: number | undefined } = {},
  ) =>
    run(
      handlers,
      prints(price),
      facts,
      market('1'),
      '1000',
      { minLiquidationDistance },
      pollMs,
    ).session.core.reasons.refused.map(({ reason }) => reason);

  it.each([
    undefined,
    1,
  ])('keeps an order back that adds risk too near to it, polled every %s ms', (pollMs) => {
    // 6 of 85 are 0.0706.
    expect(refused(0.2, 85, { pollMs })).toEqual(['liquidation-distance']);
    expect(refused(0.071, 85, { pollMs })).toEqual(['liquidation-distance']);
    expect(refused(0.07, 85, { pollMs })).toEqual([]);
  });

  it('grows less with the funding that is paid', () => {
    // 21 of 100 are left; with 100 less of cash 900 + 40·(p − 100) < 2·p below 81.6, which leaves 18.
    const facts: WorldFact[] = [{ kind: 'funding', time: 10, rate: rateOf('0.025') }];
    expect(refused(0.2, 100)).toEqual([]);
    expect(refused(0.2, 100, { facts })).toEqual(['liquidation-distance']);
  });
});

describe('a recorded mark that nobody recorded anew', () => {
  it('holds the band for a minute only: an order of the next day trades where the market is by then', () => {
    const handlers: Handlers = { onTrade: ({ time }) => (time > DAY ? holdPosition(1) : undefined) };
    const tape = tapeOf('1 100 1 b', `${DAY + 1} 150 1 b`, `${DAY + 2} 150 9 b`, `${DAY + 3} 150 9 b`);
    const { fills } = run(handlers, tape, [ticker(0, { markPrice: 100 })]);
    expect(fills).toEqual([`${DAY + 2} buy 1@150 0`]);
  });

  describe('is in force for the gate, too,', () => {
    const marks = [ticker(2, { markPrice: 100 })];
    const after = (wait: number) => Array.from({ length: 4 }, (_, i) => `${2 + wait + i} 90 50 b`);
    const tape = (wait: number) => tapeOf('1 100 50 b', '2 100 50 b', '3 100 50 b', ...after(wait));
    const refused =
      (handlers: Handlers | ((context: StrategyContext) => Handlers), wait: number) =>
      (limits: Partial<Limits>, pollMs?: number) =>
        run(
          handlers,
          tape(wait),
          marks,
          market('1'),
          '10000',
          limits,
          pollMs,
        ).session.core.reasons.refused.map(({ reason }) => reason);
    const more = (from: number): Handlers => ({ onTrade: ({ time }) => holdPosition(time < from ? 10 : 20) });

    it.each([
      undefined,
      1,
    ])('no longer where losses count: then the last print does, polled every %s ms', (pollMs) => {
      // 10 held at 100 are 100 down at 90, from the first print on after which nobody knows the mark.
      for (const limits of [{ maxDailyLoss: 50 }, { maxDrawdown: 50 }]) {
        expect(refused(more(60_003), 60_001)(limits, pollMs)).toHaveLength(1);
        expect(refused(more(60_002), 60_000)(limits, pollMs)).toEqual([]);
      }
    });

    it('no longer for the collar', () => {
      const buys = (context: StrategyContext): Handlers => ({
        onTrade({ time }) {
          if (time > 10) context.submit({ side: 'buy', price: 90, quantity: 1 });
          return undefined;
        },
      });
      expect(refused(buys, 60_001)({ priceCollar: 0.05 })).toEqual([]);
      expect(refused(buys, 59_990)({ priceCollar: 0.05 })).toEqual(['price-collar']);
    });
  });
});
