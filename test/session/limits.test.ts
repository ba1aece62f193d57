/** Limits in a session: what they count, when they let go, and what is asked again then. */
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import type { DayBaseline } from '../../src/gate/daily-loss.js';
import type { Reserve } from '../../src/gate/exposure.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved, PlaceCommand, Refusal } from '../../src/model/command.js';
import type { EngineEvent } from '../../src/model/event.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { Side } from '../../src/model/side.js';
import { SessionCore } from '../../src/session/session-core.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition, quote, type Want } from '../../src/strategy/want.js';
import { trade, words } from '../support/desk.js';
import { BTC } from '../support/markets.js';

const DAY = 86_400_000;
const lots = (n: number) => n as Lots;

interface Options {
  readonly baseline?: DayBaseline;
  readonly reserves?: readonly Reserve[];
  readonly warmUp?: boolean;
  readonly wealth?: number;
}

/** A session whose strategy wants what the test says, at a venue that the test plays. */
function sessionOf(limits: Partial<Limits>, { warmUp = false, ...options }: Options = {}) {
  const wants: (Want | undefined)[] = [];
  const sent: Approved[] = [];
  const refusals: Refusal[] = [];
  const baselines: DayBaseline[] = [];
  const definition = defineStrategy({
    name: 'told',
    create: () => ({ onTrade: () => wants.shift(), onTicker: () => wants.shift() }),
  });
  const core = new SessionCore({
    engine: new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp }),
    limits: { ...NO_LIMITS, ...limits },
    warmUp,
    funds: 10_000,
    ...options,
    sink: { send: (command) => sent.push(command) },
    observer: {
      decision: (_, __, refused) => refusals.push(...refused),
      baseline: (baseline) => baselines.push(baseline),
    },
  });
  let fills = 0;
  const fillOf = (side: Side, size: number, time: number, price: number) => ({
    id: String(++fills),
    orderId: 'o',
    time,
    side,
    lots: lots(size),
    ticks: (price * 10) as Ticks,
    liquidity: 'taker' as const,
    fee: 0n,
  });
  return {
    core,
    refusals,
    baselines,
    /** What was sent since the last call. */
    sent: () => sent.splice(0),
    said: () => words(sent.splice(0)),
    rules: () => refusals.splice(0).map(({ rule }) => rule),
    want: (time: number, want?: Want, price = 60_000) => {
      wants.push(want);
      core.input({ kind: 'trade', trade: trade(time, price), receivedAt: time });
    },
    input: (event: EngineEvent) => core.input(event),
    fill: ({ intentId, terms }: PlaceCommand, time: number, price = 60_000, size: number = terms.lots) => {
      const fill = fillOf(terms.side, size, time, price);
      core.input({ kind: 'report', report: { kind: 'filled', intentId, time, fill } });
    },
    late: (intentId: number | undefined, side: Side, size: number, time: number) => {
      const fill = fillOf(side, size, time, 60_000);
      core.input({ kind: 'report', report: { kind: 'late-fill', intentId, time, fill } });
    },
    giveUp: (intentId: number, time: number, reservedUntil: number) => {
      const report = { kind: 'rejected', intentId, reason: 'not placed', time, reservedUntil } as const;
      core.input({ kind: 'report', report });
    },
    permit: (permission: 'all' | 'reduce-only' | 'cancel-only', time: number) => {
      const state = permission === 'all' ? 'SYNCED' : 'SUSPECT';
      core.input({ kind: 'permit', time, permission, state, reason: 'why' });
    },
    ticker: (time: number, markPrice?: number, want?: Want) => {
      wants.push(want);
      const none = {
        bidPrice: undefined,
        bidQuantity: undefined,
        askPrice: undefined,
        askQuantity: undefined,
      };
      const ticker = { time, markPrice, lastPrice: undefined, indexPrice: undefined, ...none };
      core.input({ kind: 'ticker', ticker });
    },
  };
}

function only(commands: readonly Approved[]): PlaceCommand {
  const [command] = commands;
  if (commands.length !== 1 || command?.kind !== 'place') throw new Error(words(commands).join('; '));
  return command;
}

describe('an order that was given up', () => {
  it('keeps its place in the exposure until its time, and what it kept out is asked again then', () => {
    const { core, want, sent, said, rules, giveUp, input } = sessionOf({ maxPosition: lots(8) });
    want(1, holdPosition('0.005'));
    const { intentId } = only(sent());
    giveUp(intentId, 10_000, 610_000);
    // Tried again after a second: 5 that may still show up and 5 more are too many.
    want(11_000);
    expect(rules()).toEqual(['max-position']);
    expect(core.exposure).toMatchObject({ workingBuys: 5, openOrders: 0 });
    for (let time = 12_000; time < 610_000; time += 13_000) want(time);
    expect(rules()).toEqual([]);
    input({ kind: 'mark', time: 609_999 });
    expect(said()).toEqual([]);
    input({ kind: 'mark', time: 610_000 });
    expect(said()).toEqual(['buy 5 market']);
    expect(core.exposure).toMatchObject({ workingBuys: 5, openOrders: 1 });
  });

  it('that shows up is position and no longer reserve: never both', () => {
    const { core, want, sent, giveUp, late, said } = sessionOf({ maxPosition: lots(8) });
    want(1, holdPosition('0.005'));
    const { intentId } = only(sent());
    giveUp(intentId, 10_000, 610_000);
    late(intentId, 'buy', 3, 20_000);
    expect(core.exposure).toMatchObject({ position: 3, workingBuys: 4 });
    // 3 held, 2 in reserve, 2 wanted and sent: 7 of 8.
    expect(said()).toEqual(['buy 2 market']);
    expect(core.engine.position.lots).toBe(3);
    expect(core.counts.fills).toBe(1);
  });

  it('in an earlier session counts in this one', () => {
    const reserve: Reserve = { intentId: undefined, side: 'buy', lots: lots(5), until: 600_000 };
    const { want, said, rules, late } = sessionOf({ maxPosition: lots(8) }, { reserves: [reserve] });
    want(1, holdPosition('0.005'));
    expect(rules()).toEqual(['max-position']);
    late(undefined, 'buy', 5, 5_000);
    expect(said()).toEqual([]);
    want(6_000, holdPosition('0.008'));
    expect(said()).toEqual(['buy 3 market']);
  });
});

describe('a pair in doubt', () => {
  it('refuses entries, lets exits leave, and enters when the doubt is over, without a new want', () => {
    const { want, sent, said, rules, permit, fill } = sessionOf({});
    want(1, holdPosition('0.005'));
    fill(only(sent()), 2);
    permit('reduce-only', 3);
    want(4, holdPosition('0.009'));
    expect(rules()).toEqual(['not-synced']);
    for (let time = 5; time < 100; time++) want(time);
    expect(rules()).toEqual([]);
    want(100, flat());
    const exit = only(sent());
    expect(words([exit])).toEqual(['sell 5 reduce-only market']);
    fill(exit, 101);
    want(102, holdPosition('-0.002'));
    expect(rules()).toEqual(['not-synced']);
    permit('cancel-only', 103);
    expect(said()).toEqual([]);
    permit('reduce-only', 104);
    expect(rules()).toEqual(['not-synced']);
    permit('all', 105);
    expect(said()).toEqual(['sell 2 market']);
  });

  it('has its quotes taken back, and the new ones refused until it is certain again', () => {
    const { input, want, sent, said, rules, permit } = sessionOf({});
    const two = quote({
      bid: { price: 59_990, quantity: '0.01' },
      ask: { price: 60_010, quantity: '0.01' },
    });
    want(1, two);
    const placed = sent();
    for (const { intentId } of placed) {
      input({ kind: 'report', report: { kind: 'accepted', intentId, orderId: `o${intentId}`, time: 2 } });
    }
    permit('reduce-only', 3);
    expect(said()).toEqual(placed.map(({ intentId }) => `cancel ${intentId}`));
    for (const { intentId } of placed) {
      const done = { intentId, orderId: `o${intentId}`, reason: '', time: 4 };
      input({ kind: 'report', report: { kind: 'canceled', ...done } });
    }
    expect(said()).toEqual([]);
    expect(new Set(rules())).toEqual(new Set(['not-synced']));
    permit('all', 5);
    expect(said()).toEqual(['buy 10 post-only @ 599900', 'sell 10 post-only @ 600100']);
  });
});

describe('limits of pace', () => {
  it('let the next order leave as soon as the minute is over, without a new want', () => {
    const { want, sent, said, rules, fill } = sessionOf({ maxOrdersPerMinute: 2 });
    want(1_000, holdPosition('0.001'));
    fill(only(sent()), 1_000);
    want(2_000, holdPosition('0.002'));
    fill(only(sent()), 2_000);
    want(3_000, holdPosition('0.003'));
    expect(rules()).toEqual(['max-orders-per-minute']);
    want(60_999);
    expect(said()).toEqual([]);
    want(61_000);
    expect(said()).toEqual(['buy 1 market']);
  });

  it('count what left, not what was refused', () => {
    const { core, want, rules } = sessionOf({ maxOrdersPerMinute: 2, maxOrderQuantity: lots(4) });
    for (let time = 1; time <= 5; time++) want(time, holdPosition(String(0.005 + time / 1_000)));
    expect(rules()).toEqual(Array.from({ length: 5 }, () => 'max-order-quantity'));
    expect(core.limitUses.find(({ rule }) => rule === 'max-orders-per-minute')?.used).toBe('0');
  });
});

describe('the loss of a day', () => {
  const limits = { maxDailyLoss: 10 };

  /** 0.01 bought at 60 000: a price 1 000 lower is a loss of 10. */
  function long(options: Options = {}) {
    const session = sessionOf(limits, options);
    session.want(1_000, holdPosition('0.01'));
    session.fill(only(session.sent()), 1_001);
    return session;
  }

  it('trips at a price, not only at an order, stays tripped when the price recovers, and lets exits leave', () => {
    const { want, sent, said, rules, refusals, core } = long();
    want(2_000, undefined, 59_000.1);
    expect(core.risk.day?.tripped).toBe(false);
    want(3_000, undefined, 59_000);
    want(4_000, undefined, 60_500);
    want(5_000, holdPosition('0.02'), 60_500);
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'max-daily-loss: loss since 00:00 UTC must be below 10 USD, received 10: no more risk before 1970-01-02',
    ]);
    expect(rules()).toHaveLength(1);
    want(6_000, flat(), 60_500);
    expect(words(sent())).toEqual(['sell 10 reduce-only market']);
    want(DAY - 1, holdPosition('0.02'), 60_500);
    expect(said()).toEqual([]);
  });

  it('is over at midnight UTC, when what was refused is asked again', () => {
    const { want, said } = long();
    want(3_000, undefined, 59_000);
    want(4_000, holdPosition('0.02'), 59_000);
    expect(said()).toEqual([]);
    want(DAY - 1, undefined, 58_000);
    expect(said()).toEqual([]);
    want(DAY, undefined, 58_000);
    expect(said()).toEqual(['buy 10 market']);
  });

  it('stays reached when a report tells of the day before', () => {
    const { want, late, rules, baselines } = long();
    want(DAY, undefined, 60_000);
    want(DAY + 1_000, undefined, 58_900);
    const told = baselines.length;
    late(undefined, 'sell', 1, 5_000);
    late(undefined, 'buy', 1, 6_000);
    want(DAY + 2_000, holdPosition('0.02'), 58_900);
    expect(new Set(rules())).toEqual(new Set(['max-daily-loss']));
    expect(baselines).toHaveLength(told);
  });

  it('tells where each day begins and that it tripped, so that the next session goes on from there', () => {
    const { want, baselines } = long();
    want(3_000, undefined, 59_000);
    want(DAY, undefined, 59_500);
    expect(baselines).toEqual([
      { day: '1970-01-01', equity: '10000', tripped: false },
      { day: '1970-01-01', equity: '10000', tripped: true },
      // What there was before the first trade of the day: 10 000 − 10.
      { day: '1970-01-02', equity: '9990', tripped: false },
    ]);
    const again = sessionOf(limits, { baseline: { day: '1970-01-01', equity: '10004', tripped: false } });
    again.want(5_000, holdPosition('0.01'));
    again.fill(only(again.sent()), 5_001);
    again.want(6_000, undefined, 59_400);
    again.want(7_000, holdPosition('0.02'), 59_400);
    // 4 lost before, 6 since.
    expect(again.rules()).toEqual(['max-daily-loss']);
    expect(again.baselines).toEqual([{ day: '1970-01-01', equity: '10004', tripped: true }]);
  });

  it('counts from what orders left working have locked, so that it is no loss when they are gone', () => {
    const baseline = { day: '1970-01-01', equity: '10015', tripped: false };
    // Free 10 000, and 15 locked by quotes that the last session left.
    const { want, said, rules } = sessionOf(limits, { baseline, wealth: 10_015 });
    want(5_000, holdPosition('0.01'));
    expect([said(), rules()]).toEqual([['buy 10 market'], []]);
    const without = sessionOf(limits, { baseline });
    without.want(5_000, holdPosition('0.01'));
    expect(without.rules()).toEqual(['max-daily-loss']);
  });

  it('that tripped in an earlier session is not forgotten by a restart', () => {
    const baseline = { day: '1970-01-01', equity: '10000', tripped: true };
    const { want, rules, said } = sessionOf(limits, { baseline });
    want(5_000, holdPosition('0.01'));
    expect(rules()).toEqual(['max-daily-loss']);
    want(DAY, undefined);
    expect(said()).toEqual(['buy 10 market']);
  });

  it('is of the day of the fill, also when a fill is the first that the day brings', () => {
    const { want, sent, fill, baselines } = long();
    want(DAY - 1, flat());
    fill(only(sent()), DAY, 59_000);
    expect(baselines.slice(1)).toEqual([
      { day: '1970-01-02', equity: '10000', tripped: false },
      { day: '1970-01-02', equity: '10000', tripped: true },
    ]);
  });

  it('counts fees and what was realised', () => {
    const { want, sent, fill, rules } = long();
    want(2_000, flat());
    fill(only(sent()), 2_001, 59_000);
    want(3_000, holdPosition('0.01'));
    expect(rules()).toEqual(['max-daily-loss']);
  });

  it('is judged at the mark, where there is one: a print that the mark does not follow trips nothing', () => {
    const { want, ticker, rules, core } = long();
    ticker(1_500, 60_000);
    want(2_000, undefined, 50_000);
    expect(core.risk.day?.tripped).toBe(false);
    ticker(2_500, 59_000);
    want(3_000, holdPosition('0.02'));
    expect(rules()).toEqual(['max-daily-loss']);
  });

  it('counts from the moment the session is live, with what was held before it', () => {
    const { core, input, want, baselines, rules, said } = sessionOf(limits, { warmUp: true });
    want(1_000, holdPosition('0.02'), 61_000);
    const held = { time: 2_000, lots: lots(10), averageEntry: 60_000, liquidationPrice: undefined };
    input({ kind: 'position', position: held });
    expect(baselines).toEqual([]);
    input({ kind: 'live', time: 3_000 });
    // 0.01 bought at 60 000 is worth 10 more at 61 000.
    expect(baselines).toEqual([{ day: '1970-01-01', equity: '10010', tripped: false }]);
    expect(said()).toEqual(['buy 10 market']);
    want(4_000, undefined, 60_000);
    expect(core.risk.day?.tripped).toBe(true);
    want(5_000, holdPosition('0.05'), 60_000);
    expect(rules()).toEqual([]);
  });

  it('counts the funding of an open position as the venue states it, each payment once', () => {
    const { core, input } = long();
    const stated = (time: number, funding: number, size = 10) =>
      input({
        kind: 'position',
        position: { time, lots: lots(size), averageEntry: 60_000, liquidationPrice: undefined, funding },
      });
    stated(2_000, -3);
    stated(2_001, -3);
    expect(core.risk.day?.loss).toBe(3);
    // Asked for before the newest fill: of another position than ours.
    stated(2_002, -20, 5);
    stated(2_003, -5.5);
    expect(core.risk.day?.loss).toBe(5.5);
    expect(core.engine.position.funding).toBe(-550_000_000n);
    stated(2_004, -11);
    expect(core.risk.day?.tripped).toBe(true);
  });

  it('counts the funding of the next round trip from nothing, and none that was paid before the start', () => {
    const { core, input, want, sent, fill } = sessionOf(limits, { warmUp: true });
    const stated = (time: number, funding: number, size = 10) =>
      input({
        kind: 'position',
        position: { time, lots: lots(size), averageEntry: 60_000, liquidationPrice: undefined, funding },
      });
    want(1_000);
    stated(2_000, -7);
    input({ kind: 'live', time: 3_000 });
    stated(3_001, -8);
    expect(core.risk.day?.loss).toBe(1);
    want(4_000, holdPosition('-0.01'));
    fill(only(sent()), 4_001);
    fill(only(sent()), 4_002);
    expect(core.engine.position.lots).toBe(-10);
    stated(5_000, 2, -10);
    expect(core.risk.day?.loss).toBe(-1);
    expect(core.engine.position.funding).toBe(100_000_000n);
  });

  it('refuses risk while nobody knows what is lost, and asks again when somebody does', () => {
    const { input, want, ticker, refusals, said } = sessionOf(limits, { warmUp: true });
    const held = { time: 2_000, lots: lots(10), averageEntry: 60_000, liquidationPrice: undefined };
    input({ kind: 'position', position: held });
    input({ kind: 'live', time: 3_000 });
    ticker(4_000, undefined, holdPosition('0.02'));
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'max-daily-loss: loss since 00:00 UTC must be below 10 USD, received an equity that is not known yet',
    ]);
    want(4_999);
    expect(said()).toEqual([]);
    want(5_000);
    expect(said()).toEqual(['buy 10 market']);
  });
});

describe('the fall from the highest equity', () => {
  const limits = { maxDrawdown: 10 };
  /** 0.01 bought at 60 000 with 10 000. */
  function long(options: Parameters<typeof sessionOf>[1] = {}) {
    const session = sessionOf(limits, options);
    session.want(1_000, holdPosition('0.01'));
    session.fill(only(session.sent()), 1_001);
    return session;
  }

  it('counts from the peak, not from the beginning, and stops risk for good, past midnight too', () => {
    const { core, want, rules, refusals, said } = long();
    want(2_000, undefined, 60_500);
    want(3_000, undefined, 59_501);
    expect(core.risk.drawdown?.tripped).toBe(false);
    want(5_000, undefined, 59_500);
    want(6_000, holdPosition('0.02'), 70_000);
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'max-drawdown: fall of the equity from its highest must be below 10 USD, received 10: no more risk before somebody resumes',
    ]);
    refusals.splice(0);
    want(3 * DAY, holdPosition('0.03'), 70_000);
    expect(rules()).toEqual(['max-drawdown']);
    // Out is always a way.
    want(3 * DAY + 1, flat(), 70_000);
    expect(said().at(-1)).toMatch(/^sell .* reduce-only/);
  });

  it('is over when somebody resumes, and counted from what there is then; a resume of something else changes nothing', () => {
    const { core, input, want, rules, said, baselines } = long();
    want(2_000, undefined, 60_500);
    input({ kind: 'resumed', time: 2_001 });
    // 5 up, 10 down.
    want(3_000, undefined, 59_500);
    expect(core.risk.drawdown?.tripped).toBe(true);
    baselines.splice(0);
    want(3_000, holdPosition('0.02'), 59_500);
    expect(rules()).toEqual(['max-drawdown']);
    said();
    input({ kind: 'resumed', time: 3_001 });
    // What stood, and was refused, is asked for again by itself.
    expect(said()).toEqual(['buy 10 market']);
    const memory = { peak: '9995', fell: false, losses: 0, pausedUntil: 0 };
    expect(baselines).toEqual([{ day: '1970-01-01', equity: '10000', tripped: false, memory }]);
    want(4_000, undefined, 59_500);
    expect(rules()).toEqual([]);
    expect(core.risk.drawdown?.fall).toBe(0);
    want(DAY + 1, undefined, 59_500);
    expect(baselines.at(-1)).toMatchObject({ day: '1970-01-02', memory: { peak: '9995', fell: false } });
  });

  it('is told when the peak has risen by a hundredth of the bound and when it trips, so that the next session goes on', () => {
    const { want, baselines } = long();
    const day = { day: '1970-01-01', equity: '10000', tripped: false };
    const rest = { losses: 0, pausedUntil: 0 };
    baselines.splice(0);
    want(2_000, undefined, 60_009);
    expect(baselines).toEqual([]);
    want(2_100, undefined, 60_011);
    expect(baselines.splice(0)).toEqual([{ ...day, memory: { peak: '10000.11', fell: false, ...rest } }]);
    want(3_000, undefined, 59_000);
    expect(baselines.splice(0)).toEqual([{ ...day, memory: { peak: '10000.11', fell: true, ...rest } }]);
    const next = sessionOf(limits, {
      baseline: { ...day, memory: { peak: '10000.11', fell: true, ...rest } },
    });
    next.want(1_000, holdPosition('0.01'));
    expect(next.rules()).toEqual(['max-drawdown']);
    const peaked = sessionOf(limits, {
      baseline: { ...day, memory: { peak: '10005', fell: false, ...rest } },
    });
    peaked.want(1_000, holdPosition('0.01'));
    peaked.fill(only(peaked.sent()), 1_001);
    // 5 below the peak before, 5 more since.
    peaked.want(2_000, undefined, 59_500);
    peaked.want(3_000, holdPosition('0.02'), 59_500);
    expect(peaked.rules()).toEqual(['max-drawdown']);
  });
});

describe('losses in a row', () => {
  const limits = { lossPause: { losses: 2, forMs: 60_000 } };

  /** Buys, and sells at `price`. */
  function trip({ want, sent, fill }: ReturnType<typeof sessionOf>, time: number, price: number) {
    want(time, holdPosition('0.01'));
    fill(only(sent()), time + 1, 60_000);
    want(time + 2, flat());
    fill(only(sent()), time + 3, price);
  }

  it('stop risk for a while, and are counted anew then', () => {
    const session = sessionOf(limits);
    const { want, rules, said, refusals } = session;
    trip(session, 1_000, 59_990);
    trip(session, 2_000, 60_010);
    trip(session, 3_000, 59_990);
    expect(rules()).toEqual([]);
    trip(session, 4_000, 59_999);
    want(5_000, holdPosition('0.01'));
    expect(refusals.splice(0)).toMatchObject([
      {
        rule: 'max-consecutive-losses',
        reason: 'max-consecutive-losses: losses in a row must be at most 1, received 2',
        until: 64_003,
      },
    ]);
    want(64_002);
    expect(said()).toEqual([]);
    want(64_003);
    expect(said()).toEqual(['buy 10 market']);
  });

  it('go on in the next session, with the pause that is left', () => {
    const first = sessionOf(limits);
    trip(first, 1_000, 59_990);
    const one = first.baselines.at(-1);
    expect(one?.memory).toEqual({ peak: undefined, fell: false, losses: 1, pausedUntil: 0 });
    const second = sessionOf(limits, { baseline: one! });
    trip(second, 2_000, 59_990);
    const two = second.baselines.at(-1);
    expect(two?.memory).toMatchObject({ losses: 0, pausedUntil: 62_003 });
    const third = sessionOf(limits, { baseline: two! });
    third.want(3_000, holdPosition('0.01'));
    expect(third.rules()).toEqual(['max-consecutive-losses']);
  });

  it('count a round trip that spans a restart whole', () => {
    const first = sessionOf(limits);
    first.want(1_000, holdPosition('0.02'));
    first.fill(only(first.sent()), 1_001, 60_000);
    first.want(1_002, holdPosition('0.01'));
    // 1 lost on the first half.
    first.fill(only(first.sent()), 1_003, 59_900);
    const left = first.baselines.at(-1)!;
    expect(left.memory).toMatchObject({ losses: 0, open: '-1' });
    const held = { time: 2_000, lots: lots(10), averageEntry: 60_000, liquidationPrice: undefined };
    const restarted = () => {
      const session = sessionOf(limits, { baseline: left, warmUp: true });
      session.input({ kind: 'position', position: held });
      session.input({ kind: 'live', time: 2_001 });
      return session;
    };
    for (const [price, losses] of [
      [60_050, 1],
      [60_150, 0],
    ] as const) {
      const second = restarted();
      second.want(2_002, flat());
      second.fill(only(second.sent()), 2_003, price);
      expect(second.core.risk.streak?.losses).toBe(losses);
      expect(second.core.risk.streak?.open).toBe(0n);
    }
  });

  it('count what was paid for an open position before a restart', () => {
    const first = sessionOf(limits);
    first.want(1_000, holdPosition('0.01'));
    first.fill(only(first.sent()), 1_001, 60_000);
    const held = { time: 2_000, lots: lots(10), averageEntry: 60_000, liquidationPrice: undefined };
    first.input({ kind: 'position', position: { ...held, funding: -3 } });
    const left = first.baselines.at(-1)!;
    expect(left.memory).toMatchObject({ open: '-3' });
    const second = sessionOf(limits, { baseline: left, warmUp: true });
    second.input({ kind: 'position', position: { ...held, funding: -3 } });
    second.input({ kind: 'live', time: 2_001 });
    second.want(2_002, flat());
    // 2 won, and 3 paid.
    second.fill(only(second.sent()), 2_003, 60_200);
    expect(second.core.risk.streak?.losses).toBe(1);
  });

  it('forget an open round trip that somebody else has closed', () => {
    const memory = { fell: false, losses: 0, pausedUntil: 0, open: '-5' };
    const day = { day: '1970-01-01', equity: '10000', tripped: false };
    const session = sessionOf(limits, { baseline: { ...day, memory }, warmUp: true });
    session.input({ kind: 'live', time: 1 });
    trip(session, 1_000, 60_010);
    expect(session.core.risk.streak?.losses).toBe(0);
  });

  it('count a position that changes its side as one round trip', () => {
    const session = sessionOf(limits);
    const { want, sent, fill, core } = session;
    want(1_000, holdPosition('0.01'));
    fill(only(sent()), 1_001, 60_000);
    // By hand, in one: out of the long at a loss, into a short.
    session.late(undefined, 'sell', 20, 1_002);
    expect(core.risk.streak?.losses).toBe(0);
    want(2_000, undefined, 60_000);
    session.late(undefined, 'buy', 10, 2_001);
    expect(core.engine.position.lots).toBe(0);
    expect(core.risk.streak?.losses).toBe(0);
  });
});

describe('an order that the equity does not carry', () => {
  it('is asked for again while nothing of the pair changes: the price may, or cash may come', () => {
    const { want, said, rules } = sessionOf({}, { wealth: 10_000 });
    // 1 % margin and 0.06 % fee of 15 × 63 000, then of 15 × 62 000.
    want(1, holdPosition('15'), 63_500);
    expect([said(), rules()]).toEqual([[], ['balance']]);
    want(500, undefined, 62_000);
    expect([said(), rules()]).toEqual([[], []]);
    want(1_500, undefined, 62_000);
    expect(said()).toHaveLength(1);
  });
});

describe('use of limits', () => {
  it('is a row for each that is set, in the words of its refusal', () => {
    const { core, want, sent, fill, ticker, input } = sessionOf({
      maxPosition: lots(50),
      maxOrderQuantity: lots(20),
      maxOrderNotional: 900,
      maxOpenOrders: 5,
      priceCollar: 0.02,
      maxOrdersPerMinute: 60,
      maxCancelsPerMinute: 30,
      minRepeatMs: 100,
      rejectPause: { rejected: 5, of: 10, forMs: 60_000 },
      maxGrossNotional: 5_000,
      maxDailyLoss: 200,
      minLiquidationDistance: 0.05,
      maxOrdersPerHour: 600,
      maxLeverage: 3,
      maxDrawdown: 500,
      lossPause: { losses: 3, forMs: 60_000 },
      maxBareMs: 5_000,
    });
    ticker(500, 60_000);
    want(1_000, holdPosition('0.012'));
    const first = only(sent());
    fill(first, 1_001);
    want(2_000, holdPosition('0.015'));
    const { intentId } = only(sent());
    input({ kind: 'report', report: { kind: 'rejected', intentId, reason: 'no', time: 2_040 } });
    input({
      kind: 'position',
      position: { time: 2_050, lots: lots(12), averageEntry: 60_000, liquidationPrice: 54_000 },
    });
    ticker(2_050, 59_400);
    expect(core.limitUses).toEqual([
      { rule: 'max-position', used: '0.012', bound: '0.05' },
      { rule: 'max-order-quantity', used: '0.012', bound: '0.02' },
      { rule: 'max-order-notional', used: '720', bound: '900' },
      { rule: 'max-open-orders', used: '0', bound: '5' },
      // |60 000 − 59 400| / 59 400.
      { rule: 'price-collar', used: '0.0101', bound: '0.02' },
      { rule: 'max-orders-per-minute', used: '2', bound: '60' },
      { rule: 'max-orders-per-hour', used: '2', bound: '600' },
      { rule: 'max-cancels-per-minute', used: '0', bound: '30' },
      { rule: 'same-side-repeat', used: '50', bound: '100' },
      { rule: 'reject-ratio', used: '1', bound: '5' },
      // 0.012 × 59 400.
      { rule: 'max-gross-notional', used: '712.8', bound: '5000' },
      // 712.8 / (10 000 − 7.2 at the last trade's price, which is 60 000 still: no loss).
      { rule: 'max-leverage', used: '0.0713', bound: '3' },
      { rule: 'max-daily-loss', used: '7.2', bound: '200' },
      { rule: 'max-drawdown', used: '7.2', bound: '500' },
      { rule: 'max-consecutive-losses', used: '0', bound: '3' },
      // (59 400 − 54 000) / 59 400.
      { rule: 'liquidation-distance', used: '0.0909', bound: '0.05' },
      // Since the fill at 1 001.
      { rule: 'max-bare-time', used: '1049', bound: '5000' },
    ]);
  });

  it('shows no exit at market, which limits of a single order do not hold back', () => {
    const { core, want, sent, fill } = sessionOf({ maxOrderQuantity: lots(5), maxOrderNotional: 400 });
    want(1, holdPosition('0.005'));
    fill(only(sent()), 2);
    want(3, holdPosition('0.01'));
    fill(only(sent()), 4);
    want(5, flat());
    expect(only(sent()).terms.lots).toBe(10);
    const rows = Object.fromEntries(core.limitUses.map(({ rule, used }) => [rule, used]));
    expect(rows).toMatchObject({ 'max-order-quantity': '0.005', 'max-order-notional': '300' });
  });

  it('counts what was given up until its time, and asking changes nothing of what is decided', () => {
    const used = () => core.limitUses.map((row) => row.used);
    const { core, want, sent, giveUp, input } = sessionOf({ maxPosition: lots(8) });
    want(1, holdPosition('0.005'));
    giveUp(only(sent()).intentId, 10_000, 610_000);
    expect(used()).toEqual(['0.005']);
    input({ kind: 'permit', time: 610_000, permission: 'all', state: 'SYNCED', reason: '' });
    expect(used()).toEqual(['0']);
    expect(core.exposure.workingBuys).toBe(5);
  });

  it('is nothing where no limit is set', () => {
    expect(sessionOf({}).core.limitUses).toEqual([]);
  });
});

describe('the limit on the time without a stop', () => {
  it("is the engine's as well, and a close that the gate refuses leaves when it may", () => {
    const { core, want, said, sent, fill, permit, rules, input } = sessionOf({ maxBareMs: 5_000 });
    want(1_000, holdPosition('0.012'));
    fill(only(sent()), 1_001);
    permit('cancel-only', 2_000);
    input({ kind: 'mark', time: 6_000 });
    expect([said(), rules(), core.engine.bareUse?.hits]).toEqual([[], [], 0]);
    input({ kind: 'mark', time: 6_001 });
    expect([said(), rules(), core.engine.bareUse]).toEqual([
      [],
      ['halted'],
      { ms: 5_000, isOver: true, hits: 1 },
    ]);
    permit('reduce-only', 9_000);
    expect(said()).toEqual(['sell 12 reduce-only market']);
  });

  it('is none of the engine where it is not set', () => {
    expect(sessionOf({ maxPosition: lots(50) }).core.engine.bareUse).toBeUndefined();
  });
});

describe('a bad print', () => {
  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    0,
    -60_000,
  ])('of %d is no price that anything is judged by', (price) => {
    const { core, want, rules, said, ticker } = sessionOf({
      priceCollar: 0.02,
      maxDailyLoss: 10,
      maxGrossNotional: 900,
    });
    want(1, holdPosition('0.01'), price);
    expect(rules()).toEqual(['price-collar']);
    expect(core.limitUses.map(({ used }) => used)).toEqual(['0', '0', '0']);
    ticker(2, 60_000);
    want(2_000, holdPosition('0.011'), price);
    expect(said()).toEqual(['buy 11 market']);
    expect(core.risk.day?.tripped).toBe(false);
  });

  it('of 250 times the price sends no order at market while the mark says otherwise', () => {
    const { want, rules, said, ticker } = sessionOf({ priceCollar: 0.02 });
    ticker(1, 60_000);
    want(2, holdPosition('0.01'), 60_000 * 250);
    expect(rules()).toEqual(['price-collar']);
    want(1_500, undefined, 60_000);
    expect(said()).toEqual(['buy 10 market']);
  });
});
