import { expect, test } from 'vitest';
import { cautious, tickwright } from '../../../src/client/profile.js';
import { demandRequests } from '../../../src/cli/session/request-budget.js';
import type { SessionPlan } from '../../../src/cli/session/session-plan.js';
import { type Limits, NO_LIMITS } from '../../../src/gate/limits.js';

const every = { trades: 1_000, ticker: 1_000, position: 1_000, orders: 1_000 };

const planOf = (mode: 'live' | 'paper', profile: typeof cautious, limits: Partial<Limits> = {}) =>
  ({ mode, every, limits: { ...NO_LIMITS, ...limits }, connection: { profile } }) as unknown as SessionPlan;

test('a live session whose polls the budget cannot carry does not start, and one on paper does', async () => {
  await expect(demandRequests(planOf('live', cautious), 50_000)).rejects.toMatchObject({
    code: 'TICKWRIGHT_E_BUDGET',
    message: expect.stringMatching(
      /^polls must need at most 2 requests a second, received 7.1 \(.*\): set longer poll times, or the budget of profile cautious$/,
    ),
  });
  await expect(demandRequests(planOf('paper', cautious), 50_000)).resolves.toBeUndefined();
  await expect(demandRequests(planOf('live', tickwright), 50_000)).resolves.toBeUndefined();
});

test('of several sessions each is told its share, and the whole of it', async () => {
  const share = { ...cautious, budget: { ...cautious.budget, perSecond: cautious.budget.perSecond / 4 } };
  const plan = { ...planOf('live', share), budgetShares: 4 };
  await expect(demandRequests(plan, undefined)).rejects.toThrow(
    /^polls must need at most 0.5 requests a second, one of 4 equal shares of 2, received 7 /,
  );
});

test.each([
  [{ maxOpenOrders: 61 }, 'limits.maxOpenOrders must be at most the 60 of profile tickwright, received 61'],
  [
    { maxOrdersPerMinute: 1_201 },
    'limits.maxOrdersPerMinute must be at most the 1200 of profile tickwright, received 1201',
  ],
])('limits of the configuration may only lower those of the profile: %o', async (limits, said) => {
  await expect(demandRequests(planOf('live', tickwright, limits), undefined)).rejects.toThrow(said);
  await expect(demandRequests(planOf('paper', tickwright, limits), undefined)).resolves.toBeUndefined();
  const most = { maxOpenOrders: 60, maxOrdersPerMinute: 1_200 };
  await expect(demandRequests(planOf('live', tickwright, most), undefined)).resolves.toBeUndefined();
});
