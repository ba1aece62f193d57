/** A paper session whose position the simulated venue takes. */
import { expect, it } from 'vitest';
import type { RunningSession } from '../../../src/cli/session/running-session.js';
import { onPaper } from './paper-session.js';

const held = ({ core }: RunningSession) => core.engine.position.lots;

it('is halted by a liquidation, as a live one is, until somebody resumes', async () => {
  const { session, prices, errors, time } = await onPaper();
  await prices(60_000, 5);
  expect(held(session)).toBe(10);
  expect(session.controls.standing()).toMatchObject({ state: 'SYNCED', permission: 'all' });
  await prices(50_000, 5);
  expect(held(session)).toBe(0);
  expect(session.controls.halts()).toEqual([
    { level: 'pause', reason: 'the position on paper was liquidated', by: 'liquidation' },
  ]);
  expect(session.controls.standing()).toMatchObject({ state: 'HALTED', permission: 'reduce-only' });
  expect(errors).toEqual(['the position on paper was liquidated']);
  await prices(50_000, 5);
  const { orders, refusals, fills } = session.core.counts;
  expect([orders, fills]).toEqual([1, 2]);
  expect(held(session)).toBe(0);
  session.controls.resume('seen', 'anna');
  expect(session.controls.halts()).toEqual([]);
  expect(session.controls.standing()).toMatchObject({ state: 'SYNCED', permission: 'all' });
  // There is nothing left to pay an order with, but it is tried again.
  await prices(50_000, 5);
  expect(session.core.counts.orders + session.core.counts.refusals).toBeGreaterThan(orders + refusals);
  await time.until(session.stop());
});

it('ends in a standstill when it ends so, as a live one does', async () => {
  const { session, prices, time } = await onPaper();
  await prices(60_000, 5);
  await prices(50_000, 5);
  const { standstill } = await time.until(session.stop());
  expect(standstill).toMatchObject({
    quarantine: undefined,
    halt: 'pause (the position on paper was liquidated)',
    haltEnds: ['resume'],
  });
});
