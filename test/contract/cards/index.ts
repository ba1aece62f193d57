import type { Card } from '../card.js';
import { ANY_VENUE_CARDS } from './any-venue.js';
import { AUTHENTICATION_CARDS } from './authentication.js';
import { BALANCE_CARDS } from './balances.js';
import { BULK_ORDER_CARDS } from './bulk-orders.js';
import { CANCEL_CARDS } from './cancels.js';
import { ENVELOPE_CARDS } from './envelope.js';
import { FILL_CARDS } from './fills.js';
import { ISOLATED_MARGIN_CARDS } from './isolated-margin.js';
import { MARKET_DATA_CARDS } from './market-data.js';
import { MARKET_CARDS } from './markets.js';
import { MATCHING_CARDS } from './matching.js';
import { ORDER_LIST_CARDS } from './order-lists.js';
import { ORDER_CARDS } from './orders.js';
import { PERSONAL_CARDS } from './personal.js';
import { POSITION_LIST_CARDS } from './position-lists.js';
import { POSITION_CARDS } from './positions.js';
import { REFUSAL_CARDS } from './refusals.js';
import { RISK_CARDS } from './risk.js';
import { SPECIAL_ORDER_CARDS } from './special-orders.js';
import { SPOT_CARDS } from './spot.js';
import { TRADE_CARDS } from './trades.js';
import { TRIGGER_CARDS } from './triggers.js';
import { WALLET_CARDS } from './wallet.js';

/** The whole suite. */
export const CARDS: readonly Card[] = [
  ...ENVELOPE_CARDS,
  ...AUTHENTICATION_CARDS,
  ...REFUSAL_CARDS,
  ...TRADE_CARDS,
  ...MARKET_DATA_CARDS,
  ...MARKET_CARDS,
  ...ORDER_CARDS,
  ...ORDER_LIST_CARDS,
  ...CANCEL_CARDS,
  ...BULK_ORDER_CARDS,
  ...MATCHING_CARDS,
  ...SPECIAL_ORDER_CARDS,
  ...TRIGGER_CARDS,
  ...FILL_CARDS,
  ...POSITION_CARDS,
  ...BALANCE_CARDS,
  ...POSITION_LIST_CARDS,
  ...ISOLATED_MARGIN_CARDS,
  ...PERSONAL_CARDS,
  ...RISK_CARDS,
  ...WALLET_CARDS,
  ...SPOT_CARDS,
  ...ANY_VENUE_CARDS,
];
