/** A strategy in the place of a running one: it runs, or the one before does. */
import { describe, expect, it } from 'vitest';
import { Daemon } from '../../src/daemon/daemon.js';
import type { ChangeRequest, DaemonEvent } from '../../src/daemon/daemon-api.js';
import { DayPnl } from '../../src/daemon/day-pnl.js';
import type { DaemonEntry } from '../../src/daemon/daemon-entry.js';
import { changeText } from '../../src/daemon/strategy-change.js';
import { UsageError } from '../../src/model/errors.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { SILENT } from '../../src/ports/log.js';
import { defineMarket } from '../../src/model/market.js';
import { BTC } from '../support/markets.js';
import { BTC_SPEC } from '../simulation/world/desk.js';
import { VirtualTime } from '../support/virtual-time.js';
import { SessionDouble } from './session-double.js';

const ME: ChangeRequest = { by: 'a test', reason: 'to see', uncertified: false };
const PAIR = 'USD_BTC_PERP';
/** In units. */
const USD = 10n ** BigInt(BTC.quotePrecision);

async function running(...given: Parameters<typeof beginning>) {
  const { started: _, starting, ...desk } = beginning(...given);
  // A start that waits for a person is known for one at the first look.
  await desk.time.until(starting, 2_000);
  return desk;
}

/** A daemon whose start is under way. */
function beginning(
  old = new SessionDouble(),
  next = new SessionDouble(),
  beside: readonly SessionDouble[] = [],
  mode: 'paper' | 'live' = 'live',
) {
  const time = new VirtualTime();
  const events: DaemonEvent[] = [];
  /** By the name of the strategy, with what each session had been asked by then. */
  const replaced: (readonly [string, readonly string[]])[] = [];
  const asked: unknown[] = [];
  const logged: string[] = [];
  const failures: string[] = [];
  /** What looking at a change waits for. */
  const changing: { until: Promise<unknown> } = { until: Promise.resolve() };
  const other: DaemonEntry = {
    ...next.entry,
    params: { size: '2' },
    sha256: 'b'.repeat(64),
    strategy: 'other',
  };
  const daemon = new Daemon({
    clock: time.clock,
    timers: time.timers,
    log: { ...SILENT, warn: (message) => logged.push(message), error: (message) => failures.push(message) },
    mode,
    venue: 'http://127.0.0.1:1',
    version: '0',
    pid: 1,
    entries: [old, ...beside].map(({ entry }) => entry),
    gauge: () => ({ rssBytes: 1, heapBytes: 1 }),
    memoryCeilingBytes: 100,
    async change(entry, change, request) {
      asked.push([entry.strategy, change, request]);
      await changing.until;
      return { ...other };
    },
    onReplaced: ({ strategy }) => replaced.push([strategy, [...next.calls]]),
  });
  daemon.listen((event) => events.push(event));
  let isStarted = false;
  const starting = daemon.start().then(() => {
    isStarted = true;
  });
  const set = () => time.until(daemon.set(PAIR, { size: '2' }, ME));
  const strategy = () => daemon.status().pairs[0]?.strategy;
  return {
    time,
    daemon,
    old,
    next,
    set,
    events,
    replaced,
    asked,
    strategy,
    logged,
    failures,
    changing,
    starting,
    started: () => isStarted,
  };
}

describe('other parameters', () => {
  it('stop the session in order before the new one begins, and say what changed', async () => {
    const { old, next, set, daemon, replaced, asked, strategy } = await running();
    expect(await set()).toEqual({
      done: `${PAIR}: strategy scripted aaaaaaaaaaaa -> other bbbbbbbbbbbb, size 1 -> 2`,
    });
    expect(asked).toEqual([['scripted', { params: { size: '2' } }, ME]]);
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
    expect(next.calls).toEqual(['open']);
    expect(strategy()).toBe('other');
    expect(daemon.status()).toMatchObject({
      state: 'running',
      pairs: [{ running: true, params: { size: '2' } }],
    });
    expect(replaced).toEqual([['other', []]]);
    await daemon.finish('leave');
    expect(next.calls).toEqual(['open', 'stop leave']);
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
  });

  it('leave what the account has lost as it is, for the new session and for the others', async () => {
    const market = defineMarket({ ...BTC_SPEC, pair: 'USD_ETH_PERP', base: 'ETH' });
    const beside = new SessionDouble(market);
    const { old, next, set, time } = await running(new SessionDouble(), new SessionDouble(), [beside]);
    const lossTold = ({ told }: SessionDouble) =>
      told.flatMap((call) => (call.startsWith('others') ? Number(call.split(' ')[3]) : [])).at(-1) ?? 0;
    old.pays(1, 90n * USD);
    beside.pays(1, 60n * USD);
    await time.advance(1_000);
    expect([lossTold(beside), lossTold(old)]).toEqual([-90, -60]);
    await set();
    expect([lossTold(beside), lossTold(next)]).toEqual([-90, 0]);
    next.pays(2, 1n * USD);
    beside.pays(2, 2n * USD);
    await time.advance(1_000);
    expect([lossTold(beside), lossTold(next)]).toEqual([-91, -2]);
  });

  it('tell the new session from which equities the others in its asset count, and of the highest those that run', async () => {
    const on = (base: string, quote = 'USD') =>
      new SessionDouble(defineMarket({ ...BTC_SPEC, pair: `${quote}_${base}_PERP`, base, quote }));
    const [runs, ended, euro] = [on('ETH'), on('SOL'), on('ETH', 'EUR')];
    const { old, next, set, time } = await running(new SessionDouble(), new SessionDouble(), [
      runs,
      ended,
      euro,
    ]);
    const memory = { peak: '11000', fell: false, losses: 0, pausedUntil: 0 };
    const day = { day: '2026-01-02', equity: '10000', tripped: false };
    for (const each of [old, runs, ended, euro]) each.noted = { ...day, memory };
    ended.fail(new Error('it throws'));
    await time.advance(1_000);
    await set();
    expect(next.heard).toEqual({ baselines: [{ ...day, memory }, day], isResumed: false });
  });

  it('count the funding that another pair pays after its newest fill and after the cash was read', async () => {
    const beside = new SessionDouble(defineMarket({ ...BTC_SPEC, pair: 'USD_ETH_PERP', base: 'ETH' }));
    const { next, set, time } = await running(new SessionDouble(), new SessionDouble(), [beside]);
    beside.pays(1, 60n * USD);
    beside.trade(1, 1);
    beside.holds(10, 10);
    next.cashAsOf = 2;
    await set();
    beside.funded(3, 10, -4);
    await time.advance(1_000);
    expect(next.told.at(-1)).toBe('others 0.01 0 -4');
  });

  it('add up to one P&L, whatever the units of money that each session and each pair counts in', async () => {
    const finer = defineMarket({ ...BTC_SPEC, quotePrecision: 12 });
    const other = defineMarket({ ...BTC_SPEC, pair: 'USD_ETH_PERP', base: 'ETH', quotePrecision: 10 });
    const beside = new SessionDouble(other);
    const { old, next, set, daemon } = await running(new SessionDouble(), new SessionDouble(finer), [beside]);
    old.pays(1, 90n * USD);
    beside.pays(1, 4n * 10n ** 10n);
    expect(daemon.status().pnl).toEqual({ USD: { today: '-94', session: '-94' } });
    await set();
    next.pays(2, 10n ** 12n);
    expect(daemon.status().pnl).toEqual({ USD: { today: '-95', session: '-95' } });
  });

  it('add up to one count of what was done on the pair, also while no session runs there', async () => {
    const { daemon, old, next, time } = await running();
    const fills = () => daemon.status().pairs[0]?.counts.fills;
    old.pays(1_000, 1n);
    expect(fills()).toBe(2);
    let connect: () => void = () => undefined;
    next.connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const changed = daemon.set(PAIR, { size: '2' }, ME);
    await time.advance(1_000);
    expect([next.calls, daemon.status().pairs[0]?.running, fills()]).toEqual([['open'], false, 2]);
    connect();
    await time.until(changed);
    expect(fills()).toBe(2);
    next.pays(2_000, 1n);
    expect(fills()).toBe(4);
  });

  it('begin as halted as the daemon is', async () => {
    const { next, set, daemon } = await running();
    await daemon.pause(ME);
    await set();
    expect(next.calls).toEqual(['open', 'halt pause to see a test']);
  });

  it('are refused where a person has to look first', async () => {
    const old = new SessionDouble();
    old.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    const { set, daemon, time } = await running(old, new SessionDouble());
    await expect(set()).rejects.toThrow(
      'USD_BTC_PERP must not wait for a person, received QUARANTINED: a fill',
    );
    expect(old.calls).toEqual(['open']);
    expect(daemon.unbegun).toEqual([PAIR]);
    expect(await time.until(daemon.finish())).toEqual([]);
    expect(old.calls).toEqual(['open', 'abandon cancel']);
    expect(daemon.unbegun).toEqual([]);
  });

  it('end a start that is under way, also when it says only later that it would wait', async () => {
    const old = new SessionDouble();
    old.refusals.push(new Error('no answer'));
    const { next, set, time } = await running(old, new SessionDouble());
    let connect: () => void = () => undefined;
    old.connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    old.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    await time.advance(1_500);
    expect(old.calls).toEqual(['open']);
    const asked = set();
    await time.advance(1_000);
    expect(next.calls).toEqual([]);
    connect();
    await asked;
    expect(old.calls).toEqual(['open', 'abandon keep-stops']);
    expect(next.calls).toEqual(['open']);
  });

  it('begin what a start is waited for: it is over when they are', async () => {
    const next = new SessionDouble();
    let connect: () => void = () => undefined;
    next.connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const old = new SessionDouble();
    old.waits = { state: 'RECONCILING', permission: 'cancel-only', reason: 'no answer' };
    const { time, daemon, started } = beginning(old, next);
    const set = daemon.set(PAIR, { size: '2' }, ME);
    await time.advance(1_000);
    expect(old.calls).toEqual(['open', 'abandon keep-stops']);
    expect(next.calls).toEqual(['open']);
    expect(started()).toBe(false);
    connect();
    await time.until(set);
    await time.advance(1);
    expect(started()).toBe(true);
  });

  it('take the place of a first start that is refused meanwhile: the daemon starts with them', async () => {
    const old = new SessionDouble();
    let refuse: (why: Error) => void = () => undefined;
    old.connected = new Promise<void>((_, reject) => {
      refuse = reject;
    });
    const { next, time, daemon, starting, strategy } = beginning(old);
    const started = starting.then(
      () => 'started',
      (error: unknown) => String(error),
    );
    const set = daemon.set(PAIR, { size: '2' }, ME);
    await time.advance(1_000);
    refuse(new UsageError('TICKWRIGHT_E_TEST', 'size must be another one'));
    await time.until(set);
    expect(await started).toBe('started');
    expect(next.calls).toEqual(['open']);
    expect(strategy()).toBe('other');
    expect(daemon.status().pairs[0]?.failure).toBeUndefined();
  });

  it('that come to wait for a person themselves stand, and keep nobody waiting', async () => {
    const next = new SessionDouble();
    next.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    const { set, daemon, time, strategy } = await running(new SessionDouble(), next);
    await set();
    expect(strategy()).toBe('other');
    expect(daemon.status().pairs[0]).toMatchObject({ state: 'QUARANTINED', running: false });
    next.arrive();
    await time.advance(1_000);
    expect(daemon.status().pairs[0]).toMatchObject({ running: true });
    await time.until(daemon.finish());
    expect(next.calls).toEqual(['open', 'stop cancel']);
  });

  it('are refused for a pair that nobody runs, twice at once, and while the daemon ends', async () => {
    const { daemon, set, time } = await running();
    await expect(daemon.set('USD_ETH_PERP', {}, ME)).rejects.toThrow(/must be one of USD_BTC_PERP/);
    const first = set();
    await expect(daemon.set(PAIR, {}, ME)).rejects.toThrow(/being replaced already/);
    await first;
    daemon.stop('cancel', ME);
    await expect(daemon.set(PAIR, {}, ME)).rejects.toThrow(/cannot be changed now/);
    await time.until(daemon.finish());
  });
});

describe('a change that is refused', () => {
  const REPLACED = 'a strategy is replaced';

  it('while another one is under way is not logged as one that is done', async () => {
    const { daemon, set, logged } = await running();
    const first = set();
    await expect(daemon.set(PAIR, { size: '3' }, ME)).rejects.toThrow(/being replaced already/);
    await first;
    expect(logged.filter((message) => message === REPLACED)).toHaveLength(1);
  });

  it('is one of what no longer runs: it would undo what was changed meanwhile', async () => {
    const { daemon, set, time, logged, changing, replaced } = await running();
    let look = (): void => undefined;
    changing.until = new Promise<void>((resolve) => {
      look = resolve;
    });
    const late = daemon.set(PAIR, { size: '3' }, ME);
    changing.until = Promise.resolve();
    await set();
    look();
    await expect(time.until(late)).rejects.toThrow(
      /must stay the same until it is changed, received .*size 1 -> 2/,
    );
    expect(logged.filter((message) => message === REPLACED)).toHaveLength(1);
    expect(replaced).toHaveLength(1);
  });
});

/** A promise that a test resolves. */
function latched() {
  let tell: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { until, tell: () => tell() };
}

describe('a replacement that fails', () => {
  it('while the one before is put back gives way to that, not to what had failed', async () => {
    const { old, next, set, strategy, time } = await running();
    await set();
    old.connected = new Promise<void>((resolve) => setImmediate(resolve));
    next.fail(new Error('thrown'));
    next.refusals.push(new Error('cannot be'));
    await expect(set()).rejects.toThrow('the one before runs again, because: cannot be');
    await time.advance(1_000);
    expect(strategy()).toBe('scripted');
    expect(old.calls.at(-1)).toBe('open');
    expect(next.calls).toEqual(['open', 'stop keep-stops']);
  });

  it('is followed by another one, also where the one put back throws as soon as it has begun', async () => {
    const { old, next, set, strategy, time, daemon } = await running();
    await set();
    old.connected = new Promise<void>((resolve) => setImmediate(resolve));
    old.failsAtOnce = new Error('threw at once');
    next.fail(new Error('thrown'));
    await set();
    expect(strategy()).toBe('other');
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open', 'abandon keep-stops', 'stop keep-stops']);
    expect(daemon.status().pairs[0]).toMatchObject({ running: true, failure: undefined });
    expect(await time.until(daemon.finish())).toEqual([]);
  });

  it('is followed by another one only when the start of the one put back is over, for whatever that waits', async () => {
    const { old, next, daemon, time } = await running();
    await time.until(daemon.set(PAIR, {}, ME));
    old.waits = { state: 'RECONCILING', permission: 'cancel-only', reason: 'no answer' };
    const canceled = latched();
    old.abandoned = canceled.until;
    next.fail(new Error('thrown'));
    await time.advance(0);
    const asked = daemon.set(PAIR, {}, ME);
    await time.advance(0);
    old.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    await time.advance(5_000);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open', 'abandon keep-stops']);
    expect(next.calls).toEqual(['open', 'stop keep-stops']);
    canceled.tell();
    await time.until(asked);
    expect(next.calls).toEqual(['open', 'stop keep-stops', 'open']);
  });

  it('keeps the end of the daemon waiting until the orders of a start that waits for a person are gone', async () => {
    const { next, daemon, time } = await running();
    next.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    next.leftOpen = ['17'];
    const canceled = latched();
    next.abandoned = canceled.until;
    const asked = daemon.set(PAIR, {}, ME).catch((error: unknown) => error);
    await time.advance(100);
    const finished = daemon.finish();
    let isOver = false;
    void finished.then(() => (isOver = true));
    await time.advance(5_000);
    expect([next.calls, isOver]).toEqual([['open', 'abandon cancel'], false]);
    canceled.tell();
    expect(await time.until(finished)).toEqual(['17']);
    expect(String(await asked)).toMatch(/must not end meanwhile, received the end of the daemon/);
  });

  it('at its start gives way to the one before, and whoever asked hears why', async () => {
    const next = new SessionDouble();
    next.refusals.push(new Error('cannot be'));
    const { old, set, strategy, daemon } = await running(new SessionDouble(), next);
    await expect(set()).rejects.toThrow('the one before runs again, because: cannot be');
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open']);
    expect(strategy()).toBe('scripted');
    expect(daemon.status().pairs[0]).toMatchObject({ running: true, failure: undefined });
  });

  it('before one that has to wait for a person keeps nobody waiting, and says so', async () => {
    const [old, next] = [new SessionDouble(), new SessionDouble()];
    const { daemon, set, time, strategy } = await running(old, next);
    next.refusals.push(new Error('no such venue'));
    old.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    await expect(set()).rejects.toThrow('the one before waits for a person (a fill), because: no such venue');
    expect(strategy()).toBe('scripted');
    expect(daemon.status().pairs[0]).toMatchObject({ state: 'QUARANTINED', running: false });
    await expect(set()).rejects.toThrow('must not wait for a person, received QUARANTINED: a fill');
    old.arrive();
    await time.advance(1_000);
    expect(daemon.status().pairs[0]).toMatchObject({ running: true });
    await time.until(daemon.finish());
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open', 'stop cancel']);
  });

  it('within a minute before one that has to wait for a person leaves a pair that can be ended', async () => {
    const [old, next] = [new SessionDouble(), new SessionDouble()];
    const { daemon, set, time } = await running(old, next);
    await set();
    old.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    next.fail(new Error('it is bad'));
    await time.advance(2_000);
    expect(daemon.status().pairs[0]).toMatchObject({ state: 'QUARANTINED', running: false });
    old.arrive(new UsageError('TICKWRIGHT_E_X', 'it is refused'));
    await time.advance(1_000);
    expect(daemon.status().pairs[0]).toMatchObject({ failure: 'it is refused', running: false });
    expect(await time.until(daemon.finish())).toEqual([]);
  });

  it('is named before its code runs, and so is the one that is put back: either may hang', async () => {
    const { old, next, set, time, replaced } = await running();
    await set();
    expect(replaced).toEqual([['other', []]]);
    await time.advance(50_000);
    next.fail(new Error('threw late'));
    await time.advance(1_000);
    expect(replaced).toEqual([
      ['other', []],
      ['scripted', ['open', 'stop keep-stops']],
    ]);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open']);
  });

  it('in its first moments gives way too', async () => {
    const next = new SessionDouble();
    const { old, set, strategy, time } = await running(new SessionDouble(), next);
    time.timers.after(500, () => next.fail(new Error('threw')));
    await expect(set()).rejects.toThrow('because: threw');
    await time.advance(1_000);
    expect(next.calls).toEqual(['open', 'stop keep-stops']);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open']);
    expect(strategy()).toBe('scripted');
  });

  it('within a minute gives way by itself, and it is told', async () => {
    const { old, next, set, strategy, time, events, failures } = await running();
    await set();
    await time.advance(50_000);
    next.fail(new Error('threw late'));
    await time.advance(1_000);
    expect(strategy()).toBe('scripted');
    expect(failures).toEqual(['a replacement failed: the strategy before it is started again']);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open']);
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'strategy-failed',
        reason: 'threw late; the one before is started again',
      }),
    );
  });

  it('after that is stopped alone, like any other; and can be replaced then', async () => {
    const { old, next, set, strategy, time, daemon } = await running();
    await set();
    await time.advance(61_000);
    next.fail(new Error('threw late'));
    await time.advance(1_000);
    expect(strategy()).toBe('other');
    expect(daemon.status().pairs[0]).toMatchObject({ running: false, failure: 'threw late' });
    expect(next.calls).toEqual(['open', 'stop cancel']);
    await set();
    expect(next.calls).toEqual(['open', 'stop cancel', 'open']);
    expect(daemon.status().pairs[0]).toMatchObject({ running: true, failure: undefined });
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
  });

  const refusal = new UsageError('TICKWRIGHT_E_MARKETS', 'the market is not listed any more');
  const told = (events: readonly DaemonEvent[]) =>
    events.flatMap((event) => (event.kind === 'strategy-failed' ? [event.reason] : []));

  it('at its start before one that is refused, too, leaves a pair that says why, and it is told', async () => {
    const { old, next, set, daemon, time, events } = await running();
    next.refusals.push(new Error('cannot be'));
    old.refusals.push(refusal);
    await expect(set()).rejects.toThrow(
      `nothing runs, because: cannot be; and the one before cannot start again: ${refusal.message}`,
    );
    await time.advance(3_600_000);
    const { message: failure } = refusal;
    expect(daemon.status().pairs[0]).toMatchObject({ running: false, failure, reason: failure });
    expect(told(events)).toEqual([failure]);
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
    await set();
    expect(daemon.status().pairs[0]).toMatchObject({ running: true, failure: undefined });
  });

  it('within a minute before one that is refused leaves a pair that says why, and it is told', async () => {
    const { old, next, set, daemon, time, events } = await running();
    await set();
    old.refusals.push(refusal);
    await time.advance(10_000);
    next.fail(new Error('threw late'));
    await time.advance(3_600_000);
    const { message: failure } = refusal;
    expect(daemon.status().pairs[0]).toMatchObject({ running: false, failure, reason: failure });
    expect(told(events)).toEqual(['threw late; the one before is started again', failure]);
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
  });

  it('before one that throws as soon as it is put back leaves a pair that says why, and it is told', async () => {
    const { old, next, set, daemon, time, events } = await running();
    next.refusals.push(new Error('cannot be'));
    old.failsAtOnce = new Error('threw at once');
    await expect(set()).rejects.toThrow(
      'nothing runs, because: cannot be; and the one before cannot start again: threw at once',
    );
    await time.advance(1_000);
    expect(daemon.status().pairs[0]).toMatchObject({ running: false, failure: 'threw at once' });
    expect(told(events)).toEqual(['threw at once']);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open', 'stop cancel']);
  });

  it('while the daemon ends, and before one that is refused, says that the daemon ends', async () => {
    const { old, next, daemon, time, events } = await running();
    next.refusals.push(new Error('cannot be'));
    let refuse: () => void = () => undefined;
    old.connected = new Promise<never>((_, reject) => {
      refuse = () => reject(refusal);
    });
    const asked = daemon.set(PAIR, {}, ME).catch((error: unknown) => error);
    await time.advance(100);
    const finished = daemon.finish('cancel');
    refuse();
    const [said] = await time.until(Promise.all([asked, finished]));
    expect(String(said)).toMatch(/must not end meanwhile, received the end of the daemon: cannot be$/);
    expect(told(events)).toEqual([refusal.message]);
  });

  it('while the daemon ends leaves nothing running', async () => {
    const next = new SessionDouble();
    const { old, daemon, time } = await running(new SessionDouble(), next);
    const set = daemon.set(PAIR, {}, ME).catch((error: unknown) => error);
    await time.advance(100);
    const finished = daemon.finish('cancel');
    next.fail(new Error('threw'));
    const [said] = await time.until(Promise.all([set, finished]));
    expect(String(said)).toMatch(/must not end meanwhile, received the end of the daemon: threw$/);
    expect(next.calls.filter((call) => call.startsWith('stop')).length).toBeGreaterThan(0);
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
  });

  it('leaves what the session before it could not cancel to the end of the daemon, until another one begins', async () => {
    const { old, daemon, time } = await running();
    old.leftOpen = ['17'];
    let tellCanceled = () => {};
    old.canceled = new Promise<void>((resolve) => {
      tellCanceled = resolve;
    });
    const asked = daemon.set(PAIR, {}, ME).catch((error: unknown) => error);
    await time.advance(100);
    const finished = daemon.finish('cancel');
    tellCanceled();
    const [, left] = await time.until(Promise.all([asked, finished]));
    expect(left).toEqual(['17']);

    const other = await running(new SessionDouble(), new SessionDouble());
    other.old.leftOpen = ['17'];
    other.next.refusals.push(new Error('no answer'));
    other.old.refusals.push(new Error('no answer'));
    await expect(other.set()).rejects.toThrow(
      'the one before is tried again (cannot start: Error: no answer), because: no answer',
    );
    expect(await other.time.until(other.daemon.finish())).toEqual(['17']);

    const begun = await running();
    begun.old.leftOpen = ['17'];
    await begun.set();
    expect(await begun.time.until(begun.daemon.finish())).toEqual([]);
  });

  it('because the one before cannot be stopped leaves a pair that says it is stopped, and why', async () => {
    const { old, next, set, daemon, time, events, strategy } = await running();
    old.canceled = Promise.reject(new Error('the journal is gone'));
    await expect(set()).rejects.toThrow('cannot be stopped in order: the journal is gone');
    const failure = 'it cannot be stopped in order: the journal is gone';
    expect(daemon.status().pairs[0]).toMatchObject({ running: false, failure });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'strategy-failed', reason: failure }));
    expect([strategy(), next.calls]).toEqual(['scripted', []]);
    expect(await time.until(daemon.finish())).toEqual([`${PAIR}: ${failure}`]);

    const again = await running();
    again.old.canceled = Promise.reject(new Error('the journal is gone'));
    await expect(again.set()).rejects.toThrow('the journal is gone');
    await again.set();
    expect(again.daemon.status().pairs[0]).toMatchObject({ running: true, failure: undefined });
  });

  it('because the daemon ends before it could begin is not called one that was made', async () => {
    const { old, next, daemon, time, replaced, strategy } = await running();
    let tellCanceled = () => {};
    old.canceled = new Promise<void>((resolve) => {
      tellCanceled = resolve;
    });
    const set = daemon.set(PAIR, {}, ME).catch((error: unknown) => error);
    await time.advance(100);
    const finished = daemon.finish('cancel');
    tellCanceled();
    const [said] = await time.until(Promise.all([set, finished]));
    expect(String(said)).toMatch(/must not end meanwhile, received the end of the daemon$/);
    expect(replaced).toEqual([]);
    expect(strategy()).toBe('scripted');
    expect(next.calls).toEqual([]);
  });
});

it('the P&L of a day on paper is that of all its sessions, also where the newest has a limit on its loss', async () => {
  const limits = { ...NO_LIMITS, maxDailyLoss: 6 };
  const { old, next, set, daemon, time } = await running(
    new SessionDouble(BTC, { limits }),
    new SessionDouble(BTC, { limits }),
    [],
    'paper',
  );
  old.trade(1_000, 50_000);
  old.pays(2_000, 4n * USD);
  await time.advance(1_000);
  await set();
  next.trade(3_000, 50_000);
  expect(daemon.status().pnl['USD']).toEqual({ today: '-4', session: '-4' });
});

it('the P&L of a day and in all goes on over sessions that count from anew', () => {
  const day = new DayPnl();
  const at = (total: bigint) => [day.today(1, day.inAll(total)), day.inAll(total)];
  expect(at(5n)).toEqual([5n, 5n]);
  // The next one holds the same position from the start on: it begins at 2, where the one before was at 7.
  day.carry(7n - 2n);
  expect(at(2n)).toEqual([7n, 7n]);
  expect(at(4n)).toEqual([9n, 9n]);
});

it('a change is said in words: code by its hash, parameters by name', () => {
  const one = { pair: 'A', strategy: 's', sha256: 'a'.repeat(64), params: { x: '1', y: '2' } };
  expect(changeText(one, one)).toBe('A: nothing is another');
  expect(changeText(one, { ...one, params: { x: '1', z: '3' } })).toBe('A: y 2 -> none, z none -> 3');
});

describe('a session whose market has changed', () => {
  it('begins anew with the same strategy, its orders canceled and its position kept', async () => {
    const { old, daemon, events, time, strategy } = await running();
    expect(daemon.markets).toEqual([BTC]);
    expect(daemon.renew(PAIR, 'the filters changed')).toBe(true);
    expect(daemon.renew(PAIR, 'once more')).toBe(false);
    await time.advance(3_000);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open']);
    expect(strategy()).toBe('scripted');
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'problem',
        pair: PAIR,
        text: `${PAIR}: the filters changed; its session begins anew`,
      }),
    );
  });

  it.each([
    'at once',
    'soon',
  ])('is stopped for good where its strategy fails then, since nothing was in its place before: %s', async (when) => {
    const { old, daemon, time } = await running();
    if (when === 'at once') old.failsAtOnce = new Error('a bug');
    daemon.renew(PAIR, 'the filters changed');
    await time.advance(5_000);
    if (when === 'soon') old.fail(new Error('a bug'));
    await time.advance(60_000);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open', 'stop cancel']);
    expect(daemon.status().pairs).toMatchObject([{ running: false, failure: 'a bug' }]);
  });

  it('is tried again where it cannot begin yet', async () => {
    const { old, daemon, time } = await running();
    old.refusals.push(new Error('no such venue'), new Error('no such venue'));
    daemon.renew(PAIR, 'the filters changed');
    await time.advance(60_000);
    expect(daemon.status().pairs).toMatchObject([{ running: true }]);
  });

  it('ends in order where the daemon ends meanwhile, which is no error', async () => {
    const old = new SessionDouble();
    const { daemon, time, failures } = await running(old);
    let canceled = () => {};
    old.canceled = new Promise((resolve) => {
      canceled = () => resolve(undefined);
    });
    expect(daemon.renew(PAIR, 'the filters changed')).toBe(true);
    await time.advance(1_000);
    daemon.stop('cancel', ME);
    const finished = daemon.finish('cancel');
    canceled();
    await time.until(finished);
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
    expect(failures).toEqual([]);
  });

  it('goes on where it is not certain what is at the venue, or the daemon ends', async () => {
    const { old, daemon } = await running();
    old.standing = { state: 'SUSPECT', permission: 'reduce-only', reason: 'a fill is missing' };
    expect(daemon.renew(PAIR, 'the filters changed')).toBe(false);
    old.standing = { state: 'SYNCED', permission: 'all', reason: 'agreed' };
    daemon.stop('cancel', ME);
    expect(daemon.renew(PAIR, 'the filters changed')).toBe(false);
    expect(old.calls).toEqual(['open']);
  });
});
