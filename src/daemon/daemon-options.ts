import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Halt } from '../model/halt-level.js';
import type { StartedWith } from './attach-command.js';
import type { ChangeRequest } from './daemon-api.js';
import type { DaemonEntry } from './managed-session.js';
import type { StrategyChange } from './strategy-change.js';

/** What the process says of itself. */
export interface ProcessGauge {
  readonly rssBytes: number;
  readonly heapBytes: number;
}

export interface DaemonOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Takes secrets out of what is shown to people; default: it knows none. */
  readonly scrub?: ((text: string) => string) | undefined;
  readonly mode: 'paper' | 'live';
  readonly venue: string;
  readonly version: string;
  readonly pid: number;
  /** The process by a name that no other ever has: by it others find one that could write no file. */
  readonly process?: string | undefined;
  /** For the commands that a person is told. Default: nothing has to be named. */
  readonly startedWith?: StartedWith | undefined;
  readonly entries: readonly DaemonEntry[];
  /** What else a person should look at, in words: of what lies outside of it. */
  readonly moreProblems?: (() => readonly string[]) | undefined;
  /** What an earlier life was halted with. */
  readonly halts?: readonly Halt[] | undefined;
  /** Why a resume would not last, in words: a HALT file is there. */
  readonly keptHalted?: (() => Promise<string | undefined>) | undefined;
  /** Writes down all that the daemon is halted with from now on, for a later life; default: that ends with this one. */
  readonly keepHalts?: ((halts: readonly Halt[]) => Promise<void>) | undefined;
  readonly gauge: () => ProcessGauge;
  /** Resident bytes from which on the daemon ends in order, to be started anew; `undefined`: no bound. */
  readonly memoryCeilingBytes: number;
  /** The strategy of an entry with other parameters, or another one on its pair. @throws UsageError for what cannot be */
  readonly change?:
    | ((entry: DaemonEntry, change: StrategyChange, request: ChangeRequest) => Promise<DaemonEntry>)
    | undefined;
  /** This entry is to run from now on, in the place of another one; also one that is put back. Before its code runs. */
  readonly onReplaced?: ((entry: DaemonEntry) => void) | undefined;
  /** The strategy on this pair may run again. True when it was kept from it because it had hung the daemon. */
  readonly unblock?: ((pair: string) => Promise<boolean>) | undefined;
  /** Each look, a second apart: the heart beats. */
  readonly onBeat?: (() => void) | undefined;
}
