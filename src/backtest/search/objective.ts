import { UsageError } from '../../model/errors.js';
import { LEAST_DAYS } from '../metrics.js';
import type { TrialOutcome } from './trial.js';

/** The figure that a search maximises: annual Sharpe or Calmar ratio, or P&L in quote units. */
export type ObjectiveName = 'sharpe' | 'pnl' | 'calmar';

/** The score of a trial, higher is better; `undefined` if there is too little data to compute it. */
export function objectiveOf(name: ObjectiveName, { pnl, sharpe, calmar }: TrialOutcome): number | undefined {
  const text = { pnl, sharpe, calmar }[name];
  return text === null ? undefined : Number(text);
}

/**
 * The objective of a search whose shortest stretch has `days` days. Ratios need at least 30 daily returns, so with
 * fewer days the default is P&L.
 *
 * @throws UsageError when the requested objective needs more days
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
