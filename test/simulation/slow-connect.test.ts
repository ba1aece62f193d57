/** Orders whose connection is made just before it would be given up: whatever happens meanwhile counts. */
import { expect, test } from 'vitest';
import { runPlan } from '../../src/simulation/run-plan.js';
import { RUNNER } from '../../src/simulation/runner-subject.js';
import type { SwarmPlan } from '../../src/simulation/swarm-plan.js';
import type { ConnectRule } from '../../src/simulation/world/connect-rules.js';
import { drain } from './drain.js';
import { calmPlan } from './plans.js';

const SLOW: ConnectRule = {
  name: 'slow',
  place: { paths: ['/auth/order'] },
  when: {},
  kind: 'slow-connect',
};
const { network } = calmPlan(5);
const slow = (changes: Partial<SwarmPlan> = {}): SwarmPlan =>
  calmPlan(5, { network: { ...network, connect: [SLOW] }, ...changes });

async function lived(plan: SwarmPlan) {
  const leaves: number[] = [];
  const { violations } = await runPlan(plan, {
    subject: RUNNER,
    drain,
    goOn: true,
    onTrace: ({ time, what }) => {
      if (what === 'POST /auth/order leaves') leaves.push(time);
    },
  });
  return { leaves, violations };
}

test('an order leaves late, and not at all when somebody halts while its connection is made', async () => {
  const undisturbed = await lived(slow());
  expect(undisturbed.violations).toEqual([]);
  const [first = Number.NaN, second = Number.NaN] = undisturbed.leaves;
  for (const at of [first, second]) {
    const halt = { kind: 'halt', atMs: at - 1_000, level: 'cancel' } as const;
    const { leaves, violations } = await lived(slow({ incidents: [halt] }));
    expect(violations).toEqual([]);
    expect(leaves).toEqual(undisturbed.leaves.filter((time) => time < at));
  }
});
