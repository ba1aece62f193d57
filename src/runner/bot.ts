/** A session of any mode, from its parts to its orderly end. */
import { map, type Observable, type Subscription } from 'rxjs';
import type { VenueClient } from '../client/client.js';
import type { VenueProfile } from '../client/profile.js';
import { Engine, type PositionSource } from '../engine/engine.js';
import type { OnDoubt } from '../engine/order-desk.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import type { Reserve } from '../gate/exposure.js';
import type { Limits } from '../gate/limits.js';
import type { SentOrder } from '../gate/pace.js';
import { MarketFeed } from '../market-data/market-feed.js';
import type { EngineEvent } from '../model/event.js';
import type { Fill } from '../model/fill.js';
import type { Market } from '../model/market.js';
import { applyFill, type Position } from '../model/position.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { FeedEvent } from '../ports/feed.js';
import type { Log } from '../ports/log.js';
import { runSession } from '../session/session.js';
import { SessionCore, type SessionObserver } from '../session/session-core.js';
import type { BoundStrategy } from '../strategy/instance.js';
import type { EndOfOrders, OpenOrderText, SessionGateway } from './session-gateway.js';

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
  /** Start to start of each poll, ms; absent where not wanted. */
  readonly every: {
    readonly trades: number;
    readonly position?: number | undefined;
    readonly ticker?: number | undefined;
  };
  readonly warmUpMs: number;
  /** Quote units; `undefined` when they are not known. */
  readonly funds: number | undefined;
  /** The same with what working orders have locked. Default: the funds. */
  readonly wealth?: number | undefined;
  /** What becomes of quotes while the pair is in doubt. */
  readonly onDoubt?: OnDoubt | undefined;
  readonly gateway: (data: DataStop) => SessionGateway;
  /** Asked once it is known what is held: what earlier sessions left behind, and who watches this one. */
  readonly begin?: () => Promise<Beginning>;
}

/** Whether the feed's data are a ground for risk. */
export interface DataStop {
  /** Why not; asked at every event and before every order. */
  readonly reason: () => string | undefined;
  /** Emits when the answer may have changed. */
  readonly changes$: Observable<unknown>;
}

export interface Beginning {
  readonly baseline?: DayBaseline | undefined;
  readonly reserves?: readonly Reserve[] | undefined;
  readonly sent?: readonly SentOrder[] | undefined;
  readonly observer?: SessionObserver | undefined;
}

/** What a session came to. */
export interface BotEnd {
  readonly position: Position;
  readonly wantsHash: string;
  readonly decisionHash: string;
  readonly inputs: number;
  /** Fills, those of the end included. */
  readonly fills: number;
  /** Own orders that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];
}

export interface RunningBot {
  readonly core: SessionCore;
  readonly feed: MarketFeed;
  readonly gateway: SessionGateway;
  openOrders(): readonly OpenOrderText[];
  /** Rejects with what the strategy threw; never resolves. */
  readonly failed: Promise<never>;
  /**
   * Stops the feed and cancels own orders until they are seen to be gone, or leaves them; the same end, however often it
   * is asked for.
   * `onDecided` is called at once, with what was decided till then.
   */
  stop(
    deadlineMs: number,
    onDecided?: (end: Pick<BotEnd, 'wantsHash' | 'decisionHash' | 'inputs'>) => void,
    orders?: EndOfOrders,
  ): Promise<BotEnd>;
}

/**
 * Starts a session: first what is held is known, by the journal and the venue, and only then the strategy sees data.
 *
 * @throws what the gateway cannot make ready.
 */
export async function startBot({ clock, timers, log }: BotPorts, plan: BotPlan): Promise<RunningBot> {
  const { api, profile, market, strategy, limits, seed, every, warmUpMs, funds } = plan;
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
      return isLive ? event : asBooked(event, gateway);
    }),
  );
  const running = subscribe(runSession({ core, feed: { events$ }, reports$: gateway.reports$ }));
  // After the engine, which has the fill in its position by now.
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

  /** Whatever the gateway, or the strategy that is made here, throws: nothing goes on behind it. */
  async function begin(): Promise<{ readonly engine: Engine; readonly core: SessionCore }> {
    try {
      await gateway.ready();
      const { baseline, reserves, sent, observer } = (await plan.begin?.()) ?? {};
      const positions = positionSource(every);
      const engine = new Engine({ strategy, market, seed, warmUp: true, onDoubt: plan.onDoubt, positions });
      const core = new SessionCore({
        engine,
        limits,
        warmUp: true,
        funds,
        wealth: plan.wealth,
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
    // What comes from here on is no input any more: the engine would only order anew.
    const late: Fill[] = [];
    const listening = gateway.reports$.subscribe((report) => {
      if (report.kind === 'filled' || report.kind === 'late-fill') late.push(report.fill);
    });
    const { inputs, fills } = core.counts;
    const decided = { wantsHash: engine.wantsHash(), decisionHash: core.decisionHash(), inputs };
    // At once: while anybody writes down what was decided, nothing that waits for its turn may still be sent.
    const finishing = gateway.finish(deadlineMs, orders);
    onDecided?.(decided);
    const leftOpen = await finishing;
    listening.unsubscribe();
    return {
      ...decided,
      fills: fills + late.length,
      position: late.reduce((position, fill) => applyFill(market, position, fill), engine.position),
      leftOpen,
    };
  }
}

/** Where `onPosition` gets its positions from, by what is polled. */
export function positionSource({ position }: Pick<BotPlan['every'], 'position'>): PositionSource {
  return position === undefined ? 'own' : 'told';
}

/** What is held before the first order is what our own books say: fills that come meanwhile are counted once. */
function asBooked(event: FeedEvent, gateway: SessionGateway): FeedEvent {
  const lots = event.kind === 'position' ? gateway.position() : undefined;
  if (event.kind !== 'position' || lots === undefined) return event;
  return { ...event, position: { ...event.position, lots } };
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
