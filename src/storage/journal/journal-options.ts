import type { JournalFailed } from '../../ports/bot-journal.js';
import type { Clock, Timers } from '../../ports/clock.js';
import type { Files } from '../../ports/files.js';

export interface JournalOptions {
  readonly directory: string;
  readonly files: Files;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly segmentBytes?: number;
  readonly keepMs?: number;
  /** Room that is made ahead of the records, where the files know how to; a sync is then about as fast as the disk is. */
  readonly reserveBytes?: number;
  /** 0 for none. */
  readonly ballastBytes?: number;
  /** Takes secrets out of a line. Nothing secret belongs into a record; this is the second wall. */
  readonly scrub?: (text: string) => string;
  /** Told once, at the first failure, also when no record was being appended. */
  readonly onFailure?: (failure: JournalFailed) => void;
}
