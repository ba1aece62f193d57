import type { Stretch } from '../../backtest/search/stretches.js';
import type { TrialEnd } from '../../backtest/search/trial.js';
import { momentText } from '../view/moment.js';

/** What a trial came to. Without a print its figures are those of nothing, and of no data that it could be a trial on. */
export function resultOf(end: TrialEnd, pair: string, { from, to }: Stretch): TrialEnd {
  if (end.kind === 'failed' || !Number.isNaN(end.outcome.judged.from)) return end;
  return {
    kind: 'failed',
    reason: `nothing is recorded of ${pair} from ${momentText(from)} to ${momentText(to)}`,
    isUsage: true,
  };
}
