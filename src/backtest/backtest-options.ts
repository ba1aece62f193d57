import type { Limits } from '../gate/limits.js';
import type { Fill } from '../model/fill.js';
import type { Recording } from '../storage/recording/recording.js';
import type { BoundStrategy } from '../strategy/instance.js';
import type { CommandDelay } from '../venue/tape/command-delay.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import type { BacktestSession } from './model-run.js';
import type { PollSchedule } from './poll-schedule.js';

export interface BacktestOptions {
  readonly strategy: BoundStrategy;
  /** Makes one for each model after the first, so that what its file keeps outside of `create` is not shared. Default: `strategy` for all. */
  readonly fresh?: () => Promise<BoundStrategy>;
  /** SHA-256 of the strategy's code. */
  readonly strategyHash: string;
  readonly recording: Recording;
  /** Quote units at the start, as decimal text. */
  readonly capital: string;
  /** What fills our orders. Default: all three models, each with its own engine, venue and account. */
  readonly fill?: FillModelName | 'all';
  /** Sending to being effective, way back included; ms. Default 50. */
  readonly latencyMs?: number;
  /** Up to so much more for each command, ms, by a hash of it and the seed. Default 0. */
  readonly jitterMs?: number;
  /** In place of both, with what it is called in the run id: how long each command took, as it was measured. */
  readonly delays?: { readonly name: string; readonly of: CommandDelay };
  /** How much worse than the print takers trade, ticks, times the factor of the model. Default 0. */
  readonly slippageTicks?: number;
  /** When the strategy is told, with what it is called in the run id. Default: everything as it happens. */
  readonly polls?: {
    readonly name: string;
    readonly schedule: PollSchedule;
    /** Of fills and orders, where they are asked for at other times than trades. */
    readonly news?: PollSchedule;
  };
  readonly limits?: Limits;
  readonly seed?: string;
  readonly engineVersion: string;
  /** Keeps every round trip of the headline run one by one, not only the first 65 536; no figure depends on it. */
  readonly allRoundTrips?: boolean;
  /** A fill of the headline run. */
  readonly onFill?: (fill: Fill) => void;
  /** After each chunk: trades or bars so far, and the headline session. */
  readonly onProgress?: (rows: number, session: BacktestSession) => void;
}
