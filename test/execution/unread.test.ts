/** What whoever looks from outside is told while the venue cannot be read. */
import { expect, test } from 'vitest';
import { BTC } from '../support/markets.js';
import { RestartDesk } from '../support/restart-desk.js';

test('a look names what the last read failed at, until one succeeds', async () => {
  const desk = new RestartDesk();
  const { time, venue } = desk;
  venue.fault = (kind) => (kind === 'position' ? 'fail' : undefined);
  const { execution } = desk.begin();
  await time.advance(2_000);
  const { unread, ...standing } = execution.glance(BTC.pair);
  expect(standing).toMatchObject({ state: 'RECONCILING' });
  expect(unread).toEqual(expect.any(String));
  expect(unread).not.toBe('');
  // What a session does next, and what its journal says, do not hang on which read it was.
  expect(execution.state(BTC.pair)).toEqual(standing);
  venue.fault = () => undefined;
  await time.until(execution.settled(BTC.pair));
  expect(execution.glance(BTC.pair)).toEqual(execution.state(BTC.pair));
  expect(execution.state(BTC.pair).state).toBe('SYNCED');
});
