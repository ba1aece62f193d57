import type { BreachBook, Outcome } from './breach-book.js';
import type { Breach, SentinelJudge, Sight } from './judge.js';

/** One look of a sentinel and what comes of it; the times are monotonic ms. */
export interface Round {
  readonly judge: SentinelJudge;
  readonly book: BreachBook;
  readonly now: () => number;
  /** What can be done about a breach; may take minutes. */
  readonly act: (breach: Breach) => Promise<Outcome>;
  /** It is a new one. */
  readonly onBreach: (breach: Breach) => void;
  /** The daemon is well, and what was told of these is over: at least one. */
  readonly onWell: (ended: readonly Breach[]) => void;
}

/** What became of what it saw; `well` only when nothing is wrong at all, `undefined` while that is not known. */
export async function round(
  { judge, book, now, act, onBreach, onWell }: Round,
  sight: Sight,
): Promise<Outcome | 'well' | undefined> {
  const breach = judge.see(sight, now());
  if (judge.isWell && sight.kind === 'answer') {
    const ended = book.over(sight.process);
    if (ended.length > 0) onWell(ended);
    return 'well';
  }
  if (breach === undefined || book.isDone(breach) || book.isResting(breach, now())) return undefined;
  if (book.tell(breach)) onBreach(breach);
  const outcome = await act(breach);
  book.settle(breach, outcome, now());
  judge.worked(now());
  return outcome;
}
