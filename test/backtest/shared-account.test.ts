import { describe, expect, it } from 'vitest';
import { AccountSession } from '../../src/backtest/account-session.js';
import { SharedAccount } from '../../src/backtest/shared-account.js';
import { SharedWatch } from '../../src/backtest/shared-watch.js';
import { Engine } from '../../src/engine/engine.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { Fill } from '../../src/model/fill.js';
import { defineMarket } from '../../src/model/market.js';
import { rateOf } from '../../src/model/money.js';
import { settled } from '../../src/model/position.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy, type Handlers } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { holdPosition } from '../../src/strategy/want.js';
import { type TapeVenue, tapeVenues } from '../../src/venue/tape/tape-venue.js';

const market = (pair: string) =>
  defineMarket({
    pair,
    base: 'X',
    quote: 'USD',
    price: { min: 0, max: 1_000_000, step: 1 },
    quantity: { min: 1, max: 1_000_000, step: 1 },
    fees: { maker: 0, taker: 0 },
    margin: { initial: '0.1', maintenance: '0.05', initialRiskLimit: 0, maintenanceRiskLimit: 0 },
  });

interface Side {
  readonly handlers: Handlers;
  /** Prints of `time price`, each big enough for anything, `s` where the aggressor sold. */
  readonly prints: readonly string[];
  readonly facts?: readonly WorldFact[];
}

/** Sides trade USD_A, USD_B, … on one account; nothing takes time. */
function run(
  sides: readonly Side[],
  capital: number,
  limits: Partial<Limits> = {},
  chunk = Number.POSITIVE_INFINITY,
) {
  const markets = sides.map((_, at) => market(`USD_${'ABC'[at] ?? ''}`));
  const latency = { placeMs: 0, cancelMs: 0 };
  const venues = tapeVenues(markets.map((each) => ({ market: each, deposit: String(capital), latency })));
  const watch = new SharedWatch(capital, 10 ** market('USD_A').quotePrecision);
  const fills: string[] = [];
  const sessions = sides.map(({ handlers }, at) => {
    const strategy = bindStrategy(defineStrategy({ name: 'acts', create: () => handlers }));
    const given = markets[at] as ReturnType<typeof market>;
    const options = {
      engine: new Engine({ strategy, market: given, seed: '1', warmUp: false }),
      venue: venues[at] as TapeVenue,
      limits: { ...NO_LIMITS, ...limits },
      capital,
      gaps: [],
      onFill: ({ time, side, lots, ticks }: Fill) =>
        fills.push(`${given.pair} ${time} ${side} ${lots}@${ticks}`),
    };
    return new AccountSession(options, watch);
  });
  const account = new SharedAccount(sessions, watch);
  const chunks = sides.map((side) => chunksOf(side, chunk));
  for (let at = 0; at < sides.length; at++) next(at);
  for (let at = account.run(); at !== undefined; at = account.run()) next(at);
  account.end();
  for (const { watch } of sessions)
    expect(watch.drawdown.worst).toBeLessThanOrEqual(watch.pnl / capital + 1e-9);
  const cash = venues[0]?.account.balances.get('USD')?.cash;
  const told = sessions.reduce((sum, { position }) => sum + settled(position), 0n);
  expect(cash).toBe(BigInt(capital) * 10n ** BigInt(market('USD_A').quotePrecision) + told);
  return { account, sessions, fills };

  function next(at: number): void {
    const taken = chunks[at]?.shift();
    if (taken === undefined) account.finish(at);
    else account.open(at, taken.rows, taken.facts);
  }
}

/** At most so many prints at a time, with what else is known up to the last of them. */
function chunksOf({ prints, facts = [] }: Side, most: number) {
  const trades = prints.map((print, row) => {
    const [time, price, who] = print.split(' ');
    const isBuyerMaker = who === 's';
    return { id: String(row + 1), time: Number(time), price: Number(price), quantity: 1_000, isBuyerMaker };
  });
  const size = Math.min(most, trades.length);
  let left = facts;
  return Array.from({ length: Math.ceil(trades.length / size) }, (_, at) => {
    const piece = trades.slice(at * size, (at + 1) * size);
    const known = left.filter(({ time }) => time <= (piece.at(-1)?.time ?? 0));
    left = left.slice(known.length);
    return { rows: TradeColumns.of(piece), facts: known };
  });
}

/** Only the mark is told. */
function ticker(time: number, markPrice: number): WorldFact {
  const none = { lastPrice: undefined, indexPrice: undefined };
  const touch = { bidPrice: undefined, bidQuantity: undefined, askPrice: undefined, askQuantity: undefined };
  return { kind: 'ticker', time, ticker: { time, markPrice, ...none, ...touch } };
}

/** Wants so much from this time on. */
const holder = (quantity: number, from: number): Handlers => ({
  onTrade: ({ time }) => (time >= from ? holdPosition(quantity) : undefined),
});

// A market order may cost the edge of the band, a tenth away: with margin some 21 % of its notional have to be there.
describe('one account on two markets', () => {
  it('has money for one position, and not for both', () => {
    const sides = [
      { handlers: holder(50, 1), prints: ['1 100', '2 100', '3 100', '9 100'] },
      { handlers: holder(70, 2), prints: ['1 100', '2 100', '4 100'] },
    ];
    const { sessions, fills } = run(sides, 1_100);
    expect(fills).toEqual(['USD_A 2 buy 50@100']);
    // 5 000 are held already and 7 000 more are wanted, of which a tenth is margin.
    expect(sessions[1]?.core.reasons.refused).toEqual([
      expect.objectContaining({
        reason: 'balance',
        first: expect.stringMatching(
          /at most the equity of 1100.00 USD, received at least 1200.00$/,
        ) as string,
      }),
    ]);
    // The second alone can be had with 1 470. The gate lets it pass, and the venue has 500 of margin locked already.
    expect(run(sides.slice(1), 1_500).fills).toHaveLength(1);
    const rejected = run(sides, 1_500).sessions[1]?.core.reasons.rejected;
    expect(rejected?.map(({ first }) => first)).toEqual([
      'insufficient balance: needs 1470 USD, available 1000 USD',
    ]);
    expect(run(sides, 2_000).fills).toHaveLength(2);
  });

  it('carries a losing position by what another one gains, and is liquidated without it', () => {
    // 100 at 100: at 82 there are 400 of 2 200 left, and 410 are asked.
    const down = { handlers: holder(100, 1), prints: ['1 100', '2 100', '4 83', '6 82', '8 82 s'] };
    const up = { handlers: holder(5, 1), prints: ['1 100', '2 100', '3 200', '5 200', '7 200', '9 200'] };
    expect(run([down], 2_700).fills).toEqual(['USD_A 2 buy 100@100']);
    const poor = run([down], 2_200);
    expect(poor.fills.slice(1).map((fill) => fill.slice(0, 12))).toContain('USD_A 8 sell');
    expect(poor.sessions[0]?.watch.liquidatedAt).toBe(8);
    const carried = run([down, up], 2_200);
    expect(carried.sessions.map(({ watch }) => watch.liquidatedAt)).toEqual([undefined, undefined]);
    expect(carried.fills).toEqual(['USD_A 2 buy 100@100', 'USD_B 2 buy 5@100']);
    expect(carried.account.watch.equity).toBe(2_200 - 1_800 + 500);
    expect(carried.account.watch.drawdown.worst).toBe(900 / 2_700 - 1);
  });

  it('loses by one market what it holds on the other, whose session hears of it at once', () => {
    // At 78 there are 200 of 2 400 left, not half of the 440 that are asked: all is taken over.
    const down = { handlers: holder(100, 1), prints: ['1 100', '2 100', '4 78', '6 78'] };
    const still = { handlers: holder(10, 1), prints: ['1 100', '2 100', '9 100'] };
    const { account, fills } = run([down, still], 2_400);
    expect(fills).toEqual([
      'USD_A 2 buy 100@100',
      'USD_B 2 buy 10@100',
      'USD_A 4 sell 100@78',
      'USD_B 4 sell 10@100',
    ]);
    expect(account.ruinedAt).toBe(4);
    expect(account.watch.equity).toBe(0);
    expect(account.sessions.map(({ core }) => core.counts.trades)).toEqual([2, 2]);
  });

  it.each([
    ['by its own print', ['1 100', '2 100', '4 65', '6 65'], []],
    ['by a mark before it', ['1 100', '2 100', '6 65'], [ticker(4, 65)]],
  ])('is ruined by a position that is closed at its bankruptcy price, %s', (_, prints, facts) => {
    // Bankrupt at 75.5, which is 76 on the tick: 50 of 2 450 stay, less than a tick of the 100.
    const down = { handlers: holder(100, 1), prints, facts };
    const idle = { handlers: {}, prints: ['1 100', '5 100', '9 100'] };
    for (const sides of [
      [down, idle],
      [idle, down],
    ]) {
      const { account, fills } = run(sides, 2_450);
      expect(fills.map((fill) => fill.slice(6))).toEqual(['2 buy 100@100', '4 sell 100@76']);
      expect(account.watch.equity).toBe(50);
      expect(account.ruinedAt).toBeLessThanOrEqual(6);
    }
  });

  it('pays the funding of one market from the cash that the other has its margin from', () => {
    const margined = { handlers: holder(100, 1), prints: ['1 100', '2 100', '6 100', '8 100 s'] };
    const paying = (rate: string) => ({
      handlers: holder(10, 1),
      prints: ['1 100', '2 100', '7 100'],
      facts: [{ kind: 'funding', time: 5, rate: rateOf(rate) } as const],
    });
    // Both positions ask 550; of 2 400 a rate of 0.5 leaves 1 900, one of 2 leaves 400.
    expect(run([paying('0.5'), margined], 2_400).fills).toHaveLength(2);
    expect(run([paying('2'), margined], 2_400).fills.map((fill) => fill.slice(0, 12))).toContain(
      'USD_B 8 sell',
    );
  });

  it('knows the marks of all markets that fund at one time before any of them does', () => {
    const at = (mark: number, rate: string) => [
      { kind: 'funding', time: 5, rate: rateOf(rate) } as const,
      ticker(5, mark),
    ];
    const sides = [
      { handlers: holder(10, 1), prints: ['1 100', '2 100', '7 100'], facts: at(100, '2') },
      { handlers: holder(100, 1), prints: ['1 100', '2 100', '6 100', '8 100 s'], facts: at(110, '0') },
    ];
    // A pays 2 000 of 2 400, and B is worth 1 000 more by then: 1 400 cover the 600 that both ask.
    for (const chunk of [1, 2, 10]) expect(run(sides, 2_400, {}, chunk).fills).toHaveLength(2);
  });
});

describe('two markets whose prints are far apart', () => {
  const base = ['1 1000', '2 1000', '3 1000 s', '4 1000'];

  it('are liquidated in steps that end in time, however the recordings are cut', () => {
    // A falls below its margin, and the first part of B is sold: for a second, and then all goes.
    const at = 200_000_000;
    const falls = Array.from({ length: 120 }, (_, row) => `${at + row * 500} ${row < 60 ? 3_100 : 2_600}`);
    const sides = [
      { handlers: holder(-10, 2), prints: [...base, ...falls, `${at + 200_000} 2600`] },
      { handlers: holder(100, 2), prints: [...base, `${at - 10} 1000`, `${at + 150_000} 1000`] },
    ];
    const whole = run(sides, 25_000);
    expect(whole.account.ruinedAt).toBe(at + 1_000);
    for (const chunk of [1, 7, 50]) {
      const cut = run(sides, 25_000, {}, chunk);
      expect([chunk, cut.account.ruinedAt, cut.fills]).toEqual([chunk, at + 1_000, whole.fills]);
    }
  });

  it('are liquidated though the recording of the larger position is over', () => {
    const falls = Array.from({ length: 20 }, (_, row) => `${10_000 + row * 500} 3100`);
    const sides = [
      { handlers: holder(-10, 2), prints: [...base, ...falls] },
      { handlers: holder(100, 2), prints: base },
    ];
    const { account, fills } = run(sides, 25_000);
    // A second for the first part of it, which nobody takes.
    expect(account.ruinedAt).toBe(11_000);
    expect(fills.slice(2).map((fill) => fill.slice(0, 11))).toEqual(['USD_A 11000', 'USD_B 11000']);
  });

  it('are judged by the newest marks of both, without a print in between', () => {
    // 4 300 of capital, and 2 500 are lost on each: neither alone would cost the account what it has.
    const side = (fall: number) => ({
      handlers: holder(10, 2),
      prints: [...base, '20000 1000', '40000 1000'],
      facts: [ticker(5, 1_000), ticker(fall, 750), ticker(fall + 200, 1_000)],
    });
    const { account, fills } = run([side(100), side(200)], 4_300);
    expect(account.ruinedAt).toBe(200);
    expect(fills).toHaveLength(4);
    // Each one's drawdown has what it lost then, though its own next print is long after.
    for (const { watch } of account.sessions) {
      expect(watch.drawdown.worst).toBe(watch.equity / 4_300 - 1);
      expect(watch.drawdown.valleyTime).toBe(200);
    }
  });

  it('end with the last print that happened, where one of them ruins both', () => {
    const ruined = { handlers: holder(40, 2), prints: [...base, '20000 1', '40000 1000'] };
    const still = { handlers: {}, prints: [...base, '30000000 1000'], facts: [ticker(100, 1_000)] };
    const { account, sessions } = run([ruined, still], 10_000);
    expect(account.ruinedAt).toBe(20_000);
    expect(sessions.map(({ to }) => to)).toEqual([20_000, 4]);
  });

  it('have whole milliseconds, when funding liquidates too', () => {
    const facts: WorldFact[] = [{ kind: 'funding', time: 1_000, rate: rateOf('0.5') }];
    const paying = { handlers: holder(10, 2), prints: [...base, '100 560', '20000 1000'], facts };
    const { account } = run([paying, { handlers: {}, prints: [...base, '30000 1000'] }], 4_600);
    expect(Number.isInteger(account.watch.drawdown.valleyTime)).toBe(true);
    expect(Number.isInteger(account.ruinedAt ?? 0)).toBe(true);
  });

  it('have no leverage by themselves while only the other one has equity', () => {
    const loses = ['1000 500', '5000 500', '3600100 500'];
    const gains = ['999 1600', '5001 1600', '3600101 1600'];
    const sides = [loses, gains].map((prints) => ({ handlers: holder(10, 2), prints: [...base, ...prints] }));
    const { account, sessions } = run(sides, 4_500);
    const [loser, gainer] = sessions.map(({ watch }) => watch);
    expect([loser?.isUnder, gainer?.isUnder]).toEqual([true, false]);
    expect(loser?.exposure.meanLeverage).toBe(Number.POSITIVE_INFINITY);
    expect(loser?.exposure.heldMs).toBeGreaterThan(3_590_000);
    expect(account.watch.exposure.maxLeverage).toBeLessThan(10);
  });
});

describe('limits of an account', () => {
  const prints = ['1 100', '2 100', '3 100', '9 100'];

  it('bound the gross notional of all its markets', () => {
    const sides = [
      { handlers: holder(30, 1), prints },
      { handlers: holder(-30, 2), prints },
    ];
    const { fills, sessions } = run(sides, 100_000, { maxGrossNotional: 5_000 });
    expect(fills).toEqual(['USD_A 2 buy 30@100']);
    expect(sessions[1]?.core.reasons.refused.map(({ reason }) => reason)).toEqual(['max-gross-notional']);
  });

  it('stop all sessions for the day when one market has lost as much as it may', () => {
    const sides = [
      { handlers: holder(30, 1), prints: ['1 100', '2 100', '4 90', '6 100'] },
      // Equity is whole again by the time it asks.
      { handlers: holder(10, 7), prints: ['1 100', '5 100', '7 100', '8 100', '9 100'] },
    ];
    const { fills, sessions } = run(sides, 100_000, { maxDailyLoss: 250 });
    expect(fills).toEqual(['USD_A 2 buy 30@100']);
    expect(sessions[1]?.core.reasons.refused.map(({ reason }) => reason)).toEqual(['max-daily-loss']);
    expect(run(sides, 100_000, { maxDailyLoss: 350 }).fills).toHaveLength(2);
  });

  it('stop all sessions for the day when the funding of one market costs as much as it may', () => {
    const paying = (rate: string) => ({
      handlers: holder(10, 1),
      prints: ['1 100', '2 100', '6 110', '7 110'],
      facts: [{ kind: 'funding', time: 5, rate: rateOf(rate) } as const],
    });
    // The price makes good for it before the other one asks.
    const other = { handlers: holder(10, 7), prints: ['1 100', '7 100', '8 100', '9 100'] };
    for (const sides of [
      [paying('0.1'), other],
      [other, paying('0.1')],
    ]) {
      const { fills, sessions } = run(sides, 100_000, { maxDailyLoss: 50 });
      expect(fills).toHaveLength(1);
      const refused = sessions[sides.indexOf(other)]?.core.reasons.refused;
      expect(refused?.map(({ reason }) => reason)).toEqual(['max-daily-loss']);
    }
    expect(run([paying('0.04'), other], 100_000, { maxDailyLoss: 50 }).fills).toHaveLength(2);
  });

  it('count the first loss of a day for all sessions, whoever has it', () => {
    const day = 86_400_000;
    const base = ['1 1000', '2 1000', '3 1000 s', '4 1000'];
    const loses = { handlers: holder(10, 2), prints: [...base, `${day + 10} 900`, `${day + 50} 900`] };
    const later = { handlers: holder(1, day), prints: [...base, `${day + 20} 1000`, `${day + 40} 1000`] };
    for (const sides of [
      [loses, later],
      [later, loses],
    ]) {
      const { sessions, fills } = run(sides, 1_000_000, { maxDailyLoss: 500 });
      expect(fills).toHaveLength(1);
      expect(sessions.map(({ core }) => core.risk.day?.loss)).toEqual([1_000, 1_000]);
      const refused = sessions[sides.indexOf(later)]?.core.reasons.refused;
      expect(refused?.map(({ reason }) => reason)).toEqual(['max-daily-loss']);
    }
  });
});
