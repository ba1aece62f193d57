import { describe, expect, it } from 'vitest';
import type { CertifyJob } from '../../../src/certify/certify.js';
import { faultSetOf } from '../../../src/certify/fault-set.js';
import type { RunEnd } from '../../../src/certify/run-scenario.js';
import { certifyInThreads } from '../../../src/cli/certify/certify-in-threads.js';
import { WorkMark } from '../../../src/cli/certify/work-mark.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';

const job = (name: string, seed = 1): CertifyJob => ({
  scenario: { name, about: '', everyMs: 1, step: 1, moves: () => [] },
  seed,
});

function run(
  jobs: readonly CertifyJob[],
  {
    threads = 1,
    onRun = () => undefined,
    runsAThread,
  }: { threads?: number; onRun?: (end: RunEnd) => void; runsAThread?: number } = {},
) {
  return certifyInThreads({
    data: {
      file: 'none.ts',
      params: {},
      pair: 'USD_BTC_PERP',
      limits: NO_LIMITS,
      onDoubt: 'cancel',
      environment: {},
    },
    jobs,
    threads,
    clock: systemClock,
    timers: systemTimers,
    onRun,
    patienceMs: 300,
    runsAThread,
    worker: new URL('./scripted-worker.mjs', import.meta.url),
  });
}

describe('a certification in threads', () => {
  it('does every job once, and has the runs in the order of the jobs whoever was first', async () => {
    const jobs = [job('last'), job('a', 1), job('a', 2), job('b')];
    const heard: string[] = [];
    // Two threads' messages come in any order: the one that is to be last waits until the test has heard of the others.
    const threads = new BroadcastChannel('scripted');
    const { runs, isWhole } = await run(jobs, {
      threads: 2,
      onRun({ scenario, seed }) {
        heard.push(`${scenario} ${seed}`);
        threads.postMessage(scenario);
      },
    });
    threads.close();
    expect(isWhole).toBe(true);
    expect(runs.map(({ scenario, seed }) => `${scenario} ${seed}`)).toEqual(['last 1', 'a 1', 'a 2', 'b 1']);
    expect(heard).toEqual(['a 1', 'a 2', 'b 1', 'last 1']);
  });

  it('has another thread go on after so many runs: what each has loaded is kept until it ends', async () => {
    const jobs = [1, 2, 3, 4, 5].map((seed) => job('a', seed));
    const { runs, isWhole } = await run(jobs, { runsAThread: 2 });
    expect(isWhole).toBe(true);
    expect(runs.map(({ seed, figures }) => `${seed}: ${figures.orders}`)).toEqual([
      '1: 1',
      '2: 2',
      '3: 1',
      '4: 2',
      '5: 1',
    ]);
  });

  it('names the handler that never ends, and runs no more', async () => {
    const { runs, isWhole } = await run([job('a'), job('hangs', 3), job('b')]);
    expect(isWhole).toBe(false);
    expect(runs.map(({ scenario }) => scenario)).toEqual(['a', 'hangs']);
    expect(runs[1]).toMatchObject({
      seed: 3,
      faults: faultSetOf(3).name,
      breaches: [{ rule: 'ends', timeMs: 4_500, what: 'onTrade ran for 0.3 s without an end' }],
    });
  });

  it('waits for calls that end, however long all of them take', async () => {
    expect(await run([job('toils')])).toMatchObject({ isWhole: true, runs: [{ breaches: [] }] });
  });

  it('ends with what a thread could not go on after', async () => {
    await expect(run([job('fails')])).rejects.toMatchObject({
      code: 'TICKWRIGHT_E_TEST',
      message: 'it fails',
    });
    await expect(run([job('dies')])).rejects.toThrow('the thread ended with code 3');
  });
});

it('a mark tells another thread which call it is, which handler runs, and for how long of event time', () => {
  const here = new WorkMark();
  const there = new WorkMark(here.shared);
  let now = 0;
  here.begin();
  here.follow(() => now);
  here.enter('create');
  expect(there).toMatchObject({ part: 'create', calls: 1, timeMs: 0 });
  here.leave();
  expect(there.part).toBeUndefined();
  now = 1_700_000_000_000;
  here.enter('onTrade');
  here.leave();
  now += 250;
  here.enter('onTimer');
  expect(there).toMatchObject({ part: 'onTimer', calls: 3, timeMs: 250 });
  here.begin();
  expect(there).toMatchObject({ part: undefined, calls: 3 });
});
