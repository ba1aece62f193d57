import { describe, expect, it } from 'vitest';
import { BarSession } from '../../src/backtest/bar-session.js';
import { type PollSchedule, pollsEvery } from '../../src/backtest/poll-schedule.js';
import { tapeSession } from '../../src/backtest/polled-session.js';
import type { TapeSession } from '../../src/backtest/tape-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Fill } from '../../src/model/fill.js';
import { defineMarket } from '../../src/model/market.js';
import { settled } from '../../src/model/position.js';
import { rateOf } from '../../src/model/money.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { barColumns } from '../../src/storage/rows/bar-columns.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy, type StrategyDefinition } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { holdPosition } from '../../src/strategy/want.js';
import { BarsVenue } from '../../src/venue/tape/bars-venue.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';

const MARKET = defineMarket({
  pair: 'USD_X',
  base: 'X',
  quote: 'USD',
  price: { min: 0, max: 1_000_000, step: 1 },
  quantity: { min: 1, max: 1_000_000, step: 1 },
  fees: { maker: 0, taker: '0.001' },
  margin: { initial: '0.1', maintenance: '0.05', initialRiskLimit: 0, maintenanceRiskLimit: 0 },
});
const UNITS = 10n ** BigInt(MARKET.quotePrecision);
const CAPITAL = 1_100;
const MINUTE = 60_000;

/** Shorts when the price is 100 at first, so that the tests below can rise instead of fall. */
const short = defineStrategy({
  name: 'short',
  create: () => ({ onTrade: ({ time }) => (time === 1 ? holdPosition(-50) : undefined) }),
});

/** 50 at 100, for which 5 of 1 100 are paid: at 79 there is 45 left, which is not half of the maintenance margin. */
const holder = defineStrategy({
  name: 'holder',
  params: { bars: barInterval({ default: '1m' }) },
  create: () => {
    let bars = 0;
    return {
      onTrade: ({ time }) => (time === 1 ? holdPosition(50) : undefined),
      onBar: () => (bars++ === 0 ? holdPosition(50) : undefined),
    };
  },
});

const parts = (fills: Fill[], strategy: StrategyDefinition = holder) => ({
  engine: new Engine({ strategy: bindStrategy(strategy), market: MARKET, seed: '1', warmUp: false }),
  limits: NO_LIMITS,
  capital: CAPITAL,
  gaps: [],
  onFill: (fill: Fill) => fills.push(fill),
});
const options = { market: MARKET, deposit: String(CAPITAL), latency: { placeMs: 0, cancelMs: 0 } };

/** Runs prints of `time price`, one at a time. The cash of the venue is that of the result whenever nothing is held. */
function onTrades(
  prints: readonly string[],
  {
    insurance = '0',
    facts = [],
    polls,
    strategy,
  }: {
    readonly insurance?: string;
    readonly facts?: readonly WorldFact[];
    readonly polls?: PollSchedule;
    readonly strategy?: StrategyDefinition;
  } = {},
) {
  const fills: Fill[] = [];
  const venue = new TapeVenue(options);
  venue.core.fundInsurance({ USD: insurance });
  const session = tapeSession({ ...parts(fills, strategy), venue, polls });
  let known = 0;
  for (const [at, print] of prints.entries()) {
    const [time, price] = print.split(' ').map(Number) as [number, number];
    const learned = facts.slice(known).filter((fact) => fact.time <= time);
    known += learned.length;
    const trade = { id: String(at + 1), time, price, quantity: 99, isBuyerMaker: price < 100 };
    session.run(TradeColumns.of([trade]), learned);
    if (session.position.lots === 0) checkCash(venue, session);
  }
  session.end();
  return { session, fills };
}

function checkCash(venue: TapeVenue | BarsVenue, session: TapeSession | BarSession): void {
  const cash = venue.account.balances.get('USD')?.cash;
  expect(cash).toBe(BigInt(CAPITAL) * UNITS + settled(session.position));
}

describe('a take-over', () => {
  const jump = ['1 100', '2 100', '4 79', '5 79', '6 100'];

  it('takes what is left of the equity, as a fee, and with it the run ends', () => {
    const { session, fills } = onTrades(jump);
    expect(fills.map(({ time, side, lots, ticks, fee }) => [time, side, lots, ticks, fee])).toEqual([
      [2, 'buy', 50, 100, 5n * UNITS],
      [4, 'sell', 50, 79, 45n * UNITS],
    ]);
    expect(settled(session.position)).toBe(BigInt(-CAPITAL) * UNITS);
    expect(session.watch.equity).toBe(0);
    expect(session.watch.ruinedAt).toBe(4);
    expect(session.watch.liquidatedAt).toBe(4);
    expect(session.core.engine.position.fees).toBe(-50n * UNITS);
  });

  it('is not told of a position that carries itself', () => {
    const { session } = onTrades(['1 100', '2 100', '4 90', '5 95', '6 100']);
    expect(session.watch.liquidatedAt).toBeUndefined();
  });

  it('takes it in a polled session too', () => {
    const { session } = onTrades(jump, { polls: pollsEvery(1) });
    expect(session.position.lots).toBe(0);
    expect(settled(session.position)).toBe(BigInt(-CAPITAL) * UNITS);
    expect(session.watch.ruinedAt).toBe(4);
    expect(session.watch.liquidatedAt).toBe(4);
  });

  it('takes no more than there was where insurance pays the rest', () => {
    const { session, fills } = onTrades(['1 100', '2 100', '4 70', '5 79'], { insurance: '10000' });
    expect(fills.at(-1)).toMatchObject({ side: 'sell', ticks: 70, fee: -405n * UNITS });
    expect(settled(session.position)).toBe(BigInt(-CAPITAL) * UNITS);
    expect(session.watch.ruinedAt).toBe(4);
  });

  it('that funding brings about takes what is left after that', () => {
    // At 83 the margin is covered: equity 245 against 207.5. Funding of 4 % of 4 150 leaves 79, which is not half.
    const facts: WorldFact[] = [{ kind: 'funding', time: 5, rate: rateOf('0.04') }];
    const { session, fills } = onTrades(['1 100', '2 100', '4 83', '5 83', '6 83'], { facts });
    expect(fills.at(-1)).toMatchObject({ side: 'sell', ticks: 83, fee: 79n * UNITS });
    expect(session.position.funding).toBe(-166n * UNITS);
    expect(settled(session.position)).toBe(BigInt(-CAPITAL) * UNITS);
  });

  it('takes it on bars', () => {
    const fills: Fill[] = [];
    const venue = new BarsVenue(options);
    const session = new BarSession({ ...parts(fills), venue });
    const bars = [100, 100, 100, 79, 79].map((low, i) => ({
      time: i * MINUTE,
      open: 100,
      high: 100,
      low,
      close: 100,
      volume: 1_000,
    }));
    for (const bar of bars) {
      session.run(barColumns([bar], MINUTE));
      if (session.position.lots === 0) checkCash(venue, session);
    }
    session.end();
    expect(fills.at(-1)).toMatchObject({ side: 'sell', ticks: 79, fee: 45n * UNITS });
    expect(settled(session.position)).toBe(BigInt(-CAPITAL) * UNITS);
    expect(session.watch.ruinedAt).toBe(4 * MINUTE - 1);
    expect(session.watch.liquidatedAt).toBe(4 * MINUTE - 1);
  });
});

/** Bankrupt at 78.1, which is 79 on the tick: 45 stay, less than a tick of the 50. No insurance can pay. */
describe('a deleverage', () => {
  const crash = ['1 100', '2 100', '4 70', '5 70', '6 100'];

  it('leaves what the rounding of its price leaves, which is nothing: with it the run ends', () => {
    const { session, fills } = onTrades(crash);
    expect(fills.at(-1)).toMatchObject({ time: 4, side: 'sell', lots: 50, ticks: 79, fee: 0n });
    expect(session.watch.equity).toBe(45);
    expect([session.watch.liquidatedAt, session.watch.ruinedAt]).toEqual([4, 4]);
    expect(session.core.counts.trades).toBe(2);
  });

  it('does so in a polled session too', () => {
    const { session } = onTrades(crash, { polls: pollsEvery(1) });
    expect([session.watch.equity, session.watch.ruinedAt]).toEqual([45, 4]);
  });

  it('does so for a short, whose price is rounded down', () => {
    // Bankrupt at 121.9.
    const { session, fills } = onTrades(['1 100', '2 99', '4 130', '5 130'], { strategy: short });
    expect(fills.at(-1)).toMatchObject({ time: 4, side: 'buy', lots: 50, ticks: 120 });
    expect([session.watch.ruinedAt, session.watch.equity > 0]).toEqual([4, true]);
  });

  it('that a fact between two prints brings about ends the run at the next print', () => {
    const facts: WorldFact[] = [{ kind: 'funding', time: 5, rate: rateOf('0.5') }];
    const { session } = onTrades(['1 100', '2 100', '4 90', '7 90', '8 90'], { facts });
    expect([session.watch.liquidatedAt, session.watch.ruinedAt]).toEqual([5, 7]);
  });

  it('does so on bars', () => {
    const fills: Fill[] = [];
    const session = new BarSession({ ...parts(fills), venue: new BarsVenue(options) });
    for (const [i, low] of [100, 100, 100, 70, 70].entries()) {
      const bar = { time: i * MINUTE, open: 100, high: 100, low, close: 100, volume: 1_000 };
      session.run(barColumns([bar], MINUTE));
    }
    session.end();
    expect(fills.at(-1)).toMatchObject({ side: 'sell', lots: 50, ticks: 79 });
    expect(session.watch.equity).toBe(45);
    expect(session.watch.ruinedAt).toBe(4 * MINUTE - 1);
  });
});
