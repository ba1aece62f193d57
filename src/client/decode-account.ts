import type { BalanceRecord, PositionRecord } from '../model/venue-records.js';
import {
  DecodeError,
  entriesOf,
  field,
  numberOf,
  optionalNumberOf,
  recordOf,
  type WireRecord,
} from './wire.js';

/**
 * GET /position. The wire's size is signed or not (`dialect.md` §4): negative is short, positive takes its side from
 * `stats.direction`. A negative size that says BUY is a contradiction and no position at all.
 */
export function decodePosition(result: unknown, pair: string): PositionRecord {
  const outer = recordOf(result, 'a position');
  // The form keyed by pair, as in /draw and /active_positions.
  const inside = Object.hasOwn(outer, pair) ? outer[pair] : outer;
  const wire = recordOf(inside, 'a position');
  const stats = statsOf(wire);
  const size = signedSize(wire, stats);
  const liquidation = optionalNumberOf(field(stats, 'lp'), 'position.stats.lp');
  return {
    pair,
    size,
    realized: numberOf(field(wire, 'realized') ?? 0, 'position.realized'),
    funding: numberOf(field(wire, 'funding') ?? 0, 'position.funding'),
    fees: numberOf(field(wire, 'fees') ?? 0, 'position.fees'),
    averageEntry: size === 0 ? 0 : numberOf(field(stats, 'avg_entry'), 'position.stats.avg_entry'),
    markPrice: numberOf(field(stats, 'mark') ?? 0, 'position.stats.mark'),
    liquidationPrice: liquidation === 0 ? undefined : liquidation,
    unrealized: numberOf(field(stats, 'upnl') ?? 0, 'position.stats.upnl'),
  };
}

function signedSize(wire: WireRecord, stats: WireRecord): number {
  const size = numberOf(field(wire, 'size'), 'position.size');
  const direction = field(stats, 'direction');
  if (direction !== undefined && direction !== 'BUY' && direction !== 'SELL') {
    throw new DecodeError('position.stats.direction', 'BUY or SELL', direction);
  }
  if (size < 0 && direction === 'BUY')
    throw new DecodeError('position.stats.direction', 'SELL below size 0', direction);
  return size > 0 && direction === 'SELL' ? -size : size + 0;
}

function statsOf(wire: WireRecord): WireRecord {
  const stats = field(wire, 'stats');
  return stats === undefined ? {} : recordOf(stats, 'position.stats');
}

/** The balances inside GET /personal. A part that is not there is nothing. */
export function decodeBalances(result: unknown): readonly BalanceRecord[] {
  const balances = field(recordOf(result, 'the account'), 'balances');
  return entriesOf(balances, 'balances').map(([asset, value]) => {
    const wire = recordOf(value, `balance ${asset}`);
    const part = (name: string) => numberOf(field(wire, name) ?? 0, `balance.${name}`);
    return {
      asset,
      free: numberOf(field(wire, 'free'), 'balance.free'),
      locked: part('locked'),
      withdrawn: part('withdrawn'),
      pnl: part('pnl'),
      margin: part('margin'),
      fees: part('fees'),
    };
  });
}
