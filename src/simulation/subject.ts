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

/** What a bot program is given of its machine. */
export type SubjectPorts = Pick<
  Life,
  'name' | 'clock' | 'timers' | 'files' | 'transport' | 'entropy' | 'signals' | 'log' | 'processes'
>;

/** The same for every life of a run, but for the session. */
export interface SubjectConfig {
  /** Another one for each life. */
  readonly session: string;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly profile: VenueProfile;
  readonly market: Market;
  /** What it may hold at most, either way. */
  readonly maxPosition: Lots;
  readonly workload: Workload;
  readonly pollMs: number;
  readonly bounds: FaultBounds;
  /** How old data may be for an order that adds risk, ms. */
  readonly staleMs: number;
  /** On the disk of its machine, which outlives it. */
  readonly directory: string;
  readonly seed: string;
}

/** What a program says of a pair. */
export interface Claim {
  readonly pair: string;
  readonly state: PairState;
  /** Of the state, for people. */
  readonly reason?: string | undefined;
  /** Own position: the sum of what was learned by now. Signed. */
  readonly position: Lots;
  /** The same by the fills that are written down, where somebody does that. */
  readonly booked?: Lots | undefined;
  /**
   * The newest cut at which own books and the venue's agreed, and the position then; each has a number of its own.
   * Programs that make no cuts leave it out: their position itself must be one that the venue had a short time ago.
   */
  readonly cut?: { readonly number: number; readonly position: Lots } | undefined;
}

/** What a program made of an intent that no answer has given an order id: by proof, or because of what the answer says. */
export type Judgement = 'adopted' | 'not-placed' | 'refused' | 'disputed';

/** A program that runs. Everything here can be asked at any time, costs little and changes nothing. */
export interface RunningSubject {
  claims(): readonly Claim[];
  /** Orders at the venue that it knows for its own, and the intent of each; of earlier lives as far as it remembers. */
  bound(): ReadonlyMap<string, string>;
  /** The intent that this body of an order request carries out; asked as the request leaves. */
  intentOf(body: string): string | undefined;
  /** Of this life and those it remembers. */
  readonly judged: ReadonlyMap<string, Judgement>;
  /** How many judgements were made in this life, also of one intent again. */
  readonly judgements: number;
  /** Posts that proved nothing, in this life. */
  readonly doubts: number;
  /** A latched halt is on, durably. */
  readonly isHalted: boolean;
  /** The operator's command; a program that knows none goes on. */
  readonly halt?: (level: HaltLevel) => void;
  /** It has stopped by itself; somebody has to start it again. */
  readonly hasEnded: boolean;
}

/** A bot program under test. */
export interface Subject {
  readonly name: string;
  /** It promises these; of the others only the harm is counted. */
  readonly promises: ReadonlySet<InvariantName>;
  /** It dies as processes do; a program that says no is spared, which favours it. */
  readonly survivesCrashes: boolean;
  /** Starts it, for the first time or after a crash on the same disk. Returns at once. */
  start(ports: SubjectPorts, config: SubjectConfig): RunningSubject;
}
