import { describe, expect, it } from 'vitest';
import { AlertDesk, type DeskLine } from '../../../src/daemon/alerts/alert-desk.js';
import type { DaemonEvent, DaemonStatus, PairStatus } from '../../../src/daemon/daemon-api.js';
import { SILENT } from '../../../src/ports/log.js';
import { VirtualTime } from '../../support/virtual-time.js';
import { Receiver } from './receiver.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** 2024-08-08 22:30 UTC. */
const START = 1_723_156_200_000;

const PAIR = {
  pair: 'A',
  state: 'SYNCED',
  permission: 'all',
  position: '0.5',
  gaps: 1,
  running: true,
  failure: undefined,
  doubt: 0,
  pollAgeMs: 500,
  counts: { orders: 10, cancels: 4, fills: 2, refusals: 0, rejections: 1 },
} as PairStatus;

const STATUS = {
  state: 'running',
  uptimeMs: HOUR,
  pairs: [PAIR],
  pnl: { USD: { today: '1', session: '10.50' } },
  memory: { rssBytes: 100 * 1_048_576, heapBytes: 1, ceilingBytes: 1 },
  loopLag: { p99Ms: 1, maxMs: 5 },
  problems: [],
  suspense: [],
} as unknown as DaemonStatus;

async function deskFor(line: Partial<DeskLine> = {}, others: readonly Receiver[] = []) {
  const time = new VirtualTime(START);
  const receiver = new Receiver(() => time.now);
  const listeners = new Set<(event: DaemonEvent) => void>();
  let status = STATUS;
  let bytes = 1_048_576;
  let backMs = 0;
  const desk = await AlertDesk.open({
    clock: { ...time.clock, wall: () => time.clock.wall() - backMs },
    timers: time.timers,
    log: SILENT,
    source: 'live my-bot',
    scrub: (text) => text,
    lines: [receiver, ...others].map((notifier) => ({
      notifier,
      on: undefined,
      minSeverity: 'warning',
      repeatMs: 10 * MINUTE,
      perHour: 10,
      summary: undefined,
      ...line,
    })),
    daemon: {
      status: () => status,
      listen(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    journalBytes: () => Promise.resolve(bytes),
  });
  return {
    time,
    receiver,
    desk,
    listeners,
    /** Sets the clock of this machine back. */
    setBack: (ms: number) => {
      backMs += ms;
    },
    tell: (event: DaemonEvent) => {
      for (const listener of listeners) listener(event);
    },
    become: (next: Partial<DaemonStatus>, journalBytes = bytes) => {
      status = { ...status, ...next };
      bytes = journalBytes;
    },
  };
}

type PairState = Extract<DaemonEvent, { kind: 'pair-state' }>['state'];
const pair = (state: PairState, name = 'A'): DaemonEvent => {
  const permission = state === 'SYNCED' ? 'all' : 'reduce-only';
  return { kind: 'pair-state', time: 0, pair: name, state, permission, reason: `why ${state}` };
};
const venue = (reachable: boolean): DaemonEvent => ({ kind: 'venue', time: 0, reachable, reason: 'polls' });

describe('a venue outage', () => {
  it('is one alert and its end another, whatever it does to the pairs', async () => {
    const { time, receiver, tell } = await deskFor();
    // As a daemon with two pairs tells it: doubt at once, the outage when 30 s were silent.
    for (const name of ['A', 'B']) tell(pair('SUSPECT', name));
    await time.advance(30_000);
    tell(venue(false));
    await time.advance(2 * HOUR);
    for (const name of ['A', 'B']) tell(pair('RECONCILING', name));
    tell(venue(true));
    for (const name of ['A', 'B']) tell(pair('SYNCED', name));
    await time.advance(HOUR);
    expect(receiver.titles).toEqual(['the venue does not answer: no orders', 'the venue answers again']);
  });
});

describe('a pair', () => {
  it('that is in doubt for less than a minute is no news', async () => {
    const { time, receiver, tell } = await deskFor();
    tell(pair('SUSPECT'));
    await time.advance(59_000);
    tell(pair('SYNCED'));
    await time.advance(HOUR);
    expect(receiver.titles).toEqual([]);
  });

  it('whose strategy failed while it was in doubt is told of that alone', async () => {
    const { time, receiver, tell } = await deskFor();
    tell(pair('SUSPECT'));
    await time.advance(10_000);
    tell({ kind: 'strategy-failed', time: 0, pair: 'A', reason: 'division by zero' });
    await time.advance(HOUR);
    expect(receiver.titles).toEqual(['A: the strategy failed and is stopped']);
  });

  it('that stays in doubt is told, and its end', async () => {
    const { time, receiver, tell } = await deskFor();
    tell(pair('SUSPECT'));
    await time.advance(60_001);
    tell(pair('SYNCED'));
    await time.advance(1);
    expect(receiver.titles).toEqual([
      'A has been SUSPECT for a while: no order adds risk',
      'A is SYNCED again',
    ]);
  });

  it('that is in order again, but may add no risk, is no all-clear', async () => {
    const { time, receiver, tell } = await deskFor();
    tell(pair('SUSPECT'));
    await time.advance(60_001);
    tell({ ...pair('SYNCED'), permission: 'reduce-only', reason: 'the disk is nearly full' } as DaemonEvent);
    await time.advance(1);
    expect(receiver.notices.map(({ title, lines }) => [title, lines])).toEqual([
      ['A has been SUSPECT for a while: no order adds risk', ['why SUSPECT']],
      ['A is SYNCED again, but no order adds risk', ['the disk is nearly full']],
    ]);
  });

  it('in quarantine is told at once, and again when it comes back after it was well', async () => {
    const { time, receiver, tell } = await deskFor();
    tell(pair('QUARANTINED'));
    tell(pair('SYNCED'));
    tell(pair('QUARANTINED'));
    await time.advance(1);
    expect(receiver.notices.map(({ title, severity }) => [title, severity])).toEqual([
      ['A is QUARANTINED: no order adds risk until a person decides', 'critical'],
      ['A is QUARANTINED: no order adds risk until a person decides', 'critical'],
    ]);
  });

  it('in quarantine is told with the commands that end it', async () => {
    const { time, receiver, tell } = await deskFor();
    const wayOut = ['tickwright attach --plan shows it', 'tickwright attach --accept ends it'];
    tell({ ...pair('QUARANTINED'), reason: 'a fill', wayOut } as DaemonEvent);
    await time.advance(1);
    expect(receiver.notices[0]?.lines).toEqual(['a fill', ...wayOut]);
  });

  it('that halts itself is told; one that is halted with all others is not told twice', async () => {
    const { time, receiver, tell } = await deskFor();
    tell({ ...pair('HALTED'), isAlone: true } as DaemonEvent);
    const halt = { level: 'cancel', reason: 'enough', by: 'me' } as const;
    tell({ kind: 'halt', time: 0, halt });
    tell(pair('HALTED', 'B'));
    tell({ kind: 'resume', time: 0, by: 'me' });
    tell({ kind: 'halt', time: 0, halt });
    await time.advance(1);
    expect(receiver.titles).toEqual([
      'A is HALTED: no order adds risk until a person decides',
      'halted (cancel)',
      'resumed: orders may add risk again',
      'halted (cancel)',
    ]);
    expect(receiver.notices[1]?.lines).toEqual([
      'reason: enough',
      'by: me',
      'it stays so until tickwright resume',
    ]);
  });
});

it('a problem with other numbers in it is the same problem', async () => {
  const { time, receiver, tell } = await deskFor();
  for (const free of ['1.5', '1.25', '300']) {
    tell({ kind: 'problem', time: 0, severity: 'warning', text: `disk has ${free} MiB left` });
  }
  tell({ kind: 'problem', time: 0, severity: 'warning', text: 'clock jumped' });
  await time.advance(1);
  expect(receiver.titles).toEqual(['disk has 1.5 MiB left', 'clock jumped']);
});

it('a problem of a pair is not that of another one whose name has other digits', async () => {
  const { time, receiver, tell } = await deskFor();
  for (const name of ['BTC_240628', 'BTC_240927']) {
    for (const orders of [2, 3]) {
      const text = `${name}: somebody else trades on the account: ${orders} orders`;
      tell({ kind: 'problem', time: 0, severity: 'warning', pair: name, text });
    }
  }
  await time.advance(1);
  expect(receiver.titles).toEqual([
    'BTC_240628: somebody else trades on the account: 2 orders',
    'BTC_240927: somebody else trades on the account: 2 orders',
  ]);
});

it('a strategy that fails for another reason is news: what was to take its place failed, too', async () => {
  const { time, receiver, tell } = await deskFor();
  for (const reason of ['it threw; the one before is started again', 'not listed', 'not listed']) {
    tell({ kind: 'strategy-failed', time: 0, pair: 'A', reason });
  }
  await time.advance(1);
  expect(receiver.notices.map(({ lines }) => lines[0])).toEqual([
    'it threw; the one before is started again',
    'not listed',
  ]);
});

describe('what goes on without an event', () => {
  const withPair = (facts: Partial<PairStatus>): Partial<DaemonStatus> => ({
    pairs: [{ ...PAIR, ...facts }],
  });

  it('is no silence while polls are rare', async () => {
    const { time, receiver, become } = await deskFor();
    become(withPair({ pollAgeMs: 89_000, pollMs: 90_000 }));
    await time.advance(10 * MINUTE);
    expect(receiver.titles).toEqual([]);
  });

  it.each([
    ['a pair that does not start', { running: false, reason: 'no answer' }, 2, ['A does not run', 'A runs']],
    [
      'an order in doubt',
      { doubt: 1 },
      5,
      ['A: nobody knows whether an order was placed', 'A: no order is in doubt any more'],
    ],
    [
      'something that lets no order add risk',
      { permission: 'reduce-only', reason: 'the disk is nearly full' },
      2,
      ['A: no order adds risk', 'A: nothing keeps orders from adding risk any more'],
    ],
    [
      'a loss of the day that reached its bound',
      { noRiskBefore: '2024-08-09' },
      1,
      [
        'A: the loss of the day reached limits.maxDailyLoss',
        'A: orders may add risk again: another day has begun',
      ],
    ],
    [
      'rejections that pause what adds risk',
      { riskPause: '5 of the last 20 orders were rejected (too old)' },
      1,
      ['A: a limit lets no order add risk for a while', 'A: that limit lets orders add risk again'],
    ],
    [
      'a key that the venue refuses',
      { ordersWait: 'bad signature' },
      2,
      ['A: no order leaves for the venue', 'A: orders leave for the venue again'],
    ],
    [
      'a position that has to go and stays',
      { bare: 'the position has had no stop' },
      2,
      ['A: a position without a stop is not closed', 'A: that position is closed, or has its stop'],
    ],
    [
      'a capture that has stopped',
      { unrecorded: 'no space left on device' },
      2,
      ['A: its capture has stopped', 'A is captured again'],
    ],
    ['a pair without data', { pollAgeMs: 61_000 }, 2, ['A gets no data', 'A gets data again']],
    [
      'a pair for which time stands still',
      { timeAgeMs: 61_000 },
      2,
      [
        'A: bars and timers stand still: neither a trade nor a later time comes from the venue',
        'A: bars and timers go on',
      ],
    ],
    [
      'rare polls that bring nothing',
      { pollAgeMs: 361_000, pollMs: 90_000 },
      2,
      ['A gets no data', 'A gets data again'],
    ],
  ] as const)('is told when it lasts, and when it ends: %s', async (_, facts, minutes, titles) => {
    const { time, receiver, become } = await deskFor();
    become(withPair(facts));
    await time.advance((minutes - 1) * MINUTE + 1);
    expect(receiver.titles).toEqual([]);
    await time.advance(MINUTE);
    expect(receiver.titles).toEqual([titles[0]]);
    await time.advance(HOUR);
    become(withPair({}));
    await time.advance(HOUR);
    expect(receiver.titles).toEqual(titles);
  });

  it.each([
    ['the venue goes away', {}, true],
    ['the pair falls into doubt', { state: 'SUSPECT' }, false],
    ['the pair stops', { running: false, reason: 'no answer' }, false],
    ['its strategy fails', { running: false, failure: 'it threw' }, false],
    ['no order leaves any more', { ordersWait: 'bad signature' }, false],
  ] as const)('is not over because something worse hides it: %s', async (_, worse, isOutage) => {
    const { time, receiver, tell, become } = await deskFor();
    const held = { permission: 'reduce-only', reason: 'the disk is nearly full', doubt: 1 } as const;
    const over = () => receiver.titles.filter((title) => title.endsWith('any more'));
    become(withPair(held));
    await time.advance(6 * MINUTE);
    expect(receiver.titles).toContain('A: no order adds risk');
    expect(receiver.titles).toContain('A: nobody knows whether an order was placed');
    if (isOutage) tell(venue(false));
    become(withPair({ ...held, ...worse }));
    await time.advance(HOUR);
    expect(over()).toEqual([]);
    if (isOutage) tell(venue(true));
    become(withPair({}));
    await time.advance(HOUR);
    expect(over()).toHaveLength(2);
  });

  it('is no pair that runs when what could not start is given up', async () => {
    const { time, receiver, become } = await deskFor();
    become(withPair({ running: false, reason: 'no answer' }));
    await time.advance(3 * MINUTE);
    become(withPair({ running: false, failure: 'it threw' }));
    await time.advance(HOUR);
    expect(receiver.titles).toEqual(['A does not run']);
  });

  it('is no news when it does not last', async () => {
    const { time, receiver, become } = await deskFor();
    for (let times = 0; times < 10; times++) {
      become(withPair({ doubt: 1 }));
      await time.advance(4 * MINUTE);
      become(withPair({}));
      await time.advance(MINUTE);
    }
    expect(receiver.titles).toEqual([]);
  });

  it('is not told beside an outage that explains it, nor beside a strategy that failed', async () => {
    const { time, receiver, tell, become } = await deskFor();
    tell(venue(false));
    become(withPair({ pollAgeMs: 100_000 }));
    await time.advance(HOUR);
    become(withPair({ running: false, failure: 'it threw' }));
    await time.advance(HOUR);
    expect(receiver.titles).toEqual(['the venue does not answer: no orders']);
  });

  it('is money too', async () => {
    const { time, receiver, become } = await deskFor();
    become({ suspense: [{ asset: 'USD', amount: '3.5' }] });
    await time.advance(3 * MINUTE);
    expect(receiver.notices[0]).toMatchObject({
      title: 'there is money on the account that nothing explains',
      lines: ['3.5 USD'],
    });
  });
});

describe('a receiver that nothing arrives at', () => {
  const refused = { kind: 'refused', reason: 'the receiver answered 404' } as const;
  const failed = { kind: 'failed', reason: 'no answer', retryAfterMs: undefined } as const;

  it('is a problem from the first alert on that it refuses, until it takes one', async () => {
    const { time, receiver, desk, tell } = await deskFor();
    receiver.answers.push(refused);
    tell(pair('QUARANTINED'));
    await time.advance(1);
    expect(desk.problems).toEqual([
      'no alert arrives at receiver since 2024-08-08 22:30:00 UTC: the receiver answered 404 (0 waiting, 1 lost)',
    ]);
    tell(pair('HALTED', 'B'));
    tell({ ...pair('HALTED', 'B'), isAlone: true } as DaemonEvent);
    await time.advance(1);
    expect(desk.problems).toEqual([]);
  });

  it('is none while one attempt failed and the next one is not due yet for long', async () => {
    const { time, receiver, desk, tell } = await deskFor();
    receiver.answers.push(failed, failed);
    tell(pair('QUARANTINED'));
    await time.advance(1_001);
    expect(desk.problems).toEqual([]);
    await time.advance(2_000);
    expect(receiver.titles).toHaveLength(1);
    receiver.answers.push(...Array.from({ length: 50 }, () => failed));
    tell(pair('QUARANTINED', 'B'));
    await time.advance(30_001);
    expect(desk.problems[0]).toMatch(
      /^no alert arrives at receiver since .*: no answer \(1 waiting, 0 lost\)$/,
    );
  });

  it('is told to the others by its name, and its end too', async () => {
    const other = new Receiver(undefined, 'chat');
    const third = new Receiver(undefined, 'mail');
    const { time, receiver, tell } = await deskFor({}, [other, third]);
    receiver.answers.push(refused);
    tell(pair('QUARANTINED'));
    await time.advance(2 * MINUTE + 1);
    const first = 'A is QUARANTINED: no order adds risk until a person decides';
    const dead = 'no alert arrives at receiver';
    expect([receiver.titles, other.titles, third.titles]).toEqual([[], [first, dead], [first, dead]]);
    tell(pair('QUARANTINED', 'B'));
    await time.advance(HOUR);
    expect(receiver.titles).toHaveLength(1);
    expect(third.titles.at(-1)).toBe('alerts arrive at receiver again');
  });
});

describe('the daily summary', () => {
  it('comes at its time each day, of what happened since the one before', async () => {
    const { time, receiver, tell, become } = await deskFor({ summary: 5 });
    const fill = {
      kind: 'fill',
      time: 0,
      pair: 'A',
      side: 'buy',
      price: '1',
      quantity: '1',
      fee: '0',
    } as const;
    tell(fill);
    tell(fill);
    const refusal = (rule: string): DaemonEvent => ({
      kind: 'refusal',
      time: 0,
      pair: 'A',
      rule,
      reason: 'r',
    });
    tell(refusal('maxPosition'));
    tell(refusal('collar'));
    tell(refusal('collar'));
    become({ loopLag: { p99Ms: 1, maxMs: 83.4 } });
    await time.advance(HOUR);
    become({ loopLag: { p99Ms: 1, maxMs: 2 } });
    const counts = { orders: 25, cancels: 9, fills: 4, refusals: 3, rejections: 1 };
    const NO_COUNTS = { orders: 0, cancels: 0, fills: 0, refusals: 0, rejections: 0 };
    become(
      {
        pairs: [
          { ...PAIR, counts, gaps: 4 },
          { ...PAIR, pair: 'B', position: undefined, state: 'BOOT', counts: NO_COUNTS, gaps: 0 },
        ],
        pnl: { USD: { today: '0', session: '8.25' } },
        uptimeMs: 3 * HOUR,
        problems: ['A: 1 orders in doubt'],
      },
      3 * 1_048_576,
    );
    await time.advance(35 * MINUTE - 1);
    expect(receiver.titles).toEqual([]);
    await time.advance(MINUTE);
    // From 22:30 to 00:05, rounded to tenths of an hour.
    expect(receiver.titles).toEqual(['the last 1.6 hours: running']);
    expect(receiver.notices[0]?.lines).toEqual([
      'P&L: -2.25 USD',
      'A: position 0.5, SYNCED',
      'B: position not known, BOOT',
      'fills 2, orders 15, cancels 5, rejected 0',
      'refused here: collar 2, maxPosition 1',
      'gaps 3, venue outages 0, problems 0',
      'up 3 h, worst loop lag 83 ms, memory 100 MiB',
      'journal grew by 2 MiB, now 3 MiB',
      'now: A: 1 orders in doubt',
    ]);
    become({ problems: [] });
    await time.advance(24 * HOUR);
    expect(receiver.titles).toEqual(['the last 1.6 hours: running', 'the last 24 hours: running']);
    expect(receiver.notices[1]?.lines.slice(0, 6)).toEqual([
      'P&L: +0.00 USD',
      'A: position 0.5, SYNCED',
      'B: position not known, BOOT',
      'fills 0, orders 0, cancels 0, rejected 0',
      'refused here: none',
      'gaps 0, venue outages 0, problems 0',
    ]);
  });

  it('comes once when the clock is set back over its time', async () => {
    const { time, receiver, setBack } = await deskFor({ summary: 5 });
    await time.advance(2 * HOUR);
    expect(receiver.titles).toHaveLength(1);
    setBack(HOUR);
    await time.advance(2 * HOUR);
    expect(receiver.titles).toHaveLength(1);
    await time.advance(24 * HOUR);
    expect(receiver.titles).toHaveLength(2);
  });

  it('comes each day when the clock, which was ahead by days, is set right', async () => {
    const { time, receiver, setBack } = await deskFor({ summary: 5 });
    await time.advance(HOUR);
    setBack(9 * 24 * HOUR);
    await time.advance(HOUR);
    expect(receiver.titles).toHaveLength(1);
  });
});

it('a closed desk listens to nothing and leaves no timer', async () => {
  const { time, receiver, desk, tell, listeners } = await deskFor({ summary: 5 });
  tell(pair('SUSPECT'));
  tell(venue(false));
  await time.until(desk.close(3_000));
  expect(receiver.titles).toEqual(['the venue does not answer: no orders']);
  expect(listeners.size).toBe(0);
  expect(time.pending).toBe(0);
});
