/**
 * The status of a daemon that does not answer, in the form that it would use itself, made from its file and its journals.
 */
import type { Books } from '../execution/books.js';
import { counted } from '../model/counted.js';
import { type Halt, sameHalt } from '../model/halt-level.js';
import type { GridDigits } from '../model/market.js';
import type { PairState } from '../model/pair-state.js';
import { pairInBooks } from '../runner/journaled-pair.js';
import type { HaltStatus } from './daemon-api.js';
import type { DaemonFile } from './daemon-file.js';
import { haltStatusOf } from './latches.js';
import { haltText } from './problems.js';
import { type Before, beforeOf, NOT_KNOWN } from './pair-status.js';

/** Keys and units are those of a running pair; what only a session knows is absent. */
export interface OfflinePair extends Before {
  readonly pair: string;
  /** The state in which its next start begins. */
  readonly state: PairState;
  readonly reason: string;
  readonly running: false;
  /** Why the journal cannot be read completely; then nothing is known of the pair here. */
  readonly damage?: string;
  /** Intents of which it is unknown whether the venue has their orders. */
  readonly inDoubt: readonly string[];
}

export interface OfflineStatus {
  readonly schemaVersion: 1;
  /**
   * `not running`: no process runs on this state folder · `starting`: a process runs that has not been ready yet ·
   * `hung`: a process runs that was ready, and it does not answer.
   */
  readonly state: 'starting' | 'hung' | 'not running';
  readonly pid: number | undefined;
  /** Mode of the running process, if it has been ready. */
  readonly mode: DaemonFile['mode'] | undefined;
  readonly venue: string | undefined;
  /** All halts that the next start begins with, as one. */
  readonly halted: HaltStatus | undefined;
  readonly problems: readonly string[];
  readonly pairs: readonly OfflinePair[];
}

export interface OfflineBooks {
  readonly pair: string;
  readonly books: Books;
  /** Why the books lack a part of what was written; `undefined`: they are complete. */
  readonly lack?: string | undefined;
  /** Those of its grids; `undefined`: the journal does not have them. */
  readonly digits: GridDigits | undefined;
}

/** `halts`: halts of the daemon as a whole; `haltFiles`: paths of HALT files. */
export function offlineStatusOf(
  head: Pick<OfflineStatus, 'state' | 'pid' | 'mode' | 'venue'>,
  { halts, haltFiles }: { readonly halts: readonly Halt[]; readonly haltFiles: readonly string[] },
  all: readonly OfflineBooks[],
): OfflineStatus {
  const inBooks = all.flatMap(({ pair, books }) =>
    books.halts
      .filter((halt) => !halts.some((each) => sameHalt(each, halt)))
      .map((halt) => ({ ...halt, reason: `${pair}: ${halt.reason}` })),
  );
  const halted = haltStatusOf([...halts, ...inBooks]);
  const pairs = all.map((each) => offlinePair(each, halts, WHY[head.state]));
  return {
    schemaVersion: 1,
    ...head,
    halted,
    problems: [
      ...(head.state === 'hung' ? [`process ${head.pid ?? '?'} runs and does not answer`] : []),
      ...haltFiles.map(
        (path) => `${path} is there: every start is halted while it is; remove it, then tickwright resume`,
      ),
      ...(halted === undefined ? [] : [haltText(halted)]),
      ...pairs.flatMap(({ pair, state, reason, damage, inDoubt: { length } }) => [
        ...(damage === undefined ? [] : [`${pair}: its journal cannot be read: ${damage}`]),
        ...(state === 'QUARANTINED' ? [`${pair} is QUARANTINED: ${reason}`] : []),
        ...(length === 0 ? [] : [`${pair}: ${counted(length, 'order')} in doubt`]),
      ]),
    ],
    pairs,
  };
}

/** The reason of a pair that has no more specific one. */
const WHY = {
  'not running': 'it does not run',
  starting: 'it has not begun',
  hung: 'it does not answer',
} as const satisfies Record<OfflineStatus['state'], string>;

function offlinePair(
  { pair, books, digits, lack }: OfflineBooks,
  halts: readonly Halt[],
  why: string,
): OfflinePair {
  if (lack !== undefined) {
    const reason = 'its journal cannot be read';
    return { pair, state: 'BOOT', reason, running: false, damage: lack, ...NOT_KNOWN, inDoubt: [] };
  }
  const said = pairInBooks(pair, books, digits);
  const halted = haltStatusOf([
    ...halts,
    ...books.halts.filter((halt) => !halts.some((each) => sameHalt(each, halt))),
  ]);
  const quarantine = books.quarantine(pair);
  return {
    pair,
    ...(quarantine !== undefined
      ? { state: 'QUARANTINED', reason: quarantine }
      : halted !== undefined
        ? { state: 'HALTED', reason: `${halted.level}: ${halted.reason}` }
        : { state: 'BOOT', reason: why }),
    running: false,
    ...beforeOf(said),
    inDoubt: said.inDoubt,
  };
}
