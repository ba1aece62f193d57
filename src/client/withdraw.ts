/**
 * POST /auth/withdraw, apart from the client that other programs load. Only the entry point that withdraws may import this
 * file; a test checks the import graph.
 */
import { type DecimalSource, parseDecimal, plain } from '../model/decimal.js';
import { UsageError } from '../model/errors.js';
import type { AssetRecord, WithdrawalRecord } from '../model/venue-records.js';
import type { ListQuery, WriteFailure } from '../ports/venue-api.js';
import { keyCalls } from './calls/key-calls.js';
import { asIs, writer } from './calls/write-calls.js';
import { clockOf, requesterParts, type VenueClientOptions } from './client.js';
import { decodeWithdrawal } from './decode-transfers.js';
import { ENDPOINTS } from './endpoints.js';
import { POST_MS, signedPost } from './endpoints/endpoint.js';
import { formBody } from './form-body.js';
import { sameNumber } from './outcome.js';
import { createSignedRequester } from './requester.js';
import { createSigner } from './signer.js';
import { Stamper } from './stamper.js';

export interface WithdrawRequest {
  readonly asset: string;
  /** In units of the asset, on its grid. */
  readonly quantity: DecimalSource;
  readonly address: string;
}

/** `submitted`: the venue processes it only after it was confirmed by e-mail. */
export type WithdrawOutcome =
  | { readonly kind: 'submitted'; readonly withdrawal: WithdrawalRecord }
  | WriteFailure;

export interface WithdrawClient {
  /** Sends at most one request. After an outcome in doubt read `withdrawals` before a second try. */
  withdraw(request: WithdrawRequest): Promise<WithdrawOutcome>;
  withdrawals(query?: ListQuery): Promise<readonly WithdrawalRecord[]>;
  assets(): Promise<readonly AssetRecord[]>;
}

/**
 * Takes money out of the account: quantity in units of the asset. The timestamp is declared int32 and does not fit
 * (today's ms have 13 digits): it is sent whole. Auth: signed. Refused: below the minimum, not withdrawable,
 * insufficient balance. Specification: Signed endpoints (POST /auth/withdraw), Withdrawal.
 */
export const WITHDRAW = signedPost(
  '/auth/withdraw',
  {
    priority: 'order',
    deadlineMs: POST_MS,
    source: 'described',
    section: 'Signed endpoints',
    call: 'withdraw',
  },
  {
    stamped: true,
    body: (
      {
        asset,
        quantity,
        address,
      }: { readonly asset: string; readonly quantity: string; readonly address: string },
      { profile: { orderFields: names }, stamp },
    ) =>
      formBody([
        ['asset', asset],
        ['qty', quantity],
        ['address', address],
        ['timestamp', String(stamp?.timestamp)],
        [names.recvWindow, String(stamp?.recvWindowMs)],
      ]),
    decode: (result) => decodeWithdrawal(result),
  },
);

export function createWithdrawClient(options: VenueClientOptions): WithdrawClient {
  const { profile, log } = options;
  const parts = requesterParts(options);
  const requester = createSignedRequester(parts, createSigner(options.credentials));
  const stamper = new Stamper(profile, clockOf(options, requester));
  const write = writer(requester, { ...parts, stamper });
  const reads = keyCalls(requester, profile);
  return {
    withdrawals: (query) => reads.withdrawals(query),
    assets: async () => (await requester.read(ENDPOINTS.public.assets, {})).value,

    async withdraw(request) {
      const fields = checked(request);
      const settled = await write(WITHDRAW, fields, asIs);
      if (settled.kind !== 'result') {
        if (settled.kind === 'in-doubt') log.warn('withdrawal in doubt', { reason: settled.reason });
        return settled;
      }
      const withdrawal = settled.value;
      const differs =
        withdrawal.asset !== fields.asset ||
        !sameNumber(withdrawal.quantity, Number(fields.quantity)) ||
        (withdrawal.wire['address'] ?? fields.address) !== fields.address;
      if (!differs) return { kind: 'submitted', withdrawal };
      return { kind: 'in-doubt', reason: 'the venue answered with another withdrawal' };
    },
  };
}

/** @throws UsageError for a request that no venue could accept. */
function checked({ asset, quantity, address }: WithdrawRequest) {
  const value = parseDecimal(quantity);
  if (value === undefined || !value.gt(0)) {
    throw invalid('quantity', 'a decimal above 0', String(quantity));
  }
  if (!/^[A-Za-z0-9._-]{1,32}$/.test(asset)) throw invalid('asset', 'the symbol of an asset', asset);
  if (!/^[\x21-\x7e]{1,256}$/.test(address)) throw invalid('address', 'one word of visible ASCII', address);
  return { asset, quantity: plain(value), address };
}

function invalid(what: string, must: string, received: string): UsageError {
  return new UsageError(
    'TICKWRIGHT_E_WITHDRAW',
    `the ${what} of a withdrawal must be ${must}, received ${JSON.stringify(received)}`,
  );
}
