import { describe, expect, it } from 'vitest';
import { ProgressWatch } from '../../src/daemon/progress-watch.js';
import { SILENT } from '../../src/ports/log.js';
import { VirtualTime } from '../support/virtual-time.js';

const MINUTE = 60_000;

function watched(patienceMs?: number) {
  const time = new VirtualTime();
  const counts: Record<string, number> = { looks: 0, 'polls A': 0 };
  const alive: number[] = [];
  const errors: unknown[] = [];
  const watch = new ProgressWatch({
    clock: time.clock,
    timers: time.timers,
    log: { ...SILENT, error: (_, fields) => errors.push(fields?.['stuck']) },
    supervisor: { alive: () => alive.push(time.now) },
    watchdogMs: MINUTE,
    progress: () => ({ ...counts }),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  const run = async (ms: number, moving: readonly string[]) => {
    for (let past = 0; past < ms; past += 1_000) {
      for (const name of moving) counts[name] = (counts[name] ?? 0) + 1;
      await time.advance(1_000);
    }
  };
  return { time, counts, alive, errors, watch, run };
}

describe('a supervisor', () => {
  it('hears three times in its time that all is well, from the start on', async () => {
    const { watch, alive, run } = watched();
    watch.start();
    await run(MINUTE, ['looks', 'polls A']);
    expect(alive).toEqual([0, 20_000, 40_000, 60_000]);
  });

  it('hears nothing more once one loop of several stands still for too long', async () => {
    const { watch, alive, errors, run } = watched();
    watch.start();
    await run(2 * MINUTE, ['looks', 'polls A']);
    await run(10 * MINUTE, ['looks']);
    // The last step was seen at two minutes; five minutes of patience go until seven.
    expect(alive.at(-1)).toBe(7 * MINUTE);
    expect(errors).toEqual(['polls A']);
  });

  it('hears again of a loop that goes on', async () => {
    const { watch, alive, run } = watched();
    watch.start();
    await run(10 * MINUTE, ['looks']);
    const before = alive.length;
    await run(MINUTE, ['looks', 'polls A']);
    expect(alive.length).toBeGreaterThan(before);
  });

  it('is not kept waiting for a loop that was ended', async () => {
    const { watch, alive, counts, run } = watched(MINUTE);
    watch.start();
    delete counts['polls A'];
    await run(5 * MINUTE, ['looks']);
    expect(alive.at(-1)).toBe(5 * MINUTE);
  });

  it('hears nothing after the end, and no timer is left', async () => {
    const { watch, alive, time, run } = watched();
    watch.start();
    watch.stop();
    await run(2 * MINUTE, []);
    expect(alive).toEqual([0]);
    expect(time.pending).toBe(0);
  });
});
