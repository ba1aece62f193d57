/** What a replay says of a session that was stopped while an order of it was under way. */
import { expect, test } from 'vitest';
import { defineStrategy } from '../../src/strategy/definition.js';
import { holdPosition } from '../../src/strategy/want.js';
import { ANNA, BID, BTC, world } from '../simulation/world/desk.js';
import { botThatDies } from './dead-bot.js';
import { sessionOn } from './recorded-session.js';

const HOLDS = defineStrategy({
  name: 'holds',
  create: () => ({ onTrade: () => holdPosition('0.01') }),
});

test('the position at the end of a replay includes what was filled while the session stopped', async () => {
  const at = world();
  const journal = await botThatDies(at, { orders: [BID], echo: 'oco', diesAt: 20_000 });
  const session = sessionOn(at, journal, 'watch', 'next', HOLDS);
  while (session.end() !== 'it runs') await session.run(10);
  const began = session.turns.length;
  const isSent = () =>
    session.turns.slice(began).some(({ did }) => did.some((deed) => deed.includes('"POST"')));
  while (!isSent()) await session.run(10);
  session.stop();
  await session.run(15_000);
  expect(session.end()).toMatchObject({ position: { lots: 10 } });
  expect(at.core.position(at.account(ANNA.name), BTC.pair).lots).toBe(10);
  expect(await session.replayed()).toMatchObject({
    firstDifference: undefined,
    last: { session: { position: 10, openOrders: [] } },
  });
});
