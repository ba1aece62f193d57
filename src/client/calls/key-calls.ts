import type { BalanceRecord } from '../../model/venue-records.js';
import type { KeyCalls, ListQuery } from '../../ports/venue-api.js';
import { ENDPOINTS, ORDER_LISTS } from '../endpoints.js';
import type { VenueProfile } from '../profile.js';
import type { Requester } from '../requester.js';
import { listParameters } from './public-calls.js';

const READS = ENDPOINTS.key;

export function keyCalls({ read }: Requester<'key'>, profile: VenueProfile): KeyCalls {
  const list = (query: ListQuery | undefined) => listParameters(profile, query ?? {});
  return {
    position: async (pair) => (await read(READS.position, { pair })).value,
    orders: async (state, query) => (await read(ORDER_LISTS[state], list(query))).value,
    order: async (id) => (await read(READS.order, { id })).value,
    fills: async (query) => (await read(READS.fills, list(query))).value,
    balances,
    activePositions: async () => (await read(READS.active_positions, {})).value,
    completedPositions: async (query) => (await read(READS.completed_positions, list(query))).value,
    triggers: async (query) => (await read(READS.triggers, list(query))).value,
    deposits: async (query) => (await read(READS.deposits, list(query))).value,
    withdrawals: async (query) => (await read(READS.withdrawals, list(query))).value,
    personal: async () => (await read(READS.personal, {})).value,
    account: async () => (await read(READS.account, {})).value,
  };

  async function balances(): Promise<readonly BalanceRecord[]> {
    switch (profile.balancesFrom) {
      case 'personal':
        return (await read(READS.personal, {})).value.balances;
      case 'account':
        return (await read(READS.account, {})).value.balances;
      case 'balances':
        return (await read(READS.balances, {})).value;
    }
  }
}
