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
 * Which assumptions of `reliability.md` b.1 hold: all, or all but that nothing doubles a request (A1), or all but that
 * what was given up is executed soon or never (A2).
 */
export type SwarmMode = 'normal' | 'A1-broken' | 'A2-broken';

/** How the venue treats what a client relies on; the client is told the truth of it by its profile. */
export interface VenueTraits {
  /** Honours timestamp and recv_window: nothing is executed later than that. */
  readonly fenced: boolean;
  /** Its messages tell refusals from failures. */
  readonly definiteRefusals: boolean;
  /** Echoes our tag. */
  readonly echo: boolean;
  /** Most rows of a list. */
  readonly maxLimit: number;
  /** Its orders show their original price only, and 0 as the other one. */
  readonly hidesPrice?: boolean | undefined;
  /** Its orders show their status at once, and their newest fills, within A3, only later. */
  readonly tearsOrders?: boolean | undefined;
  /** Requests a second that it lets through; default: as many as anybody asks for. */
  readonly perSecond?: number | undefined;
}

/** What happens to the process at a time of its own. */
export type Incident =
  /**
   * It dies: at once, or at the n-th of the coming crash points that have this name (any, when there is none).
   * It is started again so much later; ms.
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
  /** The n-th call of that kind from then on fails. The process is killed and started again some minutes later. */
  | { readonly kind: 'disk-error'; readonly atMs: number; readonly call: DiskCall; readonly nth: number }
  | { readonly kind: 'disk-full'; readonly atMs: number; readonly ms: number }
  /** Somebody else uses the account. */
  | { readonly kind: 'external-order'; readonly atMs: number; readonly lots: Lots }
  /** Somebody else places so many orders far from the price, and cancels them so much later; ms. */
  | { readonly kind: 'crowd'; readonly atMs: number; readonly orders: number; readonly restMs: number }
  /** The operator halts the program, should it run; nobody ever resumes. */
  | { readonly kind: 'halt'; readonly atMs: number; readonly level: HaltLevel }
  /** The price becomes so many times itself. */
  | { readonly kind: 'price-jump'; readonly atMs: number; readonly factor: number }
  | { readonly kind: 'market-pause'; readonly atMs: number; readonly ms: number };

/** One run as plain data. All times are ms from its start. */
export interface SwarmPlan {
  readonly seed: number;
  readonly mode: SwarmMode;
  /** Faults and incidents until here, then none. */
  readonly faultyMs: number;
  /** Then so long without any; at its end everything must agree. */
  readonly calmMs: number;
  readonly pollMs: number;
  readonly bounds: FaultBounds;
  readonly traits: VenueTraits;
  readonly network: {
    readonly upMs: readonly [low: number, high: number];
    readonly downMs: readonly [low: number, high: number];
    /** How often a way takes ten times as long. */
    readonly tail: number;
    readonly connect: readonly ConnectRule[];
  };
  readonly faults: FaultPlanTerms;
  /** By time. */
  readonly incidents: readonly Incident[];
  readonly clock: {
    /** Wall clock of the bot's machine minus the venue's, ms. */
    readonly offsetMs: number;
    /** How much its clocks run fast, parts per million. */
    readonly driftPpm: number;
  };
  readonly market: {
    /** Mean ms between two moves of the street: how fast orders fill. */
    readonly everyMs: number;
    /** USD in the account: little makes liquidations. */
    readonly deposit: string;
  };
  readonly workload: WorkloadTerms;
  /** How often somebody looks whether all is well, ms; default every second. */
  readonly lookMs?: number | undefined;
  /** How often things go wrong; default `storm`. */
  readonly weather?: WeatherKind | undefined;
  readonly theme?: Theme | undefined;
  /** What the account holds before the program is started for the first time; default nothing. */
  readonly openingLots?: Lots | undefined;
}
