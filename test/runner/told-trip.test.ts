/** A recorded live session that is told that another one of its account has reached a limit, and its replay. */
import { expect, test } from 'vitest';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { AccountShare } from '../../src/model/event.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { holdPosition } from '../../src/strategy/want.js';
import { ANNA, BTC, world } from '../simulation/world/desk.js';
import { MemoryJournal } from '../support/restart-desk.js';
import { sessionOn } from './recorded-session.js';

const DAY_MS = 86_400_000;
const NOTHING = { notional: 0, openOrders: 0, pnl: 0 };

/** It holds 0.01 until it is told, and then wants twice as much, and at last nothing. */
async function toldOf(limits: Partial<Limits>, trips: (now: number) => Partial<AccountShare>) {
  const at = world();
  const journal = new MemoryJournal();
  // The replay runs the strategy again, so that what it wants must come from its inputs.
  const strategy = defineStrategy({
    name: 'holder',
    create(_, context) {
      let trades = 0;
      return {
        onTrade() {
          if (context.warmingUp) return undefined;
          trades++;
          return holdPosition(trades < 15 ? '0.01' : trades < 30 ? '0.02' : '0');
        },
      };
    },
  });
  const session = sessionOn(at, journal, 'watch', 'first', strategy, { limits: { ...NO_LIMITS, ...limits } });
  const held = () => at.core.position(at.account(ANNA.name), BTC.pair).lots;
  const most = { lots: 0 };
  for (let tries = 0; held() === 0 && tries < 3_000; tries++) await session.run(10);
  session.others({ ...NOTHING, ...trips(at.venueNow()) });
  for (let tries = 0; held() !== 0 && tries < 30_000; tries++) {
    await session.run(10);
    most.lots = Math.max(most.lots, held());
  }
  session.stop();
  await session.run(15_000);
  const rules = journal.records.flatMap((record) => (record.kind === 'refusal' ? [record.rule] : []));
  const baseline = journal.books().baseline;
  const halts = journal.books().halts.map(({ level, by }) => [level, by]);
  return { session, most: most.lots, held: held(), rules: [...new Set(rules)], baseline, halts };
}

test('one that is told of nothing adds to its position', async () => {
  const { most, held, rules } = await toldOf({ maxDailyLoss: 1_000, maxDrawdown: 1_000 }, () => ({}));
  expect([most, held, rules]).toEqual([20, 0, []]);
});

test('a day whose loss is too large by the count of another one holds risk back, and lasts in the journal', async () => {
  const { session, most, held, rules, baseline, halts } = await toldOf({ maxDailyLoss: 1_000 }, (now) => ({
    lostUntil: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
  }));
  expect([most, held, rules, halts]).toEqual([10, 0, ['max-daily-loss'], []]);
  expect(baseline).toMatchObject({ tripped: true });
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined });
});

test('a fall that is too deep by the count of another one halts the pair until a resume', async () => {
  const { session, most, held, halts, baseline } = await toldOf({ maxDrawdown: 1_000 }, () => ({
    fell: true,
  }));
  expect([most, held, halts]).toEqual([10, 0, [['pause', 'max-drawdown']]]);
  expect(baseline).toMatchObject({ tripped: false, memory: { fell: true } });
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined });
});
