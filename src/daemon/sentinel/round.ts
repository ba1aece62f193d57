import type { BreachBook, Outcome } from './breach-book.js';
import type { Breach, SentinelJudge, Sight } from './judge.js';

/** One look of a sentinel and what comes of it; the times are monotonic ms. */
export interface Round {
  readonly judge: SentinelJudge;
  readonly book: BreachBook;
  readonly now: () => number;
  /** Acts on a breach; may take minutes. */
  readonly act: (breach: Breach) => Promise<Outcome>;
  /** Called once for each new breach. */
  readonly onBreach: (breach: Breach) => void;
  /** Called when the daemon is well again, with the breaches that were told and are over: at least one. */
  readonly onWell: (ended: readonly Breach[]) => void;
}

/**
 * Handles one look. Resolves to the outcome of an action on a breach; to `well` when nothing is wrong; to `undefined`
 * when there is nothing to act on at present: the trouble is too young, or its breach is done with or resting.
 */
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
