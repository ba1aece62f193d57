import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Halt } from '../model/halt-level.js';
import type { StartedWith } from './attach-command.js';
import type { ChangeRequest } from './daemon-api.js';
import type { DaemonEntry } from './daemon-entry.js';
import type { StrategyChange } from './strategy-change.js';

/** Memory of the process. */
export interface ProcessGauge {
  readonly rssBytes: number;
  readonly heapBytes: number;
}

export interface DaemonOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Removes secrets from texts that people will see; default: no change. */
  readonly scrub?: ((text: string) => string) | undefined;
  readonly mode: 'paper' | 'live';
  readonly venue: string;
  readonly version: string;
  readonly pid: number;
  /** A name of the process that is never used twice. Others find the daemon by it even if it could write no file. */
  readonly process?: string | undefined;
  /** Options that the commands in messages have to repeat. Default: none. */
  readonly startedWith?: StartedWith | undefined;
  readonly entries: readonly DaemonEntry[];
  /** Further problems from outside of the daemon, as texts for people. */
  readonly moreProblems?: (() => readonly string[]) | undefined;
  /** The halts that an earlier life was ended under. */
  readonly halts?: readonly Halt[] | undefined;
  /** Why a resume would not last, in words (a HALT file exists); `undefined` when it would. */
  readonly keptHalted?: (() => Promise<string | undefined>) | undefined;
  /** Writes down all halts of the daemon for its next life; default: the halts end with this process. */
  readonly keepHalts?: ((halts: readonly Halt[]) => Promise<void>) | undefined;
  readonly gauge: () => ProcessGauge;
  /** The daemon ends in order, to be started anew, when it has more resident bytes than this; Infinity: no bound. */
  readonly memoryCeilingBytes: number;
  /** Makes the entry with other parameters, or with another strategy on its pair. @throws UsageError when it cannot be */
  readonly change?:
    | ((entry: DaemonEntry, change: StrategyChange, request: ChangeRequest) => Promise<DaemonEntry>)
    | undefined;
  /**
   * Called when `entry` takes the place of another one, also when an old entry is restored. Before any of its code runs.
   */
  readonly onReplaced?: ((entry: DaemonEntry) => void) | undefined;
  /** Lifts the block of the strategy on this pair. Resolves to whether it was blocked for having ended the daemon. */
  readonly unblock?: ((pair: string) => Promise<boolean>) | undefined;
  /** Called at each look, once a second: the heartbeat. */
  readonly onBeat?: (() => void) | undefined;
}
