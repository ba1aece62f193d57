/** Runs a session of any mode, from its parts to its orderly end. */
import { map, type Observable, type Subscription, tap } from 'rxjs';
import type { VenueClient } from '../client/client.js';
import type { VenueProfile } from '../client/profile.js';
import { Engine, type PositionSource } from '../engine/engine.js';
import type { OnDoubt } from '../engine/order-desk.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import type { Reserve } from '../gate/exposure.js';
import type { Limits } from '../gate/limits.js';
import type { SentOrder } from '../gate/pace.js';
import { MarketFeed } from '../market-data/market-feed.js';
import type { EngineEvent, PositionSnapshot } from '../model/event.js';
import type { Fill } from '../model/fill.js';
import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { applyFill, type Position } from '../model/position.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { FeedEvent } from '../ports/feed.js';
import type { Log } from '../ports/log.js';
import { runSession } from '../session/session.js';
import { SessionCore, type SessionObserver } from '../session/session-core.js';
import type { BoundStrategy } from '../strategy/instance.js';
import { bareAlarm } from './bare-alarm.js';
import type { RestingStop } from './resting-stop.js';
import type { EndOfOrders, OpenOrderText, SessionGateway } from './session-gateway.js';
import type { StartingCash } from './starting-cash.js';

export interface BotPorts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

export interface BotPlan {
  readonly api: Pick<VenueClient, 'trades' | 'ticker' | 'clock'> & Partial<Pick<VenueClient, 'position'>>;
  readonly profile: VenueProfile;
  readonly market: Market;
  readonly strategy: BoundStrategy;
  readonly limits: Limits;
  /** Seeds the strategy's random numbers. */
  readonly seed: string;
  /** Start to start of each poll, ms; a poll that is absent is not made. */
  readonly every: {
    readonly trades: number;
    readonly position?: number | undefined;
    readonly ticker?: number | undefined;
  };
  readonly warmUpMs: number;
  /** Cash that orders may use, quote units; `undefined`: not known. */
  readonly funds: number | undefined;
  /** `funds` plus the cash that orders and withdrawals hold, quote units. Default: the funds. */
  readonly wealth?: number | undefined;
  /** What to do with working quotes while not every order is permitted. */
  readonly onDoubt?: OnDoubt | undefined;
  readonly gateway: (data: DataStop) => SessionGateway;
  /** Called once the position is known: returns what earlier sessions left behind, and who observes this one. */
  readonly begin?: () => Promise<Beginning>;
}

/** Whether orders may add risk on the feed's data. */
export interface DataStop {
  /** Why not; `undefined`: they may. Called at every event and before every order. */
  readonly reason: () => string | undefined;
  /** Emits when the answer may have changed. */
  readonly changes$: Observable<unknown>;
}

export interface Beginning {
  /** Replaces `funds` and `wealth` of the plan. */
  readonly cash?: StartingCash | undefined;
  readonly baseline?: DayBaseline | undefined;
  readonly reserves?: readonly Reserve[] | undefined;
  readonly sent?: readonly SentOrder[] | undefined;
  readonly observer?: SessionObserver | undefined;
}

/** The result of a session. */
export interface BotEnd {
  readonly position: Position;
  readonly wantsHash: string;
  readonly decisionHash: string;
  readonly inputs: number;
  /** Number of fills, including those that came while the session was stopped. */
  readonly fills: number;
  /** Own orders that may still be at the venue, and were not kept on purpose. */
  readonly leftOpen: readonly OpenOrderText[];
  /** The stops that this end left at the venue on purpose, for the next session. */
  readonly keptStops: readonly RestingStop[];
  /** Ids of the stops that this end canceled although the position that they guarded is left. */
  readonly canceledStops: readonly string[];
}

export interface RunningBot {
  readonly core: SessionCore;
  readonly feed: MarketFeed;
  readonly gateway: SessionGateway;
  openOrders(): readonly OpenOrderText[];
  /** Rejects with what the strategy threw; never resolves. */
  readonly failed: Promise<never>;
  /**
   * Stops the feed and cancels own orders until they are seen to be gone, or leaves them, or leaves their stops. Further
   * calls return the same promise. `onDecided` is called at once, with the decisions until then.
   */
  stop(
    deadlineMs: number,
    onDecided?: (end: Pick<BotEnd, 'wantsHash' | 'decisionHash' | 'inputs'>) => void,
    orders?: EndOfOrders,
  ): Promise<BotEnd>;
}

/**
 * Starts a session. The strategy sees data only after the journal and the venue agree on the position.
 *
 * @throws whatever `gateway.ready`, `plan.begin` or the strategy's `create` throws.
 */
export async function startBot({ clock, timers, log }: BotPorts, plan: BotPlan): Promise<RunningBot> {
  const { api, profile, market, strategy, limits, seed, every, warmUpMs } = plan;
  let ownEventAt = Number.NEGATIVE_INFINITY;
  const feed = new MarketFeed({
    api,
    market,
    profile: {
      maxLimit: profile.maxLimit,
      contiguousIds: profile.tradeIds === 'contiguous',
      visibilityLagMs: profile.visibilityLagMs,
      followClock: profile.clock === 'follow',
    },
    every,
    timers,
    clock,
    log,
    warmUpMs,
    ownEventAt: () => ownEventAt,
    takeOver: { agrees: (position) => hasAverage(position, gateway.position()) },
  });
  const gateway = plan.gateway({ reason: () => feed.guards().reason, changes$: feed.guards$ });
  const ownEvents = gateway.reports$.subscribe(() => {
    ownEventAt = clock.monotonic();
  });
  const { engine, core } = await begin();
  const permits = gateway.permits$.subscribe((permit) => core.input(permit));
  let isLive = false;
  const events$ = feed.events$.pipe(
    map((event) => {
      isLive ||= event.kind === 'live';
      gateway.before(event);
      return isLive ? event : asBooked(event, gateway, core.lastPrice);
    }),
  );
  const handled$ = runSession({ core, feed: { events$ }, reports$: gateway.reports$ });
  const running = subscribe(
    limits.maxBareMs === undefined ? handled$ : handled$.pipe(tap(bareAlarm(log, core))),
  );
  // Subscribed after the engine, so that the engine's position includes the fill.
  const filled = gateway.reports$.subscribe(({ kind }) => {
    if (kind === 'filled') core.risk.filled();
  });
  let ended: Promise<BotEnd> | undefined;

  return {
    core,
    feed,
    gateway,
    openOrders: () => gateway.openOrders(),
    failed: running.failed,
    stop(deadlineMs, onDecided, orders) {
      ended ??= end(deadlineMs, onDecided, orders);
      return ended;
    },
  };

  /** Makes engine and core. Whatever throws here ends the gateway, so that nothing goes on in the background. */
  async function begin(): Promise<{ readonly engine: Engine; readonly core: SessionCore }> {
    try {
      await gateway.ready();
      const { cash, baseline, reserves, sent, observer } = (await plan.begin?.()) ?? {};
      const { funds, wealth } = cash ?? plan;
      const positions = positionSource(every);
      const engine = new Engine({ strategy, market, seed, warmUp: true, onDoubt: plan.onDoubt, positions });
      const core = new SessionCore({
        engine,
        limits,
        warmUp: true,
        funds,
        wealth,
        baseline,
        reserves,
        sent,
        sink: gateway,
        ...(observer === undefined ? {} : { observer }),
      });
      return { engine, core };
    } catch (error) {
      ownEvents.unsubscribe();
      await gateway.finish(0);
      throw error;
    }
  }

  async function end(...[deadlineMs, onDecided, orders]: Parameters<RunningBot['stop']>): Promise<BotEnd> {
    running.subscription.unsubscribe();
    permits.unsubscribe();
    ownEvents.unsubscribe();
    filled.unsubscribe();
    // Reports from here on only count fills. As inputs they would make the engine place new orders.
    const late: Fill[] = [];
    const listening = gateway.reports$.subscribe((report) => {
      if (report.kind === 'filled' || report.kind === 'late-fill') late.push(report.fill);
    });
    const { inputs, fills } = core.counts;
    const decided = { wantsHash: engine.wantsHash(), decisionHash: core.decisionHash(), inputs };
    // Before `onDecided`, which may take its time: no order that waits for its turn may be sent meanwhile.
    const finishing = gateway.finish(deadlineMs, orders);
    onDecided?.(decided);
    const leftOpen = await finishing;
    listening.unsubscribe();
    let { position } = engine;
    for (const fill of late) {
      position = applyFill(market, position, fill);
      // The engine decides nothing any more, but a next session counts the losses of this one.
      if (core.isLive) core.risk.lookAtLateTrip(position, fill.time);
    }
    return {
      ...decided,
      fills: fills + late.length,
      position,
      leftOpen,
      keptStops: gateway.keptStops(),
      canceledStops: gateway.canceledStops(),
    };
  }
}

/** The source of the positions for `onPosition`: own fills where the position is not polled. */
export function positionSource({ position }: Pick<BotPlan['every'], 'position'>): PositionSource {
  return position === undefined ? 'own' : 'told';
}

/**
 * Whether `position` tells the average entry of what the books have. The average stays while a position only becomes
 * smaller, as by the stop of an earlier session whose fill is not booked yet; that of a closed one is 0.
 */
function hasAverage({ lots, averageEntry }: PositionSnapshot, booked: Lots | undefined): boolean {
  return booked === undefined || lots === booked || averageEntry !== 0;
}

/**
 * Before `live` the session takes over the position of the books, not the polled one: a fill between the two would
 * otherwise count twice, in the polled position and by its report. The feed waits until the average belongs to it. If it
 * never does, the lots count from `lastPrice` on: with an average of 0, their close would realise the whole notional.
 */
function asBooked(event: FeedEvent, gateway: SessionGateway, lastPrice: number | undefined): FeedEvent {
  const lots = event.kind === 'position' ? gateway.position() : undefined;
  if (event.kind !== 'position' || lots === undefined) return event;
  const { position } = event;
  const { averageEntry } = position;
  const entry = hasAverage(position, lots) ? averageEntry : (lastPrice ?? averageEntry);
  return { ...event, position: { ...position, lots, averageEntry: entry } };
}

function subscribe(handled$: Observable<EngineEvent>): {
  readonly subscription: Subscription;
  readonly failed: Promise<never>;
} {
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  return { subscription: handled$.subscribe({ error: fail }), failed };
}
