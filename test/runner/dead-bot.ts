/** What a bot leaves behind that dies without a word, in the simulated world. */
import { tickwright } from '../../src/client/profile.js';
import { Chronicle } from '../../src/execution/chronicle.js';
import { Execution } from '../../src/execution/execution.js';
import { check, isRefusal } from '../../src/gate/gate.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { Risk } from '../../src/gate/risk.js';
import type { OrderTerms } from '../../src/model/order.js';
import { FLAT } from '../../src/model/position.js';
import type { BotJournal } from '../../src/ports/bot-journal.js';
import { SILENT } from '../../src/ports/log.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { BTC, clientOf } from '../simulation/world/desk.js';
import { MemoryJournal } from '../support/restart-desk.js';

export const opened = (journal: MemoryJournal): BotJournal => ({
  append: (record, durability) => journal.append(record, durability),
  failure: undefined,
});

export interface DeadBot {
  readonly orders: readonly OrderTerms[];
  readonly echo?: 'oco' | undefined;
  readonly diesAt: number;
  /** Between two orders, ms. */
  readonly pauseMs?: number | undefined;
}

/** It has orders at the venue, or a position. Returns what its journal says. */
export async function botThatDies(
  at: VenueWorld,
  { orders, echo, diesAt, pauseMs = 0 }: DeadBot,
): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  const life = at.boot({ name: 'bot', disk: at.disk('bot') });
  const execution = new Execution({
    api: clientOf(at, life),
    market: BTC,
    timers: life.timers,
    clock: life.clock,
    log: SILENT,
    session: 'bot',
    echo,
    visibilityMs: 0,
    lateMs: 10_000,
    staleMs: 20_000,
    listLimit: 1_000,
    lists: tickwright.orderLists,
    watchEveryMs: 500,
    chronicle: new Chronicle(opened(journal)),
  });
  execution.start();
  await at.scheduler.runUntil(5_000);
  const facts = { now: 0, lastPrice: Number.NaN, position: FLAT };
  const risk = new Risk({ market: BTC, limits: NO_LIMITS, funds: undefined, facts });
  for (const [index, terms] of orders.entries()) {
    const command = { kind: 'place', intentId: index + 1, pair: BTC.pair, terms, want: undefined } as const;
    const verdict = check(BTC, NO_LIMITS, risk, command);
    if (isRefusal(verdict)) throw new Error(verdict.reason);
    if (index > 0 && pauseMs > 0) await at.scheduler.runUntil(at.scheduler.now + pauseMs);
    execution.send(verdict);
  }
  await at.scheduler.runUntil(diesAt);
  life.kill('kill');
  return journal;
}
