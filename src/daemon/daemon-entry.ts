import type { JournaledPair } from '../runner/journaled-pair.js';
import type { SessionWatch } from '../runner/live-session.js';
import type { Holding } from './account-shares.js';
import type { DaemonSession } from './daemon-session.js';

/** One strategy on one pair, as configured: what a session is started from. */
export interface DaemonEntry {
  readonly pair: string;
  readonly strategy: string;
  /** Parameters as text, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** SHA-256 of the strategy's code. */
  readonly sha256: string;
  /** Time from the start of one poll of its feed to the next, ms; absent: polls are frequent enough not to matter. */
  readonly pollMs?: number | undefined;
  /** Paper only: a new session starts flat and does not take over the position of the one before. */
  readonly beginsAnew?: boolean | undefined;
  /**
   * Starts the session; `watch` sees its inputs from the first one on.
   *
   * @throws UsageError for an error that trying again cannot cure.
   */
  open(watch: SessionWatch): Promise<DaemonSession>;
  /** Asks the venue what the pair holds. Rejects when the venue does not answer. */
  held?(): Promise<Holding>;
  /**
   * What the pair's journal says; `undefined`: it is empty. Absent on paper, where an earlier life leaves nothing behind.
   */
  journaled?(): Promise<JournaledPair | undefined>;
}
