import { describe, expect, it } from 'vitest';
import type { DaemonStatus, PairStatus } from '../../src/daemon/daemon-api.js';
import { BreachBook } from '../../src/daemon/sentinel/breach-book.js';
import { type Breach, SentinelJudge, type Sight } from '../../src/daemon/sentinel/judge.js';
import { round } from '../../src/daemon/sentinel/round.js';

const BOUNDS = { hung: 20_000, dead: 15_000, ending: 90_000, blind: 60_000 };
const PAIR = { pair: 'USD_BTC_PERP', orders: ['17'], doubt: 0, pollAgeMs: 200 } as unknown as PairStatus;

function statusOf(over: Partial<DaemonStatus> = {}): DaemonStatus {
  const loopLag = { p99Ms: 2, maxMs: 30_000 };
  return { state: 'running', uptimeMs: 100_000, pairs: [PAIR], loopLag, ...over } as DaemonStatus;
}

const answer = (over?: Partial<DaemonStatus>): Sight => ({
  kind: 'answer',
  process: 'a',
  status: statusOf(over),
});

/** Looks each second, from 0 on; the breach of the first look that finds one, and its time. */
function watch(sights: (second: number) => Sight, seconds = 200) {
  const judge = new SentinelJudge({ bounds: BOUNDS, everyMs: 1_000 });
  for (let second = 0; second <= seconds; second++) {
    const breach = judge.see(sights(second), second * 1_000);
    if (breach !== undefined) return { second, ...breach };
  }
  return undefined;
}

describe('a sentinel', () => {
  it('never acts on a daemon that answers, is paused or halted, or has ended in order', () => {
    expect(watch(() => answer())).toBeUndefined();
    expect(watch(() => answer({ state: 'paused' }))).toBeUndefined();
    expect(watch(() => answer({ state: 'halted' }))).toBeUndefined();
    expect(watch((at) => (at < 5 ? answer() : { kind: 'absent' }))).toBeUndefined();
  });

  it('acts on a process that does not answer for as long as the bound says, and on a hung engine', () => {
    expect(watch(() => ({ kind: 'silent', process: 'a' }))).toMatchObject({
      second: 20,
      kind: 'hung',
      process: 'a',
      words: 'it runs and does not answer for 20 s',
    });
    expect(watch((at) => answer({ state: at < 10 ? 'running' : 'hung' }))).toMatchObject({
      second: 30,
      kind: 'hung',
    });
  });

  it('gives one that loads its configuration as long as one that ends', () => {
    const starting: Sight = { kind: 'silent', process: 'a', isStarting: true };
    expect(watch(() => starting)).toMatchObject({
      second: 90,
      words: 'it starts and does not answer for 90 s',
    });
    expect(watch((at) => (at < 60 ? starting : answer()))).toBeUndefined();
  });

  it('begins anew after each answer, and with each process', () => {
    expect(watch((at) => (at % 15 === 0 ? answer() : { kind: 'silent', process: 'a' }))).toBeUndefined();
    expect(watch((at) => ({ kind: 'silent', process: String(Math.floor(at / 15)) }))).toBeUndefined();
  });

  it('acts on a process that ended without order, unless another takes its place in time', () => {
    expect(watch(() => ({ kind: 'dead', process: 'a' }))).toMatchObject({ second: 15, kind: 'dead' });
    expect(watch((at) => (at < 14 ? { kind: 'dead', process: 'a' } : answer()))).toBeUndefined();
  });

  it('acts on a daemon that has orders, or doubts, and no news for a minute; without any it may wait', () => {
    const stale = { ...PAIR, pollAgeMs: 61_000 };
    expect(watch(() => answer({ pairs: [stale] }))).toMatchObject({ second: 3, kind: 'blind' });
    expect(watch(() => answer({ pairs: [{ ...stale, orders: [], doubt: 1 }] }))).toMatchObject({
      kind: 'blind',
    });
    expect(watch(() => answer({ pairs: [{ ...stale, orders: [] }] }))).toBeUndefined();
    expect(watch(() => answer({ pairs: [{ ...PAIR, pollAgeMs: 59_000 }] }))).toBeUndefined();
    // One that never heard anything is as old as the daemon.
    expect(watch(() => answer({ pairs: [{ ...PAIR, pollAgeMs: undefined }] }))).toMatchObject({
      kind: 'blind',
    });
  });

  it('bears with polls that are rare: their news may be four intervals old', () => {
    const rare = { ...PAIR, pollMs: 90_000 };
    expect(watch(() => answer({ pairs: [{ ...rare, pollAgeMs: 89_000 }] }))).toBeUndefined();
    expect(watch(() => answer({ pairs: [{ ...rare, pollAgeMs: 360_001 }] }))).toMatchObject({
      kind: 'blind',
    });
  });

  it('does not take the first words of a daemon that was stopped for a while for its last', () => {
    const stale = { ...PAIR, pollAgeMs: 61_000 };
    expect(watch((at) => answer({ pairs: [at < 2 ? stale : PAIR] }))).toBeUndefined();
  });

  it('acts on a daemon whose timers are late all the time, not on one that was late once', () => {
    expect(watch(() => answer({ loopLag: { p99Ms: 5_001, maxMs: 9_000 } }))).toMatchObject({
      second: 20,
      kind: 'lagging',
    });
  });

  it('gives an orderly end its time, and no more', () => {
    expect(watch(() => answer({ state: 'stopping' }))).toMatchObject({ second: 90, kind: 'hung' });
  });

  it('that was itself stopped begins anew: so may have been the daemon', () => {
    const judge = new SentinelJudge({ bounds: BOUNDS, everyMs: 1_000 });
    const silent: Sight = { kind: 'silent', process: 'a' };
    expect(judge.see(silent, 0)).toBeUndefined();
    expect(judge.see(silent, 600_000)).toBeUndefined();
    expect(judge.see(answer(), 601_000)).toBeUndefined();
  });
});

describe('what a sentinel did about a breach', () => {
  const blind: Breach = { kind: 'blind', process: 'a', words: 'no news for 61 s' };

  it('is told once and done once, until the process was seen to be well in between', () => {
    const book = new BreachBook();
    expect([book.tell(blind), book.tell(blind), book.isDone(blind)]).toEqual([true, false, false]);
    book.settle(blind, 'again', 0);
    expect(book.isDone(blind)).toBe(false);
    book.settle(blind, 'told', 0);
    expect(book.isDone(blind)).toBe(true);
    book.over('b');
    expect([book.tell(blind), book.isDone(blind)]).toEqual([false, true]);
    book.over('a');
    expect([book.isDone(blind), book.tell(blind)]).toEqual([false, true]);
  });

  it('is also done about the death that it brought', () => {
    const book = new BreachBook();
    book.settle(blind, 'proven', 0);
    expect(book.isDone({ kind: 'dead', process: 'a' })).toBe(true);
    expect(book.isDone({ kind: 'dead', process: 'b' })).toBe(false);
  });

  it('waits while the venue is deaf to the sentinel too, and then for as long as a daemon takes to look again', () => {
    const book = new BreachBook();
    const [heard, deaf] = [{ answers: true }, { answers: false }];
    expect(book.isAlone(blind, heard, 0)).toBe(true);
    expect(book.isAlone(blind, deaf, 1_000)).toBe(false);
    expect(book.isAlone(blind, heard, 2_000)).toBe(false);
    expect(book.isAlone(blind, deaf, 5_000)).toBe(false);
    // When it came back in this pause nobody knows.
    expect(book.isAlone(blind, heard, 64_000)).toBe(false);
    expect(book.isAlone(blind, heard, 124_000)).toBe(false);
    expect(book.isAlone(blind, heard, 124_001)).toBe(true);
    // Well in between: it has nothing to do with the outage before.
    book.over('a');
    expect([book.wasDeaf('a'), book.isAlone(blind, heard, 124_002)]).toEqual([false, true]);
  });

  it('rests while the venue is deaf to the sentinel too; what else is wrong with the process does not', () => {
    const book = new BreachBook();
    book.isAlone(blind, { answers: false }, 0);
    expect([book.isResting(blind, 1_999), book.isResting(blind, 2_000)]).toEqual([true, false]);
    expect(book.isResting({ ...blind, kind: 'hung' }, 0)).toBe(false);
    expect(book.isResting({ ...blind, process: 'b' }, 0)).toBe(false);
    // The pause that it asks for counts where it is longer than ours, which is 4 s by now and 8 s then.
    book.isAlone(blind, { answers: false, retryAfterMs: 30_000 }, 2_000);
    expect([book.isResting(blind, 31_999), book.isResting(blind, 32_000)]).toEqual([true, false]);
    book.isAlone(blind, { answers: false, retryAfterMs: 1_000 }, 32_000);
    expect([book.isResting(blind, 39_999), book.isResting(blind, 40_000)]).toEqual([true, false]);
    book.over('a');
    book.isAlone(blind, { answers: false }, 50_000);
    expect([book.isResting(blind, 51_999), book.isResting(blind, 52_000)]).toEqual([true, false]);
  });
});

describe('what a sentinel told about a breach', () => {
  const dead = { kind: 'dead', process: 'a', words: '' } as const;

  it('is over when the daemon, or the one that took its place, is well; once, and not if it was dealt with', () => {
    const book = new BreachBook();
    book.tell(dead);
    book.settle(dead, 'told', 0);
    expect([book.over('b'), book.over('b')]).toEqual([[dead], []]);

    const hung = { ...dead, kind: 'hung' } as const;
    book.tell(hung);
    book.settle(hung, 'again', 0);
    book.settle(hung, 'proven', 2_000);
    expect(book.over('b')).toEqual([]);
  });
});

describe('a stop that cannot be proven', () => {
  it('is tried again ever more rarely, up to once a minute, and at once for a new breach', async () => {
    const judge = new SentinelJudge({ bounds: BOUNDS, everyMs: 1_000 });
    const book = new BreachBook();
    let now = 0;
    const tries: number[] = [];
    const steps = {
      judge,
      book,
      now: () => now,
      onBreach: () => undefined,
      onWell: () => undefined,
      act: () => {
        tries.push(now / 1_000);
        return Promise.resolve('again' as const);
      },
    };
    for (; now <= 400_000; now += 1_000) await round(steps, { kind: 'dead', process: 'a' });
    const [first = 0, ...later] = tries;
    expect(first).toBe(15);
    expect(later.map((at, index) => at - (tries[index] ?? 0))).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    const before = tries.length;
    for (const until = now + 20_000; now <= until; now += 1_000) {
      await round(steps, { kind: 'dead', process: 'b' });
    }
    expect(tries.length).toBeGreaterThan(before);
  });
});

interface Outage {
  readonly untilMs: number;
  /** How long a question takes that is not answered. */
  readonly readMs: number;
  readonly retryAfterMs?: number;
}

/** Looks until it acts or the time is over. */
async function watchOutage(outage: Outage, pollAgeMs: (now: number) => number, untilMs: number) {
  const judge = new SentinelJudge({ bounds: BOUNDS, everyMs: 1_000 });
  const book = new BreachBook();
  let now = 0;
  let told = 0;
  const ended: string[] = [];
  const asked: number[] = [];
  let actedAt: number | undefined;
  const steps = {
    judge,
    book,
    now: () => now,
    onBreach: () => told++,
    onWell: (breaches: readonly Breach[]) => ended.push(...breaches.map(({ kind }) => kind)),
    act: async (breach: Breach) => {
      asked.push(now);
      const answers = now >= outage.untilMs;
      now += answers ? 20 : outage.readMs;
      if (!book.isAlone(breach, { answers, retryAfterMs: outage.retryAfterMs }, now)) return 'later' as const;
      actedAt = now;
      return 'proven' as const;
    },
  };
  for (; now < untilMs && actedAt === undefined; now += 1_000) {
    await round(steps, answer({ pairs: [{ ...PAIR, pollAgeMs: pollAgeMs(now) }] }));
  }
  return { told, ended, asked, actedAt };
}

describe('the rounds of a sentinel whose venue accepts requests and answers none', () => {
  const OUTAGE_MS = 300_000;
  /** Each question costs its whole deadline. */
  const outage = { untilMs: OUTAGE_MS, readMs: 5_020 };

  it('tell it once, and leave the daemon the minute it may need to see that the venue is back', async () => {
    // It looks again 30 s after the venue is back.
    const isBlind = (now: number) => now < OUTAGE_MS + 30_000;
    const age = (now: number) => (isBlind(now) ? now + 61_000 : 200);
    expect(await watchOutage(outage, age, OUTAGE_MS + 200_000)).toMatchObject({
      told: 1,
      ended: ['blind'],
      actedAt: undefined,
    });
  });

  it('leave it that minute whenever in a pause of the sentinel the venue comes back', async () => {
    for (let untilMs = 200_000; untilMs < 330_000; untilMs += 5_000) {
      const age = (now: number) => (now < untilMs + 59_000 ? now + 61_000 : 200);
      const { actedAt } = await watchOutage({ ...outage, untilMs }, age, untilMs + 200_000);
      expect(actedAt).toBeUndefined();
    }
  });

  it('end one that stays blind after it', async () => {
    const { told, actedAt = 0 } = await watchOutage(outage, (now) => now + 61_000, OUTAGE_MS + 200_000);
    expect(told).toBe(1);
    expect(actedAt).toBeGreaterThan(OUTAGE_MS + 60_000);
    // A pause of a minute may have just begun.
    expect(actedAt).toBeLessThan(OUTAGE_MS + 125_000);
  });
});

describe('the rounds of a sentinel whose venue refuses it, too', () => {
  const throttle = { untilMs: 900_000, readMs: 20 };
  const stale = (now: number) => now + 61_000;

  it('ask it ever more rarely, and not every second', async () => {
    const { asked } = await watchOutage(throttle, stale, 900_000);
    expect(asked.length).toBeLessThan(30);
    const longest = Math.max(...asked.map((at, index) => at - (asked[index - 1] ?? 0)));
    expect(longest).toBeLessThan(63_000);
  });

  it('ask it a few times in the minute after it answers again, and then act', async () => {
    const back = { ...throttle, untilMs: 300_000 };
    const { asked, actedAt = Number.NaN } = await watchOutage(back, stale, 900_000);
    const after = asked.filter((at) => at >= back.untilMs);
    expect(after.length).toBeLessThanOrEqual(6);
    expect(actedAt - (after[0] ?? 0)).toBeGreaterThan(60_000);
    expect(actedAt - (after[0] ?? 0)).toBeLessThan(63_000);
  });

  it('ask no sooner than it allows', async () => {
    const { asked } = await watchOutage({ ...throttle, retryAfterMs: 120_000 }, stale, 900_000);
    expect(asked.length).toBeGreaterThan(5);
    const shortest = Math.min(...asked.slice(1).map((at, index) => at - (asked[index] ?? 0)));
    expect(shortest).toBeGreaterThanOrEqual(120_000);
  });
});
