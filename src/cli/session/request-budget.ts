import { UsageError } from '../../model/errors.js';
import { requestPlan } from '../../runner/request-plan.js';
import { say } from '../view/output.js';
import type { SessionPlan } from './session-plan.js';

/**
 * Checks the request budget. A session whose polls alone exceed it would always be late: live it does not start, on paper
 * the user is warned. If the polls leave no room for orders, both modes warn.
 *
 * @throws UsageError that names both numbers
 */
export async function demandRequests(plan: SessionPlan, ledgerMs: number | undefined): Promise<void> {
  const { mode, connection, every, limits, budgetShares = 1 } = plan;
  const { name, budget, clock } = connection.profile;
  const above = limitAbove(plan);
  if (above !== undefined) {
    if (mode === 'live') throw new UsageError('TICKWRIGHT_E_LIMITS', above);
    await say(`warning: ${above}`);
  }
  const { trades, ticker, position } = every;
  const { excess, shortage } = requestPlan({
    every: mode === 'live' ? every : { trades, ticker, position },
    followsClock: clock === 'follow',
    ledgerMs: mode === 'live' ? ledgerMs : undefined,
    // On paper an order is no request to the venue.
    maxOrdersPerMinute: mode === 'live' ? limits.maxOrdersPerMinute : undefined,
    perSecond: budget.perSecond * budgetShares,
    sharedBy: budgetShares,
  });
  if (excess !== undefined) {
    const text = `${excess}: set longer poll times, or the budget of profile ${name}`;
    if (mode === 'live') throw new UsageError('TICKWRIGHT_E_BUDGET', text);
    await say(`warning: ${text}; polls come as late as that takes`);
  } else if (shortage !== undefined) await say(`warning: ${shortage}`);
}

/** The venue's profile bounds what an account may do there; a configuration may only lower these limits. */
function limitAbove({ limits, connection: { profile } }: SessionPlan): string | undefined {
  const { restingPerPair, ordersPerMinute } = profile.limits;
  const pairs = [
    ['maxOpenOrders', limits.maxOpenOrders, restingPerPair],
    ['maxOrdersPerMinute', limits.maxOrdersPerMinute, ordersPerMinute],
  ] as const;
  for (const [limit, value, most] of pairs) {
    if (value !== undefined && value > most) {
      return `limits.${limit} must be at most the ${most} of profile ${profile.name}, received ${value}`;
    }
  }
  return undefined;
}
