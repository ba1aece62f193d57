import { ACCOUNT_ENDPOINTS } from './account-endpoints.js';
import type { Endpoint } from './endpoint.js';
import { MARGIN_ENDPOINTS } from './margin-endpoints.js';
import { ORDER_ENDPOINTS } from './order-endpoints.js';
import { PUBLIC_ENDPOINTS } from './public-endpoints.js';
import { WALLET_ENDPOINTS } from './wallet-endpoints.js';

/** The venue's route table: the endpoints of the specification, and additionally GET /balances and GET /account. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...PUBLIC_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...WALLET_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...MARGIN_ENDPOINTS,
];
