import { describe, expect, it } from 'vitest';
import { CandleStore } from '../../src/daemon/candle-store.js';
import { DayPnl } from '../../src/daemon/day-pnl.js';
import { LoopLag } from '../../src/daemon/loop-lag.js';
import { RecentEvents } from '../../src/daemon/recent-events.js';
import { readDaemonFile, removeDaemonFile, writeDaemonFile } from '../../src/daemon/daemon-file.js';
import { MemoryFiles } from '../support/memory-files.js';
import type { CancelTimer } from '../../src/ports/clock.js';

const DAY_MS = 86_400_000;

describe('the P&L of a day', () => {
  it('counts from the start of the session on its first day, and from midnight on every later one', () => {
    const day = new DayPnl();
    expect(day.today(DAY_MS - 10, 5n)).toBe(5n);
    expect(day.today(DAY_MS - 1, 7n)).toBe(7n);
    expect(day.today(DAY_MS, 9n)).toBe(2n);
    expect(day.today(DAY_MS + 5, 4n)).toBe(-3n);
  });

  it('goes on when the clock is set back over midnight, and begins anew when midnight really comes', () => {
    const day = new DayPnl();
    day.today(DAY_MS - 20, 5n);
    day.today(DAY_MS, 7n);
    expect(day.today(DAY_MS + 5, 8n)).toBe(3n);
    expect(day.today(DAY_MS - 10, 8n)).toBe(8n);
    expect(day.today(DAY_MS, 9n)).toBe(1n);
  });

  it('goes on when the clock, which was wrong by days, is set right', () => {
    const day = new DayPnl();
    day.today(9 * DAY_MS, 5n);
    expect(day.today(2 * DAY_MS, 6n)).toBe(6n);
    expect(day.today(3 * DAY_MS, 8n)).toBe(2n);
  });
});

describe('candles', () => {
  it('put a late trade into its own minute, and leave a minute without a trade out', () => {
    const store = new CandleStore();
    store.add({ time: 0, price: 10, quantity: 1 });
    store.add({ time: 180_000, price: 20, quantity: 1 });
    store.add({ time: 59_999, price: 8, quantity: 3 });
    store.add({ time: 60_000, price: 8, quantity: 3 });
    expect(store.newest(9)).toEqual([
      { time: 0, open: 10, high: 10, low: 8, close: 10, volume: 4 },
      { time: 180_000, open: 20, high: 20, low: 20, close: 20, volume: 1 },
    ]);
    expect(store.newest(1)).toHaveLength(1);
    expect(store.newest(0)).toEqual([]);
  });

  it('are kept for two days', () => {
    const store = new CandleStore();
    for (let minute = 0; minute < 10_000; minute++)
      store.add({ time: minute * 60_000, price: 1, quantity: 1 });
    expect(store.newest(1e9)).toHaveLength(2_880);
    expect(store.newest(1e9).at(-1)?.time).toBe(9_999 * 60_000);
    // Of the oldest minute that is kept, and of the one before.
    store.add({ time: 7_120 * 60_000 + 1, price: 3, quantity: 2 });
    store.add({ time: 7_119 * 60_000 + 1, price: 9, quantity: 2 });
    expect(store.newest(1e9)[0]).toEqual({
      time: 7_120 * 60_000,
      open: 1,
      high: 3,
      low: 1,
      close: 1,
      volume: 3,
    });
    expect(store.newest(1e9).every(({ high }) => high < 9)).toBe(true);
  });
});

describe('recent events', () => {
  const log = (text: string) => ({ kind: 'log', time: 0, level: 'info', text }) as const;

  it('keep the newest of each kind, oldest first', () => {
    const events = new RecentEvents();
    for (let n = 0; n < 2_000; n++) events.tell(log(String(n)));
    const known = events.recent('log', 1e9);
    expect(known).toHaveLength(500);
    expect(known.at(-1)).toEqual(log('1999'));
    expect(events.recent('log', 2)).toEqual([log('1998'), log('1999')]);
    expect(events.recent('fill', 5)).toEqual([]);
  });

  it('that change what the daemon may do are known together, in the order they came in', () => {
    const events = new RecentEvents();
    const resumed = { kind: 'resume', time: 2, by: 'anna' } as const;
    const gone = { kind: 'venue', time: 3, reachable: false, reason: 'no answer' } as const;
    for (const event of [resumed, log('a'), gone]) events.tell(event);
    expect(events.recent('change', 5)).toEqual([resumed, gone]);
  });

  it('are told to everybody who listens, and no longer to one that throws', () => {
    const events = new RecentEvents();
    const heard: string[] = [];
    events.listen(() => {
      heard.push('bad');
      throw new Error('gone');
    });
    const release = events.listen(() => void heard.push('good'));
    events.tell(log('a'));
    events.tell(log('b'));
    release();
    events.tell(log('c'));
    expect(heard).toEqual(['bad', 'good', 'good']);
  });
});

describe('the lag of the event loop', () => {
  it('is how much later than asked for timers fire', () => {
    let now = 0;
    let fire: () => void = () => undefined;
    const lag = new LoopLag({
      clock: { wall: () => 0, monotonic: () => now },
      timers: {
        after: (_, task): CancelTimer => {
          fire = task;
          return () => undefined;
        },
        soon: () => () => undefined,
      },
    });
    expect([lag.p99Ms, lag.maxMs]).toEqual([0, 0]);
    lag.start();
    for (const late of [0, 3, 40]) {
      now += 100 + late;
      fire();
    }
    expect([lag.p99Ms, lag.maxMs]).toEqual([40, 40]);
    for (let n = 0; n < 597; n++) {
      now += 101;
      fire();
    }
    // 600 looks: 40 and 3 are the last percent's worst, the 594th of them in order is 1.
    expect([lag.p99Ms, lag.maxMs]).toEqual([1, 40]);
  });
});

describe('the file of a daemon', () => {
  it('says where it is found, and is gone after it', async () => {
    const files = new MemoryFiles();
    const file = {
      formatVersion: 1,
      pid: 7,
      process: 'host/boot/7/1',
      version: '0.1.0',
      mode: 'paper',
      startedAt: 5,
      socket: '/s/control.sock',
      url: undefined,
    } as const;
    expect(await readDaemonFile(files, '/s')).toBeUndefined();
    await writeDaemonFile(files, '/s', file);
    expect(await readDaemonFile(files, '/s')).toMatchObject({ pid: 7, process: 'host/boot/7/1' });
    await removeDaemonFile(files, '/s');
    expect(await readDaemonFile(files, '/s')).toBeUndefined();
  });

  it.each([
    '',
    '[]',
    '{"formatVersion":2}',
    '{"formatVersion":1,"pid":"x"}',
  ])('is refused when it is %j', async (text) => {
    const files = new MemoryFiles();
    await files.writeAtomic('/s/daemon.json', text);
    await expect(readDaemonFile(files, '/s')).rejects.toThrow(/must be what a daemon writes/);
  });
});
