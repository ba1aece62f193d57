import { expect, test } from 'vitest';
import { BASELINES } from '../../src/simulation/baselines/index.js';
import { runSeed } from '../../src/simulation/run-seed.js';
import { drain } from './drain.js';

const [subject] = BASELINES;
if (subject === undefined) throw new Error('there are baselines');
const run = (seed: number) => runSeed(seed, { subject, drain, hours: 1 });

test('a seed gives the same run each time, whatever ran before it, and another seed another run', async () => {
  const seeds = [1, 2, 3];
  const first = [];
  for (const seed of seeds) first.push(await run(seed));
  expect(new Set(first.map(({ traceHash }) => traceHash)).size).toBe(seeds.length);
  for (const before of first.toReversed()) expect(await run(before.seed)).toEqual(before);
});
