/** A start that is not waited for any more: in the simulated world, against the real venue. */
import { expect, test } from 'vitest';
import { Quarantined } from '../../src/runner/quarantined.js';
import { StartAbandoned } from '../../src/runner/start-abandoned.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { ANNA, BID, BTC, MARKET_BUY, world } from '../simulation/world/desk.js';
import { botThatDies } from './dead-bot.js';
import { sessionOn } from './recorded-session.js';

/** What the bot before left: an order. */
const LEFT = { orders: [BID], echo: 'oco', diesAt: 20_000 } as const;

const active = (at: VenueWorld) => at.core.orders(at.account(ANNA.name), 'active').map(({ id }) => id);

function byHand(at: VenueWorld): void {
  const terms = { ...MARKET_BUY, timeInForce: 'IOC' } as const;
  at.core.place(at.account(ANNA.name), { pair: BTC.pair, terms }, at.venueNow());
}

test('one that waits for a person ends in seconds, and what was recorded of it is what is computed again', async () => {
  const at = world();
  const journal = await botThatDies(at, LEFT);
  byHand(at);
  const session = sessionOn(at, journal);
  await session.run(60_000);
  expect(session.live.state?.state).toBe('QUARANTINED');
  expect(session.end()).toBeUndefined();
  session.abandon('cancel');
  await session.run(3_000);
  expect(session.end()).toBeInstanceOf(StartAbandoned);
  expect(session.end()).toMatchObject({ leftOpen: [] });
  expect(active(at)).toEqual([]);
  const journaled = journal.records.length;
  await session.run(60_000);
  expect(journal.records).toHaveLength(journaled);
  expect(session.strays).toEqual([]);
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined, last: { turn: {} } });
});

test.each([
  'cancel',
  'leave',
] as const)('one that is abandoned before it has asked the venue ends too: %s', async (orders) => {
  const at = world();
  const journal = await botThatDies(at, LEFT);
  expect(active(at)).toHaveLength(1);
  const session = sessionOn(at, journal);
  session.abandon(orders);
  await session.run(5_000);
  // What an earlier session left is canceled by every start, in its first moments.
  expect(session.end()).toMatchObject({ leftOpen: [] });
  expect(active(at)).toEqual([]);
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined });
});

test('one that has gone on by then goes on', async () => {
  const at = world();
  const session = sessionOn(at, await botThatDies(at, LEFT));
  await session.run(30_000);
  expect(session.end()).toBe('it runs');
  session.abandon('cancel');
  await session.run(5_000);
  expect(session.live.state?.state).toBe('SYNCED');
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined });
});

test('one that a person has to look at first cancels what was left, ends at once, and nothing goes on behind it', async () => {
  const at = world();
  const journal = await botThatDies(at, LEFT);
  byHand(at);
  const finds = sessionOn(at, journal, 'throw', 'finds');
  await finds.run(60_000);
  expect(finds.end()).toBeInstanceOf(Quarantined);
  expect(finds.end()).toMatchObject({ pair: BTC.pair, leftOpen: [] });
  expect(active(at)).toEqual([]);
  expect(await finds.replayed()).toMatchObject({ firstDifference: undefined });

  const knows = sessionOn(at, journal, 'throw', 'knows');
  await knows.run(1_000);
  expect(knows.end()).toBeInstanceOf(Quarantined);
  const [turns, records] = [knows.turns.length, journal.records.length];
  await knows.run(60_000);
  expect([knows.turns.length, journal.records.length]).toEqual([turns, records]);
  expect(await knows.replayed()).toMatchObject({ firstDifference: undefined });
});
