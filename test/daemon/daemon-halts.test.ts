import { describe, expect, it } from 'vitest';
import { NO_MARK } from '../../src/daemon/daemon-api.js';
import { StrategyBlocked, UsageError } from '../../src/model/errors.js';
import type { Halt } from '../../src/model/halt-level.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { orders } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';
import { SessionDouble } from './session-double.js';
import { daemonOf, ETH, markOf, ME } from './daemon-desk.js';

describe('a daemon that is halted or resumed', () => {
  it('runs what had hung it again on resume, where nothing is halted too, and leaves alone what failed otherwise', async () => {
    const [hung, thrown] = [new SessionDouble(), new SessionDouble(ETH)];
    const asked: string[] = [];
    const { daemon, start, time } = daemonOf([hung, thrown], {
      unblock(pair) {
        asked.push(pair);
        return Promise.resolve(true);
      },
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
    const { daemon, start, time } = daemonOf([session], { keepHalts });
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
    const next = daemonOf([repaired], { keepHalts, halts });
    await next.start();
    expect(repaired.halts).toEqual(halts);
    expect(next.daemon.status()).toMatchObject({ state: 'halted', halted: { level: 'cancel', mark } });
    await next.daemon.resume({ ...ME, mark });
    expect(repaired.halts).toEqual([]);
    expect(kept.at(-1)).toEqual([]);
  });

  /** A daemon that is paused on two pairs, the second without a session; what begins there finds the pause in its journal. */
  async function without(begin: (bad: SessionDouble) => void = (bad) => bad.fail(new Error('boom'))) {
    const [good, bad] = [new SessionDouble(), new SessionDouble(ETH)];
    const change = () => Promise.resolve({ ...bad.entry, params: { size: '2' } });
    const desk = daemonOf([good, bad], { change });
    await desk.start();
    await desk.daemon.pause(ME);
    begin(bad);
    await desk.time.advance(10);
    const set = () => desk.time.until(desk.daemon.set(ETH.pair, {}, { ...ME, uncertified: false }));
    const resume = () => desk.daemon.resume({ by: 'anna', reason: 'all well', mark: markOf(desk.daemon) });
    return { ...desk, good, bad, set, resume };
  }

  it('resumes a session that begins later from the halts that were resumed while none ran', async () => {
    const { good, bad, set, resume } = await without();
    await resume();
    expect([good.halts, bad.halts]).toEqual([[], [{ level: 'pause', ...ME }]]);
    await set();
    expect(bad.halts).toEqual([]);
    expect(bad.calls.filter((call) => call.startsWith('resume'))).toEqual(['resume all well anna']);
  });

  it('resumes a session whose start was under way, and one that is put in the place of a running one', async () => {
    let go = () => {};
    const starting = await without((bad) => {
      bad.connected = new Promise<void>((resolve) => {
        go = resolve;
      });
      bad.fail(new Error('boom'));
    });
    const set = starting.set();
    await starting.time.advance(10);
    await starting.resume();
    go();
    await set;
    expect(starting.bad.halts).toEqual([]);

    let stop = () => {};
    const replaced = await without((bad) => {
      bad.canceled = new Promise<void>((resolve) => {
        stop = resolve;
      });
    });
    const asked = replaced.set();
    await replaced.time.advance(10);
    // Its journal is closed by now.
    replaced.bad.resumes = 'in vain';
    await replaced.resume();
    replaced.bad.resumes = 'in time';
    stop();
    await asked;
    expect(replaced.bad.halts).toEqual([]);
  });

  it('leaves a session halted that begins later with a halt that nobody has seen, or that came after the resume', async () => {
    const unseen = await without();
    const own = { level: 'pause', reason: 'it was liquidated', by: 'liquidation' } as const;
    unseen.bad.halts = [...unseen.bad.halts, own];
    await unseen.resume();
    await unseen.set();
    expect(unseen.bad.halts).toEqual([{ level: 'pause', ...ME }, own]);

    const again = await without();
    await again.resume();
    await again.daemon.pause(ME);
    await again.set();
    expect(again.bad.halts).toEqual([{ level: 'pause', ...ME }]);
    expect(again.daemon.status().halted).toMatchObject({ level: 'pause' });
  });

  it('resumes what begins later once, so that a later halt in like words stays', async () => {
    const { bad, set, resume, time } = await without();
    await resume();
    await set();
    bad.fail(new Error('boom'));
    await time.advance(61_000);
    bad.halts = [{ level: 'pause', ...ME }];
    await set();
    expect(bad.halts).toEqual([{ level: 'pause', ...ME }]);
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
    const { daemon, start } = daemonOf([session], { keptHalted });
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
    const { daemon, start, events } = daemonOf([session], { keepHalts });
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
    const { daemon, start } = daemonOf([session], { keepHalts });
    await start();
    const unwritten =
      'what it is halted with cannot be written down, the next start may not know it: Error: the disk is full';
    expect(await daemon.pause(ME)).toEqual({ unwritten });
    expect(daemon.status().problems).toContain(unwritten);
    isFull = false;
    expect(await daemon.cancelAll(ME)).toEqual({ unwritten: undefined });
    expect(daemon.status().problems).not.toContain(unwritten);
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

  it('holds back a strategy that is swapped in after the account has lost too much, until the resume', async () => {
    const bids = () => ({ onTrade: () => orders([{ side: 'buy', price: 2_500, quantity: 0.01 }]) });
    const given = { limits: { ...NO_LIMITS, maxDrawdown: 400 }, create: bids };
    const [lost, thrown, mended] = [
      new SessionDouble(BTC, given),
      new SessionDouble(ETH, given),
      new SessionDouble(ETH, given),
    ];
    const { daemon, start, time } = daemonOf([lost, thrown], { change: () => Promise.resolve(mended.entry) });
    await start();
    thrown.fail(new Error('it throws'));
    await time.advance(1_000);
    lost.trade(1, 60_000);
    lost.pays(2, 500n * 10n ** BigInt(BTC.quotePrecision));
    await time.advance(1_000);
    const code = { file: 'mended.ts', sha256: 'b'.repeat(64) };
    await time.until(daemon.swap(ETH.pair, code, { ...ME, uncertified: true }), 10_000);
    mended.trade(3, 2_500);
    expect(mended.core.counts).toMatchObject({ orders: 0, refusals: 1 });
    expect(mended.core.reasons.refused).toMatchObject([{ reason: /400.*no more risk before/ }]);
    for (const each of [lost, mended])
      each.halts = [{ level: 'pause', reason: 'enough', by: 'max-drawdown' }];
    await daemon.resume({ ...ME, mark: markOf(daemon) });
    // What each is told of the other from now on brings nothing back.
    for (const each of [lost, mended]) each.pays(4, 1n);
    await time.advance(1_000);
    mended.trade(5, 2_500);
    expect(mended.core.counts.orders).toBeGreaterThan(0);
    expect([lost, mended].map(({ core }) => core.risk.drawdown?.tripped)).toEqual([false, false]);
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
      each.standing = { state: 'HALTED', permission: 'reduce-only', reason: 'pause: to see' };
    await time.advance(1_000);
    first.halts = [...first.halts, { level: 'pause', reason: 'enough', by: 'max-drawdown' }];
    first.standing = { ...first.standing, reason: 'pause: to see; enough' };
    await time.advance(1_000);
    const halted = events.filter((event) => event.kind === 'pair-state' && event.state === 'HALTED');
    expect(halted.map((event) => 'isAlone' in event && [event.pair, event.isAlone])).toEqual([
      false,
      false,
      ['USD_BTC_PERP', true],
    ]);
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
});
