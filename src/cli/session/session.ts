/** Starts a session of either mode. */
import { frozen } from '../../model/frozen.js';
import type { Market } from '../../model/market.js';
import type { Machine } from '../machine.js';
import { demandRequests } from './request-budget.js';
import type { RunningSession } from './running-session.js';
import type { SessionPlan } from './session-plan.js';
import { LEDGER_MS, startLive } from './start-live.js';
import { startPaper } from './start-paper.js';

/** @throws UsageError when the venue's request budget cannot carry a live session. */
export async function startSession(machine: Machine, plan: SessionPlan): Promise<RunningSession> {
  await demandRequests(plan, LEDGER_MS);
  const market = outlasting(machine, plan.market);
  return plan.mode === 'live'
    ? startLive(machine, { ...plan, market })
    : startPaper(machine, { ...plan, market });
}

/**
 * Treats the market as active: a session reads its market once and may outlast a trading halt, and the venue itself
 * rejects orders during one. An option stays inactive, because options are never traded.
 */
function outlasting({ log }: Machine, market: Market): Market {
  const { pair, contract, active } = market;
  if (active || contract === 'option') return market;
  log.warn('the market is not active at the venue, which takes no orders until it is', { pair });
  return frozen({ ...market, active: true });
}
