import type { WireBalance } from '../../core/venue-core.js';
import { moneyOnWire } from '../wire-number.js';

/** Specification: Balances, one asset; `money.md` §14. */
function balanceRecord({ precision, ...balance }: WireBalance) {
  return {
    free: moneyOnWire(balance.free, precision),
    locked: moneyOnWire(balance.locked, precision),
    withdrawn: moneyOnWire(balance.withdrawn, precision),
    pnl: moneyOnWire(balance.pnl, precision),
    margin: moneyOnWire(balance.margin, precision),
    fees: moneyOnWire(balance.fees, precision),
  };
}

/** Keyed by asset. */
export function balancesRecord(balances: readonly WireBalance[]) {
  return Object.fromEntries(balances.map((balance) => [balance.asset, balanceRecord(balance)]));
}
