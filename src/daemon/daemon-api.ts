/**
 * What a running daemon tells and takes, the same over its Unix socket and over HTTP on loopback. Money and quantities
 * are plain decimal text, times epoch ms, durations ms.
 */
import type { LimitUse } from '../gate/limit-use.js';
import type { Halt } from '../model/halt-level.js';
import type { OrderState } from '../model/order.js';
import type { PairState, Permission } from '../model/pair-state.js';
import type { Side } from '../model/side.js';
import type { OpenOrderText } from '../runner/session-gateway.js';

/** `hung` and `unknown` are said by those who ask for it when it does not answer. */
export type DaemonState = 'starting' | 'running' | 'paused' | 'halted' | 'stopping' | 'hung' | 'unknown';

/** What becomes of orders and position at an orderly end; after `flat` the next start is halted. */
export type StopLevel = 'leave' | 'cancel' | 'flat';

/** `status --json` (`cli.md`). */
export interface DaemonStatus {
  readonly schemaVersion: 1;
  readonly state: DaemonState;
  readonly mode: 'paper' | 'live';
  readonly pid: number;
  /** The process by a name that no other ever has; older daemons do not say it. */
  readonly process?: string | undefined;
  readonly version: string;
  readonly venue: string;
  readonly uptimeMs: number;
  readonly pairs: readonly PairStatus[];
  /**
   * Quote units by asset, since the day began (UTC) and since the daemon's start; net of fees and funding, open positions
   * at the mark. The day is the account's where a limit on losses keeps what there was when it began; else it begins with
   * the daemon at the earliest.
   */
  readonly pnl: Readonly<Record<string, { readonly today: string; readonly session: string }>>;
  /** Requests a second that are allowed now. */
  readonly budget: { readonly perSecond: number };
  readonly clock: { readonly offsetMs: number; readonly uncertaintyMs: number } | undefined;
  readonly halted: HaltStatus | undefined;
  /** Money that nothing explains, by asset. */
  readonly suspense: readonly { readonly asset: string; readonly amount: string }[];
  /** `ceilingBytes`: above it the daemon ends in order; absent where there is none. */
  readonly memory: { readonly rssBytes: number; readonly heapBytes: number; readonly ceilingBytes?: number };
  /** The event loop's lag over the last minute. */
  readonly loopLag: { readonly p99Ms: number; readonly maxMs: number };
  /** Problems that a person should know of now, worst first. */
  readonly problems: readonly string[];
}

/** All that is latched, as one. */
export interface HaltStatus extends Halt {
  /** Of all that is latched now: `resume` names it, so that nothing is ended that nobody has seen. */
  readonly mark: string;
}

/** What stands in the place of a mark where nothing is latched. */
export const NO_MARK = 'none';

export interface PairStatus {
  readonly pair: string;
  readonly strategy: string;
  readonly state: PairState;
  readonly permission: Permission;
  /** Why it is in this state. */
  readonly reason: string;
  /** `failed`: its strategy threw or took too long and was stopped alone. */
  readonly running: boolean;
  readonly failure: string | undefined;
  /** Why a session that has begun cannot be judged yet: what it must see once before it is known how it stands. */
  readonly awaits?: string | undefined;
  /** Its strategy hung the daemon before; it is kept from running until `resume`. */
  readonly blocked?: true;
  /** The loss of the day reached its bound: no order adds risk before this UTC day, `YYYY-MM-DD`. */
  readonly noRiskBefore?: string | undefined;
  /** Why a limit lets no order add risk for a while, and until when. */
  readonly riskPause?: string | undefined;
  /** Why no order leaves for the venue, which may be away or refuse the key: its circuit breakers say so. */
  readonly ordersWait?: string | undefined;
  /**
   * Position, orders and doubt are what its journal says: no session has looked at the venue yet. Where the journal was
   * not read yet, or says nothing, they are not known.
   */
  readonly source?: 'journal' | undefined;
  /** Signed, base units; by the books, so with fills of orders that are not ours. */
  readonly position: string | undefined;
  /**
   * In the same units, where it is not the position: what the strategy was told of, which is no fill of others, and none
   * that came after it had stopped. P&L and limits count this.
   */
  readonly ownPosition?: string | undefined;
  /** In its place where the journal alone is known, and not what a lot is. */
  readonly positionLots?: number | undefined;
  /** Of the position; not known where the strategy was not told of all of it. */
  readonly averageEntry: string | undefined;
  readonly lastPrice: string | undefined;
  readonly markPrice: string | undefined;
  readonly orders: readonly OpenOrderText[] | undefined;
  /** Orders of the strategy that are not done, as the strategy sees them; those without an id were not answered yet. */
  readonly working: readonly WorkingOrderStatus[];
  /** What the strategy wants now, in words: `quote 100.5 x 0.1 / 101.0 x 0.1`. */
  readonly wanted: string;
  /** Orders of which nobody knows yet whether they were placed. */
  readonly doubt: number | undefined;
  readonly pollAgeMs: number | undefined;
  /** Start to start of the polls, ms. */
  readonly pollMs?: number | undefined;
  readonly gaps: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limits: readonly LimitUse[];
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
  /** What is still to be filled, base units. */
  readonly quantity: string;
  /** `undefined` for a market order. */
  readonly price: string | undefined;
  readonly state: OrderState;
  readonly orderId: string | undefined;
}

/** Who asks, for the journal: `cli uid 1000`, `http control`. */
export interface ControlRequest {
  readonly by: string;
  readonly reason: string;
}

/** What is changed may run live although nothing certifies it, which is journaled. */
export interface ChangeRequest extends ControlRequest {
  readonly uncertified: boolean;
}

/** A strategy file, and which code in it was looked at: another one is not run. */
export interface StrategyCode {
  readonly file: string;
  readonly sha256: string;
}

/** Something that happened, as it happens: for the dashboard, alerts and metrics. */
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
      /** Also a pair that is SYNCED may be let add no risk: by old data, a full disk, money that nothing explains. */
      readonly permission: Permission;
      readonly reason: string;
      /** Of one that is HALTED: for other reasons, too, than the daemon as a whole. */
      readonly isAlone?: true;
      /** How a person ends it, where nobody else does; parts of a sentence. */
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
    }
  | {
      readonly kind: 'problem';
      readonly time: number;
      readonly severity: 'warning' | 'critical';
      readonly text: string;
    }
  | { readonly kind: 'equity'; readonly time: number; readonly asset: string; readonly equity: string }
  | {
      readonly kind: 'log';
      readonly time: number;
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly text: string;
    };

/** What is remembered for who looks later; `change`: every event that is none of the others. */
export type RecentKind = 'fill' | 'log' | 'equity' | 'refusal' | 'change';

export interface CandleRow {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** What came of a halt besides that no order adds risk any more. */
export interface Halted {
  /** Why a new start may not know of it; `undefined` when it will. */
  readonly unwritten: string | undefined;
}

/** The daemon as its control surfaces see it. Requests reject with a `UsageError` for what is not possible. */
export interface DaemonControl {
  /** Made when asked for, never kept. */
  status(): DaemonStatus;
  /** From now on; returns what ends it. */
  listen(listener: (event: DaemonEvent) => void): () => void;
  /** Newest events of a kind that are still known, oldest first. */
  recent(kind: RecentKind, most: number): readonly DaemonEvent[];
  /** One-minute candles of what the feed has seen, oldest first. */
  candles(pair: string, most: number): readonly CandleRow[];
  /** No order adds risk until `resume`. */
  pause(request: ControlRequest): Promise<Halted>;
  /** Names what is latched by the mark of the status, or `NO_MARK`: what has come since then stays. */
  resume(request: ControlRequest & { readonly mark: string }): Promise<void>;
  /** Pauses, and cancels all own orders. */
  cancelAll(request: ControlRequest): Promise<Halted>;
  /** Halts, cancels, and begins the end in which every position is closed in reduce-only slices and that is proven. */
  flatten(request: ControlRequest): Promise<void>;
  /**
   * Other parameters for the strategy on a pair, until the daemon ends: its session is stopped in order and begun anew
   * with them. Resolves to what was done, in words.
   */
  set(
    pair: string,
    params: Readonly<Record<string, string>>,
    request: ChangeRequest,
  ): Promise<{ readonly done: string }>;
  /** Another file in place of the strategy on a pair, in the same way. */
  swap(pair: string, code: StrategyCode, request: ChangeRequest): Promise<{ readonly done: string }>;
  /** Begins the orderly end; the process exits after it. */
  stop(level: StopLevel, request: ControlRequest): void;
}
