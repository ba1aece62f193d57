import { tickwright } from '../../src/client/profile.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { moneyNumber } from '../../src/model/money.js';
import type { Fill } from '../../src/model/fill.js';
import { numberOf } from '../../src/model/grid.js';
import type { Lots } from '../../src/model/grid.js';
import { startBot } from '../../src/runner/bot.js';
import { liveGateway } from '../../src/runner/live-gateway.js';
import { openChronicle } from '../../src/runner/open-chronicle.js';
import type { Trade } from '../../src/model/trade.js';
import type { BoundStrategy } from '../../src/strategy/instance.js';
import type { CoreOrder } from '../../src/venue/core/account.js';
import { CAPITAL, CoverageWorld, MARKET, START_TIME } from './coverage-world.js';

const POLL_MS = 1_000;
const MAX_POSITION = 5_000 as Lots;
const STALE_MS = 10_000;
const LATE_MS = 60_000;

/** What the venue knows of the bot when it is over, and what was measured on the way. */
export interface Truth {
  /** Cash and position at the last price, less the capital; quote units. */
  readonly pnl: number;
  readonly fills: readonly Fill[];
  readonly position: Lots;
  /** Of each order, from the decision to the venue's clock at its acceptance, ms. */
  readonly latencies: readonly number[];
  /** Venue times at which an answer of GET /trades reached the bot. */
  readonly polls: readonly number[];
  /** The prints of this run. */
  readonly tape: readonly Trade[];
  readonly world: CoverageWorld;
}

/** Run B: the same seed, and the bot: client, execution, journal and engine as `tickwright run` puts them together. */
export async function runBot(seed: string, durationMs: number, strategy: BoundStrategy): Promise<Truth> {
  const world = new CoverageWorld(seed);
  const { clock, timers, log, files, processes } = world.life;
  const venueNow = () => START_TIME + world.scheduler.now;
  const orders: CoreOrder[] = [];
  const tape: Trade[] = [];
  world.core.onTrade((_, trade) => {
    tape.push(trade);
  });
  const fills: Fill[] = [];
  world.core.onFill((order, fill) => {
    if (order.account.name !== 'bot') return;
    fills.push(fill);
  });
  const polls: number[] = [];
  const api = world.client();
  const polled = {
    ...api,
    trades: async (query: Parameters<typeof api.trades>[0]) => {
      const page = await api.trades(query);
      polls.push(venueNow());
      return page;
    },
  };
  const decisions: number[] = [];
  let failure: unknown;
  const running = (async () => {
    const { chronicle } = await openChronicle({
      files,
      timers,
      clock,
      log,
      directory: 'journal',
      session: 'coverage',
      engine: 'coverage',
      hashes: {},
      processes,
    });
    return startBot(
      { clock, timers, log },
      {
        api: polled,
        profile: tickwright,
        market: MARKET,
        strategy,
        limits: { ...NO_LIMITS, maxPosition: MAX_POSITION },
        seed: '1',
        every: { trades: POLL_MS, position: POLL_MS },
        warmUpMs: 0,
        funds: Number(CAPITAL),
        begin: () =>
          Promise.resolve({
            observer: {
              decision: (_input, commands) => {
                if (commands.some(({ kind }) => kind === 'place')) decisions.push(venueNow());
              },
            },
          }),
        gateway: (data) =>
          liveGateway({
            api,
            profile: tickwright,
            market: MARKET,
            clock,
            timers,
            log,
            session: 'coverage',
            watchEveryMs: POLL_MS,
            maxPosition: MAX_POSITION,
            chronicle,
            firstStart: 'adopt',
            external: 'quarantine',
            onQuarantine: 'watch',
            data,
            stops: [],
            staleMs: STALE_MS,
            lateMs: LATE_MS,
          }),
      },
    );
  })();
  running
    .then((bot) => bot.failed)
    .catch((error: unknown) => {
      failure ??= error;
    });
  const accepted = new Set<CoreOrder>();
  world.core.onDone((order) => {
    if (order.account.name === 'bot') accepted.add(order);
  });
  await world.runFor(durationMs);
  if (failure !== undefined) throw failure as Error;
  const { account } = world;
  const holding = account.holdings.get(MARKET.pair);
  for (let order = holding?.firstWorking; order !== undefined; order = order.nextWorking) accepted.add(order);
  orders.push(...[...accepted].sort((a, b) => a.sequence - b.sequence));
  return {
    pnl: pnlOf(fills, world.lastPrice),
    fills,
    position: holding?.lots ?? (0 as Lots),
    latencies: orders.flatMap(({ acceptedAt }) => {
      const decided = decisions.findLast((time) => time <= acceptedAt);
      return decided === undefined ? [] : [acceptedAt - decided];
    }),
    polls,
    tape,
    world,
  };
}

/** By hand, from the venue's fills. */
export function pnlOf(fills: readonly Fill[], price: number): number {
  let cash = 0;
  let position = 0;
  for (const { side, lots, ticks, fee } of fills) {
    const quantity = (side === 'buy' ? 1 : -1) * numberOf(MARKET.quantityGrid, lots);
    cash -= quantity * numberOf(MARKET.priceGrid, ticks) + moneyNumber(fee, MARKET.quotePrecision);
    position += quantity;
  }
  return cash + position * price;
}
