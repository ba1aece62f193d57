import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../src/client/circuit-breaker.js';
import type { Random } from '../../src/model/random.js';
import { seededRandom } from '../../src/model/random.js';
import { SILENT } from '../../src/ports/log.js';
import { VirtualTime } from '../support/virtual-time.js';

/** Pauses of the longest length that jitter allows, unless a test wants less. */
function breakerOf(share = 1) {
  const time = new VirtualTime();
  const random: Random = { ...seededRandom('x'), next: () => share };
  const breaker = new CircuitBreaker({ name: 'test', clock: time.clock, random, log: SILENT });
  const enter = () => {
    const pass = breaker.enter();
    if (pass === undefined) throw new Error(`refused: ${breaker.refusal()?.reason}`);
    return pass;
  };
  const answer = (times: number, latency = 0.01) => {
    for (let i = 0; i < times; i++) enter().answered(latency);
  };
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) enter().failed('reset');
  };
  const state = () => breaker.health.state;
  return { time, breaker, enter, answer, fail, state };
}

describe('a circuit breaker', () => {
  it('opens with the fifth failure in ten calls, and says why', () => {
    const { answer, fail, state, breaker } = breakerOf();
    fail(4);
    answer(5);
    expect(state()).toBe('closed');
    fail(1);
    expect(state()).toBe('open');
    expect(breaker.enter()).toBeUndefined();
    expect(breaker.refusal()).toEqual({
      reason: 'the test breaker is open for 5.0 s more: 5 of the last 10 calls failed, the last with: reset',
      retryAfterMs: 5_000,
    });
  });

  it('forgets failures that lie ten calls back', () => {
    const { answer, fail, state } = breakerOf();
    for (let i = 0; i < 50; i++) {
      fail(4);
      answer(6);
    }
    expect(state()).toBe('closed');
  });

  it('does not count what never took place', () => {
    const { enter, state } = breakerOf();
    for (let i = 0; i < 20; i++) enter().released();
    expect(state()).toBe('closed');
  });

  it('opens when more than a twentieth of the answers takes over half of its deadline', () => {
    const { answer, state, breaker } = breakerOf();
    answer(18);
    answer(2, 0.51);
    // 20 answers: the 19th of them in order of latency is a slow one.
    expect(state()).toBe('open');
    expect(breaker.health.reason).toMatch(/5 % took 51 % of their deadline/);
  });

  it('does not judge latency by fewer than twenty answers, nor by one slow answer in twenty', () => {
    const { answer, state } = breakerOf();
    answer(10);
    answer(9, 0.9);
    expect(state()).toBe('closed');
    const other = breakerOf();
    for (let i = 0; i < 20; i++) {
      other.answer(19);
      other.answer(1, 0.9);
    }
    expect(other.state()).toBe('closed');
  });

  it('lets one call through after its pause, and closes with its answer', async () => {
    const { time, fail, state, breaker, enter } = breakerOf();
    fail(5);
    await time.advance(4_999);
    expect(breaker.enter()).toBeUndefined();
    await time.advance(1);
    expect(state()).toBe('half-open');
    const probe = enter();
    expect(breaker.enter()).toBeUndefined();
    expect(breaker.refusal()?.reason).toMatch(/open until one call was answered/);
    probe.answered(0.01);
    expect(breaker.health).toEqual({ state: 'closed', reason: undefined });
    expect(breaker.enter()).toBeDefined();
  });

  it('stays half-open for the next call when the one it let through never took place', async () => {
    const { time, fail, state, enter } = breakerOf();
    fail(5);
    await time.advance(5_000);
    enter().released();
    expect(state()).toBe('half-open');
    enter().answered(0.01);
    expect(state()).toBe('closed');
  });

  it('is not closed by an answer that took most of its deadline', async () => {
    const { time, fail, state, enter } = breakerOf();
    fail(5);
    await time.advance(5_000);
    enter().answered(0.6);
    expect(state()).toBe('open');
  });

  it('doubles its pauses up to thirty seconds while calls that try fail', async () => {
    const { time, fail, breaker } = breakerOf();
    fail(5);
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      const { retryAfterMs = 0 } = breaker.refusal() ?? {};
      pauses.push(retryAfterMs / 1_000);
      await time.advance(retryAfterMs);
      breaker.enter()?.failed('reset');
    }
    expect(pauses).toEqual([5, 10, 20, 30, 30, 30, 30, 30, 30]);
  });

  it('begins with the shortest pause again after ten answers in a row', async () => {
    const { time, fail, answer, breaker, enter } = breakerOf();
    fail(5);
    await time.advance(5_000);
    enter().failed('reset');
    await time.advance(10_000);
    enter().answered(0.01);
    answer(9);
    fail(5);
    expect(breaker.refusal()?.retryAfterMs).toBe(20_000);
    await time.advance(20_000);
    enter().answered(0.01);
    answer(10);
    fail(5);
    expect(breaker.refusal()?.retryAfterMs).toBe(5_000);
  });

  it('waits a random part of its pause, so that many clients do not come back at once', () => {
    const { fail, breaker } = breakerOf(0.25);
    fail(5);
    expect(breaker.refusal()?.retryAfterMs).toBe(1_250);
  });

  it('takes no news from calls that were under way when it opened', async () => {
    const { time, fail, state, enter } = breakerOf();
    const old = [enter(), enter(), enter()];
    fail(5);
    old[0]?.answered(0.01);
    expect(state()).toBe('open');
    await time.advance(5_000);
    old[1]?.failed('reset');
    expect(state()).toBe('half-open');
    old[2]?.answered(0.01);
    expect(state()).toBe('half-open');
  });

  it('stays open as long as its owner says', async () => {
    const { time, breaker, state } = breakerOf(0.1);
    breaker.trip('the key is refused', 60_000);
    await time.advance(59_999);
    expect(state()).toBe('open');
    await time.advance(1);
    expect(state()).toBe('half-open');
  });
});
