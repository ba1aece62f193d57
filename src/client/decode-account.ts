import type { Side } from '../model/side.js';
import type {
  AccountRecord,
  BalanceRecord,
  PersonalRecord,
  PositionRecord,
  WireRecord,
} from '../model/venue-records.js';
import { decodeFill } from './decode-orders.js';
import {
  DecodeError,
  entriesOf,
  factNumber,
  factRecord,
  factText,
  field,
  listOf,
  numberOf,
  optionalNumberOf,
  recordOf,
  textOf,
} from './wire.js';

/**
 * GET /position. The size on the wire may be signed or not (`dialect.md` §4): a negative one is short, a positive one takes
 * its side from `stats.direction`. A negative size with direction BUY is a contradiction and an error.
 */
export function decodePosition(result: unknown, pair: string): PositionRecord {
  const outer = recordOf(result, 'a position');
  // The venue may key the position by pair, as in /draw and /active_positions.
  return positionOf(Object.hasOwn(outer, pair) ? outer[pair] : outer, pair);
}

function positionOf(value: unknown, pair: string): PositionRecord {
  const wire = recordOf(value, 'a position');
  const stats = statsOf(wire);
  const direction = directionOf(stats);
  const size = signedSize(wire, direction);
  const entry = optionalNumberOf(field(stats, 'avg_entry'), 'position.stats.avg_entry');
  if (entry === undefined && size !== 0) throw new DecodeError('position.stats.avg_entry', 'a number', entry);
  const fills = field(wire, 'fills');
  return {
    pair,
    size,
    free: factNumber(wire, 'free'),
    locked: factNumber(wire, 'locked'),
    realized: numberOf(field(wire, 'realized') ?? 0, 'position.realized'),
    funding: numberOf(field(wire, 'funding') ?? 0, 'position.funding'),
    fees: numberOf(field(wire, 'fees') ?? 0, 'position.fees'),
    statsSize: factNumber(stats, 'size'),
    direction,
    notional: factNumber(stats, 'notional'),
    margin: factNumber(stats, 'margin'),
    pnl: factNumber(stats, 'pnl'),
    unrealized: numberOf(field(stats, 'upnl') ?? 0, 'position.stats.upnl'),
    realizedTotal: factNumber(stats, 'rpnl'),
    equity: factNumber(stats, 'equity'),
    roe: factNumber(stats, 'roe'),
    markPrice: numberOf(field(stats, 'mark') ?? 0, 'position.stats.mark'),
    averageEntry: entry ?? 0,
    leverage: factNumber(stats, 'leverage'),
    liquidationPrice: someOf(optionalNumberOf(field(stats, 'lp'), 'position.stats.lp')),
    bankruptcyPrice: someOf(factNumber(stats, 'bankrupt')),
    fills:
      fills === undefined ? undefined : listOf(fills, 'position.fills').map((fill) => decodeFill(fill, pair)),
    wire,
  };
}

function someOf(price: number | undefined): number | undefined {
  return price === 0 ? undefined : price;
}

/** A size below this is float noise of a flat position: no grid has a lot smaller than twice this. */
const NO_SIZE = 5e-13;
/** What noise may leave of a large position. On the finest grids it is lots: those who know the grid tell. */
const TINY_SIZE = 1e-9;

function signedSize(wire: WireRecord, direction: Side | undefined): number {
  const size = numberOf(field(wire, 'size'), 'position.size');
  if (Math.abs(size) < NO_SIZE) return 0;
  if (size < 0 && direction === 'buy') {
    if (size > -TINY_SIZE) return size;
    throw new DecodeError('position.stats.direction', 'SELL below size 0', 'BUY');
  }
  return size > 0 && direction === 'sell' ? -size : size;
}

function directionOf(stats: WireRecord): Side | undefined {
  const direction = field(stats, 'direction');
  if (direction === undefined) return undefined;
  if (direction === 'BUY') return 'buy';
  if (direction === 'SELL') return 'sell';
  throw new DecodeError('position.stats.direction', 'BUY or SELL', direction);
}

function statsOf(wire: WireRecord): WireRecord {
  const stats = field(wire, 'stats');
  return stats === undefined ? {} : recordOf(stats, 'position.stats');
}

/** Positions keyed by pair (GET /active_positions; inside /draw), or a list with `pair` inside each. */
export function decodePositions(result: unknown): readonly PositionRecord[] {
  if (Array.isArray(result)) return result.flatMap(positionsIn);
  return entriesOf(result, 'positions').map(([pair, value]) => positionOf(value, pair));
}

/** GET /completed_positions: items are keyed by pair (`dialect.md` §3), or flat with the pair inside. */
export function decodeCompletedPositions(result: unknown): readonly PositionRecord[] {
  return listOf(result, 'completed positions').flatMap(positionsIn);
}

function positionsIn(value: unknown): readonly PositionRecord[] {
  const wire = recordOf(value, 'a position');
  if (Object.hasOwn(wire, 'size')) return [positionOf(wire, textOf(field(wire, 'pair'), 'position.pair'))];
  return entriesOf(wire, 'a position').map(([pair, inner]) => positionOf(inner, pair));
}

/** Specification: Balances, keyed by asset, or a list with `asset` inside each. A part that is absent counts as 0. */
export function decodeBalances(result: unknown): readonly BalanceRecord[] {
  if (Array.isArray(result) && !isOneKeyed(result)) {
    return result.map((value) => {
      const wire = recordOf(value, 'a balance');
      return balanceOf(wire, textOf(field(wire, 'asset'), 'balance.asset'));
    });
  }
  return entriesOf(result, 'balances').map(([asset, value]) =>
    balanceOf(recordOf(value, `balance ${asset}`), asset),
  );
}

/** The one object of an array, as this interface wraps many a result; not a list of balances. */
function isOneKeyed(list: readonly unknown[]): boolean {
  const only = list.length === 1 ? list[0] : undefined;
  return typeof only === 'object' && only !== null && !Object.hasOwn(only, 'free');
}

function balanceOf(wire: WireRecord, asset: string): BalanceRecord {
  const part = (name: string) => numberOf(field(wire, name) ?? 0, `balance.${name}`);
  return {
    asset,
    free: numberOf(field(wire, 'free'), 'balance.free'),
    locked: part('locked'),
    withdrawn: part('withdrawn'),
    pnl: part('pnl'),
    margin: part('margin'),
    fees: part('fees'),
    wire,
  };
}

/** The result of POST /draw, /fund and /leverage, and of GET /account. */
export function decodeAccount(result: unknown): AccountRecord {
  const wire = recordOf(result, 'the account');
  return {
    balances: decodeBalances(field(wire, 'balances')),
    positions: decodePositions(field(wire, 'positions')),
  };
}

/** GET /personal: nothing but the balances is relied on. */
export function decodePersonal(result: unknown): PersonalRecord {
  const wire = recordOf(result, 'the account');
  return {
    email: factText(wire, 'email'),
    verificationLevel: factNumber(wire, 'verification_level'),
    withdrawalAllowance: factNumber(wire, 'withdrawal_allowance'),
    depositAddresses: addressesOf(factRecord(wire, 'deposit_addresses')),
    actions: flagsOf(factRecord(wire, 'actions')),
    permissions: flagsOf(factRecord(wire, 'permissions')),
    balances: decodeBalances(field(wire, 'balances')),
    wire,
  };
}

/** The address itself, or an object that holds it. */
function addressesOf(wire: WireRecord = {}): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const asset of Object.keys(wire)) {
    const inner = factRecord(wire, asset);
    const address = inner === undefined ? factText(wire, asset) : factText(inner, 'address');
    if (address !== undefined) addresses.set(asset, address);
  }
  return addresses;
}

function flagsOf(wire: WireRecord = {}): ReadonlyMap<string, boolean> {
  const flags = Object.entries(wire).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  );
  return new Map(flags);
}
