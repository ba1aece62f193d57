import { describe, expect, it } from 'vitest';
import { Killed } from '../../../src/simulation/world/killed.js';
import type { Life, LifeOptions } from '../../../src/simulation/world/life.js';
import type { VenueWorld } from '../../../src/simulation/world/venue-world.js';
import { world } from './desk.js';

function alone(options: Partial<LifeOptions> = {}): { readonly at: VenueWorld; readonly life: Life } {
  const at = world();
  return { at, life: at.boot({ name: 'bot', disk: at.disk('machine'), ...options }) };
}

describe('the timers of a process', () => {
  it('fire in order of time, each with all its promises before the next, and not when cancelled', async () => {
    const { at, life } = alone();
    const seen: string[] = [];
    const { timers, clock } = life;
    timers.after(20, () => seen.push(`b ${clock.monotonic()}`));
    timers.after(10, () => {
      void Promise.resolve().then(() => seen.push('a then'));
      timers.soon(() => seen.push('soon'));
      seen.push('a');
    });
    const cancel = timers.after(15, () => seen.push('never'));
    cancel();
    cancel();
    await at.scheduler.runUntil(100);
    expect(seen).toEqual(['a', 'a then', 'soon', 'b 20']);
  });

  it.each([
    -400, 0, 35, 400,
  ])('are never early by the clock of the process, which drifts by %s ppm', async (driftPpm) => {
    const { at, life } = alone({ driftPpm, wallOffsetMs: 1_500 });
    const late: number[] = [];
    for (const ms of [0.1, 1, 333.3, 86_400_000]) {
      life.timers.after(ms, () => late.push(life.clock.monotonic() - ms));
    }
    await at.scheduler.runUntil(86_500_000);
    expect(late.length).toBe(4);
    for (const each of late) {
      expect(each).toBeGreaterThanOrEqual(0);
      expect(each).toBeLessThan(0.003);
    }
    // The venue's clock is right; the wall clock was 1 500 ms ahead at birth and has drifted since.
    const drifted = (86_500_000 * driftPpm) / 1e6;
    expect(life.clock.wall() - at.venueNow()).toBeCloseTo(1_500 + drifted, -1);
  });

  it('a task that throws is an uncaught exception', async () => {
    const uncaught: unknown[] = [];
    const { at, life } = alone({ onUncaught: (error) => uncaught.push(error) });
    life.timers.after(1, () => {
      throw new Error('bug');
    });
    await at.scheduler.runUntil(2);
    expect(uncaught).toEqual([new Error('bug')]);
    const other = at.boot({ name: 'other', disk: at.disk('other') });
    other.timers.after(1, () => {
      throw new Error('another bug');
    });
    await expect(at.scheduler.runUntil(5)).rejects.toThrow('another bug');
  });
});

describe('clocks that are tampered with', () => {
  it('a wall clock that is set leaves timers and the monotonic clock alone', async () => {
    const { at, life } = alone();
    let firedAt = 0;
    life.timers.after(50, () => (firedAt = life.clock.monotonic()));
    await at.scheduler.runUntil(10);
    life.jumpWall(-3_600_000);
    await at.scheduler.runUntil(100);
    expect(firedAt).toBe(50);
    expect(life.clock.wall()).toBe(at.venueNow() - 3_600_000);
  });

  it('a suspended machine has a monotonic clock that stands still, and timers that wait as much longer', async () => {
    const { at, life } = alone();
    const fired: (readonly [number, number])[] = [];
    life.timers.after(50, () => fired.push([at.scheduler.now, life.clock.monotonic()]));
    await at.scheduler.runUntil(10);
    life.suspend(1_000, 'machine');
    await at.scheduler.runUntil(1_009);
    expect(life.clock.monotonic()).toBe(10);
    await at.scheduler.runUntil(2_000);
    expect(fired).toEqual([[1_050, 50]]);
    expect(life.clock.monotonic()).toBe(1_000);
    expect(life.clock.wall()).toBe(at.venueNow());
  });

  it('a stopped process has overdue timers, in their order, as soon as it goes on', async () => {
    const { at, life } = alone();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name} ${at.scheduler.now} ${life.clock.monotonic()}`);
    life.timers.after(60, note('b'));
    life.timers.after(50, note('a'));
    life.timers.after(2_000, note('c'));
    await at.scheduler.runUntil(10);
    life.suspend(1_000, 'process');
    // Asked again meanwhile: longer.
    await at.scheduler.runUntil(500);
    life.suspend(100, 'process');
    await at.scheduler.runUntil(3_000);
    expect(fired).toEqual(['a 1110 1110', 'b 1110 1110', 'c 2000 2000']);
  });

  it('two suspensions add up', async () => {
    const { at, life } = alone();
    for (const time of [100, 1_000]) {
      await at.scheduler.runUntil(time);
      life.suspend(200, 'machine');
    }
    await at.scheduler.runUntil(2_000);
    expect(life.clock.monotonic()).toBe(1_600);
  });
});

describe('death', () => {
  it('ends timers, promises, files, the log and signals; clocks stand still', async () => {
    const { at, life } = alone();
    const seen: string[] = [];
    const file = life.files.openAppendSync('/a');
    life.timers.after(10, () => seen.push('timer'));
    life.signals.onStop((signal) => seen.push(signal));
    void life.files.writeAtomic('/b', 'late').then(() => seen.push('written'));
    void life.transport
      .exchange({ method: 'GET', url: `${at.baseUrl}/time`, headers: {}, deadlineMs: 1_000 })
      .then(() => seen.push('answer'));
    at.scheduler.at(0.01, () => life.kill());
    await at.scheduler.runUntil(5);
    life.timers.soon(() => seen.push('soon'));
    void life.files.readText('/a').then(
      () => seen.push('read'),
      () => seen.push('read failed'),
    );
    life.log.info('still here');
    life.signal('SIGTERM');
    await at.scheduler.runUntil(100);
    expect(() => file.append(new Uint8Array(1))).toThrow(Killed);
    expect(() => life.files.openAppendSync('/c')).toThrow(Killed);
    expect(seen).toEqual([]);
    expect(life.logLines).toEqual([]);
    expect(life.clock.monotonic()).toBeCloseTo(0.01, 2);
    expect(at.lives[0]?.isAlive).toBe(false);
    // The request had left: the venue knows of it, and nobody heard the answer.
    expect(at.truth.counts).toMatchObject({ left: 1, arrived: 1, executed: 1, answered: 0, failed: 0 });
  });

  it('comes at the n-th crash point, whatever it is, and is told once', async () => {
    const points: string[] = [];
    for (let n = 1; ; n++) {
      const { at, life } = alone();
      const deaths: string[] = [];
      life.onDeath((point) => deaths.push(point));
      life.crashAt(n);
      life.timers.after(1, () => {
        const file = life.files.openAppendSync('/log');
        file.append(new Uint8Array([1, 2, 3]));
        file.sync();
        file.truncate(1);
        void life.transport.exchange({
          method: 'GET',
          url: `${at.baseUrl}/time`,
          headers: {},
          deadlineMs: 1_000,
        });
      });
      await at.scheduler.runUntil(1_000);
      if (life.isAlive) break;
      expect(deaths).toEqual([life.diedAt]);
      expect(life.points).toBe(n);
      points.push(life.diedAt ?? '');
    }
    expect(points).toEqual([
      'timer.before',
      'append.before',
      'append.within',
      'append.after',
      'sync.before',
      'sync.after',
      'truncate.before',
      'truncate.after',
      'http.GET /time.before',
      'http.GET /time.after',
      'timer.after',
      'answer.GET /time.before',
      'answer.GET /time.after',
    ]);
  });

  it('within an append leaves a part of it, before it nothing, after it all', async () => {
    const sizes: Record<string, number[]> = {};
    for (const point of ['append.before', 'append.within', 'append.after']) {
      for (let seed = 0; seed < 10; seed++) {
        const at = world({ seed });
        const disk = at.disk('machine');
        const life = at.boot({ name: 'bot', disk });
        life.crashWhen((name) => name === point);
        expect(() => life.files.openAppendSync('/log').append(new Uint8Array(1_000).fill(1))).toThrow(Killed);
        (sizes[point] ??= []).push(disk.contents('/log')?.length ?? -1);
      }
    }
    expect(new Set(sizes['append.before'])).toEqual(new Set([0]));
    expect(new Set(sizes['append.after'])).toEqual(new Set([1_000]));
    expect(Math.max(...(sizes['append.within'] ?? []))).toBeLessThan(1_000);
    expect(new Set(sizes['append.within']).size).toBeGreaterThan(5);
  });

  it('before a request leaves nothing at the venue, after it everything', async () => {
    for (const [when, arrived] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      const { at, life } = alone();
      life.crashWhen((name) => name === `http.POST /auth/order.${when}`);
      void life.transport.exchange({
        method: 'POST',
        url: `${at.baseUrl}/auth/order`,
        headers: {},
        body: 'pair=X&oco=s-1',
        deadlineMs: 1_000,
      });
      await at.scheduler.runUntil(1_000);
      expect(at.truth.counts.arrived).toBe(arrived);
      expect(at.truth.writes.map(({ tags }) => tags)).toEqual(arrived === 1 ? [['s-1']] : []);
      expect(life.diedAt).toBe(`http.POST /auth/order.${when}`);
    }
  });

  it('by power takes what was not synced in some worlds, and a kill in none', () => {
    const left = (seed: number, death: 'kill' | 'power') => {
      const at = world({ seed });
      const disk = at.disk('machine');
      const life = at.boot({ name: 'bot', disk });
      const file = life.files.openAppendSync('/log');
      file.append(Uint8Array.of(1, 2));
      file.sync();
      file.append(Uint8Array.of(3, 4, 5));
      life.kill(death);
      return Array.from(disk.contents('/log') ?? []).join('');
    };
    const seeds = Array.from({ length: 30 }, (_, seed) => seed);
    expect(new Set(seeds.map((seed) => left(seed, 'kill')))).toEqual(new Set(['12345']));
    const afterPower = new Set(seeds.map((seed) => left(seed, 'power')));
    expect([afterPower.has('12'), afterPower.has('12345')]).toEqual([true, true]);
    for (const each of afterPower) expect(each).toMatch(/^12/);
  });
});

describe('what else a process has', () => {
  it('signals reach those who listen, later and never inside the call', async () => {
    const { at, life } = alone();
    const seen: string[] = [];
    const stop = life.signals.onStop((signal) => seen.push(signal));
    at.scheduler.at(5, () => life.signal('SIGTERM'));
    await at.scheduler.runUntil(10);
    stop();
    life.signal('SIGINT');
    expect(seen).toEqual(['SIGTERM']);
  });

  it('random bytes are seeded by world and name', () => {
    const bytes = (seed: number, name: string) => {
      const at = world({ seed });
      return Buffer.from(at.boot({ name, disk: at.disk('d') }).entropy.bytes(16)).toString('hex');
    };
    expect(bytes(1, 'a')).toBe(bytes(1, 'a'));
    expect(new Set([bytes(1, 'a'), bytes(2, 'a'), bytes(1, 'b')]).size).toBe(3);
  });

  it('keeps the newest lines of its log and tells them to a listener', () => {
    const heard: string[] = [];
    const { life } = alone({ logLines: 2, onLog: ({ level, message }) => heard.push(`${level} ${message}`) });
    life.log.debug('a');
    life.log.info('b');
    life.log.warn('c', { n: 1 });
    expect(life.logLines.map(({ message }) => message)).toEqual(['b', 'c']);
    expect(heard).toEqual(['debug a', 'info b', 'warn c']);
  });

  it('two lives must not have one name', () => {
    const { at } = alone();
    expect(() => at.boot({ name: 'bot', disk: at.disk('d') })).toThrow('received bot twice');
  });
});
