import { describe, expect, test } from 'vitest';
import type { PairReport } from '../../src/execution/pair-watch.js';
import { RiskGuard } from '../../src/runner/risk-guard.js';
import { VirtualTime } from '../support/virtual-time.js';

const SYNCED: PairReport = { pair: 'BTCUSDT', state: 'SYNCED', permission: 'all', reason: 'all agree' };
const STALE_MS = 20_000;

function guardOf() {
  const time = new VirtualTime();
  const world = { agreedAt: 0, stop: undefined as string | undefined, looks: 0 };
  const guard = new RiskGuard({
    state: () => {
      world.looks++;
      return time.now - world.agreedAt > STALE_MS
        ? { ...SYNCED, state: 'SUSPECT', permission: 'reduce-only', reason: 'too old' }
        : SYNCED;
    },
    freshUntil: () => world.agreedAt + STALE_MS,
    stops: [() => world.stop],
    now: () => time.now,
    clock: time.clock,
    timers: time.timers,
  });
  /** `time: permission reason`, as they were told. */
  const told: string[] = [];
  guard.permits$.subscribe(({ permission, reason }) => told.push(`${time.now}: ${permission} ${reason}`));
  return { time, world, guard, told };
}

describe('the guard of risk', () => {
  test('tells that what was agreed is too old in the moment it is, and not when somebody happens to look', async () => {
    const { time, world, guard, told } = guardOf();
    world.agreedAt = -3_500;
    guard.start();
    await time.advance(30_000);
    // Agreed at -3.5 s, good for 20 s.
    expect(told).toEqual(['0: all all agree', '16501: reduce-only too old']);
  });

  test('tells it on time when what was agreed anew had been asked for long ago', async () => {
    const { time, world, guard, told } = guardOf();
    world.agreedAt = -STALE_MS - 1;
    guard.start();
    await time.advance(100);
    world.agreedAt = -18_000;
    guard.refresh();
    await time.advance(4_000);
    expect(told).toEqual(['0: reduce-only too old', '100: all all agree', '2001: reduce-only too old']);
  });

  test('looks within 5 s at what nobody tells it of, and at once when it is told', async () => {
    const { time, world, guard, told } = guardOf();
    guard.start();
    await time.advance(1_000);
    world.stop = 'the disk is full';
    guard.lookSoon();
    expect(told).toHaveLength(1);
    await time.advance(0);
    world.stop = undefined;
    await time.advance(5_000);
    expect(told).toEqual(['0: all all agree', '1000: reduce-only the disk is full', '6000: all all agree']);
  });

  test('answers whoever asks by what holds now, whatever it has told', () => {
    const { world, guard } = guardOf();
    guard.start();
    expect(guard.reason()).toBeUndefined();
    world.stop = 'the clock jumped';
    expect(guard.reason()).toBe('the clock jumped');
  });

  test('looks no more often than every 5 s while what was agreed stays young', async () => {
    const { time, world, guard } = guardOf();
    guard.start();
    for (let second = 0; second < 600; second++) {
      world.agreedAt = time.now;
      await time.advance(1_000);
    }
    expect(world.looks).toBe(1 + 600 / 5);
  });

  test('leaves no timer behind when it is stopped, also by what it tells', async () => {
    const { time, world, guard } = guardOf();
    guard.start();
    guard.permits$.subscribe(({ permission }) => permission === 'reduce-only' && guard.stop());
    world.stop = 'over';
    await time.advance(5_000);
    expect(time.pending).toBe(0);
    guard.lookSoon();
    expect(time.pending).toBe(0);
  });
});
