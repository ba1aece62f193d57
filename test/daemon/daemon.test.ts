import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved } from '../../src/model/command.js';
import { UsageError } from '../../src/model/errors.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { orders } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';
import { SessionDouble } from './session-double.js';
import { daemonOf, ETH, ME } from './daemon-desk.js';

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

  it('says what a strategy threw without secrets and without what would move a cursor', async () => {
    const session = new SessionDouble();
    const scrub = (text: string) => text.replaceAll('topsecret', '[redacted]');
    const { daemon, start, time, events } = daemonOf([session], { scrub });
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
    const other = daemonOf([late, new SessionDouble(ETH)], { scrub });
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
    // What it could not do is not latched either: the next start would find it.
    expect(daemon.halted).toBeUndefined();
    expect(() => daemon.stop('flat', ME)).toThrow(/tickwright stop --flat/);
    expect(await daemon.ending).toEqual({ kind: 'stop', level: 'cancel', ...ME });
    const other = daemonOf([new SessionDouble()]);
    await other.start();
    await other.daemon.flatten(ME);
    await other.daemon.flatten({ ...ME, by: 'somebody else' });
    expect(await other.daemon.ending).toEqual({ kind: 'stop', level: 'flat', ...ME });
  });

  it('ends once: asked to leave its orders when it ends otherwise it says that it will not', async () => {
    const { daemon, start } = daemonOf([new SessionDouble()]);
    await start();
    daemon.stop('cancel', ME);
    expect(() => daemon.stop('leave', ME)).toThrow(
      /leave its orders at the venue must not be ending otherwise/,
    );
    expect(await daemon.ending).toEqual({ kind: 'stop', level: 'cancel', ...ME });
    const other = daemonOf([new SessionDouble()]);
    await other.start();
    other.daemon.stop('leave', ME);
    other.daemon.stop('leave', { ...ME, by: 'somebody else' });
    other.daemon.stop('cancel', ME);
    expect(await other.daemon.ending).toEqual({ kind: 'stop', level: 'leave', ...ME });
  });

  it('that is stopped to be flat is halted, so that no start trades before somebody has looked', async () => {
    const { daemon, start } = daemonOf([new SessionDouble()]);
    await start();
    daemon.stop('flat', ME);
    expect(daemon.halted).toMatchObject({ level: 'flatten', reason: ME.reason });
    expect(await daemon.ending).toEqual({ kind: 'stop', level: 'flat', ...ME });
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

  it('says nothing of what a session doubts after its strategy has failed, but that a person is needed', async () => {
    const btc = new SessionDouble();
    const { start, events, time } = daemonOf([btc, new SessionDouble(ETH)]);
    await start();
    await time.advance(2_000);
    btc.fail(new Error('division by zero'));
    await time.advance(2_000);
    const told = events.filter((event) => event.kind === 'pair-state' && event.pair === BTC.pair).length;
    btc.standing = { state: 'SUSPECT', permission: 'cancel-only', reason: 'the venue cannot be read' };
    await time.advance(2_000);
    const states = () =>
      events.flatMap((event) =>
        event.kind === 'pair-state' && event.pair === BTC.pair ? [event.state] : [],
      );
    expect(states().slice(told)).toEqual([]);
    btc.standing = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'two fills of one order' };
    await time.advance(2_000);
    expect(states().slice(told)).toEqual(['QUARANTINED']);
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

  it('says that no order leaves while the journal cannot be written, also when nobody wants an order', async () => {
    const session = new SessionDouble();
    const { daemon, start } = daemonOf([session]);
    await start();
    session.unwritten = 'the journal has failed: EROFS: read-only file system';
    expect(daemon.status().problems).toEqual([
      'USD_BTC_PERP: orders wait: the journal has failed: EROFS: read-only file system; only a new start writes to it again',
    ]);
  });

  it('says that the capture of a session has stopped, until another session begins', async () => {
    const session = new SessionDouble();
    const { daemon, start } = daemonOf([session]);
    await start();
    session.unrecorded = 'ENOSPC: no space left on device, write';
    expect(daemon.status().problems).toEqual([
      'USD_BTC_PERP: its capture has stopped (ENOSPC: no space left on device, write): it trades on, parity and replay know only what came before; only a new start captures again',
    ]);
    session.unrecorded = undefined;
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
      'USD_BTC_PERP: 1 of the last 2 orders were rejected (The timestamp is too old.): no order adds risk before 1970-01-01 00:01:01 UTC',
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
    expect(told()).toMatchObject([{ severity: 'warning', pair: 'USD_BTC_PERP', text }]);
    expect(daemon.status().problems).toContain(text);
    session.foreign = { orders: [], fills: 0 };
    await time.advance(3_000);
    expect(told()).toHaveLength(1);
    expect(daemon.status().problems).not.toContain(text);
  });

  it('tells at once that a position had no stop for too long, and shows it until it is closed', async () => {
    const limits = { ...NO_LIMITS, maxBareMs: 30_000 };
    const session = new SessionDouble(undefined, { limits });
    const { daemon, events, start, time } = daemonOf([session]);
    await start();
    session.holds(20, 500_000);
    session.trade(30_000, 50_000);
    await time.advance(1_000);
    const told = () => events.filter(({ kind }) => kind === 'problem');
    const bare = () => daemon.status().pairs[0]?.bare;
    const use = () => daemon.status().pairs[0]?.limits.find(({ rule }) => rule === 'max-bare-time');
    expect([told(), bare(), use()]).toEqual([
      [],
      undefined,
      { rule: 'max-bare-time', used: '29999', bound: '30000' },
    ]);
    const protection = () => {
      const { bareMs, stoppedOut } = daemon.status().pairs[0] ?? {};
      return [bareMs, stoppedOut];
    };
    expect(protection()).toEqual([29_999, undefined]);
    session.trade(30_001, 50_000);
    session.trade(45_001, 50_000);
    await time.advance(1_000);
    const text =
      'USD_BTC_PERP: the position had no stop at the venue for as long as limits.maxBareTime allows: it is closed';
    expect(told()).toMatchObject([{ severity: 'critical', pair: 'USD_BTC_PERP', text }]);
    const words =
      'the position has had no stop at the venue for 45s, limits.maxBareTime is 30s: it is not closed yet';
    expect(bare()).toBe(words);
    expect(protection()).toEqual([45_000, true]);
    expect(daemon.status().pairs[0]?.wanted).toBe(
      'nothing yet (without a stop for limits.maxBareTime: it counts as flat)',
    );
    expect(daemon.status().problems).toContain(`USD_BTC_PERP: ${words}`);
    const closed = { side: 'sell', lots: 20 as Lots, ticks: 500_000 as Ticks, liquidity: 'taker' } as const;
    const fill = { id: 'closed', orderId: 'closed', time: 45_002, ...closed, fee: 0n };
    session.core.input({
      kind: 'report',
      report: { kind: 'late-fill', intentId: undefined, fill, time: 45_002 },
    });
    await time.advance(5_000);
    expect([told().length, bare(), use()?.used]).toEqual([1, undefined, '0']);
    expect(protection()).toEqual([undefined, true]);
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
    session.tapeReadAt = time.clock.monotonic();
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
    session.tapeReadAt = time.clock.monotonic();
    await time.advance(1_000);
    expect(events.at(-1)).toMatchObject({ kind: 'venue', reachable: true });
    expect(events.filter(({ kind }) => kind === 'venue')).toHaveLength(2);
  });

  it('takes rare polls for no silence', async () => {
    const session = new SessionDouble();
    const entries = [{ ...session.entry, pollMs: 45_000 }];
    const { daemon, events, start, time } = daemonOf([session], { entries });
    await start();
    session.tapeReadAt = time.clock.monotonic();
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
    const { daemon, start, time } = daemonOf([new SessionDouble()], {
      gauge: () => ({ rssBytes: rss, heapBytes: 1 }),
    });
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

  it('names the stops that an end keeps apart from the orders that may be left', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    first.leftOpen = ['17'];
    first.stops = [{ orderId: '18', side: 'sell', quantity: '0.02', triggerPrice: '59000.0' }];
    const { daemon, start } = daemonOf([first, second]);
    await start();
    expect(daemon.keptStops).toEqual([]);
    expect(await daemon.finish('keep-stops')).toEqual(['17']);
    expect(daemon.keptStops).toEqual(['USD_BTC_PERP: stop 18 (sell 0.02 at 59000.0)']);
    expect([first.calls.at(-1), second.calls.at(-1)]).toEqual(['stop keep-stops', 'stop keep-stops']);
  });

  it('names the positions that an end leaves without their stop', async () => {
    const [first, second] = [new SessionDouble(), new SessionDouble(ETH)];
    first.canceledStops = ['18'];
    const { daemon, start } = daemonOf([first, second]);
    await start();
    expect(daemon.barePositions).toEqual([]);
    await daemon.finish();
    expect(daemon.barePositions).toEqual([
      'USD_BTC_PERP: the position is left WITHOUT ITS STOP, which was canceled (18): nothing guards it',
    ]);
  });

  it('names no ceiling where there is none, as in a session that is only shown', async () => {
    const more = { memoryCeilingBytes: Number.POSITIVE_INFINITY };
    const { daemon, start } = daemonOf([new SessionDouble()], more);
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
