import { describe, expect, it } from 'vitest';
import type { StartedWith } from '../../src/daemon/attach-command.js';
import { Daemon } from '../../src/daemon/daemon.js';
import { type DaemonEvent, NO_MARK } from '../../src/daemon/daemon-api.js';
import type { DaemonOptions } from '../../src/daemon/daemon-options.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved } from '../../src/model/command.js';
import { StrategyBlocked, UsageError } from '../../src/model/errors.js';
import type { Halt } from '../../src/model/halt-level.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import { SILENT } from '../../src/ports/log.js';
import { JournalDamaged } from '../../src/storage/journal/journal-errors.js';
import { orders } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';
import { SessionDouble } from './session-double.js';

const ETH = defineMarket({
  pair: 'USD_ETH_PERP',
  base: 'ETH',
  quote: 'USD',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006' },
});
const NAMED = "--config 'my bots/live.yaml' --venue http://127.0.0.1:9 --pair USD_BTC_PERP";
const WAY_OUT = [
  `tickwright attach --plan ${NAMED} shows it`,
  `once the daemon is stopped, tickwright attach --accept ${NAMED} --by NAME --reason TEXT ends it`,
];
const ME = { by: 'a test', reason: 'to see' };
const markOf = (daemon: Daemon) => daemon.status().halted?.mark ?? NO_MARK;

function daemonOf(
  sessions: readonly SessionDouble[],
  rssBytes = () => 1,
  unblock?: (pair: string) => Promise<boolean>,
  startedWith: StartedWith = {},
  more: Partial<DaemonOptions> = {},
) {
  const time = new VirtualTime();
  const events: DaemonEvent[] = [];
  const errors: unknown[] = [];
  const daemon = new Daemon({
    clock: time.clock,
    timers: time.timers,
    log: { ...SILENT, error: (_, facts) => void errors.push(facts?.['what']) },
    mode: 'live',
    venue: 'http://127.0.0.1:1',
    version: '0',
    pid: 1,
    entries: sessions.map(({ entry }) => entry),
    gauge: () => ({ rssBytes: rssBytes(), heapBytes: 1 }),
    memoryCeilingBytes: 100,
    unblock,
    startedWith,
    ...more,
  });
  daemon.listen((event) => events.push(event));
  const start = () => time.until(daemon.start());
  return { time, daemon, events, errors, start };
}

describe('a daemon', () => {
  it('refuses two strategies on one pair, naming the pair', () => {
    expect(() => daemonOf([new SessionDouble(), new SessionDouble()])).toThrow(/two on USD_BTC_PERP/);
  });

  it('is starting, then running, then stopping', async () => {
    const session = new SessionDouble();
    const { daemon, start } = daemonOf([session]);
    expect(daemon.status().state).toBe('starting');
    await start();
    expect(daemon.status().state).toBe('running');
    daemon.stop('cancel', ME);
    expect(daemon.status().state).toBe('stopping');
    expect(await daemon.ending).toEqual({ kind: 'stop', level: 'cancel', ...ME });
    expect(await daemon.finish()).toEqual([]);
    expect(session.calls).toEqual(['open', 'stop cancel']);
  });

  it('says of a session that has begun what it awaits, until it is decided whether it may add risk', async () => {
    const session = new SessionDouble(BTC, { warmUp: true });
    const { daemon, start } = daemonOf([session]);
    const awaits = () => daemon.status().pairs[0]?.awaits;
    session.awaits = 'no poll of the trades was handled yet';
    expect(awaits()).toBeUndefined();
    await start();
    expect(awaits()).toBe('no poll of the trades was handled yet');
    session.awaits = 'no poll of the ticker was handled yet';
    session.live(1);
    // As on paper, where a ticker has no say.
    expect(awaits()).toBeUndefined();
    session.standing = { state: 'SYNCED', permission: 'reduce-only', reason: 'no ticker' };
    expect(awaits()).toBe('no poll of the ticker was handled yet');
    // Halted is what it is, and nothing is waited for.
    session.awaits = undefined;
    expect(awaits()).toBeUndefined();
  });

  it('lets the others add risk as soon as a pair that holds something has warmed up', async () => {
    const [alone, holding] = [new SessionDouble(), new SessionDouble(ETH, { warmUp: true })];
    holding.booked = 5 as Lots;
    const { start, time } = daemonOf([alone, holding]);
    await start();
    expect(alone.told.at(-2)).toMatch(/^block what USD_ETH_PERP holds is not known yet/);
    expect(alone.told).not.toContain('block nothing');
    holding.live(1);
    await time.advance(0);
    expect(alone.told.at(-1)).toBe('block nothing');
  });

  it('says what a strategy threw without secrets and without what would move a cursor', async () => {
    const session = new SessionDouble();
    const scrub = (text: string) => text.replaceAll('topsecret', '[redacted]');
    const { daemon, start, time, events } = daemonOf([session], undefined, undefined, undefined, { scrub });
    await start();
    session.fail(new Error(`\u001b[2Jno topsecret\u202e\n  at line 1\n${'x'.repeat(9_000)}`));
    await time.advance(10);
    const { failure } = daemon.status().pairs[0] ?? {};
    expect(failure).toMatch(/^\uFFFD\[2Jno \[redacted\]\uFFFD\n {2}at line 1\nx+…$/);
    expect(failure?.length).toBeLessThan(1_000);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'strategy-failed', reason: failure }));
    const said = JSON.stringify([daemon.status(), events]);
    expect(said).not.toContain('topsecret');
    expect(said).not.toContain('\\u001b');
    const late = new SessionDouble();
    late.refusals.push(new UsageError('TICKWRIGHT_E_X', '\u001btopsecret'), new Error('\u001btopsecret'));
    const other = daemonOf([late, new SessionDouble(ETH)], undefined, undefined, undefined, { scrub });
    await other.start().catch(() => undefined);
    await other.time.advance(3_000);
    expect(JSON.stringify([other.daemon.status(), other.events])).not.toMatch(/topsecret|\\u001b/);
  });

  it.each([
    1, 2,
  ])('counts a position that a failed strategy left at the newest mark, with %d pairs', async (pairs) => {
    const failed = new SessionDouble();
    const others = pairs === 1 ? [] : [new SessionDouble(ETH)];
    const { daemon, start, time, events } = daemonOf([failed, ...others]);
    await start();
    failed.trade(1, 60_000);
    failed.holds(1_000, 600_000);
    await time.advance(2_000);
    expect(daemon.status().pnl['USD']?.session).toMatch(/^0(\.0+)?$/);
    failed.fail(new Error('it throws'));
    failed.holding = { quote: 'USD', notional: 61_000, openOrders: 0, open: 0, mark: 61_000 };
    await time.advance(30_000);
    const { position, lastPrice, markPrice } = daemon.status().pairs[0] ?? {};
    expect([Number(lastPrice), Number(markPrice)]).toEqual([61_000, 61_000]);
    expect(Number(daemon.status().pnl['USD']?.session)).toBeCloseTo(1_000 * Number(position), 6);
    const equity = events.filter(({ kind }) => kind === 'equity').at(-1);
    expect(equity).toMatchObject({ equity: daemon.status().pnl['USD']?.session });
  });

  it('ends once: asked to be flat when it ends otherwise it says that it will not be', async () => {
    const { daemon, start } = daemonOf([new SessionDouble()]);
    await start();
    daemon.stop('cancel', ME);
    daemon.stop('cancel', { ...ME, by: 'somebody else' });
    await expect(daemon.flatten(ME)).rejects.toThrow(/must not be ending already/);
    expect(() => daemon.stop('flat', ME)).toThrow(/tickwright stop --flat/);
    expect(await daemon.ending).toEqual({ kind: 'stop', level: 'cancel', ...ME });
    const other = daemonOf([new SessionDouble()]);
    await other.start();
    await other.daemon.flatten(ME);
    await other.daemon.flatten({ ...ME, by: 'somebody else' });
    expect(await other.daemon.ending).toEqual({ kind: 'stop', level: 'flat', ...ME });
  });

  it('runs what had hung it again on resume, where nothing is halted too, and leaves alone what failed otherwise', async () => {
    const [hung, thrown] = [new SessionDouble(), new SessionDouble(ETH)];
    const asked: string[] = [];
    const { daemon, start, time } = daemonOf([hung, thrown], undefined, (pair) => {
      asked.push(pair);
      return Promise.resolve(true);
    });
    await start();
    await daemon.resume({ ...ME, mark: NO_MARK });
    expect(asked).toEqual([]);
    hung.fail(new StrategyBlocked('TICKWRIGHT_E_STRATEGY_BLOCKED', 'it hung the daemon'));
    thrown.fail(new Error('it throws'));
    await time.advance(10);
    expect(daemon.status().pairs.map(({ blocked }) => blocked)).toEqual([true, undefined]);
    await time.until(daemon.resume({ ...ME, mark: NO_MARK }));
    await time.advance(3_000);
    expect(asked).toEqual(['USD_BTC_PERP']);
    expect(daemon.status().pairs.map(({ running }) => running)).toEqual([true, false]);
    expect(daemon.status().pairs.map(({ blocked }) => blocked)).toEqual([undefined, undefined]);
    expect(hung.calls.filter((call) => call === 'open')).toHaveLength(2);
    expect(thrown.calls.filter((call) => call === 'open')).toHaveLength(1);
  });

  it('does not end a halt that came while a person was looking at a daemon without one', async () => {
    const { daemon, start } = daemonOf([new SessionDouble()]);
    await start();
    daemon.halt('pause', ME);
    await expect(daemon.resume({ ...ME, mark: NO_MARK })).rejects.toThrow(
      /what is latched, pause .*look again/,
    );
    expect(daemon.status().halted).toMatchObject({ level: 'pause' });
  });

  it('shows what is latched in a session behind its own halt, and does not end it unseen', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    second.halts = [{ level: 'flatten', reason: 'it hung', by: 'the sentinel' }];
    const { daemon, start } = daemonOf([first, second]);
    await start();
    const alone = markOf(daemon);
    await daemon.pause(ME);
    const { halted } = daemon.status();
    expect(halted).toMatchObject({ level: 'flatten' });
    expect(halted?.reason).toContain('it hung');
    expect(halted?.reason).toContain(ME.reason);
    await expect(daemon.resume({ ...ME, mark: alone })).rejects.toThrow(/look again/);
    expect(second.halts).toMatchObject([{ level: 'flatten' }, { level: 'pause', ...ME }]);
    await daemon.resume({ ...ME, mark: markOf(daemon) });
    expect(daemon.status().halted).toBeUndefined();
  });

  it('does not end a halt of the same level that came while a person was looking', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, start } = daemonOf([first, second]);
    await start();
    await daemon.pause(ME);
    const seen = markOf(daemon);
    second.halts = [...second.halts, { level: 'pause', reason: 'it was liquidated', by: 'liquidation' }];
    await expect(daemon.resume({ ...ME, mark: seen })).rejects.toThrow(/it was liquidated.*look again/);
    expect(daemon.status().halted?.level).toBe('pause');
  });

  it('keeps a halt of somebody else that is no stronger, and does not end it unseen', async () => {
    const session = new SessionDouble();
    const { daemon, start } = daemonOf([session]);
    await start();
    await daemon.pause({ by: 'xenia', reason: 'a chart' });
    const seen = markOf(daemon);
    await daemon.pause({ by: 'yuri', reason: 'a delisting' });
    await daemon.pause({ by: 'yuri', reason: 'a delisting' });
    expect(session.calls).toEqual(['open', 'halt pause a chart xenia', 'halt pause a delisting yuri']);
    await expect(daemon.resume({ ...ME, mark: seen })).rejects.toThrow(/a chart; a delisting.*look again/);
    await daemon.resume({ ...ME, mark: markOf(daemon) });
    expect(daemon.status().halted).toBeUndefined();
  });

  it('tells what a session is latched by from what somebody says in like words', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    second.halts = [{ level: 'pause', reason: 'it was liquidated', by: 'liquidation' }];
    const { daemon, start } = daemonOf([first, second]);
    await start();
    await daemon.pause({ by: 'anna', reason: 'it' });
    expect(daemon.status().halted).toMatchObject({
      level: 'pause',
      by: 'anna',
      reason: `it; ${ETH.pair}: it was liquidated`,
    });
  });

  it('keeps its halts where no session of a pair can write them down, until somebody resumes', async () => {
    const kept: (readonly Halt[])[] = [];
    const keepHalts = (halts: readonly Halt[]) => Promise.resolve(void kept.push(halts));
    const session = new SessionDouble();
    const { daemon, start, time } = daemonOf([session], undefined, undefined, {}, { keepHalts });
    await start();
    session.fail(new Error('boom'));
    await time.advance(10);
    await daemon.pause(ME);
    await daemon.cancelAll(ME);
    const halts = [
      { level: 'pause', ...ME },
      { level: 'cancel', ...ME },
    ] as const;
    expect(kept).toEqual([halts.slice(0, 1), halts]);
    expect(session.halts).toEqual([]);
    const mark = markOf(daemon);
    await daemon.finish();

    const repaired = new SessionDouble();
    const next = daemonOf([repaired], undefined, undefined, {}, { keepHalts, halts });
    await next.start();
    expect(repaired.halts).toEqual(halts);
    expect(next.daemon.status()).toMatchObject({ state: 'halted', halted: { level: 'cancel', mark } });
    await next.daemon.resume({ ...ME, mark });
    expect(repaired.halts).toEqual([]);
    expect(kept.at(-1)).toEqual([]);
  });

  it('resumes every session that can be resumed, and fails with what keeps one of them latched', async () => {
    const [stuck, other] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, events, start } = daemonOf([stuck, other]);
    await start();
    await daemon.pause(ME);
    stuck.failsToResume = new Error('the journal cannot be written');
    await expect(daemon.resume({ ...ME, mark: markOf(daemon) })).rejects.toThrow(
      'the journal cannot be written',
    );
    expect(stuck.halts).toHaveLength(1);
    expect(other.halts).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'resume' }));
  });

  it('is not resumed while a HALT file is there: it would be halted again a moment later', async () => {
    const session = new SessionDouble();
    let file: string | undefined = '/state/HALT must be gone';
    const keptHalted = () => Promise.resolve(file);
    const { daemon, start } = daemonOf([session], undefined, undefined, {}, { keptHalted });
    await start();
    await daemon.pause(ME);
    const refusal = daemon.resume({ ...ME, mark: markOf(daemon) });
    await expect(refusal).rejects.toThrow(UsageError);
    await expect(refusal).rejects.toThrow('/state/HALT must be gone');
    expect(daemon.status().state).toBe('paused');
    expect(session.calls.at(-1)).toMatch(/^halt/);
    file = undefined;
    await daemon.resume({ ...ME, mark: markOf(daemon) });
    expect(daemon.status().state).toBe('running');
  });

  it('says that a halt may be forgotten where it cannot be written down, and halts all the same', async () => {
    const session = new SessionDouble();
    const keepHalts = () => Promise.reject(new Error('the disk is full'));
    const { daemon, start, events } = daemonOf([session], undefined, undefined, {}, { keepHalts });
    await start();
    await daemon.pause(ME);
    expect(daemon.status().state).toBe('paused');
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'problem',
        severity: 'critical',
        text: expect.stringContaining('cannot be written down') as string,
      }),
    );
  });

  it('says so for as long as it is so', async () => {
    const session = new SessionDouble();
    let isFull = true;
    const keepHalts = () => (isFull ? Promise.reject(new Error('the disk is full')) : Promise.resolve());
    const { daemon, start } = daemonOf([session], undefined, undefined, {}, { keepHalts });
    await start();
    const unwritten =
      'what it is halted with cannot be written down, the next start may not know it: Error: the disk is full';
    expect(await daemon.pause(ME)).toEqual({ unwritten });
    expect(daemon.status().problems).toContain(unwritten);
    isFull = false;
    expect(await daemon.cancelAll(ME)).toEqual({ unwritten: undefined });
    expect(daemon.status().problems).not.toContain(unwritten);
  });

  it('says what its books hold while an engine warms up, and that it does', async () => {
    const session = new SessionDouble(undefined, { warmUp: true });
    session.booked = -25 as Lots;
    const { daemon, start } = daemonOf([session]);
    await start();
    expect(daemon.status().pairs[0]).toMatchObject({
      position: '-0.025',
      wanted: 'nothing yet: it warms up',
    });
    session.core.input({ kind: 'live', time: 1 });
    session.booked = undefined;
    expect(daemon.status().pairs[0]).toMatchObject({ position: '0', wanted: 'nothing yet' });
  });

  it('leaves orders where it is asked to, and says which', async () => {
    const session = new SessionDouble();
    session.leftOpen = ['17'];
    const { daemon, start } = daemonOf([session]);
    await start();
    expect(await daemon.finish('leave')).toEqual(['17']);
    expect(session.calls).toContain('stop leave');
  });

  it('tries a session again, later and later, while its venue does not answer', async () => {
    const session = new SessionDouble();
    session.refusals.push(new Error('no answer'), new Error('no answer'));
    const { daemon, time, start } = daemonOf([session]);
    await start();
    expect(daemon.status().pairs[0]).toMatchObject({
      running: false,
      reason: 'cannot start: Error: no answer',
    });
    await time.advance(1_000);
    expect(session.calls).toEqual([]);
    await time.advance(1_999);
    expect(session.calls).toEqual([]);
    await time.advance(1);
    expect(session.calls).toEqual(['open']);
    expect(daemon.status().state).toBe('running');
  });

  it('says what its journal has of a pair that has not reached the venue, and nothing before that is read', async () => {
    const session = new SessionDouble();
    session.refusals.push(new Error('no answer'));
    const journaled = () =>
      Promise.resolve({ pair: BTC.pair, position: '0.014', orders: ['7', '8'], inDoubt: ['s1-3'] });
    const { daemon, time, start } = daemonOf([], undefined, undefined, undefined, {
      entries: [{ ...session.entry, journaled }],
    });
    const pair = () => daemon.status().pairs[0];
    expect(JSON.stringify(pair())).not.toMatch(/"(position|doubt|source)":|"orders":\[/);
    await start();
    await time.advance(999);
    expect(pair()).toMatchObject({
      running: false,
      position: undefined,
      orders: undefined,
      doubt: undefined,
    });
    session.refusals.push(new Error('no answer'));
    await time.advance(2);
    expect(pair()).toMatchObject({ source: 'journal', position: '0.014', orders: ['7', '8'], doubt: 1 });
    await time.advance(5_000);
    expect(pair()).toMatchObject({ running: true, position: '0', orders: [], doubt: 0 });
    expect(pair()?.source).toBeUndefined();
    await daemon.finish();
  });

  it('does not start with what waiting does not mend', async () => {
    const session = new SessionDouble();
    session.refusals.push(new UsageError('TICKWRIGHT_E_PAIR', 'the pair must be one of A, received B'));
    const { start } = daemonOf([session]);
    await expect(start()).rejects.toThrow('the pair must be one of A, received B');
  });

  const damaged = () =>
    new JournalDamaged({ file: 'a.journal', offset: 1, sequence: 1, reason: 'a record is missing' });

  it('does not start where every journal is damaged: nobody knows what is at the venue', async () => {
    const sessions = [new SessionDouble(), new SessionDouble(ETH)];
    for (const session of sessions) session.refusals.push(damaged());
    await expect(daemonOf(sessions).start()).rejects.toThrow(JournalDamaged);
  });

  it('goes on without a pair whose journal is damaged, and begins it once somebody has restored that', async () => {
    const [broken, whole] = [new SessionDouble(), new SessionDouble(ETH)];
    broken.refusals.push(damaged());
    const { daemon, start, time } = daemonOf([broken, whole]);
    await start();
    expect(daemon.status().pairs).toMatchObject([
      { running: false, reason: expect.stringContaining('a record is missing') as string },
      { running: true },
    ]);
    // Waiting mends nothing: it has started as far as it can.
    expect(daemon.status().state).toBe('running');
    await time.advance(2_000);
    expect(daemon.status()).toMatchObject({
      state: 'running',
      pairs: [{ running: true }, { running: true }],
    });
  });

  it('stops a strategy that throws alone, and says so', async () => {
    const [bad, good] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, events, start, time } = daemonOf([bad, good]);
    await start();
    bad.fail(new Error('division by zero'));
    await time.advance(0);
    expect(bad.calls).toEqual(['open', 'stop cancel']);
    expect(good.calls).toEqual(['open']);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'strategy-failed', pair: 'USD_BTC_PERP', reason: 'division by zero' }),
    );
    expect(daemon.status().pairs).toMatchObject([
      { running: false, failure: 'division by zero' },
      { running: true, failure: undefined },
    ]);
    expect(daemon.status().problems).toContain('USD_BTC_PERP: the strategy is stopped: division by zero');
  });

  it('shows no order of a strategy that failed but those that are known at the venue', async () => {
    const wants = orders([{ side: 'buy', quantity: 1, price: 50_000 }]);
    const session = new SessionDouble(undefined, {
      limits: { ...NO_LIMITS, maxOpenOrders: 5 },
      create: () => ({ onTrade: () => wants }),
    });
    const { daemon, start, time } = daemonOf([session]);
    await start();
    session.trade(1, 60_000);
    const shown = () => daemon.status().pairs[0];
    expect(shown()).toMatchObject({ working: [{ side: 'buy', price: '50000' }], limits: [{ bound: '5' }] });
    session.fail(new Error('boom'));
    await time.advance(0);
    expect(shown()).toMatchObject({ orders: [], working: [], limits: [] });
  });

  it('wants nothing for a strategy that failed while it warmed up', async () => {
    const session = new SessionDouble(undefined, { warmUp: true });
    const { daemon, start, time } = daemonOf([session]);
    await start();
    session.fail(new Error('boom'));
    await time.advance(0);
    expect(daemon.status().pairs[0]).toMatchObject({ wanted: 'nothing: it is stopped', running: false });
  });

  it('says nothing of limits of the position before an engine knows it', async () => {
    const limits = {
      ...NO_LIMITS,
      maxPosition: 100 as Lots,
      maxOpenOrders: 5,
      maxGrossNotional: 100,
      maxLeverage: 2,
    };
    const session = new SessionDouble(undefined, { warmUp: true, limits });
    session.booked = 18 as Lots;
    const { daemon, start, time } = daemonOf([session]);
    await start();
    const rules = () => daemon.status().pairs[0]?.limits.map(({ rule }) => rule);
    expect(rules()).toEqual(['max-open-orders']);
    session.fail(new Error('boom'));
    await time.advance(0);
    // Nothing is asked of them any more.
    expect(rules()).toEqual([]);
    const live = new SessionDouble(undefined, { limits });
    const other = daemonOf([live]);
    await other.start();
    expect(other.daemon.status().pairs[0]?.limits).toHaveLength(4);
  });

  it('says at once why a pair that starts waits for a person, and what that person does', async () => {
    const session = new SessionDouble();
    const reason = 'fill 8427 is of no order of ours';
    session.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason };
    const { daemon, events, errors, time } = daemonOf([session], undefined, undefined, {
      config: 'my bots/live.yaml',
      venue: 'http://127.0.0.1:9',
    });
    const starting = daemon.start();
    expect(daemon.status().state).toBe('starting');
    await time.advance(1_000);
    const { state, pairs, problems } = daemon.status();
    expect(state).toBe('running');
    expect(pairs[0]).toMatchObject({ state: 'QUARANTINED', reason, running: false });
    expect(problems).toEqual([`USD_BTC_PERP is QUARANTINED: ${reason} → ${WAY_OUT.join('; ')}`]);
    await time.advance(5_000);
    expect(errors).toEqual(problems);
    expect(events.filter(({ kind }) => kind === 'pair-state')).toMatchObject([
      { pair: 'USD_BTC_PERP', state: 'QUARANTINED', reason, wayOut: WAY_OUT },
    ]);
    session.waits = undefined;
    session.arrive();
    await time.until(starting);
    expect(daemon.status()).toMatchObject({ state: 'running', problems: [], pairs: [{ state: 'SYNCED' }] });
  });

  it('says the same of a pair that comes to need a person while it runs', async () => {
    const session = new SessionDouble();
    const { start, time, errors, events } = daemonOf([session], undefined, undefined, {
      config: 'my bots/live.yaml',
      venue: 'http://127.0.0.1:9',
    });
    await start();
    await time.advance(1_000);
    session.standing = { state: 'QUARANTINED', permission: 'reduce-only', reason: 'a fill' };
    await time.advance(3_000);
    expect(errors).toEqual([`USD_BTC_PERP is QUARANTINED: a fill → ${WAY_OUT.join('; ')}`]);
    expect(events.filter(({ kind }) => kind === 'pair-state')).toMatchObject([
      { state: 'SYNCED' },
      { state: 'QUARANTINED', wayOut: WAY_OUT },
    ]);
  });

  it('no longer says what a start waited for once it has failed', async () => {
    const session = new SessionDouble();
    session.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    const { daemon, time } = daemonOf([session]);
    const starting = daemon.start();
    await time.advance(0);
    session.arrive(new Error('no answer'));
    await time.until(starting);
    expect(daemon.status().pairs[0]).toMatchObject({
      state: 'BOOT',
      reason: 'cannot start: Error: no answer',
    });
  });

  it('asks the venue what a pair holds that no live session tells of, and lets the others trade on', async () => {
    const [held, other] = [new SessionDouble(undefined, { warmUp: true }), new SessionDouble(ETH)];
    held.booked = 18 as Lots;
    const { start, time, daemon } = daemonOf([held, other]);
    await start();
    held.fail(new Error('boom'));
    await time.advance(2_000);
    const unknown =
      'what USD_BTC_PERP holds is not known yet, and it counts towards the limits of the account';
    expect(other.told).toContain('others 0 0 undefined');
    expect(other.told.filter((told) => told.startsWith('block'))).toEqual([`block ${unknown}`]);
    held.holding = { quote: 'USD', notional: 900, openOrders: 0, open: -15, mark: 50_000 };
    await time.advance(12_000);
    expect(other.told.slice(-2)).toEqual(['others 900 0 -15', 'block nothing']);
    held.holding = { ...held.holding, notional: 910, open: -5 };
    await time.advance(12_000);
    expect(other.told.at(-1)).toBe('others 910 0 -5');
    held.holding = undefined;
    await time.advance(60_000);
    expect(other.told.at(-1)).toBe('others 0 0 undefined');
    await time.until(daemon.finish());
  });

  it('goes by what a session knew last, not by what the venue said before it was live', async () => {
    const [late, other] = [new SessionDouble(undefined, { warmUp: true }), new SessionDouble(ETH)];
    late.booked = 1 as Lots;
    late.holding = { quote: 'USD', notional: 0, openOrders: 0, open: 0, mark: 50_000 };
    const { start, time, daemon } = daemonOf([late, other]);
    await start();
    // A warm-up so long that the venue was asked.
    await time.advance(7_000);
    expect(other.told.at(-1)).toBe('block nothing');
    late.holding = undefined;
    late.core.input({ kind: 'live', time: 1 });
    late.trade(2, 50_000);
    const terms = { side: 'buy', lots: 1_000 as Lots, ticks: 500_000 as Ticks, liquidity: 'taker' } as const;
    const fill = { id: 'f', orderId: 'f', time: 3, ...terms, fee: 0n };
    late.core.input({ kind: 'report', report: { kind: 'late-fill', intentId: undefined, fill, time: 3 } });
    await time.advance(1_500);
    expect(other.told.at(-1)).toBe('others 50000 0 0');
    late.fail(new Error('boom'));
    await time.advance(60_000);
    expect(other.told.at(-1)).toBe('others 50000 0 0');
    await time.until(daemon.finish());
  });

  it('alone on its account asks the venue nothing', async () => {
    const session = new SessionDouble(undefined, { warmUp: true });
    const entry = { ...session.entry, held: () => Promise.reject(new Error('asked')) };
    const asked: unknown[] = [];
    const log = { ...SILENT, warn: (what: string) => void asked.push(what) };
    const { start, time } = daemonOf([session], undefined, undefined, {}, { entries: [entry], log });
    await start();
    session.fail(new Error('boom'));
    await time.advance(30_000);
    expect([asked, session.told]).toEqual([[], []]);
  });

  it('says of a start that goes on what it waits for at the venue', async () => {
    const one = new SessionDouble();
    one.waits = { state: 'RECONCILING', permission: 'reduce-only', reason: 'order 7 is not accounted for' };
    const { daemon, time } = daemonOf([one]);
    const starting = daemon.start();
    await time.advance(2_000);
    const { state, pairs, problems } = daemon.status();
    const reason = 'starting: order 7 is not accounted for';
    expect(state).toBe('starting');
    expect(pairs).toMatchObject([
      { state: 'RECONCILING', permission: 'cancel-only', running: false, reason },
    ]);
    expect(problems).toEqual([expect.stringContaining(reason)]);
    one.waits = { ...one.waits, besides: 'the last look failed: no answer' };
    expect(daemon.status().pairs[0]?.reason).toBe(
      'starting: order 7 is not accounted for [the last look failed: no answer]',
    );
    one.arrive();
    await time.until(starting);
    expect(daemon.status()).toMatchObject({ state: 'running', problems: [] });
  });

  describe('of which one pair waits for a person', () => {
    const waiting = () => {
      const [one, other] = [new SessionDouble(), new SessionDouble(ETH)];
      one.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
      one.leftOpen = ['17'];
      return { one, other, ...daemonOf([one, other]) };
    };

    it('has started with the others, and goes on where the person has looked', async () => {
      const { one, other, daemon, time } = waiting();
      await time.until(daemon.start(), 2_000);
      expect(other.calls).toEqual(['open']);
      expect(daemon.status()).toMatchObject({
        state: 'running',
        pairs: [{ running: false }, { running: true }],
      });
      one.arrive();
      await time.advance(1_000);
      expect(daemon.status().state).toBe('running');
    });

    it('goes on with the others where its start turns out to be impossible after all', async () => {
      const { one, other, daemon, events, time } = waiting();
      await time.until(daemon.start(), 2_000);
      one.arrive(new UsageError('TICKWRIGHT_E_TEST', 'no such market'));
      await time.advance(5_000);
      expect(daemon.status().pairs).toMatchObject([
        { running: false, failure: 'no such market' },
        { running: true, failure: undefined },
      ]);
      expect(events).toContainEqual(
        expect.objectContaining({ kind: 'strategy-failed', reason: 'no such market' }),
      );
      expect(other.calls).toEqual(['open']);
      expect(one.calls).toEqual(['open']);
    });

    it('ends when it is asked to, with what may be left of the pair that was not begun', async () => {
      const { one, other, daemon, time } = waiting();
      await time.until(daemon.start(), 2_000);
      daemon.stop('cancel', ME);
      expect(await daemon.ending).toMatchObject({ kind: 'stop', level: 'cancel' });
      expect(await time.until(daemon.finish('cancel'))).toEqual(['17']);
      expect(one.calls).toEqual(['open', 'abandon cancel']);
      expect(other.calls).toEqual(['open', 'stop cancel']);
      await time.advance(3_600_000);
      expect(one.calls).toEqual(['open', 'abandon cancel']);
    });

    it('leaves its orders where that is asked for', async () => {
      const { one, daemon, time } = waiting();
      const starting = daemon.start();
      await time.advance(0);
      expect(await time.until(daemon.finish('leave'))).toEqual(['17']);
      await time.until(starting);
      expect(one.calls).toEqual(['open', 'abandon leave']);
    });

    it('does not begin to wait once it ends', async () => {
      const { one, daemon, time } = waiting();
      one.connected = time.sleep(1_000);
      const starting = daemon.start();
      await time.advance(500);
      const end = daemon.finish();
      expect(one.calls).toEqual(['open']);
      expect(await time.until(end)).toEqual(['17']);
      await time.until(starting);
      expect(one.calls).toEqual(['open', 'abandon cancel']);
    });
  });

  it('halts every session, and resumes only what is named', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, start } = daemonOf([first, second]);
    await start();
    await daemon.pause(ME);
    expect(daemon.status()).toMatchObject({ state: 'paused', halted: { level: 'pause', ...ME } });
    const paused = markOf(daemon);
    await daemon.cancelAll(ME);
    expect(daemon.status().state).toBe('halted');
    // Weaker than what holds: nothing becomes weaker by it.
    await daemon.pause(ME);
    expect(first.calls).toEqual(['open', 'halt pause to see a test', 'halt cancel to see a test']);
    expect(second.calls).toEqual(first.calls);
    await expect(daemon.resume({ ...ME, mark: paused })).rejects.toThrow(
      /what is latched, cancel .*look again/,
    );
    await daemon.resume({ ...ME, mark: markOf(daemon) });
    expect(daemon.status()).toMatchObject({ state: 'running', halted: undefined });
    expect(second.calls.at(-1)).toBe('resume to see a test');
  });

  it('goes on where one pair of several is halted, says who does, and is halted once each of them is', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, start } = daemonOf([first, second]);
    await start();
    first.halts = [{ level: 'cancel', reason: 'too far', by: 'HALT file' }];
    const one = daemon.status();
    expect(one).toMatchObject({ state: 'running', halted: { level: 'cancel' } });
    expect(one.problems).toEqual([
      'halted (cancel) by HALT file: USD_BTC_PERP: too far; not halted: USD_ETH_PERP',
    ]);
    expect(daemon.ownHalt).toBeUndefined();
    second.halts = [{ level: 'pause', reason: 'enough', by: 'max-drawdown' }];
    expect(daemon.status().state).toBe('halted');
    // Neither hides from the other what halts all of them.
    await daemon.pause(ME);
    expect(daemon.ownHalt).toBe('pause');
    expect(first.calls.at(-1)).toBe('halt pause to see a test');
    expect(second.calls.at(-1)).toBe('halt pause to see a test');
  });

  it('does not count a pair that has failed among those that go on', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, start, time } = daemonOf([first, second]);
    await start();
    first.halts = [{ level: 'pause', reason: 'enough', by: 'max-drawdown' }];
    second.fail(new Error('it threw'));
    await time.advance(1);
    expect(daemon.status().state).toBe('paused');
  });

  it('tells apart a pair that is halted with all others and one that is halted for itself', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, events, start, time } = daemonOf([first, second]);
    await start();
    await daemon.pause(ME);
    for (const each of [first, second])
      each.standing = { state: 'HALTED', permission: 'reduce-only', reason: 'halted: pause (to see)' };
    await time.advance(1_000);
    first.halts = [...first.halts, { level: 'pause', reason: 'enough', by: 'max-drawdown' }];
    first.standing = { ...first.standing, reason: 'halted: pause (to see; enough)' };
    await time.advance(1_000);
    const halted = events.filter((event) => event.kind === 'pair-state' && event.state === 'HALTED');
    expect(halted.map((event) => 'isAlone' in event && [event.pair, event.isAlone])).toEqual([
      false,
      false,
      ['USD_BTC_PERP', true],
    ]);
  });

  it('tells a session of what others have lost since its cash was read, by the time of their fills', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    first.cashAsOf = 10;
    const { daemon, start, time } = daemonOf([first, second]);
    await start();
    const begun = first.told.length;
    const told = () => first.told.slice(begun);
    // Heard of late, and in that cash already.
    second.pays(5, 300n);
    await time.advance(1_000);
    expect(told()).toEqual([]);
    second.pays(20, 400n);
    await time.advance(1_000);
    expect(told()).toHaveLength(1);
    expect(Number(told()[0]?.split(' ')[3])).toBeLessThan(0);
    expect(daemon.status().pairs).toHaveLength(2);
  });

  it('halts a session that starts after the halt', async () => {
    const session = new SessionDouble();
    session.refusals.push(new Error('no answer'));
    const { daemon, start, time } = daemonOf([session]);
    await start();
    await daemon.pause(ME);
    await time.advance(1_000);
    expect(session.calls).toEqual(['open', 'halt pause to see a test']);
  });

  it.each([
    ['weaker than the daemon', 'pause'],
    ['more than the daemon', 'stop'],
  ] as const)('a session that an earlier life left halted %s is halted by both', async (_, held) => {
    const session = new SessionDouble();
    session.refusals.push(new Error('no answer'));
    session.halts = [{ level: held, reason: 'before', by: 'an earlier life' }];
    const { daemon, start, time } = daemonOf([session]);
    await start();
    await daemon.cancelAll(ME);
    await time.advance(1_000);
    expect(session.calls).toEqual(['open', 'halt cancel to see a test']);
    expect(session.halts).toHaveLength(2);
  });

  it('says when a pair in order may add no risk, and why: a full disk is no healthy daemon', async () => {
    const session = new SessionDouble();
    const { daemon, events, start, time } = daemonOf([session]);
    await start();
    const reason = 'the disk must have 128 MiB free';
    const permit = { kind: 'permit', time: 1, permission: 'reduce-only', state: 'SYNCED', reason } as const;
    session.core.input(permit);
    await time.advance(1_000);
    expect(daemon.status().problems).toEqual([`USD_BTC_PERP: no order adds risk: ${reason}`]);
    expect(daemon.status().pairs[0]).toMatchObject({ state: 'SYNCED', permission: 'reduce-only', reason });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'pair-state', reason }));
  });

  it('says that no order leaves while the venue refuses the key', async () => {
    const session = new SessionDouble();
    const { daemon, start } = daemonOf([session]);
    await start();
    const reason = 'key or signature are refused: bad signature';
    for (const state of ['open', 'half-open'] as const) {
      session.orderBreaker = { state, reason };
      expect(daemon.status().problems).toEqual([`USD_BTC_PERP: orders wait: ${reason}`]);
    }
    session.orderBreaker = { state: 'closed', reason: undefined };
    expect(daemon.status().problems).toEqual([]);
  });

  it('says that the loss of the day has reached its bound, until the next day', async () => {
    const session = new SessionDouble(undefined, { limits: { ...NO_LIMITS, maxDailyLoss: 100 } });
    const { daemon, start } = daemonOf([session]);
    await start();
    session.trade(1_000, 50_000);
    expect(daemon.status().problems).toEqual([]);
    session.pays(2_000, 150n * 10n ** BigInt(BTC.quotePrecision));
    const text =
      'USD_BTC_PERP: no order adds risk before 1970-01-02: the loss of the day reached limits.maxDailyLoss';
    expect(daemon.status().problems).toEqual([text]);
    expect(daemon.status().pairs[0]).toMatchObject({ state: 'SYNCED', noRiskBefore: '1970-01-02' });
    session.trade(86_400_001, 50_000);
    expect(daemon.status().problems).toEqual([]);
  });

  it('says that a limit lets no order add risk for a while, why, and until when', async () => {
    const rejectPause = { rejected: 1, of: 2, forMs: 60_000 };
    const session = new SessionDouble(undefined, { limits: { ...NO_LIMITS, rejectPause } });
    const { daemon, start } = daemonOf([session]);
    await start();
    session.trade(1_000, 50_000);
    const { rejections } = session.core.risk;
    rejections.approved({ kind: 'place', intentId: 1 } as Approved);
    rejections.report({ kind: 'rejected', intentId: 1, reason: 'The timestamp is too old.', time: 1_000 });
    expect(daemon.status().problems).toEqual([
      'USD_BTC_PERP: the venue rejected 1 of the last 2 orders (The timestamp is too old.): no order adds risk before 1970-01-01 00:01:01 UTC',
    ]);
    session.trade(61_000, 50_000);
    expect(daemon.status().problems).toEqual([]);
  });

  it('counts the P&L since its start from what a position is worth when a session takes it over', async () => {
    const session = new SessionDouble(undefined, { warmUp: true });
    const { daemon, start } = daemonOf([session]);
    await start();
    const pnl = () => daemon.status().pnl['USD'];
    const held = { time: 1, lots: 1_000 as Lots, averageEntry: 50_000, liquidationPrice: undefined };
    session.core.input({ kind: 'position', position: held });
    session.trade(2, 49_985);
    expect(pnl()).toMatchObject({ session: '0' });
    session.core.input({ kind: 'live', time: 3 });
    expect(daemon.status().pairs[0]).toMatchObject({ position: '1' });
    expect(pnl()).toEqual({ today: '0', session: '0' });
    session.trade(4, 49_990);
    expect(pnl()).toEqual({ today: '5', session: '5' });
  });

  it('counts the P&L of a day from its journaled beginning, also after a restart', async () => {
    const limits = { ...NO_LIMITS, maxDailyLoss: 100 };
    const baseline = { day: '1970-01-01', equity: '1020', tripped: false };
    const session = new SessionDouble(undefined, { limits, baseline });
    const { daemon, start } = daemonOf([session]);
    await start();
    session.trade(1_000, 50_000);
    expect(daemon.status().pnl['USD']).toEqual({ today: '-20', session: '0' });
    session.pays(2_000, 5n * 10n ** BigInt(BTC.quotePrecision));
    expect(daemon.status().pnl['USD']).toEqual({ today: '-25', session: '-5' });
  });

  it('tells of somebody else on the account once for each change, and says so while it lasts', async () => {
    const session = new SessionDouble();
    const { daemon, events, start, time } = daemonOf([session]);
    await start();
    session.foreign = { orders: ['7', '8', '9', '10'], fills: 2 };
    await time.advance(3_000);
    const text = 'USD_BTC_PERP: somebody else trades on the account: 4 orders (7, 8, 9, …) and 2 fills';
    const told = () => events.filter(({ kind }) => kind === 'problem');
    expect(told()).toMatchObject([{ severity: 'warning', text }]);
    expect(daemon.status().problems).toContain(text);
    session.foreign = { orders: [], fills: 0 };
    await time.advance(3_000);
    expect(told()).toHaveLength(1);
    expect(daemon.status().problems).not.toContain(text);
  });

  it('shows what is held once others traded it, and says that P&L and limits go on without that', async () => {
    const session = new SessionDouble();
    const { daemon, start } = daemonOf([session]);
    await start();
    session.holds(20, 500_000);
    session.booked = 20 as Lots;
    const counted = 'USD_BTC_PERP: P&L and limits count 0.02, and 0 is held: others traded';
    expect(daemon.status().pairs[0]).toMatchObject({ position: '0.02', averageEntry: '50000.0' });
    expect(daemon.status().problems).not.toContain(counted);
    session.booked = 0 as Lots;
    expect(daemon.status().pairs[0]).toMatchObject({
      position: '0',
      ownPosition: '0.02',
      averageEntry: undefined,
    });
    expect(daemon.status().problems).toContain(counted);
  });

  it('blames nobody for a position that own fills made after the strategy had stopped', async () => {
    const session = new SessionDouble();
    const { daemon, start, time } = daemonOf([session, new SessionDouble(ETH)]);
    await start();
    session.holds(20, 500_000);
    session.fail(new Error('boom'));
    await time.advance(0);
    session.booked = 15_000 as Lots;
    const { pairs, problems } = daemon.status();
    expect(pairs[0]).toMatchObject({ running: false, position: '15', ownPosition: '0.02' });
    expect(problems).toContain(
      'USD_BTC_PERP: P&L counts 0.02, and 15 is held: the strategy was not told of the fills between',
    );
    expect(problems.join()).not.toContain('others traded');
  });

  it('tells what the ledger of any pair finds, also where the first strategy has failed, and which money none watches', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    const { daemon, start, time } = daemonOf([first, second]);
    await start();
    const ledger = { isOpen: true, cuts: 1, cutTime: 1, suspense: [], unlisted: [], failure: undefined };
    const suspense = [{ asset: 'USD', amount: '500' }];
    first.ledger = ledger;
    second.ledger = { ...ledger, suspense, unlisted: ['XYZ'], failure: 'no balances today' };
    expect(daemon.status().suspense).toEqual(suspense);
    expect(daemon.status().problems).toEqual([
      'the venue shows XYZ and does not list it: that money is not watched',
      'the money of the account is not watched: no balances today',
    ]);
    first.fail(new Error('a bug'));
    await time.advance(1_000);
    expect(daemon.status().suspense).toEqual(suspense);
  });

  it('tells each change of a pair once, and silence of all feeds as a venue that cannot be reached', async () => {
    const session = new SessionDouble();
    const { daemon, events, start, time } = daemonOf([session]);
    await start();
    session.trade(time.clock.wall(), 100);
    await time.advance(3_000);
    session.standing = { state: 'SUSPECT', permission: 'reduce-only', reason: 'an order in doubt' };
    await time.advance(3_000);
    // What a look failed at is seen, and is no change of the pair.
    session.standing = { ...session.standing, besides: 'the last look failed: no answer' };
    await time.advance(1_000);
    expect(daemon.status().pairs[0]).toMatchObject({
      reason: 'an order in doubt [the last look failed: no answer]',
    });
    expect(daemon.status().pairs[0]).not.toHaveProperty('besides');
    expect(events.filter(({ kind }) => kind === 'pair-state')).toMatchObject([
      { state: 'SYNCED' },
      { state: 'SUSPECT', reason: 'an order in doubt' },
    ]);
    await time.advance(25_000);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'venue', reachable: false }));
    session.trade(time.clock.wall(), 100);
    await time.advance(1_000);
    expect(events.at(-1)).toMatchObject({ kind: 'venue', reachable: true });
    expect(events.filter(({ kind }) => kind === 'venue')).toHaveLength(2);
  });

  it('takes rare polls for no silence', async () => {
    const session = new SessionDouble();
    const entries = [{ ...session.entry, pollMs: 45_000 }];
    const { daemon, events, start, time } = daemonOf([session], undefined, undefined, {}, { entries });
    await start();
    session.trade(time.clock.wall(), 100);
    await time.advance(175_000);
    expect(events.filter(({ kind }) => kind === 'venue')).toEqual([]);
    expect(daemon.status().problems).toEqual([]);
    await time.advance(10_000);
    expect(events.filter(({ kind }) => kind === 'venue')).toMatchObject([
      { reachable: false, reason: 'no poll was answered for 180 s' },
    ]);
    expect(daemon.status().problems).toEqual(['USD_BTC_PERP: no poll was answered for 185 s']);
  });

  it('ends in order when its memory reaches the ceiling', async () => {
    let rss = 100;
    const { daemon, start, time } = daemonOf([new SessionDouble()], () => rss);
    await start();
    await time.advance(5_000);
    expect(daemon.status().state).toBe('running');
    rss = 101;
    await time.advance(1_000);
    expect(await daemon.ending).toEqual({
      kind: 'recycle',
      reason: 'resident memory must be at most 100 bytes, received 101',
    });
  });

  it('names no ceiling where there is none, as in a session that is only shown', async () => {
    const more = { memoryCeilingBytes: Number.POSITIVE_INFINITY };
    const { daemon, start } = daemonOf([new SessionDouble()], undefined, undefined, {}, more);
    await start();
    expect(Object.keys(daemon.status().memory)).toEqual(['rssBytes', 'heapBytes']);
    expect(daemon.status().problems).toEqual([]);
  });

  it('keeps candles of what its feed saw', async () => {
    const session = new SessionDouble();
    const { daemon, start } = daemonOf([session]);
    await start();
    for (const [time, price, quantity] of [
      [60_000, 10, 1],
      [61_000, 12, 2],
      [119_999, 9, 1],
      [120_000, 11, 5],
    ] as const) {
      session.trade(time, price, quantity);
    }
    expect(daemon.candles('USD_BTC_PERP', 10)).toEqual([
      { time: 60_000, open: 10, high: 12, low: 9, close: 9, volume: 4 },
      { time: 120_000, open: 11, high: 11, low: 11, close: 11, volume: 5 },
    ]);
    expect(() => daemon.candles('NO_PAIR', 1)).toThrow(/must be one of USD_BTC_PERP, received "NO_PAIR"/);
  });
});
