import { tickwright } from '../../src/client/profile.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { moneyNumber } from '../../src/model/money.js';
import type { Fill } from '../../src/model/fill.js';
import { numberOf } from '../../src/model/grid.js';
import type { Lots } from '../../src/model/grid.js';
import type { IntentId } from '../../src/model/order.js';
import { type RunningBot, startBot } from '../../src/runner/bot.js';
import { liveGateway } from '../../src/runner/live-gateway.js';
import { openChronicle } from '../../src/runner/open-chronicle.js';
import type { ExecutionReport } from '../../src/model/report.js';
import type { Trade } from '../../src/model/trade.js';
import type { BoundStrategy } from '../../src/strategy/instance.js';
import type { CoreOrder } from '../../src/venue/core/account.js';
import { CAPITAL, CoverageWorld, MARKET, START_TIME } from './coverage-world.js';

const WORKING = '/active_orders';
const POLL_MS = 1_000;
const MAX_POSITION = 5_000 as Lots;
const STALE_MS = 10_000;
const LATE_MS = 60_000;

/** A command, and the venue time of what the bot had just learned when it decided on it. */
interface Decided {
  readonly kind: 'place' | 'cancel';
  readonly intentId: IntentId;
  readonly causeAt: number;
}

/** What the venue knows of the bot when it is over, and what was measured on the way. */
export interface Truth {
  /** Cash and position at the fair price of the end, less the capital; quote units. */
  readonly pnl: number;
  /** What positions are valued at, here and in the backtests; quote units. */
  readonly mark: number;
  readonly fills: readonly Fill[];
  readonly position: Lots;
  /**
   * Of each order and of each cancel, in the order in which they were decided: from when the venue said what it was
   * decided upon to when the venue executed it, ms.
   */
  readonly latencies: { readonly place: readonly number[]; readonly cancel: readonly number[] };
  /** Venue times at which GET /trades was answered. */
  readonly polls: readonly number[];
  /** When it was asked which orders still work; where none did, once a second. */
  readonly newsPolls: readonly number[];
  /** The bot knows of no trade before this venue time. */
  readonly since: number;
  readonly wantsHash: string;
  /** The prints of this run. */
  readonly tape: readonly Trade[];
  readonly world: CoverageWorld;
}

/** Run B: the same seed, and the bot: client, execution, journal and engine as `tickwright run` puts them together. */
export async function runBot(seed: string, durationMs: number, strategy: BoundStrategy): Promise<Truth> {
  const world = new CoverageWorld(seed);
  const { clock, timers, log, files, processes } = world.life;
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
  let polledAt = START_TIME;
  let causeAt = START_TIME;
  let since: number | undefined;
  const api = world.client();
  const polled = {
    ...api,
    trades: async (query: Parameters<typeof api.trades>[0]) => {
      since ??= query.from;
      const page = await api.trades(query);
      // Further pages of the same walk reach back, not on.
      if (query.to === undefined) {
        polledAt = lastServed(world, '/trades');
        polls.push(polledAt);
      }
      return page;
    },
  };
  const commands: Decided[] = [];
  const orderOf = new Map<IntentId, string>();
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
              input: (_input, event) => {
                causeAt = polledAt;
                if (event.kind !== 'report') return;
                const { report } = event;
                if (report.kind === 'accepted') orderOf.set(report.intentId, report.orderId);
                causeAt = knownAt(world, report);
              },
              decision: (_input, decided) => {
                for (const { kind, intentId } of decided) commands.push({ kind, intentId, causeAt });
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
            limits: { ...NO_LIMITS, maxPosition: MAX_POSITION },
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
  let bot: RunningBot | undefined;
  running
    .then((started) => {
      bot = started;
      return started.failed;
    })
    .catch((error: unknown) => {
      failure ??= error;
    });
  const orders = new Map<string, CoreOrder>();
  world.core.onDone((order) => {
    if (order.account.name === 'bot') orders.set(order.id, order);
  });
  await world.runFor(durationMs);
  if (failure !== undefined) throw failure as Error;
  const { account } = world;
  const holding = account.holdings.get(MARKET.pair);
  for (let order = holding?.firstWorking; order !== undefined; order = order.nextWorking)
    orders.set(order.id, order);
  const latencies = (kind: Decided['kind']) =>
    commands.flatMap((command) => {
      const order = orders.get(orderOf.get(command.intentId) ?? '');
      if (command.kind !== kind || order === undefined) return [];
      if (kind === 'place') return [order.acceptedAt - command.causeAt];
      return order.status === 'canceled' ? [order.updatedAt - command.causeAt] : [];
    });
  const mark = world.fairPrice;
  return {
    pnl: pnlOf(fills, mark),
    mark,
    fills,
    position: holding?.lots ?? (0 as Lots),
    latencies: { place: latencies('place'), cancel: latencies('cancel') },
    polls,
    newsPolls: everySecond(world.served.get(WORKING) ?? [], START_TIME + durationMs),
    since: since ?? START_TIME,
    wantsHash: bot?.core.engine.wantsHash() ?? '',
    tape,
    world,
  };
}

/** When the venue said so: an answer to a command with the command, a fill of a resting order when it was asked. */
function knownAt(world: CoverageWorld, report: ExecutionReport): number {
  if (report.kind !== 'filled' || report.fill.liquidity === 'taker') return report.time;
  return lastServed(world, WORKING);
}

function everySecond(times: readonly number[], end: number): readonly number[] {
  const polls: number[] = [];
  for (const time of [...times, end]) {
    for (let last = polls.at(-1) ?? time; time - last > 1.5 * POLL_MS; ) polls.push((last += POLL_MS));
    polls.push(time);
  }
  return polls;
}

function lastServed(world: CoverageWorld, path: string): number {
  return world.served.get(path)?.at(-1) ?? START_TIME;
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
