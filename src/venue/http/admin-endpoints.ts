import type { Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { VenueCore } from '../core/venue-core.js';
import { plainDecimal, readSteps } from './decimal-text.js';
import { type Answer, Refused } from './envelope.js';
import { malformed, oneOf, requiredText, text, whole } from './fields.js';
import type { Form } from './form.js';
import { marketField } from './list-query.js';
import { depositRecord, withdrawalRecord } from './records/transfer-record.js';
import { moneyOnWire, stepsOnWire } from './wire-number.js';

/** A request at the admin door, at one moment of venue time (`now`, ms). */
export interface AdminRequest {
  readonly core: VenueCore;
  readonly markets: ReadonlyMap<string, Market>;
  readonly fields: Form;
  readonly now: number;
}

/** An endpoint of the admin door; all are POST. Throws a UsageError for values that only the core can judge. */
export interface AdminEndpoint {
  readonly path: string;
  readonly answer: (request: AdminRequest) => Answer;
}

export const ADMIN_ENDPOINTS: readonly AdminEndpoint[] = [
  { path: '/index', answer: setIndex },
  { path: '/market', answer: setActive },
  { path: '/deposit', answer: deposit },
  { path: '/deposit/confirm', answer: confirmDeposit },
  { path: '/withdrawal/confirm', answer: confirmWithdrawal },
  { path: '/withdrawal/drop', answer: dropWithdrawal },
  { path: '/insurance', answer: insurance },
];

/** Sets the index of a market. An empty or missing `price` restores the market's own index. */
function setIndex(request: AdminRequest): Answer {
  const market = marketField(request, request.fields);
  if (market instanceof Refused) return market;
  const given = text(request.fields, 'price');
  if (given instanceof Refused) return given;
  const isGiven = given !== undefined && given !== '';
  const ticks = isGiven ? readSteps(market.priceGrid, given) : undefined;
  if (isGiven && !(ticks !== undefined && ticks > 0 && isAllowed(market, ticks))) {
    return malformed('price', `a price that the price filter of ${market.pair} allows`, given);
  }
  request.core.setIndex(market.pair, ticks as Ticks | undefined, request.now);
  const price = ticks === undefined ? null : stepsOnWire(market.priceGrid, ticks);
  return JSON.stringify({ pair: market.pair, price });
}

function isAllowed(market: Market, ticks: number): boolean {
  const { min, max, tickSize } = market.filters.price;
  return ticks >= min && ticks <= max && ticks % tickSize === 0;
}

/** Halts a market or resumes it. */
function setActive(request: AdminRequest): Answer {
  const market = marketField(request, request.fields);
  if (market instanceof Refused) return market;
  const active = oneOf(request.fields, 'active', ['true', 'false']);
  if (active instanceof Refused) return active;
  if (active === undefined) return malformed('active', 'true or false');
  request.core.setActive(market.pair, active === 'true');
  return JSON.stringify({ pair: market.pair, active: active === 'true' });
}

/** Records a deposit and credits it at once; with `status` PENDING it stays seen but unconfirmed. */
function deposit({ core, fields, now }: AdminRequest): Answer {
  const name = requiredText(fields, 'account', 'an account of this venue');
  if (name instanceof Refused) return name;
  const account = core.account(name);
  if (account?.isCustomer !== true) return malformed('account', 'an account of this venue', name);
  const asset = requiredText(fields, 'asset', 'an asset of this venue');
  if (asset instanceof Refused) return asset;
  const quantity = decimal(fields, 'qty');
  if (quantity instanceof Refused) return quantity;
  const status = oneOf(fields, 'status', ['PENDING', 'COMPLETED']);
  if (status instanceof Refused) return status;
  const seen: Record<string, string> = {};
  for (const part of ['address', 'hash', 'from']) {
    const value = text(fields, part);
    if (value instanceof Refused) return value;
    if (value !== undefined && value !== '') seen[part] = value;
  }
  const { wallet } = core;
  const id = wallet.detectDeposit(account, asset, quantity, seen, now);
  const found = wallet.deposit(id);
  const isDone = status === 'PENDING' || found?.status === 'completed';
  return JSON.stringify(
    depositRecord(isDone && found !== undefined ? found : wallet.confirmDeposit(id, now)),
  );
}

/** Confirms a deposit; without `confirmations` as often as it needs. */
function confirmDeposit({ core, fields, now }: AdminRequest): Answer {
  const id = requiredText(fields, 'id', 'the id of a deposit');
  if (id instanceof Refused) return id;
  const count = whole(fields, 'confirmations', 'a whole number of at least 1', 1);
  if (count instanceof Refused) return count;
  return JSON.stringify(depositRecord(core.wallet.confirmDeposit(id, now, count)));
}

function confirmWithdrawal({ core, fields, now }: AdminRequest): Answer {
  const id = requiredText(fields, 'id', 'the id of a withdrawal');
  return id instanceof Refused
    ? id
    : JSON.stringify(withdrawalRecord(core.wallet.confirmWithdrawal(id, now)));
}

function dropWithdrawal({ core, fields, now }: AdminRequest): Answer {
  const id = requiredText(fields, 'id', 'the id of a withdrawal');
  return id instanceof Refused ? id : JSON.stringify(withdrawalRecord(core.wallet.dropWithdrawal(id, now)));
}

/** Adds `qty` of `asset`, if given, to the insurance fund. Returns the fund's cash by asset. */
function insurance({ core, fields }: AdminRequest): Answer {
  const asset = text(fields, 'asset');
  if (asset instanceof Refused) return asset;
  if (asset === undefined && fields.all('qty').length > 0) {
    return malformed('asset', 'an asset of this venue');
  }
  if (asset !== undefined) {
    if (core.wallet.asset(asset) === undefined) return malformed('asset', 'an asset of this venue', asset);
    const quantity = decimal(fields, 'qty');
    if (quantity instanceof Refused) return quantity;
    core.fundInsurance({ [asset]: quantity });
  }
  const held = [...(core.account('insurance')?.balances.values() ?? [])];
  return JSON.stringify(
    Object.fromEntries(held.map(({ asset: key, cash, precision }) => [key, moneyOnWire(cash, precision)])),
  );
}

function decimal(fields: Form, name: string): string | Refused {
  const value = requiredText(fields, name, 'a plain decimal number');
  if (value instanceof Refused) return value;
  return plainDecimal(value) ?? malformed(name, 'a plain decimal number', value);
}
