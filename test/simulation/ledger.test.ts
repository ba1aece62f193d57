import { expect, test } from 'vitest';
import { runSeed } from '../../src/simulation/run-seed.js';
import { RUNNER } from '../../src/simulation/runner-subject.js';
import type { Subject } from '../../src/simulation/subject.js';
import { drain } from './drain.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The real program, and what it says. */
function overheard(said: string[]): Subject {
  return {
    ...RUNNER,
    start(ports, config) {
      const { log } = ports;
      const heard = Object.fromEntries(
        LEVELS.map((level) => [
          level,
          (message: string, fields?: Record<string, unknown>) => {
            said.push(message);
            log[level](message, fields);
          },
        ]),
      );
      return RUNNER.start({ ...ports, log: heard as unknown as typeof log }, config);
    },
  };
}

test('the ledger explains every balance in a few seeds, with faults, deaths, orders by hand and a jump of the price', async () => {
  const said: string[] = [];
  const faults = new Set<string>();
  for (const seed of [9, 12, 15, 23, 35, 41, 43]) {
    const run = await runSeed(seed, { subject: overheard(said), drain, hours: 1 });
    for (const fault of Object.keys(run.faults)) faults.add(fault);
  }
  const unexplained = said.filter((message) =>
    /ledger (?:does not|cannot read)|fills in the ledger/.test(message),
  );
  expect(unexplained).toEqual([]);
  // It says something only if these happened.
  expect([...faults]).toEqual(expect.arrayContaining(['crash', 'external-order', 'price-jump']));
});
