import { expect, test } from 'vitest';
import { OwnOrders } from '../../src/execution/own-orders.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../src/execution/chronicle.js';
import { cancelAllOwn } from '../../src/execution/shutdown.js';
import { TrackedOrder } from '../../src/execution/tracked-order.js';
import { SILENT } from '../../src/ports/log.js';
import { type CancelAllOutcome, VenueError } from '../../src/ports/venue-api.js';
import { Subject } from 'rxjs';
import { BTC } from '../support/markets.js';
import { orderRecordOf } from '../support/records.js';
import { VirtualTime } from '../support/virtual-time.js';
import { placeOf } from './harness.js';

function liveOrder({ clock }: VirtualTime, id: string): TrackedOrder {
  const { terms } = placeOf(1);
  const named = { key: 's1-1', intentId: 1, tag: undefined } as const;
  const order = new TrackedOrder({ ...named, market: BTC, terms, confirmMs: 0, clock });
  const money = { priceOriginal: 60_000, price: 60_000, quantity: 0.01, leavesQuantity: 0.01 };
  order.accept(orderRecordOf({ id, pair: BTC.pair, side: 'buy', type: 'limit', ...money, time: 1_000 }), 0);
  return order;
}

const ANSWERED: CancelAllOutcome = { kind: 'answered', orders: [] };

interface Wish {
  /** From then on the lists can be read, ms. */
  readonly heals?: number;
  /** An order of ours, known to live. */
  readonly live?: string;
  readonly answers?: (now: number) => CancelAllOutcome;
}

/** The venue's lists fail with these, one after the other and the last one for good, until `heals`. */
async function canceling(
  errors: (now: number) => VenueError,
  { heals = Number.POSITIVE_INFINITY, live, answers = () => ANSWERED }: Wish = {},
) {
  const time = new VirtualTime();
  const asked: number[] = [];
  const warnings: unknown[] = [];
  const log = { ...SILENT, warn: (...words: readonly unknown[]) => warnings.push(words) };
  const list = () => {
    asked.push(time.now);
    return time.now >= heals ? Promise.resolve([]) : Promise.reject(errors(time.now));
  };
  const own = new OwnOrders(new Subject(), new Chronicle(NO_BOT_JOURNAL), log);
  if (live !== undefined) own.add(liveOrder(time, live));
  const cancels: (readonly [number, readonly string[]])[] = [];
  const cancelMany = (ids: readonly string[]) => {
    cancels.push([time.now, ids]);
    return Promise.resolve(answers(time.now));
  };
  await time.until(
    cancelAllOwn({
      api: { cancelMany },
      own,
      watch: { list, read: () => Promise.resolve(true) },
      isOurs: () => true,
      isKept: () => false,
      timers: time.timers,
      clock: time.clock,
      log,
      visibilityMs: 0,
      deadlineMs: 10_000,
      signal: new AbortController().signal,
    }),
  );
  return { asked, cancels, warnings, end: time.now };
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
  const { warnings, asked, end } = await canceling(
    (now) => {
      const text = `the breaker is open for ${(opensAt - now) / 1_000} s more`;
      return new VenueError('unreachable', text, { retryAfterMs: opensAt - now });
    },
    { heals: opensAt },
  );
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

test('what is known to live is canceled at once while our own client lets no read through, and not again once answered', async () => {
  const { asked, cancels } = await canceling(
    () => new VenueError('unreachable', 'open', { retryAfterMs: 30_000 }),
    { live: '7', answers: (now) => (now < 1_000 ? { kind: 'unanswered', reason: 'reset' } : ANSWERED) },
  );
  expect(asked).toEqual([0]);
  expect(cancels.map(([at]) => at)).toEqual([0, 100, 300, 700, 1_500]);
  expect(cancels[0]?.[1]).toEqual(['7']);
});

test('a wait that is longer than the deadline ends with it', async () => {
  const { asked, end } = await canceling(
    () => new VenueError('unreachable', 'open', { retryAfterMs: 30_000 }),
  );
  expect([asked, end]).toEqual([[0], 10_000]);
});
