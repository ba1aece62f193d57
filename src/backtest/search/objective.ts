import { UsageError } from '../../model/errors.js';
import { LEAST_DAYS } from '../metrics.js';
import type { TrialOutcome } from './trial.js';

/** What is to be as high as can be: annual Sharpe or Calmar ratio, or quote units. */
export type ObjectiveName = 'sharpe' | 'pnl' | 'calmar';

/** Higher is better; `undefined` where there is too little to take the figure from. */
export function objectiveOf(name: ObjectiveName, { pnl, sharpe, calmar }: TrialOutcome): number | undefined {
  const text = { pnl, sharpe, calmar }[name];
  return text === null ? undefined : Number(text);
}

/**
 * The objective of a search whose shortest stretch has so many days: ratios are of daily returns, and fewer than 30 say nothing.
 *
 * @throws UsageError where the one that was asked for needs more of them
 */
export function pickObjective(asked: ObjectiveName | undefined, days: number): ObjectiveName {
  if (asked === undefined) return days < LEAST_DAYS ? 'pnl' : 'sharpe';
  if (asked !== 'pnl' && days < LEAST_DAYS) {
    throw new UsageError(
      'TICKWRIGHT_E_SEARCH',
      `--objective ${asked} must have at least ${LEAST_DAYS} days in each stretch that is searched, received ${days}: ` +
        `--objective pnl needs none`,
    );
  }
  return asked;
}
