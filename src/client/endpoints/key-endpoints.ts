/**
 * What the API key may read; nothing is signed. Errors of every one: missing or unknown key, and as of public reads; a
 * read that fails rejects with a `VenueError`. Lists hold the newest `limit` (default 100) inside [start, end], venue
 * ms: a list that is as long as its limit may be cut.
 */
import {
  decodeAccount,
  decodeBalances,
  decodeCompletedPositions,
  decodePersonal,
  decodePosition,
  decodePositions,
} from '../decode-account.js';
import { decodeFills, decodeOrder, decodeOrders, decodeTriggers } from '../decode-orders.js';
import { decodeDeposits, decodeWithdrawals } from '../decode-transfers.js';
import { keyRead, LIST_MS, type None, READ_MS } from './endpoint.js';
import type { IdParameter, ListParameters, PairParameter } from './parameters.js';

const orderList = (path: string, source: 'described' | 'named') =>
  keyRead<ListParameters, ReturnType<typeof decodeOrders>>(
    path,
    {
      priority: 'state',
      deadlineMs: LIST_MS,
      source,
      section: source === 'described' ? 'API-key endpoints' : 'Other endpoints',
      call: 'orders',
    },
    decodeOrders,
  );

export const KEY_READS = {
  /** All orders, whatever became of them. Auth: key. Specification: Other endpoints. */
  orders: orderList('/orders', 'named'),
  /** Working orders. Auth: key. Specification: API-key endpoints. */
  active_orders: orderList('/active_orders', 'described'),
  /** Orders that filled entirely, and only those. Auth: key. Specification: API-key endpoints. */
  completed_orders: orderList('/completed_orders', 'described'),
  /** Orders that were cancelled, partly filled or not. Auth: key. Specification: Other endpoints. */
  cancelled_orders: orderList('/cancelled_orders', 'named'),
  /** Orders that filled at least once. Auth: key. Specification: API-key endpoints. */
  filled_orders: orderList('/filled_orders', 'described'),
  /** Orders that filled in part. Auth: key. Specification: Other endpoints. */
  partially_filled_orders: orderList('/partially_filled_orders', 'named'),
  /** One order. Auth: key. Refused: `The order was not found`. Specification: API-key endpoints. */
  order: keyRead<IdParameter, ReturnType<typeof decodeOrder>>(
    '/order',
    {
      priority: 'state',
      deadlineMs: READ_MS,
      source: 'described',
      section: 'API-key endpoints',
      call: 'order',
    },
    decodeOrder,
  ),
  /** Executions; fees in the quote asset, paid positive. Auth: key. Specification: Fill. */
  fills: keyRead<ListParameters, ReturnType<typeof decodeFills>>(
    '/fills',
    { priority: 'fills', deadlineMs: LIST_MS, source: 'described', section: 'Fill', call: 'fills' },
    decodeFills,
  ),
  /** Stop and take-profit orders that wait, or that the engine refused. Auth: key. Specification: Trigger order. */
  triggers: keyRead<ListParameters, ReturnType<typeof decodeTriggers>>(
    '/triggers',
    {
      priority: 'state',
      deadlineMs: LIST_MS,
      source: 'described',
      section: 'Trigger order',
      call: 'triggers',
    },
    decodeTriggers,
  ),
  /** The position on one pair; of size 0 when none is open. Money in quote units. Auth: key. Specification: Position. */
  position: keyRead(
    '/position',
    { priority: 'state', deadlineMs: READ_MS, source: 'described', section: 'Position', call: 'position' },
    (result, { pair }: PairParameter) => decodePosition(result, pair),
  ),
  /** Open positions with their fills. Auth: key. Specification: Other endpoints; `dialect.md` §3. */
  active_positions: keyRead<None, ReturnType<typeof decodePositions>>(
    '/active_positions',
    {
      priority: 'history',
      deadlineMs: LIST_MS,
      source: 'named',
      section: 'Other endpoints',
      call: 'activePositions',
    },
    decodePositions,
  ),
  /** Positions that passed through 0, with their fills. Auth: key. Specification: Other endpoints; `dialect.md` §3. */
  completed_positions: keyRead<ListParameters, ReturnType<typeof decodeCompletedPositions>>(
    '/completed_positions',
    {
      priority: 'history',
      deadlineMs: LIST_MS,
      source: 'named',
      section: 'Other endpoints',
      call: 'completedPositions',
    },
    decodeCompletedPositions,
  ),
  /** Deposits; amounts in units of the asset. Auth: key. Specification: Deposit. */
  deposits: keyRead<ListParameters, ReturnType<typeof decodeDeposits>>(
    '/deposits',
    { priority: 'history', deadlineMs: LIST_MS, source: 'described', section: 'Deposit', call: 'deposits' },
    decodeDeposits,
  ),
  /** Withdrawals; amounts in units of the asset. Auth: key. Specification: Other endpoints, Withdrawal. */
  withdrawals: keyRead<ListParameters, ReturnType<typeof decodeWithdrawals>>(
    '/withdrawals',
    {
      priority: 'history',
      deadlineMs: LIST_MS,
      source: 'named',
      section: 'Other endpoints',
      call: 'withdrawals',
    },
    decodeWithdrawals,
  ),
  /** Facts of the account, its balances among them. Auth: key. Specification: Other endpoints; `dialect.md` §3. */
  personal: keyRead<None, ReturnType<typeof decodePersonal>>(
    '/personal',
    {
      priority: 'history',
      deadlineMs: READ_MS,
      source: 'named',
      section: 'Other endpoints',
      call: 'personal',
    },
    decodePersonal,
  ),
  /** Balances by asset. Auth: key. Outside the specification; `dialect.md` §3. */
  balances: keyRead<None, ReturnType<typeof decodeBalances>>(
    '/balances',
    {
      priority: 'history',
      deadlineMs: READ_MS,
      source: 'extension',
      section: 'dialect.md §3',
      call: 'balances',
    },
    decodeBalances,
  ),
  /** Balances by asset and positions by pair. Auth: key. Outside the specification; `dialect.md` §3. */
  account: keyRead<None, ReturnType<typeof decodeAccount>>(
    '/account',
    {
      priority: 'history',
      deadlineMs: READ_MS,
      source: 'extension',
      section: 'dialect.md §3',
      call: 'account',
    },
    decodeAccount,
  ),
} as const;
