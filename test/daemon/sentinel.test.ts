import { describe, expect, it } from 'vitest';
import type { DaemonStatus, PairStatus } from '../../src/daemon/daemon-api.js';
import { BreachBook } from '../../src/daemon/sentinel/breach-book.js';
import { type Breach, SentinelJudge, type Sight } from '../../src/daemon/sentinel/judge.js';

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
    book.settle(blind, 'again');
    expect(book.isDone(blind)).toBe(false);
    book.settle(blind, 'told');
    expect(book.isDone(blind)).toBe(true);
    book.over('b');
    expect([book.tell(blind), book.isDone(blind)]).toEqual([false, true]);
    book.over('a');
    expect([book.isDone(blind), book.tell(blind)]).toEqual([false, true]);
  });

  it('is also done about the death that it brought', () => {
    const book = new BreachBook();
    book.settle(blind, 'proven');
    expect(book.isDone({ kind: 'dead', process: 'a' })).toBe(true);
    expect(book.isDone({ kind: 'dead', process: 'b' })).toBe(false);
  });

  it('waits while the venue is deaf to the sentinel too, and then for as long as a daemon takes to look again', () => {
    const book = new BreachBook();
    expect(book.isAlone(blind, true, 0)).toBe(true);
    expect(book.isAlone(blind, false, 1_000)).toBe(false);
    expect(book.isAlone(blind, true, 2_000)).toBe(false);
    expect(book.isAlone(blind, false, 5_000)).toBe(false);
    expect(book.isAlone(blind, true, 65_000)).toBe(false);
    expect(book.isAlone(blind, true, 65_001)).toBe(true);
    // Well in between: it has nothing to do with the outage before.
    book.over('a');
    expect([book.wasDeaf('a'), book.isAlone(blind, true, 65_002)]).toEqual([false, true]);
  });
});
