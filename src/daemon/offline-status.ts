/** What is known of a daemon that does not answer, in the form in which it would say it: its file, and its journals. */
import type { Books } from '../execution/books.js';
import { counted } from '../model/counted.js';
import type { Grid } from '../model/grid.js';
import { type Halt, sameHalt } from '../model/halt-level.js';
import type { PairState } from '../model/pair-state.js';
import { pairInBooks } from '../runner/journaled-pair.js';
import type { HaltStatus } from './daemon-api.js';
import type { DaemonFile } from './daemon-file.js';
import { haltStatusOf } from './latches.js';
import { haltText } from './problems.js';
import { type Before, beforeOf, NOT_KNOWN } from './pair-status.js';

/** Keys and units are those of a pair that runs; what only a session knows is absent. */
export interface OfflinePair extends Before {
  readonly pair: string;
  /** Where its next start begins. */
  readonly state: PairState;
  readonly reason: string;
  readonly running: false;
  /** Why its journal cannot be read whole: then nothing of it is known here. */
  readonly damage?: string;
  /** Intents of which nobody knows yet whether they were placed. */
  readonly inDoubt: readonly string[];
}

export interface OfflineStatus {
  readonly schemaVersion: 1;
  /**
   * `not running`: nobody runs on this state · `starting`: a process runs there that has not been ready yet · `hung`: one
   * that was ready runs there and does not answer.
   */
  readonly state: 'starting' | 'hung' | 'not running';
  readonly pid: number | undefined;
  /** Of the process that runs, where it was ready. */
  readonly mode: DaemonFile['mode'] | undefined;
  readonly venue: string | undefined;
  /** All that the next start is halted with, as one. */
  readonly halted: HaltStatus | undefined;
  readonly problems: readonly string[];
  readonly pairs: readonly OfflinePair[];
}

export interface OfflineBooks {
  readonly pair: string;
  readonly books: Books;
  /** Why the books do not have all that was written. */
  readonly lack?: string | undefined;
  /** Of its quantities; `undefined`: nobody wrote it down. */
  readonly grid: Grid | undefined;
}

/** `halts`: what the daemon itself was halted with; `haltFiles`: their paths. */
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

/** Of a pair of which nothing else is to be said. */
const WHY = {
  'not running': 'it does not run',
  starting: 'it has not begun',
  hung: 'it does not answer',
} as const satisfies Record<OfflineStatus['state'], string>;

function offlinePair(
  { pair, books, grid, lack }: OfflineBooks,
  halts: readonly Halt[],
  why: string,
): OfflinePair {
  if (lack !== undefined) {
    const reason = 'its journal cannot be read';
    return { pair, state: 'BOOT', reason, running: false, damage: lack, ...NOT_KNOWN, inDoubt: [] };
  }
  const said = pairInBooks(pair, books, grid);
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
        ? { state: 'HALTED', reason: `halted: ${halted.level} (${halted.reason})` }
        : { state: 'BOOT', reason: why }),
    running: false,
    ...beforeOf(said),
    inDoubt: said.inDoubt,
  };
}
