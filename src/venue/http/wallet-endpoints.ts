import { plainDecimal } from './decimal-text.js';
import type { AccountRequest, Endpoint } from './endpoint.js';
import { type Answer, Refused } from './envelope.js';
import { malformed, requiredText } from './fields.js';
import { listQuery } from './list-query.js';
import { depositRecord, withdrawalRecord } from './records/transfer-record.js';

export const WALLET_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/deposits', access: 'key', answer: deposits },
  { method: 'GET', path: '/withdrawals', access: 'key', answer: withdrawals },
  { method: 'POST', path: '/auth/withdraw', access: 'signed', answer: withdraw },
];

function deposits(request: AccountRequest): Answer {
  const query = listQuery(request, undefined);
  if (query instanceof Refused) return query;
  return JSON.stringify(request.core.wallet.deposits(request.account, query).map(depositRecord));
}

function withdrawals(request: AccountRequest): Answer {
  const query = listQuery(request, undefined);
  if (query instanceof Refused) return query;
  return JSON.stringify(request.core.wallet.withdrawals(request.account, query).map(withdrawalRecord));
}

/** Requests a withdrawal. All four fields are required, including the timestamp (specification: POST /auth/withdraw). */
function withdraw({ core, account, fields, now }: AccountRequest): Answer {
  const asset = requiredText(fields, 'asset', 'an asset of this venue');
  if (asset instanceof Refused) return asset;
  const quantity = requiredText(fields, 'qty', 'a plain decimal number');
  if (quantity instanceof Refused) return quantity;
  const exact = plainDecimal(quantity);
  if (exact === undefined) return malformed('qty', 'a plain decimal number', quantity);
  const address = requiredText(fields, 'address', 'where the asset is to go');
  if (address instanceof Refused) return address;
  if (address.length > MAX_ADDRESS) return malformed('address', `at most ${MAX_ADDRESS} characters`, address);
  const timestamp = requiredText(fields, 'timestamp', 'milliseconds since 1970');
  if (timestamp instanceof Refused) return timestamp;
  const request = core.wallet.requestWithdrawal(account, asset, exact, address, now);
  if (request.kind === 'refused') return Refused.because(request.reason);
  return JSON.stringify(withdrawalRecord(request.withdrawal));
}

const MAX_ADDRESS = 256;
