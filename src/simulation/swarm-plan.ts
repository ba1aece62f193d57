import type { FaultPlanTerms } from '../model/fault-rule.js';
import type { Lots } from '../model/grid.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { FaultBounds } from './fault-catalogue.js';
import type { Theme } from './theme.js';
import type { WeatherKind } from './weather.js';
import type { WorkloadTerms } from './workload.js';
import type { Death } from './world/life.js';
import type { ConnectRule } from './world/connect-rules.js';
import type { DiskCall } from './world/virtual-disk.js';

/**
 * Which assumptions of `reliability.md` b.1 hold: all, or all except A1 (nothing repeats a request), or all except A2
 * (a request that was given up is executed soon or never).
 */
export type SwarmMode = 'normal' | 'A1-broken' | 'A2-broken';

/** How the venue treats what a client relies on. The client's profile states it truthfully. */
export interface VenueTraits {
  /** Whether it honours timestamp and recv_window, so that it executes nothing later than they allow. */
  readonly fenced: boolean;
  /** Whether its messages distinguish refusals from failures. */
  readonly definiteRefusals: boolean;
  /** Whether it echoes the tags of orders. */
  readonly echo: boolean;
  /** The most rows of a list. */
  readonly maxLimit: number;
  /** Whether its orders show only their original price, and 0 as the current one. */
  readonly hidesPrice?: boolean | undefined;
  /** Whether its orders show their status at once, but their newest fills only later, within A3. */
  readonly tearsOrders?: boolean | undefined;
  /** Requests per second that it allows; `undefined`: no limit. */
  readonly perSecond?: number | undefined;
}

/** Something that happens to the process at its own time. */
export type Incident =
  /**
   * The process dies: at once, or at the n-th crash point from then on with this name (or any name, if `undefined`). It
   * is restarted `downMs` later.
   */
  | {
      readonly kind: 'crash';
      readonly atMs: number;
      readonly death: Death;
      readonly point: { readonly name: string | undefined; readonly nth: number } | undefined;
      readonly downMs: number;
    }
  | { readonly kind: 'clock-jump'; readonly atMs: number; readonly ms: number }
  | {
      readonly kind: 'suspend';
      readonly atMs: number;
      readonly ms: number;
      readonly what: 'machine' | 'process';
    }
  /** The n-th call of that kind from then on fails. Some minutes later the process is killed and restarted. */
  | { readonly kind: 'disk-error'; readonly atMs: number; readonly call: DiskCall; readonly nth: number }
  | { readonly kind: 'disk-full'; readonly atMs: number; readonly ms: number }
  /** Somebody else uses the account; `lots` is positive to buy. */
  | { readonly kind: 'external-order'; readonly atMs: number; readonly lots: Lots }
  /** Somebody else places `orders` orders far from the price, and cancels them after `restMs`. */
  | { readonly kind: 'crowd'; readonly atMs: number; readonly orders: number; readonly restMs: number }
  /** The operator halts the program if it is running; nobody ever resumes it. */
  | { readonly kind: 'halt'; readonly atMs: number; readonly level: HaltLevel }
  /** The price is multiplied by `factor`. */
  | { readonly kind: 'price-jump'; readonly atMs: number; readonly factor: number }
  | { readonly kind: 'market-pause'; readonly atMs: number; readonly ms: number };

/** A run as plain data. All times are ms since its start. */
export interface SwarmPlan {
  readonly seed: number;
  readonly mode: SwarmMode;
  /** Faults and incidents end here. */
  readonly faultyMs: number;
  /** Length of the time without faults that follows; at its end everything must agree. */
  readonly calmMs: number;
  readonly pollMs: number;
  readonly bounds: FaultBounds;
  readonly traits: VenueTraits;
  readonly network: {
    readonly upMs: readonly [low: number, high: number];
    readonly downMs: readonly [low: number, high: number];
    /** Probability that a one-way latency is ten times as long. */
    readonly tail: number;
    readonly connect: readonly ConnectRule[];
  };
  readonly faults: FaultPlanTerms;
  /** In order of time. */
  readonly incidents: readonly Incident[];
  readonly clock: {
    /** Wall clock of the bot's machine minus that of the venue, ms. */
    readonly offsetMs: number;
    /** How much faster the machine's clocks run, parts per million. */
    readonly driftPpm: number;
  };
  readonly market: {
    /** Mean ms between two moves of the street, which determines how fast orders fill. */
    readonly everyMs: number;
    /** USD in the account; a small amount leads to liquidations. */
    readonly deposit: string;
  };
  readonly workload: WorkloadTerms;
  /** How often the oracle checks everything, ms; default every second. */
  readonly lookMs?: number | undefined;
  /** How often faults occur; default `storm`. */
  readonly weather?: WeatherKind | undefined;
  readonly theme?: Theme | undefined;
  /** Position of the account before the program's first start, signed lots; default 0. */
  readonly openingLots?: Lots | undefined;
}
