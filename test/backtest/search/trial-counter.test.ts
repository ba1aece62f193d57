import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TrialCounter } from '../../../src/backtest/search/trial-counter.js';
import { addTrial, readTrials, type Trial } from '../../../src/backtest/trials.js';
import { nodeFiles as files } from '../../../src/platform/files.js';
import type { Files } from '../../../src/ports/files.js';

let folder = '';
beforeEach(async () => {
  folder = await files.temporaryDirectory('tickwright-counter-');
});
afterEach(() => rm(folder, { recursive: true }));

const trial = (runId: string): Trial => ({ runId, data: 'd', strategy: 's', days: 40, dailySharpe: 0.1 });

it('every trial is in the ledger once, whenever it comes in', async () => {
  await addTrial(files, folder, trial('before'));
  await appendFile(join(folder, 'trials.ndjson'), '{"runId":"torn');
  const counter = await TrialCounter.open(files, folder);
  const names = Array.from({ length: 50 }, (_, at) => `r${at}`);
  await Promise.all([...names, 'before', ...names].map((name) => counter.add(trial(name))));
  await counter.add(trial('late'));
  const ids = (await readTrials(files, folder)).map(({ runId }) => runId);
  expect(ids).toEqual(['before', ...names, 'late']);
  const lines = (await readFile(join(folder, 'trials.ndjson'), 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(53);
});

it('a trial is on the disk when add resolves, also one that had to wait', async () => {
  const counter = await TrialCounter.open(files, folder);
  const seen = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await counter.add(trial(name));
      return (await readTrials(files, folder)).some(({ runId }) => runId === name);
    }),
  );
  expect(seen).toEqual([true, true, true]);
});

it('a trial that comes while others reach the disk is in the next turn, not lost', async () => {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  let letGo = () => {};
  const slow = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  /** What is on its way to the disk takes its time. */
  const slowly: Files = Object.assign(Object.create(files) as Files, {
    appendShared: async (path: string, bytes: Uint8Array) => {
      reach();
      await slow;
      await files.appendShared(path, bytes);
    },
  });
  const counter = await TrialCounter.open(slowly, folder);
  const first = counter.add(trial('a'));
  await reached;
  const second = counter.add(trial('b'));
  letGo();
  await Promise.all([first, second]);
  expect((await readTrials(files, folder)).map(({ runId }) => runId)).toEqual(['a', 'b']);
});

it('two searches at once count the trials of both', async () => {
  const counters = await Promise.all([1, 2].map(() => TrialCounter.open(files, folder)));
  const names = Array.from({ length: 50 }, (_, at) => `r${at}`);
  for (const name of names) {
    await Promise.all(counters.map((counter, at) => counter.add(trial(`${name} of ${at}`))));
  }
  expect(await readTrials(files, folder)).toHaveLength(100);
});

it('a line that another search left torn does not take the next trial with it', async () => {
  const counter = await TrialCounter.open(files, folder);
  await counter.add(trial('a'));
  await appendFile(join(folder, 'trials.ndjson'), '{"runId":"torn');
  await counter.add(trial('b'));
  expect((await readTrials(files, folder)).map(({ runId }) => runId)).toEqual(['a', 'b']);
});

it('what could not be written is told, kept, and written with the next trial', async () => {
  let isFull = true;
  const full: Files = Object.assign(Object.create(files) as Files, {
    appendShared: (path: string, bytes: Uint8Array) =>
      isFull ? Promise.reject(new Error('ENOSPC')) : files.appendShared(path, bytes),
  });
  const counter = await TrialCounter.open(full, folder);
  await expect(counter.add(trial('a'))).rejects.toThrow('ENOSPC');
  await expect(counter.add(trial('b'))).rejects.toThrow('ENOSPC');
  expect(counter.uncounted).toEqual([trial('a'), trial('b')]);
  isFull = false;
  await counter.add(trial('c'));
  expect(counter.uncounted).toEqual([]);
  expect((await readTrials(files, folder)).map(({ runId }) => runId)).toEqual(['a', 'b', 'c']);
});
