import { expect, test } from 'vitest';
import { OwnOrders } from '../../src/execution/own-orders.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../src/execution/chronicle.js';
import { cancelAllOwn } from '../../src/execution/shutdown.js';
import { SILENT } from '../../src/ports/log.js';
import { VenueError } from '../../src/ports/venue-api.js';
import { Subject } from 'rxjs';
import { VirtualTime } from '../support/virtual-time.js';

/** The venue's lists fail with these, one after the other and the last one for good, until `heals`. */
async function canceling(errors: (now: number) => VenueError, heals = Number.POSITIVE_INFINITY) {
  const time = new VirtualTime();
  const asked: number[] = [];
  const warnings: unknown[] = [];
  const log = { ...SILENT, warn: (...words: readonly unknown[]) => warnings.push(words) };
  const list = () => {
    asked.push(time.now);
    return time.now >= heals ? Promise.resolve([]) : Promise.reject(errors(time.now));
  };
  await time.until(
    cancelAllOwn({
      api: { cancelMany: () => Promise.reject(new Error('nothing is to be canceled')) },
      own: new OwnOrders(new Subject(), new Chronicle(NO_BOT_JOURNAL), log),
      watches: [{ list, read: () => Promise.resolve(true) }],
      isOurs: () => true,
      timers: time.timers,
      clock: time.clock,
      log,
      visibilityMs: 0,
      deadlineMs: 10_000,
      signal: new AbortController().signal,
    }),
  );
  return { asked, warnings, end: time.now };
}

test('what keeps orders from being canceled is told when it changes, not with every round', async () => {
  const { warnings, asked } = await canceling((now) =>
    now < 5_000
      ? new VenueError('unreachable', 'no connection')
      : new VenueError('timeout', `no answer in ${now} ms`),
  );
  expect(asked.length).toBeGreaterThan(90);
  expect(warnings).toHaveLength(2);
});

test('while our own client lets no read through none is asked for, and it goes on once one may leave', async () => {
  const opensAt = 4_200;
  const { warnings, asked, end } = await canceling((now) => {
    const text = `the breaker is open for ${(opensAt - now) / 1_000} s more`;
    return new VenueError('unreachable', text, { retryAfterMs: opensAt - now });
  }, opensAt);
  expect(asked).toEqual([0, 4_200, 4_300]);
  expect(warnings).toHaveLength(1);
  expect(end).toBe(4_300);
});

test('what keeps them from it stays told while the breaker opens and lets one read through, again and again', async () => {
  const { warnings } = await canceling((now) =>
    now % 1_000 === 0
      ? new VenueError('unreachable', 'no connection')
      : new VenueError('unreachable', 'the breaker is open', { retryAfterMs: 1_000 - (now % 1_000) }),
  );
  expect(warnings).toHaveLength(1);
});

test('a wait that is longer than the deadline ends with it', async () => {
  const { asked, end } = await canceling(
    () => new VenueError('unreachable', 'open', { retryAfterMs: 30_000 }),
  );
  expect([asked, end]).toEqual([[0], 10_000]);
});
