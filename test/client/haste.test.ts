/** A client that somebody waits for, in virtual time behind the transport port. */
import { describe, expect, it } from 'vitest';
import { Haste, PATIENT } from '../../src/client/haste.js';
import type { VenueError } from '../../src/ports/venue-api.js';
import { envelope, PAIR, WIRE_ORDER, WIRE_TRADE } from './fixtures.js';
import { lostAnswer, type ScriptedAnswer, scriptedVenue } from './scripted-transport.js';

const ANSWER_MS = 1_500;
const haste = { answerMs: ANSWER_MS, retryShare: 1, pauses: { firstMs: 1_000, longestMs: 2_000 } };
const TRADES = { body: envelope([WIRE_TRADE]) };

/** Each request takes the next of `answers`, the last of which stays. */
function inHaste(answers: readonly ScriptedAnswer[], more: Parameters<typeof scriptedVenue>[2] = { haste }) {
  let asked = 0;
  const venue = scriptedVenue(
    () => answers[Math.min(asked++, answers.length - 1)] ?? lostAnswer(),
    undefined,
    more,
  );
  const timed = async (work: Promise<unknown>) => {
    const from = venue.time.clock.monotonic();
    const failure = await venue.time.until(
      work.then(
        () => undefined,
        (error: unknown) => error as VenueError,
      ),
    );
    return { failure, ms: venue.time.clock.monotonic() - from };
  };
  return {
    ...venue,
    trades: () => timed(venue.client.trades({ pair: PAIR })),
    cancel: () => venue.time.until(venue.client.cancel('77')),
    waits: () => venue.requests.map(({ deadlineMs }) => deadlineMs),
  };
}

const never = { ...TRADES, ms: 1_000_000 };

describe('a read in haste', () => {
  it('is asked again at once when its answer is lost', async () => {
    const { trades, seen } = inHaste([never, { ...TRADES, ms: 10 }]);
    expect(await trades()).toEqual({ failure: undefined, ms: ANSWER_MS + 10 });
    expect(seen).toEqual(['GET /trades', 'GET /trades']);
  });

  it('gives a venue that is slow all the time that it needs, and the next read at once', async () => {
    const { trades, waits } = inHaste([{ ...TRADES, ms: 4_000 }]);
    expect((await trades()).failure).toBeUndefined();
    expect((await trades()).failure).toBeUndefined();
    expect(waits()).toEqual([1_500, 3_000, 6_000, 6_000]);
  });

  it('hurries again after the first answer that comes soon', async () => {
    const { trades, waits } = inHaste([never, TRADES, TRADES]);
    await trades();
    await trades();
    expect(waits()).toEqual([1_500, 3_000, 1_500]);
  });

  it('gives one kind of call that is slow its time, however soon others are answered between its calls', async () => {
    const { client, time, requests } = scriptedVenue(
      (_, path) =>
        path === '/trades' ? { ...TRADES, ms: 4_000 } : { body: envelope({ ...WIRE_ORDER, id: '77' }) },
      undefined,
      { haste },
    );
    for (let i = 0; i < 3; i++) {
      await time.until(client.trades({ pair: PAIR }));
      await time.until(client.order('77'));
      await time.until(client.cancel('77'));
    }
    const waits = requests.filter(({ url }) => url.includes('/trades')).map(({ deadlineMs }) => deadlineMs);
    expect(waits).toEqual([1_500, 3_000, 6_000, 6_000, 6_000]);
  });

  it('fails in the end, once, as far as the breaker counts', async () => {
    const { trades, client, waits } = inHaste([never]);
    const { failure } = await trades();
    expect(failure).toMatchObject({ kind: 'timeout' });
    expect(waits()).toEqual([1_500, 3_000, 6_000, 8_000]);
    for (let i = 0; i < 3; i++) await trades();
    expect(client.health.breakers.public.state).toBe('closed');
    await trades();
    expect(client.health.breakers.public.state).toBe('open');
  });

  it('lasts no longer than who waits for it has time, but for the least that it may have', async () => {
    for (const [until, ms] of [
      [0, 1_500],
      [5_000, 6_000],
      [10_000, 10_000],
      [60_000, 18_500],
    ] as const) {
      const { trades } = inHaste([never], { haste: { ...haste, until } });
      expect(await trades()).toMatchObject({ failure: { kind: 'timeout' }, ms });
    }
  });

  it('tries soon after the breaker has opened', async () => {
    const { client, trades, time } = inHaste([]);
    for (let i = 0; i < 5; i++) await trades();
    expect(client.health.breakers.public.state).toBe('open');
    await time.until(new Promise<void>((done) => void time.timers.after(1_000, done)));
    expect(client.health.breakers.public.state).toBe('half-open');
  });

  it('is what a client is told to: otherwise a read has all its time, once', async () => {
    const { trades, waits } = inHaste([never], {});
    expect(await trades()).toMatchObject({ failure: { kind: 'timeout' }, ms: 8_000 });
    expect(waits()).toEqual([8_000]);
  });
});

describe('a cancel in haste', () => {
  it('is never sent twice, and the next one has longer', async () => {
    const { cancel, waits, seen } = inHaste([never, { body: envelope({ ...WIRE_ORDER, id: '77' }) }]);
    expect(await cancel()).toMatchObject({ kind: 'unanswered' });
    await cancel();
    await cancel();
    expect(waits()).toEqual([1_500, 3_000, 1_500]);
    expect(seen).toHaveLength(3);
  });
});

it('a cancel lasts no longer than who waits for it has time either', async () => {
  const { cancel, waits } = inHaste([never], { haste: { ...haste, until: 3_000 } });
  for (let i = 0; i < 3; i++) await cancel();
  expect(waits()).toEqual([1_500, 1_500, 1_500]);
});

describe('haste', () => {
  it('takes calls that were begun together for one observation', () => {
    const both = new Haste(haste);
    expect([both.timedOut(1_500, 5_000), both.timedOut(1_500, 5_000)]).toEqual([true, true]);
    expect(both.waitMs(0)).toBe(3_000);
  });

  it('is not what ended a call that had all its time', () => {
    const own = new Haste({ ...haste, answerMs: 5_000 });
    expect(own.timedOut(5_000, 5_000)).toBe(false);
    expect(new Haste(undefined).waitMs(0)).toBe(PATIENT);
  });
});
