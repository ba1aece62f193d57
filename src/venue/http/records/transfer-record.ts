import type { Deposit, Transfer, Withdrawal } from '../../core/wallet.js';
import { moneyOnWire, usdOnWire } from '../wire-number.js';

/** Specification: Deposit, with the `net_usd` of its samples. */
export function depositRecord(deposit: Deposit) {
  const { net, asset, usdPrice } = deposit;
  return { ...transferRecord(deposit), net_usd: usdOnWire(net, asset.precision, usdPrice) };
}

/** Specification: Withdrawal. No person approves withdrawals here, so `manually_approved` is false. */
export function withdrawalRecord(withdrawal: Withdrawal) {
  return { ...transferRecord(withdrawal), manually_approved: false };
}

function transferRecord({ id, address, account, asset, time, quantity, net, ...transfer }: Transfer) {
  return {
    id,
    address,
    customer_id: account.name,
    asset: asset.key,
    time,
    qty: moneyOnWire(quantity, asset.precision),
    net: moneyOnWire(net, asset.precision),
    status: transfer.status === 'pending' ? 'PENDING' : 'COMPLETED',
    qty_usd: usdOnWire(quantity, asset.precision, transfer.usdPrice),
    transaction: { hash: transfer.transaction.hash, from: transfer.transaction.from },
  };
}
