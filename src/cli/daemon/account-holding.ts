/** Asks the venue what a pair holds, while the daemon has no session on it. */
import type { StrategyConfig } from '../../config/load-config.js';
import type { Holding } from '../../daemon/account-shares.js';
import type { Side } from '../../model/side.js';
import { sleep, type Timers } from '../../ports/clock.js';
import { VenueError } from '../../ports/venue-api.js';
import type { Machine } from '../machine.js';
import { connect, type KeyedConnectionOptions, profileOf } from '../connection/connection.js';
import { chooseConfigured } from '../settings/pair.js';
import type { Settings } from '../settings/settings.js';

/** Requests of one look, and the largest share of the venue's request budget that all looks together may use. */
const REQUESTS = 4;
const SHARE = 0.1;

export type HoldingReader = (config: StrategyConfig) => Promise<Holding>;

interface Asked {
  readonly machine: Machine;
  readonly settings: Settings;
  readonly venue: KeyedConnectionOptions;
  /** For the pause between two looks, which must not keep the process alive. */
  readonly idle: Timers;
}

/**
 * Looks at the pairs one after the other, so far apart that the sessions hardly notice the requests. Each look uses a
 * connection of its own.
 */
export function holdingReader(asked: Asked, look: typeof read = read): HoldingReader {
  const { clock } = asked.machine;
  const apartMs = (1_000 * REQUESTS) / (SHARE * profileOf(asked.venue).budget.perSecond);
  let freeAt = Number.NEGATIVE_INFINITY;
  return async (config) => {
    const now = clock.monotonic();
    const at = Math.max(now, freeAt);
    freeAt = at + apartMs;
    if (at > now) await sleep(asked.idle, at - now);
    return look(asked, config);
  };
}

async function read({ machine, settings, venue }: Asked, config: StrategyConfig): Promise<Holding> {
  const profile = profileOf(venue);
  const connection = connect(machine, { ...venue, profile });
  try {
    const { api } = connection;
    const { quote, pair } = await chooseConfigured(api, settings, undefined, config);
    const { size, unrealized: open } = await api.position(pair);
    const orders = await api.orders('active', { pair, limit: profile.maxLimit });
    if (orders.length >= profile.maxLimit)
      throw new VenueError('refused', `${pair} must have no more orders than one list holds`);
    const leaving = (side: Side) =>
      orders.reduce((sum, order) => sum + (order.side === side ? order.leavesQuantity : 0), 0);
    const worst = Math.max(Math.abs(size + leaving('buy')), Math.abs(size - leaving('sell')));
    if (worst === 0) return { quote, notional: 0, openOrders: orders.length, open, mark: undefined };
    const { markPrice, lastPrice } = await api.ticker(pair);
    const mark = markPrice ?? lastPrice;
    if (mark === undefined)
      throw new VenueError('refused', `${pair} must have a mark while it holds something`);
    return { quote, notional: worst * mark, openOrders: orders.length, open, mark };
  } finally {
    await connection.close();
  }
}
