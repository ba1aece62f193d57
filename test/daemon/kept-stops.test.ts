/** A stop that rests at the venue while its session gives way to another one: it stays, and the daemon says so. */
import { describe, expect, it } from 'vitest';
import { alertOf } from '../../src/daemon/alerts/alert-of.js';
import type { DaemonEntry } from '../../src/daemon/daemon-entry.js';
import { UsageError } from '../../src/model/errors.js';
import type { RestingStop } from '../../src/runner/resting-stop.js';
import { daemonOf } from './daemon-desk.js';
import { SessionDouble } from './session-double.js';

const PAIR = 'USD_BTC_PERP';
const ME = { by: 'a test', reason: 'to see', uncertified: false };
const STOP: RestingStop = { orderId: '17', side: 'sell', quantity: '0.02', triggerPrice: '59000.0' };
const KEPT = 'kept at the venue: stop 17 (sell 0.02 at 59000.0)';
const REFUSAL = new UsageError('TICKWRIGHT_E_MARKETS', 'the market is not listed any more');

/** A session with a stop, and another one that `set` puts in its place. */
async function guarded() {
  const [old, next] = [new SessionDouble(), new SessionDouble()];
  old.stops = [STOP];
  const other: DaemonEntry = { ...next.entry, params: { size: '2' } };
  const desk = daemonOf([old], { change: () => Promise.resolve({ ...other }) });
  await desk.start();
  const { daemon, time } = desk;
  return {
    ...desk,
    old,
    next,
    set: () => time.until(daemon.set(PAIR, { size: '2' }, ME)),
    status: () => daemon.status().pairs[0],
  };
}

/** A promise that a test resolves. */
function latched() {
  let tell: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { until, tell: () => tell() };
}

describe('a session that gives way to another one', () => {
  it('leaves its stop there, and whoever asked hears of it', async () => {
    const { old, next, set, status } = await guarded();
    expect(await set()).toEqual({
      done:
        `${PAIR}: size 1 -> 2\n${PAIR}: its stop 17 (sell 0.02 at 59000.0) was left at the venue, ` +
        'until the new session has one of its own or nothing is held that it could reduce',
    });
    expect([old.calls, next.calls]).toEqual([['open', 'stop keep-stops'], ['open']]);
    expect(status()?.reason).not.toContain('kept');
  });

  it('without a stop says nothing of one', async () => {
    const { old, set } = await guarded();
    old.stops = [];
    expect(await set()).toEqual({ done: `${PAIR}: size 1 -> 2` });
  });

  it('leaves it also where its market has changed, and where only its start is under way', async () => {
    const { old, daemon, time } = await guarded();
    expect(daemon.renew(PAIR, 'the filters changed')).toBe(true);
    await time.advance(3_000);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open']);

    const again = await guarded();
    again.old.waits = { state: 'RECONCILING', permission: 'cancel-only', reason: 'no answer' };
    again.daemon.renew(PAIR, 'the filters changed');
    await again.time.advance(1_000);
    expect(again.old.calls).toEqual(['open', 'stop keep-stops', 'open']);
    expect(again.status()?.reason).toContain(KEPT);
  });

  it('gives the end of the daemon nothing to leave behind', async () => {
    const { old, next, set, daemon, time } = await guarded();
    await set();
    next.stops = [STOP];
    expect(await time.until(daemon.finish('cancel'))).toEqual([]);
    expect([old.calls, next.calls]).toEqual([
      ['open', 'stop keep-stops'],
      ['open', 'stop cancel'],
    ]);
  });
});

describe('where no session comes after it', () => {
  it('the status says what rests at the venue, as long as the start is tried again', async () => {
    const { old, next, set, status, time, daemon } = await guarded();
    next.refusals.push(new Error('no answer'));
    old.refusals.push(new Error('no answer'), new Error('no answer'));
    await expect(set()).rejects.toThrow(
      `is tried again (cannot start: Error: no answer), because: no answer; ${KEPT}`,
    );
    expect(status()).toMatchObject({ running: false, leftStops: [STOP] });
    expect(status()?.reason).toBe(`cannot start: Error: no answer; ${KEPT}`);
    expect(daemon.status().problems).toEqual([`${PAIR}: cannot start: Error: no answer; ${KEPT}`]);
    await time.advance(60_000);
    expect(status()).toMatchObject({ running: true });
    expect(status()?.leftStops).toBeUndefined();
    expect(daemon.status().problems).toEqual([]);
  });

  it('the failure says so, where it is refused for good', async () => {
    const { old, next, set, status, events } = await guarded();
    next.refusals.push(new Error('cannot be'));
    old.refusals.push(REFUSAL);
    const failure = `${REFUSAL.message}; ${KEPT}`;
    await expect(set()).rejects.toThrow(
      `nothing runs, because: cannot be; and the one before cannot start again: ${failure}`,
    );
    expect(status()).toMatchObject({ running: false, failure });
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'strategy-failed', reason: failure, keepsStops: true }),
    );
  });

  it('who asked hears so, where the one before waits for a person', async () => {
    const { old, next, set } = await guarded();
    next.refusals.push(new Error('cannot be'));
    old.waits = { state: 'QUARANTINED', permission: 'cancel-only', reason: 'a fill' };
    await expect(set()).rejects.toThrow(
      `the one before waits for a person (a fill), because: cannot be; ${KEPT}`,
    );
  });

  it('the end of the daemon cancels it by a start that it abandons', async () => {
    const { old, next, set, daemon, time } = await guarded();
    next.refusals.push(new Error('no answer'));
    old.refusals.push(new Error('no answer'));
    await expect(set()).rejects.toThrow('is tried again');
    old.waits = { state: 'RECONCILING', permission: 'cancel-only', reason: 'not yet' };
    expect(await time.until(daemon.finish('cancel'))).toEqual([]);
    expect(old.calls).toEqual(['open', 'stop keep-stops', 'open', 'abandon cancel']);
  });

  it('the end of the daemon names it where no start comes that far', async () => {
    const { old, next, set, daemon, time } = await guarded();
    next.refusals.push(new Error('no answer'));
    old.refusals.push(new Error('no answer'), new Error('no answer'));
    await expect(set()).rejects.toThrow('is tried again');
    expect(await time.until(daemon.finish('cancel'))).toEqual(['stop 17 (sell 0.02 at 59000.0)']);
  });

  it('the end of the daemon leaves it where it leaves orders', async () => {
    const { old, next, set, daemon, time } = await guarded();
    next.refusals.push(new Error('no answer'));
    old.refusals.push(new Error('no answer'));
    await expect(set()).rejects.toThrow('is tried again');
    expect(await time.until(daemon.finish('leave'))).toEqual(['stop 17 (sell 0.02 at 59000.0)']);
    expect(old.calls).toEqual(['open', 'stop keep-stops']);
  });

  it('an end that comes while the session gives way cancels it', async () => {
    const { old, next, set, daemon, time } = await guarded();
    const canceled = latched();
    old.canceled = canceled.until;
    old.waits = { state: 'RECONCILING', permission: 'cancel-only', reason: 'not yet' };
    const asked = set().catch((error: unknown) => error);
    await time.advance(100);
    const finished = daemon.finish('cancel');
    canceled.tell();
    expect(await time.until(finished)).toEqual([]);
    expect(String(await asked)).toMatch(/must not end meanwhile/);
    expect([old.calls, next.calls]).toEqual([['open', 'stop keep-stops', 'open', 'abandon cancel'], []]);
  });
});

it('a failure says whether stops are canceled: not before the one before is started again', async () => {
  const { next, set, time, events } = await guarded();
  await set();
  const told = () =>
    events.flatMap((event) => (event.kind === 'strategy-failed' ? [alertOf(event)?.lines.at(-1)] : []));
  next.fail(new Error('threw soon'));
  await time.advance(1_000);
  expect(told()).toEqual(['its orders but the stops that guard it are being canceled, its position stays']);
  await set();
  await time.advance(61_000);
  next.fail(new Error('threw late'));
  await time.advance(1_000);
  expect(told().at(-1)).toBe('its orders are being canceled, its position stays');
});

it('the status names a stop of the session before for as long as it guards the position', async () => {
  const { next, set, status } = await guarded();
  next.leftStops = [STOP];
  await set();
  expect(status()).toMatchObject({ running: true, leftStops: [STOP] });
  next.leftStops = [];
  expect(status()?.leftStops).toBeUndefined();
});
