import { expect, test } from 'vitest';
import { BASELINES } from '../../src/simulation/baselines/index.js';
import { runPlan } from '../../src/simulation/run-plan.js';
import { shrink } from '../../src/simulation/shrink.js';
import type { Subject } from '../../src/simulation/subject.js';
import { swarm } from '../../src/simulation/swarm.js';
import { drain } from './drain.js';
import { calmPlan } from './plans.js';

const retrying = BASELINES.find(({ name }) => name === 'blind-retry');
if (retrying === undefined) throw new Error('there is a baseline that retries');
/** It is held to a promise that it cannot keep. */
const subject: Subject = { ...retrying, promises: new Set(['I2']) };

test('hours of faults shrink to the one that is needed', async () => {
  const whole = swarm(2, { hours: 2 });
  const shrunk = await shrink(whole, { subject, drain });
  if (shrunk === undefined) throw new Error('seed 2 breaks the promise');
  const { plan, violation, left } = shrunk;
  expect(violation.invariant).toBe('I2');
  expect(whole.faults.rules.length + whole.incidents.length).toBeGreaterThan(5);
  // One answer that does not come is enough to make it send again.
  expect(left).toBe(1);
  expect(plan.faults.rules).toHaveLength(1);
  expect(plan.faultyMs).toBeLessThan(whole.faultyMs);

  const kept = JSON.parse(JSON.stringify(plan)) as typeof plan;
  const again = await runPlan(kept, { subject, drain });
  expect(again.violations).toEqual([violation]);
});

test('what breaks nothing is not shrunk', async () => {
  expect(await shrink(calmPlan(3), { subject, drain })).toBeUndefined();
});
