import { merge } from 'rxjs';
import type { VenueClient } from '../client/client.js';
import type { VenueProfile } from '../client/profile.js';
import type { Chronicle } from '../execution/chronicle.js';
import type { ExecutionOptions } from '../execution/execution-options.js';
import { Execution } from '../execution/execution.js';
import type { Limits } from '../gate/limits.js';
import { InvariantError } from '../model/errors.js';
import type { Market } from '../model/market.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { DataStop } from './bot.js';
import { Quarantined } from './quarantined.js';
import { type RestingStop, restingStopOf } from './resting-stop.js';
import { RiskGuard } from './risk-guard.js';
import { SendPace } from './send-pace.js';
import type { EndOfOrders, OpenOrderText, SessionGateway } from './session-gateway.js';
import { StartAbandoned } from './start-abandoned.js';

export interface LiveGatewayOptions {
  readonly api: Pick<
    VenueClient,
    | 'place'
    | 'cancel'
    | 'cancelMany'
    | 'order'
    | 'orders'
    | 'position'
    | 'fills'
    | 'clock'
    | 'health'
    | 'expectOrders'
  >;
  readonly profile: VenueProfile;
  readonly market: Market;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Unique among the sessions of the account. */
  readonly session: string;
  /** Start to start of two looks at orders, fills and position, ms. */
  readonly watchEveryMs: number;
  /** Start to start of the slowest poll whose events the engine decides on, ms; default: `watchEveryMs`. */
  readonly eventsEveryMs?: number | undefined;
  /** For each order of earlier sessions, how long ago it was sent, venue ms. */
  readonly earlier?: readonly number[] | undefined;
  readonly limits: Pick<Limits, 'maxPosition' | 'maxOrdersPerMinute' | 'maxOrdersPerHour'>;
  readonly chronicle: Chronicle;
  readonly firstStart: NonNullable<ExecutionOptions['firstStart']>;
  /** A quarantined pair: `throw` ends the start, `watch` waits until a person has ended the quarantine. */
  readonly onQuarantine: 'throw' | 'watch';
  readonly external: NonNullable<ExecutionOptions['external']>;
  readonly data: DataStop;
  /** Further reasons against risk; `undefined` from each: there is none. Called at every event and before every order. */
  readonly stops?: readonly (() => string | undefined)[] | undefined;
  /** Greatest age of an agreement with the venue, ms. Default 20 s, or four looks if that is longer. */
  readonly staleMs?: number | undefined;
  /** A bound on late execution that replaces the profile's, ms. */
  readonly lateMs?: number | undefined;
}

const STALE_MS = 20_000;
/** The bound on the execution of a request that was given up, where nothing is proven about the venue (A2). */
const UNFENCED_LATE_MS = 60_000;
/**
 * What is added to the receive window for our error about the
 * venue's clock: a fraction of the window, and a constant, ms.
 */
const CLOCK_SHARE = 0.25;
const CLOCK_SLACK_MS = 1_000;
/** Time for requests still under way once own orders are proven gone, or the deadline for that is over; ms. */
const SETTLE_MS = 1_000;
/** Time to cancel own orders of earlier sessions when a person is needed, ms: the caller waits for the error meanwhile. */
const QUARANTINE_DEADLINE_MS = 5_000;

/** A2 of `reliability.md` b.1: how long after its sending the venue may still execute a request, ms. */
export function lateBound({ fencesLate, recvWindowMs }: VenueProfile): number {
  return fencesLate ? recvWindowMs * (1 + CLOCK_SHARE) + CLOCK_SLACK_MS : UNFENCED_LATE_MS;
}

/** The receive window of a venue that keeps to it, venue ms. */
export function fenceOf({ fencesLate, recvWindowMs }: VenueProfile): number | undefined {
  return fencesLate ? recvWindowMs : undefined;
}

/** A gateway with what else can be asked of a live one. */
export interface LiveGateway extends SessionGateway {
  readonly execution: Execution;
  /** One of the `stops` has changed: the engine is told soon, and not only when somebody happens to look. */
  stopsChanged(): void;
  /**
   * What waits in `ready` until it is known what is held waits no longer: own orders of earlier sessions are canceled or
   * left as by `finish`, and `ready` rejects with `StartAbandoned`. Nothing for one that is ready.
   */
  abandon(deadlineMs: number, orders: EndOfOrders): void;
}

export function liveGateway(options: LiveGatewayOptions): LiveGateway {
  const { api, profile, market, watchEveryMs, limits, data, chronicle, log } = options;
  const { pair } = market;
  const execution = new Execution({
    ...options,
    echo: profile.echo,
    visibilityMs: profile.visibilityLagMs,
    listLimit: profile.maxLimit,
    lists: profile.orderLists,
    lateMs: options.lateMs ?? lateBound(profile),
    fenceMs: fenceOf(profile),
    staleMs: options.staleMs ?? Math.max(STALE_MS, 4 * watchEveryMs),
    maxPosition: () => limits.maxPosition,
    mayPlace: (reduceOnly) => (reduceOnly ? undefined : guard.reason()),
    tooSoon: (reduceOnly) => (reduceOnly ? undefined : tooSoon()),
  });
  const { eventsEveryMs = watchEveryMs, earlier = [] } = options;
  const pace = new SendPace({ ...options, eventsEveryMs, venueClock: api.clock, earlier });
  const forget = chronicle.hear((record) => {
    if (record.kind === 'prep' && record.pair === pair) pace.sent();
  });
  const guard = new RiskGuard({
    ...options,
    state: () => execution.state(),
    freshUntil: () => execution.freshUntil,
    stops: [data.reason, () => pace.reason, ...(options.stops ?? [])],
    now: () => api.clock.now(),
  });
  const listening = merge(execution.states$, data.changes$).subscribe(() => guard.refresh());
  const texts = (): readonly OpenOrderText[] =>
    execution
      .openOrders()
      .map(({ orderId, intent, stage }) => orderId ?? `intent ${intent} (${stage}, its id is not known)`);
  const waiting = new AbortController();
  let abandoned: Parameters<LiveGateway['abandon']> | undefined;
  let finished: Promise<readonly OpenOrderText[]> | undefined;
  let kept: readonly RestingStop[] = [];
  let canceled: readonly string[] = [];

  const gateway: LiveGateway = {
    execution,
    reports$: execution.reports$,
    permits$: guard.permits$,
    stopsChanged: () => guard.lookSoon(),
    async ready() {
      api.expectOrders(true);
      execution.start();
      const unsettled = ['BOOT', 'RECONCILING'] as const;
      const waits = options.onQuarantine === 'watch' ? [...unsettled, 'QUARANTINED' as const] : unsettled;
      const { state, reason } = await execution.settled(waits, waiting.signal);
      if (abandoned !== undefined) {
        const leftOpen = await gateway.finish(...abandoned);
        throw new StartAbandoned(pair, { leftOpen, keptStops: kept, canceledStops: canceled });
      }
      if (state === 'QUARANTINED') {
        // Until a person has looked, nobody knows better than the stop what to do with the position.
        const leftOpen = await gateway.finish(QUARANTINE_DEADLINE_MS, 'keep-stops');
        throw new Quarantined(pair, reason, { leftOpen, keptStops: kept });
      }
      guard.start();
    },
    abandon(...how) {
      abandoned = how;
      waiting.abort();
    },
    position: () => execution.position,
    send(command) {
      if (command.pair !== pair) {
        throw new InvariantError(`a command must be for ${pair}, received ${command.pair}`);
      }
      execution.send(command);
    },
    before: () => guard.refresh(),
    openOrders: texts,
    leftStops: () => execution.leftStops().map(restingStopOf),
    keptStops: () => kept,
    canceledStops: () => canceled,
    finish(deadlineMs, orders = 'cancel') {
      finished ??= end(deadlineMs, orders);
      return finished;
    },
  };
  return gateway;

  /**
   * Why an order must wait for the pace limits by our own clock, which the gate, on event time, did not see. The engine is
   * told in a turn of its own, since this runs while an order leaves.
   */
  function tooSoon(): string | undefined {
    const wasHeld = pace.reason !== undefined;
    const reason = pace.refusal();
    if (reason !== undefined && !wasHeld) {
      log.warn('orders would leave faster than they may', { pair, reason });
      guard.lookSoon();
    }
    return reason;
  }

  async function end(deadlineMs: number, orders: EndOfOrders): Promise<readonly OpenOrderText[]> {
    api.expectOrders(false);
    guard.stop();
    listening.unsubscribe();
    forget();
    const keepsStops = orders === 'keep-stops';
    const guards = orders === 'leave' ? [] : execution.restingStops();
    if (orders !== 'leave') await execution.cancelAllOwn(deadlineMs, { keepsStops });
    await execution.stop(SETTLE_MS);
    if (keepsStops) kept = execution.restingStops().map(restingStopOf);
    if (execution.position !== 0) {
      canceled = guards.flatMap(({ stage, leaves, orderId = '' }) =>
        stage === 'done' && leaves > 0 ? [orderId] : [],
      );
    }
    for (const stop of kept) log.info('a stop stays for the next session', { pair, ...stop });
    return texts().filter((text) => !kept.some(({ orderId }) => orderId === text));
  }
}
