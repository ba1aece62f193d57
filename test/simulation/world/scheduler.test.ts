import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GRAIN_MS, Scheduler } from '../../../src/simulation/world/scheduler.js';
import { hashText, Trace } from '../../../src/simulation/world/trace.js';
import { drain } from '../drain.js';

describe('the scheduler', () => {
  it('does things in order of time, and of scheduling at one time, without those that were cancelled', async () => {
    const plan = fc.array(fc.record({ at: fc.integer({ min: 0, max: 20 }), isCancelled: fc.boolean() }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(plan, async (entries) => {
        const scheduler = new Scheduler({ drain });
        const done: number[] = [];
        const scheduled = entries.map(({ at }, index) => scheduler.at(at, () => done.push(index)));
        for (const [index, { isCancelled }] of entries.entries()) if (isCancelled) scheduled[index]?.cancel();
        await scheduler.runUntil(20);
        const expected = entries
          .map((entry, index) => ({ ...entry, index }))
          .filter(({ isCancelled }) => !isCancelled)
          .sort((a, b) => a.at - b.at || a.index - b.index)
          .map(({ index }) => index);
        expect(done).toEqual(expected);
        expect(scheduler.events).toBe(expected.length);
        expect(scheduler.nextTime).toBe(Number.POSITIVE_INFINITY);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the order when thousands were cancelled', async () => {
    const scheduler = new Scheduler({ drain });
    const done: number[] = [];
    const scheduled = Array.from({ length: 10_000 }, (_, i) => {
      const at = (i * 7_919) % 10_000;
      return scheduler.at(at, () => done.push(at));
    });
    for (const [i, each] of scheduled.entries()) if (i % 10 !== 0) each.cancel();
    await scheduler.runUntil(10_000);
    expect(done.length).toBe(1_000);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
  });

  it('waits for everything that promises bring before the next event, and only when it was told', async () => {
    const scheduler = new Scheduler({ drain });
    const seen: string[] = [];
    const chain = async (length: number) => {
      for (let i = 0; i < length; i++) await Promise.resolve();
      seen.push('end of the chain');
    };
    scheduler.quietly(1, () => {
      void chain(50);
      scheduler.wake(() => seen.push('afterwards'));
    });
    scheduler.quietly(1, () => seen.push('next event'));
    scheduler.at(2, () => void chain(3));
    scheduler.quietly(2, () => seen.push('last event'));
    await scheduler.runUntil(5);
    expect(seen).toEqual(['end of the chain', 'afterwards', 'next event', 'end of the chain', 'last event']);
    // One before the first event, one for the wake, one for what was not quiet.
    expect(scheduler.drains).toBe(3);
    expect(scheduler.now).toBe(5);
  });

  it('stops before the next event once it is done, and goes on from there', async () => {
    const scheduler = new Scheduler({ drain });
    let count = 0;
    for (let at = 1; at <= 10; at++) scheduler.at(at, () => count++);
    expect(await scheduler.runUntilDone(() => count === 4, 100)).toBe(true);
    expect([count, scheduler.now]).toEqual([4, 4]);
    expect(await scheduler.runUntilDone(() => count === 40, 100)).toBe(false);
    expect([count, scheduler.now]).toEqual([10, 100]);
  });

  it('never lets a thing happen before its time, and puts what is late next', async () => {
    const scheduler = new Scheduler({ drain });
    const times: number[] = [];
    scheduler.at(0.3, () => {
      times.push(scheduler.now);
      scheduler.at(0.1, () => times.push(scheduler.now));
    });
    await scheduler.runUntil(1);
    expect(times[0]).toBeGreaterThanOrEqual(0.3);
    expect(times[0]).toBeLessThan(0.3 + GRAIN_MS);
    expect(times[1]).toBe(times[0]);
  });

  it('lets what an event throws out, and can be run again', async () => {
    const scheduler = new Scheduler({ drain });
    scheduler.at(1, () => {
      throw new Error('broken');
    });
    await expect(scheduler.runUntil(2)).rejects.toThrow('broken');
    await scheduler.runUntil(2);
    expect(scheduler.now).toBe(2);
  });
});

describe('the trace', () => {
  const noted = (lines: readonly (readonly [number, string, string | number])[]) => {
    const trace = new Trace({ remembered: 3 });
    for (const [time, what, detail] of lines) trace.note(time, what, detail);
    return trace;
  };
  const LINES: readonly (readonly [number, string, string | number])[] = [
    [1, 'a', 'x'],
    [2, 'b', 7],
    [2.5, 'a', ''],
    [3, 'c', -1],
  ];

  it('has one hash for one story, and another for any other order, time, word or detail', () => {
    const others = [
      LINES.slice(1),
      LINES.toReversed(),
      LINES.with(0, [1 + GRAIN_MS, 'a', 'x']),
      LINES.with(1, [2, 'd', 7]),
      LINES.with(1, [2, 'b', 8]),
      LINES.with(0, [1, 'a', 'y']),
      [...LINES, [3, 'c', -1] as const],
    ];
    const { hash } = noted(LINES);
    expect(noted([...LINES]).hash).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set([hash, ...others.map((lines) => noted(lines).hash)]).size).toBe(others.length + 1);
  });

  it('remembers the newest lines, oldest first', () => {
    expect(
      noted(LINES)
        .tail()
        .map(({ what }) => what),
    ).toEqual(['b', 'a', 'c']);
    expect(
      noted(LINES)
        .tail(2)
        .map(({ detail }) => detail),
    ).toEqual(['', -1]);
    expect(noted(LINES.slice(0, 1)).tail()).toEqual([{ time: 1, what: 'a', detail: 'x' }]);
  });

  it('hashes texts as FNV-1a does', () => {
    // Test vectors of the FNV reference.
    expect(hashText('') >>> 0).toBe(0x811c9dc5);
    expect(hashText('a') >>> 0).toBe(0xe40c292c);
    expect(hashText('foobar') >>> 0).toBe(0xbf9cf968);
  });
});
