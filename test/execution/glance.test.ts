/** What whoever looks from outside is told besides the state of a pair. */
import { expect, test } from 'vitest';
import type { Ticks } from '../../src/model/grid.js';
import { RestartDesk } from '../support/restart-desk.js';
import { harness, placeOf } from './harness.js';

test('a look names what the last read failed at, until one succeeds', async () => {
  const desk = new RestartDesk();
  const { time, venue } = desk;
  venue.fault = (kind) => (kind === 'position' ? 'fail' : undefined);
  const { execution } = desk.begin();
  await time.advance(2_000);
  const { besides, ...standing } = execution.glance();
  expect(standing).toMatchObject({ state: 'RECONCILING' });
  expect(besides).toMatch(/^the last look failed: ./);
  // What a session does next, and what its journal says, do not hang on which read it was.
  expect(execution.state()).toEqual(standing);
  venue.fault = () => undefined;
  await time.until(execution.settled());
  expect(execution.glance()).toEqual(execution.state());
  expect(execution.state().state).toBe('SYNCED');
});

test.each([
  'pause',
  'flatten',
  'cancel',
  'stop',
] as const)('a halt of level %s hides nothing of a pair that agrees, and no fill that is not its own', async (level) => {
  const { time, venue, execution } = await harness({ external: 'quarantine' });
  execution.halt(level, 'enough', 'anna');
  await time.advance(120_000);
  expect(execution.glance()).toEqual(execution.state());
  venue.otherFill('buy', 3, 600_000 as Ticks);
  await time.advance(60_000);
  const { besides, ...standing } = execution.glance();
  expect(standing).toMatchObject({ state: 'HALTED', reason: `${level}: enough` });
  expect(besides).toMatch(/^QUARANTINED: /);
  expect(execution.state()).toEqual(standing);
});

test('a look that the end of the session breaks off has not failed', async () => {
  const desk = new RestartDesk();
  const { time, venue } = desk;
  venue.latency = () => 100;
  const { execution } = desk.begin();
  await time.advance(50);
  await time.until(execution.stop(0));
  await time.advance(2_000);
  expect(execution.glance()).toEqual(execution.state());
  expect(execution.state().state).toBe('RECONCILING');
});

test('a look names what the cancel of an order of an earlier life fails at, as long as that order lives', async () => {
  const desk = new RestartDesk();
  const { time, venue } = desk;
  const first = await desk.start();
  first.execution.send(placeOf(1));
  await time.advance(1_000);
  first.kill();
  venue.fault = (kind) => (kind === 'cancel' ? 'refuse' : undefined);
  const { execution } = desk.begin();
  await time.advance(10_000);
  const { besides, ...standing } = execution.glance();
  expect(standing).toMatchObject({
    state: 'RECONCILING',
    reason: 'orders of an earlier life are not accounted for',
  });
  expect(besides).toMatch(/^order \d+ is not canceled: ./);
  expect(execution.state()).toEqual(standing);
  venue.fault = () => undefined;
  await time.until(execution.settled());
  expect(execution.glance()).toEqual(execution.state());
});
