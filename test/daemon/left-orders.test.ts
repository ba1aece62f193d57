/** Orders that a strategy leaves when it is stopped while the venue does not answer: their cancel is tried again. */
import { describe, expect, it } from 'vitest';
import { alertOf } from '../../src/daemon/alerts/alert-of.js';
import { BTC } from '../support/markets.js';
import { daemonOf, ETH, ME } from './daemon-desk.js';
import { SessionDouble } from './session-double.js';

const PAIR = BTC.pair;
const THREW = `${PAIR}: the strategy is stopped: division by zero`;
const LEFT = `${PAIR}: orders of the stopped strategy may still be at the venue: 17`;
const AWAY = { state: 'RECONCILING', permission: 'cancel-only', reason: 'no answer' } as const;

/** Of two strategies, the one that threw has left an order at a venue that does not answer. */
async function left() {
  const [bad, good] = [new SessionDouble(), new SessionDouble(ETH)];
  const change = () => Promise.resolve({ ...bad.entry, params: { size: '2' } });
  const desk = daemonOf([bad, good], { change });
  await desk.start();
  bad.leftOpen = ['17'];
  bad.waits = AWAY;
  bad.fail(new Error('division by zero'));
  await desk.time.advance(0);
  const { daemon, events } = desk;
  return {
    ...desk,
    bad,
    good,
    problems: () => daemon.status().problems,
    told: () =>
      events.flatMap((event) => (event.kind === 'problem' ? [`${event.severity} ${event.text}`] : [])),
  };
}

describe('what a strategy that threw could not cancel', () => {
  it('is named at once, and canceled by a start that is abandoned as soon as it has begun', async () => {
    const { bad, good, time, problems, told, daemon } = await left();
    expect(problems()).toEqual([THREW, LEFT]);
    expect(told()).toEqual([`critical ${LEFT}; their cancel is tried again`]);
    expect(daemon.status().pairs[0]).toMatchObject({ running: false, orders: ['17'] });
    expect(bad.calls).toEqual(['open', 'stop cancel']);
    await time.advance(1_000);
    expect(bad.calls).toEqual(['open', 'stop cancel', 'open', 'abandon cancel']);
    expect(problems()).toEqual([THREW, LEFT]);
    bad.leftOpen = [];
    await time.advance(2_000);
    expect(bad.calls.slice(4)).toEqual(['open', 'abandon cancel']);
    expect(problems()).toEqual([THREW]);
    expect(told().slice(1)).toEqual([
      `warning ${PAIR}: no order of the stopped strategy is at the venue any more`,
    ]);
    expect(daemon.status().pairs[0]).toMatchObject({
      running: false,
      failure: 'division by zero',
      orders: [],
    });
    await time.advance(3_600_000);
    expect(bad.calls).toHaveLength(6);
    expect(good.calls).toEqual(['open']);
  });

  it('is tried until the venue answers, more and more rarely', async () => {
    const { bad, time, problems, told } = await left();
    const away = Array.from({ length: 9 }, () => new Error('no answer'));
    bad.refusals.push(...away);
    await time.advance(1_000 + 2_000 + 4_000 + 8_000 + 16_000 + 4 * 30_000 - 1);
    expect(bad.refusals).toHaveLength(1);
    expect(problems()).toEqual([THREW, LEFT]);
    bad.leftOpen = [];
    await time.advance(30_001);
    expect(bad.calls.slice(2)).toEqual(['open', 'abandon cancel']);
    expect(problems()).toEqual([THREW]);
    expect(told()).toHaveLength(2);
  });

  it('is not said to be canceled while it is not', async () => {
    const { events } = await left();
    const lines = events.flatMap((event) => (event.kind === 'strategy-failed' ? alertOf(event)?.lines : []));
    expect(lines).toEqual(['division by zero', 'its orders are being canceled, its position stays']);
  });

  it('is tried once more at the end of the daemon, which names what is left then', async () => {
    const { bad, daemon, time } = await left();
    expect(await time.until(daemon.finish('cancel'))).toEqual(['17']);
    expect(bad.calls).toEqual(['open', 'stop cancel', 'open', 'abandon cancel']);

    const other = await left();
    other.bad.leftOpen = [];
    expect(await other.time.until(other.daemon.finish('cancel'))).toEqual([]);
    await other.time.advance(3_600_000);
    expect(other.bad.calls).toEqual(['open', 'stop cancel', 'open', 'abandon cancel']);
  });

  it('stays at an end that leaves orders', async () => {
    const { bad, daemon, time } = await left();
    expect(await time.until(daemon.finish('leave'))).toEqual(['17']);
    await time.advance(3_600_000);
    expect(bad.calls).toEqual(['open', 'stop cancel']);
  });

  it('is left to the session that takes its place', async () => {
    const { bad, daemon, time, problems } = await left();
    bad.waits = undefined;
    await time.until(daemon.set(PAIR, {}, { ...ME, uncertified: false }));
    expect(problems()).toEqual([]);
    await time.advance(3_600_000);
    expect(bad.calls).toEqual(['open', 'stop cancel', 'open']);
  });

  it('is canceled also by a start that could not be abandoned any more', async () => {
    const { bad, time, problems } = await left();
    bad.waits = undefined;
    bad.leftOpen = [];
    await time.advance(1_000);
    expect(bad.calls).toEqual(['open', 'stop cancel', 'open', 'abandon cancel', 'stop cancel']);
    expect(problems()).toEqual([THREW]);
  });
});

it('a strategy that threw and cannot be stopped in order says so, and that its orders are not known', async () => {
  const session = new SessionDouble();
  const { daemon, time, events, start } = daemonOf([session]);
  await start();
  session.canceled = Promise.reject(new Error('the journal is gone'));
  session.fail(new Error('division by zero'));
  await time.advance(0);
  const failure = 'division by zero; it cannot be stopped in order: the journal is gone';
  expect(daemon.status().problems).toEqual([`${PAIR}: the strategy is stopped: ${failure}`]);
  const told = events.flatMap((event) => (event.kind === 'strategy-failed' ? [alertOf(event)?.lines] : []));
  expect(told.at(-1)).toEqual([
    failure,
    'which of its orders are left at the venue is not known, its position stays',
  ]);
});
