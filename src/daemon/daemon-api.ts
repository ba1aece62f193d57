/**
 * What a running daemon tells and accepts, alike over its Unix socket and over HTTP on loopback. Money and quantities are
 * plain decimal text, times are epoch ms, durations ms.
 */
import type { LimitUse } from '../gate/limit-use.js';
import type { Halt } from '../model/halt-level.js';
import type { OrderState } from '../model/order.js';
import type { PairState, Permission } from '../model/pair-state.js';
import type { Side } from '../model/side.js';
import type { RestingStop } from '../runner/resting-stop.js';
import type { OpenOrderText } from '../runner/session-gateway.js';

/** A daemon never reports `hung` and `unknown` itself: the asking side concludes them when it gets no answer. */
export type DaemonState = 'starting' | 'running' | 'paused' | 'halted' | 'stopping' | 'hung' | 'unknown';

/** What happens to orders and positions at an orderly end. After `flat` the next start is halted. */
export type StopLevel = 'leave' | 'cancel' | 'flat';

/** `status --json` (`cli.md`). */
export interface DaemonStatus {
  readonly schemaVersion: 1;
  readonly state: DaemonState;
  readonly mode: 'paper' | 'live';
  readonly pid: number;
  /** A name of the process that is never used twice, unlike its pid; older daemons do not send it. */
  readonly process?: string | undefined;
  readonly version: string;
  readonly venue: string;
  readonly uptimeMs: number;
  readonly pairs: readonly PairStatus[];
  /**
   * P&L in units of each quote asset: `today` since 00:00 UTC, `session` since the daemon's start. Net of fees and
   * funding, with open positions at the mark. For a live account with a limit on losses, `today` uses the journaled
   * equity of the day's beginning; otherwise it begins with the daemon at the earliest.
   */
  readonly pnl: Readonly<Record<string, { readonly today: string; readonly session: string }>>;
  /** Requests a second that the budget allows at present. */
  readonly budget: { readonly perSecond: number };
  readonly clock: { readonly offsetMs: number; readonly uncertaintyMs: number } | undefined;
  readonly halted: HaltStatus | undefined;
  /** Unexplained money, by asset. */
  readonly suspense: readonly { readonly asset: string; readonly amount: string }[];
  /** `ceilingBytes`: a daemon above it ends in order and is started anew; absent where there is no ceiling. */
  readonly memory: { readonly rssBytes: number; readonly heapBytes: number; readonly ceilingBytes?: number };
  /** The event loop's lag over the last minute. */
  readonly loopLag: { readonly p99Ms: number; readonly maxMs: number };
  /** Problems that a person should know of, the worst first. */
  readonly problems: readonly string[];
}

/** All latched halts as one. */
export interface HaltStatus extends Halt {
  /**
   * Identifies everything that is latched. `resume` has to repeat it, so that nobody ends a halt that he has not seen.
   */
  readonly mark: string;
}

/** The mark when nothing is latched. */
export const NO_MARK = 'none';

export interface PairStatus {
  readonly pair: string;
  readonly strategy: string;
  readonly state: PairState;
  readonly permission: Permission;
  /** Why it is in this state. */
  readonly reason: string;
  /** False when there is no session, and when its strategy threw or took too long and was stopped (see `failure`). */
  readonly running: boolean;
  readonly failure: string | undefined;
  /** What a session still has to receive before its state can be judged, e.g. its first ticker. */
  readonly awaits?: string | undefined;
  /** The strategy ended the daemon earlier, by a hang or by an error that nobody caught, and is kept from running until `resume`. */
  readonly blocked?: true;
  /** The day's loss reached its limit: no order adds risk before this UTC day, `YYYY-MM-DD`. */
  readonly noRiskBefore?: string | undefined;
  /** Why a limit lets no order add risk for a while, and until when. */
  readonly riskPause?: string | undefined;
  /** The position has had no stop at the venue for too long and is not closed yet: for how long, and the limit. */
  readonly bare?: string | undefined;
  /**
   * For how long the position has had no stop of this session at the venue that covers it whole, ms. Absent while it has
   * one and while nothing is held; also before the first want with a stop, unless `limits.maxBareTime` is set.
   */
  readonly bareMs?: number;
  /** The stop was hit, or `limits.maxBareTime` was reached: what is wanted counts as `flat()`. Absent otherwise. */
  readonly stoppedOut?: true;
  /**
   * Why no order leaves for the venue: the journal cannot be written, or a circuit breaker is open, because the venue is
   * away or refuses the key.
   */
  readonly ordersWait?: string | undefined;
  /** Why the capture of the session has stopped, though the session trades on. */
  readonly unrecorded?: string | undefined;
  /**
   * `journal`: position, orders and doubt come from the journal, because no session has compared them with the venue yet.
   * They are `undefined` where the journal was not read yet, or says nothing.
   */
  readonly source?: 'journal' | undefined;
  /** Signed, base units. By the books, so it includes fills of orders that are not ours. */
  readonly position: string | undefined;
  /**
   * The position that the strategy was told of, where it differs from `position`: it lacks fills of foreign orders, and
   * fills after the strategy was stopped. P&L and limits count this one.
   */
  readonly ownPosition?: string | undefined;
  /** Replaces `position` when only the journal is known and it does not say how large a lot is. */
  readonly positionLots?: number | undefined;
  /** Average entry of the position; `undefined` where the strategy was not told of all of its fills. */
  readonly averageEntry: string | undefined;
  readonly lastPrice: string | undefined;
  readonly markPrice: string | undefined;
  readonly orders: readonly OpenOrderText[] | undefined;
  /**
   * Stops that an earlier session left and that guard the position, since this one has none of its own in their place.
   * Absent where there are none.
   */
  readonly leftStops?: readonly RestingStop[];
  /** Open orders as the strategy sees them; an order without an id was not answered yet. */
  readonly working: readonly WorkingOrderStatus[];
  /** What the strategy wants at present, in words: `quote 100.5 x 0.1 / 101.0 x 0.1`. */
  readonly wanted: string;
  /** Number of orders of which it is unknown whether the venue has them. */
  readonly doubt: number | undefined;
  /** Since a poll of the trades was answered, whether it brought any or not, ms; `undefined` before one was. */
  readonly pollAgeMs: number | undefined;
  /** Since a trade or a mark told the session how late it is, ms; absent before one did. */
  readonly timeAgeMs?: number | undefined;
  /** Time from the start of one poll to the next, ms. */
  readonly pollMs?: number | undefined;
  /** Of the feed, over all sessions since the daemon began. */
  readonly gaps: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limits: readonly LimitUse[];
  /** Over all sessions since the daemon began. */
  readonly counts: {
    readonly orders: number;
    readonly cancels: number;
    readonly fills: number;
    readonly refusals: number;
    readonly rejections: number;
  };
  readonly wantsHash: string;
  readonly decisionHash: string;
}

export interface WorkingOrderStatus {
  readonly side: Side;
  /** Quantity that is not filled yet, base units. */
  readonly quantity: string;
  /** `undefined` for a market order. */
  readonly price: string | undefined;
  /** Only of a stop: it waits at the venue for a trade at this price. */
  readonly triggerPrice?: string;
  readonly state: OrderState;
  readonly orderId: string | undefined;
}

/** Who asks, for the journal: `cli uid 1000`, `http control`. */
export interface ControlRequest {
  readonly by: string;
  readonly reason: string;
}

/** `thenFlat`: the asker closes what is held, as soon as the daemon has ended. */
export interface StopRequest extends ControlRequest {
  readonly thenFlat?: true | undefined;
}

/** A change of strategy. `uncertified`: it may run live without a certificate; the journal records that. */
export interface ChangeRequest extends ControlRequest {
  readonly uncertified: boolean;
}

/** A strategy file and the hash of the code that was inspected. Any other code is refused. */
export interface StrategyCode {
  readonly file: string;
  readonly sha256: string;
}

/** An event for the dashboard, alerts and metrics, told as it happens. */
export type DaemonEvent =
  | {
      readonly kind: 'fill';
      readonly time: number;
      readonly pair: string;
      readonly side: 'buy' | 'sell';
      readonly price: string;
      readonly quantity: string;
      readonly fee: string;
    }
  | {
      readonly kind: 'pair-state';
      readonly time: number;
      readonly pair: string;
      readonly state: PairState;
      /** A SYNCED pair, too, may be restricted: by old data, a full disk, or unexplained money. */
      readonly permission: Permission;
      readonly reason: string;
      /** Of a HALTED pair: it has a halt of its own besides the halts of the daemon. */
      readonly isAlone?: true;
      /** How a person releases the pair, where nothing else does; parts of a sentence. */
      readonly wayOut?: readonly string[] | undefined;
    }
  | { readonly kind: 'halt'; readonly time: number; readonly halt: Halt }
  | { readonly kind: 'resume'; readonly time: number; readonly by: string }
  | {
      readonly kind: 'refusal';
      readonly time: number;
      readonly pair: string;
      readonly rule: string;
      readonly reason: string;
    }
  | { readonly kind: 'venue'; readonly time: number; readonly reachable: boolean; readonly reason: string }
  | {
      readonly kind: 'strategy-failed';
      readonly time: number;
      readonly pair: string;
      readonly reason: string;
      /** The stops that guard its position are not canceled with its other orders. */
      readonly keepsStops?: true;
      /** Which of its orders are left is not known. */
      readonly unsure?: true;
    }
  | {
      readonly kind: 'problem';
      readonly time: number;
      readonly severity: 'warning' | 'critical';
      /** The pair that the problem is about; its name is in the text, too. */
      readonly pair?: string;
      readonly text: string;
    }
  | { readonly kind: 'equity'; readonly time: number; readonly asset: string; readonly equity: string }
  | {
      readonly kind: 'log';
      readonly time: number;
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly text: string;
    };

/** Kinds of events that are kept for later readers; `change` holds all events that are of no other kind. */
export type RecentKind = 'fill' | 'log' | 'equity' | 'refusal' | 'change';

export interface CandleRow {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** The result of a halt, which is in force in any case. */
export interface Halted {
  /** Why the next start may not know of the halt; `undefined` when it will. */
  readonly unwritten: string | undefined;
}

/** The daemon as its control surfaces see it. A request that is not possible rejects with a `UsageError`. */
export interface DaemonControl {
  /** Computed for each call and never cached. */
  status(): DaemonStatus;
  /** Calls `listener` for every event from this moment on; the result ends that. */
  listen(listener: (event: DaemonEvent) => void): () => void;
  /** The newest events of a kind that are still kept, oldest first. */
  recent(kind: RecentKind, most: number): readonly DaemonEvent[];
  /** One-minute candles of the trades that the feed delivered, oldest first. */
  candles(pair: string, most: number): readonly CandleRow[];
  /** No order adds risk until `resume`. */
  pause(request: ControlRequest): Promise<Halted>;
  /** Ends the halts that `mark` of the status stands for, or `NO_MARK`; rejects when others have been latched since. */
  resume(request: ControlRequest & { readonly mark: string }): Promise<void>;
  /** Pauses, and cancels all own orders. */
  cancelAll(request: ControlRequest): Promise<Halted>;
  /**
   * Halts, cancels and begins the end of the daemon, in which every position is closed in reduce-only slices and checked.
   */
  flatten(request: ControlRequest): Promise<void>;
  /**
   * Gives the strategy on a pair other parameters until the daemon ends: stops its session in order and starts a new one.
   * Resolves to a text of what was done.
   */
  set(
    pair: string,
    params: Readonly<Record<string, string>>,
    request: ChangeRequest,
  ): Promise<{ readonly done: string }>;
  /** Puts another strategy file in the place of the one on a pair, in the same way as `set`. */
  swap(pair: string, code: StrategyCode, request: ChangeRequest): Promise<{ readonly done: string }>;
  /** Begins the orderly end, after which the process exits. */
  stop(level: StopLevel, request: StopRequest): void;
}
