import { describe, expect, test } from 'vitest';
import { poll, type PollAnswer, type PollOptions } from '../../src/market-data/poller.js';
import { SILENT } from '../../src/ports/log.js';
import { VenueError } from '../../src/ports/venue-api.js';
import { VirtualTime } from '../support/virtual-time.js';

function polling(
  read: (time: VirtualTime, round: number) => Promise<number>,
  more: Partial<PollOptions<number>> = {},
) {
  const time = new VirtualTime();
  const starts: number[] = [];
  const answers: PollAnswer<number>[] = [];
  let flying = 0;
  let overlap = 0;
  const stream = poll<number>({
    name: 'test',
    everyMs: 1_000,
    minGapMs: 100,
    timers: time.timers,
    clock: time.clock,
    log: SILENT,
    ...more,
    read: async () => {
      starts.push(time.now);
      overlap = Math.max(overlap, ++flying);
      try {
        return await read(time, starts.length);
      } finally {
        flying--;
      }
    },
  });
  const subscription = stream.subscribe((answer) => answers.push(answer));
  return { time, starts, answers, subscription, overlap: () => overlap };
}

describe('poll', () => {
  test('starts at once and then once an interval while answers are quick', async () => {
    const { time, starts, answers } = polling(async (t, round) => (await t.sleep(50), round));
    await time.advance(3_500);
    expect(starts).toEqual([0, 1_000, 2_000, 3_000]);
    expect(answers.map((answer) => answer.kind === 'answered' && answer.value)).toEqual([1, 2, 3, 4]);
  });

  test('never overlaps, waits the gap after a slow answer and counts the intervals it went without', async () => {
    const { time, starts, answers, overlap } = polling(async (t) => (await t.sleep(2_500), 0));
    await time.advance(10_000);
    expect(starts).toEqual([0, 2_600, 5_200, 7_800]);
    // From 0 to 2 600 the tick of 1 000 went by; the one of 2 000 is the poll of 2 600.
    expect(answers.map((answer) => answer.skipped)).toEqual([0, 1, 1]);
    expect(overlap()).toBe(1);
  });

  test('makes values of failures and doubles the interval while they last, up to the longest pause', async () => {
    const { time, starts, answers } = polling(
      async (_, round) => {
        if (round <= 5) throw new VenueError('timeout', 'no answer');
        return round;
      },
      { maxBackoffMs: 4_000 },
    );
    await time.advance(16_000);
    expect(starts).toEqual([0, 1_000, 3_000, 7_000, 11_000, 15_000, 16_000]);
    expect(answers.map((answer) => (answer.kind === 'failed' ? answer.failures : 0))).toEqual([
      1, 2, 3, 4, 5, 0, 0,
    ]);
  });

  test('waits as long as the venue asks', async () => {
    const { time, starts } = polling(async (t, round) => {
      await t.sleep(10);
      if (round === 1) throw new VenueError('throttled', 'later', { retryAfterMs: 7_000 });
      return round;
    });
    await time.advance(8_500);
    expect(starts).toEqual([0, 7_010, 8_010]);
  });

  test('takes an exception thrown before the first await for a failure too', async () => {
    const { time, answers } = polling(() => {
      throw new TypeError('a bug in an adapter');
    });
    await time.advance(500);
    expect(answers.map((answer) => answer.kind)).toEqual(['failed']);
  });

  test('stops when unsubscribed: no timer stays, and the answer under way reaches nobody', async () => {
    const { time, starts, answers, subscription } = polling(async (t) => (await t.sleep(300), 0));
    await time.advance(1_100);
    subscription.unsubscribe();
    await time.advance(60_000);
    expect(starts).toEqual([0, 1_000]);
    expect(answers).toHaveLength(1);
    expect(time.pending).toBe(0);
  });

  test('says once that it fails and once that it answers again', async () => {
    const said: string[] = [];
    const log = {
      ...SILENT,
      warn: (m: string) => said.push(`warn ${m}`),
      info: (m: string) => said.push(`info ${m}`),
    };
    const { time } = polling(
      async (_, round) => {
        if (round >= 2 && round <= 4) throw new Error('down');
        return 0;
      },
      { log },
    );
    await time.advance(20_000);
    expect(said).toEqual(['warn poll fails', 'info poll answers again']);
  });

  test('starts late when phases are spread', async () => {
    const { time, starts } = polling(async () => 0, { firstAfterMs: 400 });
    await time.advance(2_000);
    expect(starts).toEqual([400, 1_400]);
  });
});
