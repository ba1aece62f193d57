/** A live session whose positions may not be without a stop for long, in the simulated world, and its replay. */
import { expect, test } from 'vitest';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { type LogFields, SILENT } from '../../src/ports/log.js';
import { defineStrategy, type StrategyDefinition } from '../../src/strategy/definition.js';
import { holdPosition, type Want } from '../../src/strategy/want.js';
import { ANNA, BTC, world } from '../simulation/world/desk.js';
import { MemoryJournal } from '../support/restart-desk.js';
import { sessionOn } from './recorded-session.js';

const LIMIT = 20_000;

/** Wants it from the first live trade on. */
const holder = (want: Want) =>
  defineStrategy({
    name: 'holder',
    create: (_, context) => ({ onTrade: () => (context.warmingUp ? undefined : want) }),
  });

async function lifeOf(strategy: StrategyDefinition) {
  const at = world();
  const alarms: [string, LogFields | undefined][] = [];
  const log = { ...SILENT, error: (message: string, fields?: LogFields) => alarms.push([message, fields]) };
  const limits = { ...NO_LIMITS, maxBareMs: LIMIT };
  const session = sessionOn(at, new MemoryJournal(), 'watch', 'first', strategy, { limits, log });
  const held = () => at.core.position(at.account(ANNA.name), BTC.pair).lots;
  for (let tries = 0; held() === 0 && tries < 3_000; tries++) await session.run(10);
  const heldAt = at.scheduler.now;
  return { at, session, alarms, held, heldAt };
}

test('a position without a stop is closed after the limit, with an alarm, and its replay decides the same', async () => {
  const { at, session, alarms, held, heldAt } = await lifeOf(holder(holdPosition('0.01')));
  await session.run(LIMIT - 1_000);
  expect([held(), alarms]).toEqual([10, []]);
  // The next poll of trades, which come every 500 ms, and the way to the venue.
  await session.run(heldAt + LIMIT + 1_500 - at.scheduler.now);
  expect(held()).toBe(0);
  await session.run(60_000);
  // The strategy wants its position all the time, and does not get it back.
  expect(held()).toBe(0);
  expect(alarms).toEqual([
    [
      'a position had no stop at the venue for as long as limits.maxBareTime allows: it is closed',
      { pair: BTC.pair, maxBareMs: LIMIT, position: 0.01 },
    ],
  ]);
  session.stop();
  await session.run(15_000);
  expect(session.end()).toMatchObject({ position: { lots: 0 } });
  expect(await session.replayed()).toMatchObject({
    firstDifference: undefined,
    last: { session: { position: 0, openOrders: [] } },
  });
});

test('one whose stop the venue holds in time stays, without an alarm, and its replay decides the same', async () => {
  const { session, alarms, held } = await lifeOf(holder(holdPosition('0.01', { stop: 30_000 })));
  await session.run(3 * LIMIT);
  expect([held(), alarms]).toEqual([10, []]);
  session.stop();
  await session.run(15_000);
  expect(session.end()).toMatchObject({ position: { lots: 10 } });
  expect((await session.replayed()).firstDifference).toBeUndefined();
});
