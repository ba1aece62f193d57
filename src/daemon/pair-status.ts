import { dayName, dayOf, utcText } from '../model/calendar.js';
import { counted } from '../model/counted.js';
import { durationText } from '../model/duration.js';
import { type Grid, MAX_PRECISION, textOf, type Ticks } from '../model/grid.js';
import type { Money } from '../model/money.js';
import { averageEntry, totalPnl } from '../model/position.js';
import type { JournaledPair } from '../runner/journaled-pair.js';
import type { RestingStop } from '../runner/resting-stop.js';
import type { OpenOrderText } from '../runner/session-gateway.js';
import { wantText } from '../session/want-text.js';
import type { LimitUse } from '../gate/limit-use.js';
import type { Engine } from '../engine/engine.js';
import type { SessionCore } from '../session/session-core.js';
import type { PairStatus, WorkingOrderStatus } from './daemon-api.js';
import type { Counts } from './pair-counts.js';
import { type DaemonSession, type SessionStanding, standingReason } from './daemon-session.js';

export interface PairFacts {
  readonly pair: string;
  readonly strategy: string;
  readonly params: Readonly<Record<string, string>>;
  readonly pollMs?: number | undefined;
  readonly failure: string | undefined;
  readonly isBlocked: boolean;
  readonly session: DaemonSession | undefined;
  /** Orders that the session left when it failed; `undefined` before its end is over. */
  readonly leftOpen?: readonly OpenOrderText[] | undefined;
  /** Stops that were left at the venue for a session that is not there yet. */
  readonly keptStops?: readonly RestingStop[];
  /** What is known while there is no session; `undefined`: nothing yet. */
  readonly before: Before | undefined;
  /** The standing of a start that waits for a person. */
  readonly waiting: SessionStanding | undefined;
  /** A start is comparing the journal with the venue. */
  readonly isReconciling?: boolean | undefined;
  /** Why there is no session. */
  readonly reason: string;
  readonly counts: Counts;
  /** When a poll of its trades was answered last, monotonic ms; `undefined` before one was. */
  readonly heardAt: number | undefined;
  /** When a trade or a mark came last, monotonic ms; `undefined` before one did. */
  readonly timedAt?: number | undefined;
  readonly now: number;
  /** Mark by the venue after the session ended; `undefined`: the venue was not asked. */
  readonly markSince?: number | undefined;
}

/** What is known of a pair before a session has looked at the venue. */
export type Before = Pick<
  PairStatus,
  'source' | 'position' | 'positionLots' | 'orders' | 'leftStops' | 'doubt'
>;

export const NOT_KNOWN: Before = { position: undefined, orders: undefined, doubt: undefined };
/** A paper session leaves nothing to the next one. */
export const NOTHING_LEFT: Before = { position: '0', orders: [], doubt: 0 };

export function beforeOf({ position, positionLots, orders, leftStops = [], inDoubt }: JournaledPair): Before {
  return {
    source: 'journal',
    position,
    ...(positionLots === undefined ? {} : { positionLots }),
    orders,
    ...leftStopsOf(leftStops),
    doubt: inDoubt.length,
  };
}

const NOT_THERE: SessionStanding = { state: 'BOOT', permission: 'cancel-only', reason: '' };
const STOPPED_WANT = 'nothing: it is stopped';
/** The use of these limits is unknown until the engine knows the position. */
const OF_POSITION: ReadonlySet<LimitUse['rule']> = new Set<LimitUse['rule']>([
  'max-position',
  'max-gross-notional',
  'max-leverage',
  'max-daily-loss',
  'max-drawdown',
  'liquidation-distance',
  'max-bare-time',
]);

export function pairStatus(facts: PairFacts): PairStatus {
  const {
    pair,
    strategy,
    params,
    failure,
    isBlocked,
    session,
    leftOpen,
    keptStops = [],
    before,
    waiting,
    isReconciling = false,
    reason,
    counts: { gaps, ...counts },
    heardAt,
    timedAt,
    pollMs,
    now,
    markSince,
  } = facts;
  const age = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, Math.round(now - at)));
  const pollAgeMs = age(heardAt);
  const timeAgeMs = age(timedAt);
  const head = {
    pair,
    strategy,
    params,
    failure,
    ...(isBlocked ? { blocked: true as const } : {}),
    pollAgeMs,
    ...(timeAgeMs === undefined ? {} : { timeAgeMs }),
    pollMs,
  };
  if (session === undefined) {
    return {
      ...head,
      ...shown(waiting ?? { ...NOT_THERE, ...(isReconciling ? { state: 'RECONCILING' } : {}), reason }),
      running: false,
      ...(before ?? NOT_KNOWN),
      ...leftStopsOf(keptStops),
      averageEntry: undefined,
      lastPrice: undefined,
      markPrice: undefined,
      working: [],
      wanted: failure === undefined ? 'nothing yet' : STOPPED_WANT,
      gaps,
      limits: [],
      counts,
      wantsHash: '',
      decisionHash: '',
    };
  }
  const { core } = session;
  const { engine, risk } = core;
  const { market } = engine;
  return {
    ...head,
    ...shown(standingOf(session)),
    running: failure === undefined,
    awaits: awaitsOf(session),
    noRiskBefore: nextDay(risk),
    riskPause: riskPause(risk),
    bare: bareText(core),
    ...(failure === undefined ? protectionOf(core) : {}),
    ordersWait: ordersWait(session),
    unrecorded: session.unrecorded(),
    ...heldBy(session),
    lastPrice: priceText(markSince ?? core.lastPrice, market.priceGrid.decimals),
    markPrice: priceText(markSince ?? risk.markPrice, market.priceGrid.decimals),
    orders: leftOpen ?? session.openOrders(),
    ...leftStopsOf(session.leftStops()),
    working: failure === undefined ? workingOf(engine) : [],
    wanted:
      failure !== undefined
        ? STOPPED_WANT
        : core.isLive
          ? wantText(market, engine.want, engine.outBy)
          : 'nothing yet: it warms up',
    doubt: leftOpen?.length === 0 ? 0 : session.doubts(),
    gaps,
    limits: failure === undefined ? limitsOf(core) : [],
    counts,
    wantsHash: engine.wantsHash(),
    decisionHash: core.decisionHash(),
  };
}

function leftStopsOf(leftStops: readonly RestingStop[]): Pick<PairStatus, 'leftStops'> {
  return leftStops.length === 0 ? {} : { leftStops };
}

/** Of a running session. The engine of a stopped one hears no reports: it would show orders that are canceled by now. */
function workingOf({ market, workingOrders }: Engine): readonly WorkingOrderStatus[] {
  return workingOrders.map(({ side, price, triggerPrice, leavesQuantity, state, orderId }) => ({
    side,
    price: price === undefined ? undefined : textOn(market.priceGrid, price),
    ...(triggerPrice === undefined ? {} : { triggerPrice: textOn(market.priceGrid, triggerPrice) }),
    quantity: textOn(market.quantityGrid, leavesQuantity),
    state,
    orderId,
  }));
}

function limitsOf({ isLive, limitUses }: SessionCore): readonly LimitUse[] {
  return isLive ? limitUses : limitUses.filter(({ rule }) => !OF_POSITION.has(rule));
}

/** Until it is live the engine's position is empty. It never learns of trades of others, nor of fills after it stopped. */
function heldBy(
  session: Pick<DaemonSession, 'core' | 'booked'>,
): Pick<PairStatus, 'position' | 'ownPosition' | 'averageEntry'> {
  const { isLive, engine } = session.core;
  const { market, position } = engine;
  const own = textOf(market.quantityGrid, position.lots);
  const booked = textOf(market.quantityGrid, session.booked() ?? (isLive ? position.lots : 0));
  if (isLive && own !== booked) return { position: booked, ownPosition: own, averageEntry: undefined };
  return {
    position: booked,
    averageEntry: averageEntry(market, position)?.toFixed(market.priceGrid.decimals),
  };
}

function shown(standing: SessionStanding): Pick<PairStatus, 'state' | 'permission' | 'reason'> {
  const { state, permission } = standing;
  return { state, permission, reason: standingReason(standing) };
}

/** On paper no ticker is awaited: what is allowed is known once the warm-up is over. */
function awaitsOf(session: DaemonSession): string | undefined {
  const { core, feed } = session;
  return core.isLive && standingOf(session).permission === 'all' ? undefined : feed.awaits;
}

/** Also a half-open breaker, which lets single requests try, counts as not closed. */
function ordersWait(session: DaemonSession): string | undefined {
  const unwritten = session.unwritten();
  // It says so before any order tries to leave: a strategy that wants none for hours must not look well meanwhile.
  if (unwritten !== undefined) return `${unwritten}; only a new start writes to it again`;
  const { order, privateRead } = session.way().health.breakers;
  const tripped = [order, privateRead].find(({ state }) => state !== 'closed');
  return tripped && (tripped.reason ?? 'the venue is tried again');
}

/** The first UTC day on which orders may add risk again after the day's loss reached its limit. */
function nextDay({ day, limits }: DaemonSession['core']['risk']): string | undefined {
  if (limits.maxDailyLoss === undefined || day?.tripped !== true) return undefined;
  return dayName(dayOf(day.endsAt));
}

function bareText({ engine: { bareUse }, risk: { limits } }: SessionCore): string | undefined {
  if (bareUse?.isOver !== true || limits.maxBareMs === undefined) return undefined;
  const longest = durationText(limits.maxBareMs);
  return `the position has had no stop at the venue for ${durationText(bareUse.ms)}, limits.maxBareTime is ${longest}: it is not closed yet`;
}

/** Of a running session. Until it is live the engine's position is empty. */
function protectionOf({ isLive, engine }: SessionCore): Pick<PairStatus, 'bareMs' | 'stoppedOut'> {
  const { bareMs, isStoppedOut } = engine;
  return {
    ...(isLive && bareMs !== undefined ? { bareMs } : {}),
    ...(isLive && isStoppedOut ? { stoppedOut: true as const } : {}),
  };
}

/** A restriction by a limit that ends by itself, in words. */
function riskPause({ time, limits, rejections, streak }: DaemonSession['core']['risk']): string | undefined {
  const { rejectPause, lossPause } = limits;
  const until = (ms: number) => `no order adds risk before ${utcText(ms)}`;
  if (rejectPause !== undefined && rejections.pausedUntil > time) {
    const { rejected, of } = rejectPause;
    return `${rejected} of the last ${of} orders were rejected (${rejections.reason}): ${until(rejections.pausedUntil)}`;
  }
  if (lossPause !== undefined && streak !== undefined && streak.pausedUntil > time) {
    return `${counted(lossPause.losses, 'round trip')} in a row lost: ${until(streak.pausedUntil)}`;
  }
  return undefined;
}

/**
 * The state of the pair, restricted further by whatever else forbids risk: old data, a full disk, breakers, unexplained
 * money.
 */
export function standingOf(session: Pick<DaemonSession, 'core' | 'standing'>): SessionStanding {
  const standing = session.standing();
  const { permit } = session.core.risk;
  if (standing.permission !== 'all' || permit === undefined || permit.permission === 'all') return standing;
  return { ...standing, permission: permit.permission, reason: permit.reason };
}

/** Whether the session knows its position and a price to value it. */
export function isValued({ core }: Pick<DaemonSession, 'core'>): boolean {
  const hasPrice = (core.risk.markPrice ?? core.lastPrice) !== undefined;
  return core.isLive && (hasPrice || core.engine.position.lots === 0);
}

/**
 * P&L of a session since its start, net of fees and funding, with the open position at the mark; in units of
 * 10^-MAX_PRECISION of the quote asset, because markets of one asset, and sessions of one market, may differ in theirs.
 * `markSince`: the mark for a session that has ended and gets no more prices.
 */
export function sessionPnl({ core }: Pick<DaemonSession, 'core'>, markSince?: number): Money {
  const { market, position } = core.engine;
  const price = markSince ?? core.risk.markPrice ?? core.lastPrice ?? 0;
  const pnl = totalPnl(market, position, Math.round(price * market.priceGrid.scale) as Ticks);
  return pnl * 10n ** BigInt(MAX_PRECISION - market.quotePrecision);
}

function priceText(price: number | undefined, decimals: number): string | undefined {
  return price === undefined ? undefined : price.toFixed(decimals);
}

/** Formatted like the prices in `wanted`, so that the two can be compared. */
function textOn(grid: Grid, value: number): string {
  return textOf(grid, Math.round(value * grid.scale));
}
