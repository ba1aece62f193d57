import type { DepositRecord, TransferRecord, WireRecord, WithdrawalRecord } from '../model/venue-records.js';
import {
  factFlag,
  factNumber,
  factRecord,
  factText,
  field,
  idOf,
  listOf,
  notNegativeOf,
  recordOf,
  textOf,
  untrusted,
} from './wire.js';

/** Specification: Deposit. */
export function decodeDeposit(value: unknown): DepositRecord {
  const wire = recordOf(value, 'a deposit');
  return { ...transferOf(wire, 'deposit'), netUsd: factNumber(wire, 'net_usd') };
}

/** Specification: Withdrawal: one object, or an array that holds it, as the sample answer shows. */
export function decodeWithdrawal(value: unknown): WithdrawalRecord {
  const wire = recordOf(value, 'a withdrawal');
  return { ...transferOf(wire, 'withdrawal'), manuallyApproved: factFlag(wire, 'manually_approved') };
}

export function decodeDeposits(result: unknown): readonly DepositRecord[] {
  return listOf(result, 'deposits').map(decodeDeposit);
}

export function decodeWithdrawals(result: unknown): readonly WithdrawalRecord[] {
  return listOf(result, 'withdrawals').map(decodeWithdrawal);
}

function transferOf(wire: WireRecord, what: string): TransferRecord {
  const transaction = factRecord(wire, 'transaction');
  return {
    id: idOf(field(wire, 'id'), `${what}.id`),
    asset: textOf(field(wire, 'asset'), `${what}.asset`),
    address: factText(wire, 'address'),
    customerId: factText(wire, 'customer_id'),
    time: notNegativeOf(field(wire, 'time'), `${what}.time`),
    quantity: notNegativeOf(field(wire, 'qty'), `${what}.qty`),
    net: factNumber(wire, 'net'),
    status: untrusted(textOf(field(wire, 'status'), `${what}.status`)),
    quantityUsd: factNumber(wire, 'qty_usd'),
    transaction:
      transaction === undefined
        ? undefined
        : { hash: factText(transaction, 'hash'), from: factText(transaction, 'from') },
    wire,
  };
}
