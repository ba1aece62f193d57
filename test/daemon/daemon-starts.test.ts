import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/model/errors.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { JournalDamaged } from '../../src/storage/journal/journal-errors.js';
import { PairUnlisted } from '../../src/daemon/pair-unlisted.js';
import { BTC } from '../support/markets.js';
import { SILENT } from '../../src/ports/log.js';
import { SessionDouble } from './session-double.js';
import { daemonOf, ETH, ME } from './daemon-desk.js';

const NAMED = "--config 'my bots/live.yaml' --venue http://127.0.0.1:9 --pair USD_BTC_PERP";
const STARTED_WITH = { config: 'my bots/live.yaml', venue: 'http://127.0.0.1:9' };
const WAY_OUT = [
  `tickwright attach --plan ${NAMED} shows it`,
  `once the daemon is stopped, tickwright attach --accept ${NAMED} --by NAME --reason TEXT ends it`,
];

describe('a daemon whose sessions start', () => {
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
    const stop = { orderId: '8', side: 'sell', quantity: '0.014', triggerPrice: '59000' } as const;
    const said = { position: '0.014', orders: ['7', '8'], leftStops: [stop] };
    const journaled = () => Promise.resolve({ pair: BTC.pair, ...said, inDoubt: ['s1-3'] });
    const { daemon, time, start } = daemonOf([], {
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
    expect(pair()).toMatchObject({ source: 'journal', ...said, doubt: 1 });
    await time.advance(5_000);
    expect(pair()).toMatchObject({ running: true, position: '0', orders: [], doubt: 0 });
    expect([pair()?.source, pair()?.leftStops]).toEqual([undefined, undefined]);
    await daemon.finish();
  });

  it('does not start with what waiting does not mend', async () => {
    const session = new SessionDouble();
    session.refusals.push(new UsageError('TICKWRIGHT_E_PAIR', 'the pair must be one of A, received B'));
    const { start } = daemonOf([session]);
    await expect(start()).rejects.toThrow('the pair must be one of A, received B');
  });

  it('goes on without a pair that the venue does not list any more, and begins it once it is listed', async () => {
    const [gone, whole] = [new SessionDouble(), new SessionDouble(ETH)];
    gone.refusals.push(new PairUnlisted(BTC.pair));
    const { daemon, start, time } = daemonOf([gone, whole]);
    await start();
    const reason =
      'cannot start: the markets of the venue must have USD_BTC_PERP, which ran here before, received a list without it';
    // The venue has answered: it has started as far as it can.
    expect(daemon.status()).toMatchObject({
      state: 'running',
      pairs: [{ running: false, reason }, { running: true }],
      problems: [`USD_BTC_PERP: ${reason}`],
    });
    gone.refusals.push(new Error('no answer'));
    await time.advance(1_000);
    expect(daemon.status().state).toBe('starting');
    await time.advance(2_000);
    expect(daemon.status()).toMatchObject({
      state: 'running',
      pairs: [{ running: true }, { running: true }],
    });
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

  it('says at once why a pair that starts waits for a person, and what that person does', async () => {
    const session = new SessionDouble();
    const reason = 'fill 8427 is of no order of ours';
    session.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason };
    const { daemon, events, errors, time } = daemonOf([session], { startedWith: STARTED_WITH });
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
    const { start, time, errors, events } = daemonOf([session], { startedWith: STARTED_WITH });
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
    const { start, time } = daemonOf([session], { entries: [entry], log });
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
});
