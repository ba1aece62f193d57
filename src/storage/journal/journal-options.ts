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
  /**
   * Bytes to allocate ahead of the records, where the adapter of the files supports it. A sync then need not update the file's size,
   * and is about as fast as the disk.
   */
  readonly reserveBytes?: number;
  /** Size of the ballast; 0 for none. */
  readonly ballastBytes?: number;
  /** Removes secrets from a line. Records must not contain any; this is a second line of defence. */
  readonly scrub?: (text: string) => string;
  /** Called once, at the first failure, even if no record was being appended. */
  readonly onFailure?: (failure: JournalFailed) => void;
}
