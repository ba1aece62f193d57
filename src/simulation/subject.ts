import type { Credentials } from '../client/signer.js';
import type { VenueProfile } from '../client/profile.js';
import type { Lots } from '../model/grid.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { PairState } from '../model/pair-state.js';
import type { FaultBounds } from './fault-catalogue.js';
import type { InvariantName } from './invariant-name.js';
import type { Workload } from './workload.js';
import type { Life } from './world/life.js';

/** The ports of its machine that a bot program gets. */
export type SubjectPorts = Pick<
  Life,
  'name' | 'clock' | 'timers' | 'files' | 'transport' | 'entropy' | 'signals' | 'log' | 'processes'
>;

/** The configuration of a program. Only `session` differs between the lives of a run. */
export interface SubjectConfig {
  /** Unique for each life. */
  readonly session: string;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly profile: VenueProfile;
  readonly market: Market;
  /** The largest |position| that the program may hold. */
  readonly maxPosition: Lots;
  readonly workload: Workload;
  readonly pollMs: number;
  readonly bounds: FaultBounds;
  /** The greatest age of data for an order that adds risk, ms. */
  readonly staleMs: number;
  /** A folder on the machine's disk, which outlives the program. */
  readonly directory: string;
  readonly seed: string;
}

/** What a program says about a pair. */
export interface Claim {
  readonly pair: string;
  readonly state: PairState;
  /** The reason for the state, for people. */
  readonly reason?: string | undefined;
  /** Its own position, as far as it has learned, signed lots. */
  readonly position: Lots;
  /** The position by the fills that are written down, signed lots; absent if the program writes none down. */
  readonly booked?: Lots | undefined;
  /**
   * The newest cut at which its own books and the venue's agreed, with the position then; each cut has its own number.
   * Absent for programs without cuts, whose position itself must be one that the venue had a short time ago.
   */
  readonly cut?: { readonly number: number; readonly position: Lots } | undefined;
}

/** A program's conclusion about an intent that no answer gave an order id: by proof, or by what the answer says. */
export type Judgement = 'adopted' | 'not-placed' | 'refused' | 'disputed';

/** A running program. Its properties can be read at any time, at little cost and without side effects. */
export interface RunningSubject {
  claims(): readonly Claim[];
  /**
   * The orders at the venue that it knows as its own, with the intent of each; orders of earlier lives as far as it
   * remembers.
   */
  bound(): ReadonlyMap<string, string>;
  /** The intent that the body of an order request carries out. Called when the request leaves. */
  intentOf(body: string): string | undefined;
  /** The judgements by intent, of this life and earlier lives as far as it remembers. */
  readonly judged: ReadonlyMap<string, Judgement>;
  /** Number of judgements in this life, including repeated ones of one intent. */
  readonly judgements: number;
  /** Number of order requests without a conclusive answer, in this life. */
  readonly doubts: number;
  /** Whether a latched halt is in force and durable. */
  readonly isHalted: boolean;
  /** Carries out an operator's halt; absent if the program does not know it. */
  readonly halt?: (level: HaltLevel) => void;
  /** Whether it has stopped by itself, so that somebody must restart it. */
  readonly hasEnded: boolean;
}

/** A bot program under test. */
export interface Subject {
  readonly name: string;
  /** The invariants that it promises. For the others, only the harm is counted. */
  readonly promises: ReadonlySet<InvariantName>;
  /** Whether it can be restarted after a crash. Other programs are not crashed, which favours them. */
  readonly survivesCrashes: boolean;
  /** Starts it, for the first time or after a crash on the same disk. Returns at once. */
  start(ports: SubjectPorts, config: SubjectConfig): RunningSubject;
}
