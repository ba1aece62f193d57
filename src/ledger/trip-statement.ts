import { type Lots, NO_LOTS, wholeSteps } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { Money } from '../model/money.js';
import { signOf } from '../model/side.js';
import { compareTrades } from '../model/trade.js';
import type { PositionRecord } from '../model/venue-records.js';
import type { FillEntry } from './entry.js';
import { firstFillOf, lastFillOf } from './read-records.js';
import { type RoundTrip, roundTripsOf, type TripMarks } from './round-trips.js';
import { unitsOf } from './units.js';

/** One round trip as the venue states it as a whole, units of the market's money; P&L, so payments are negative. */
export interface StatedTrip {
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
}

/** A round trip computed from its fills, with what the venue states about it. */
export interface TripStatement extends RoundTrip {
  /** P&L. */
  readonly funding: Money;
  /** `undefined` when the venue states nothing about it. */
  readonly stated: StatedTrip | undefined;
  /** P&L that the venue states, less that of the fills: no listed fill explains it. */
  readonly difference: Money;
}

export interface PairTrips {
  readonly trips: readonly TripStatement[];
  /** Venue ms from which on the venue's list of fills is complete. `undefined`: all of it is. */
  readonly listedFrom: number | undefined;
  /** Ids of fills that the venue lists with a position but not in its list of fills. */
  readonly unlisted: readonly string[];
}

/** What the venue states about the same market; `position` is `undefined` when it is flat. */
export interface StatedTrips {
  readonly completed: readonly PositionRecord[];
  readonly position: PositionRecord | undefined;
}

/** Round trips of one market from its fills, ascending, each with what the venue states about it. */
export function tripStatements(market: Market, fills: readonly FillEntry[], said: StatedTrips): PairTrips {
  const { position } = said;
  // The venue forgets fills earlier than the positions that consisted of them.
  const completed = said.completed.filter((record) => lastFillOf(record) !== undefined);
  const listed = new Set(fills.map(({ fill }) => fill.id));
  const counted = [...completed, ...(position === undefined ? [] : [position])].flatMap(
    ({ fills: inside = [] }) => inside.map(({ id }) => id),
  );
  const unlisted = [...new Set(counted)].filter((id) => !listed.has(id));
  const start = startOf(market, fills, position);
  const begun =
    start === 0 || unlisted.length > 0
      ? undefined
      : inTheMiddle(market, fills, { completed, position }, start);
  if (begun !== undefined) return begun;
  // A venue that lists no fills with its positions offers nothing to compare with.
  const marks = counted.length === 0 ? undefined : marksOf(completed, position);
  const trips = roundTripsOf(market, fills, { marks });
  return { trips: compare(market, trips, { completed, position }), listedFrom: undefined, unlisted };
}

/**
 * P&L: the funding of ended positions on a venue that lists no fills with them, so that nobody knows when it was paid. A
 * venue that does has only forgotten the fills of the older ones, which end before the statement begins.
 */
export function undatedFundingOf(
  { quotePrecision }: Market,
  completed: readonly PositionRecord[],
  trips: readonly RoundTrip[],
): Money {
  const listsFills = completed.some((record) => lastFillOf(record) !== undefined);
  if (listsFills || trips.every(({ closedAt }) => closedAt === undefined)) return 0n;
  return completed.reduce((sum, { funding }) => sum + unitsOf(funding, quotePrecision), 0n);
}

/** The list may begin in the middle of a round trip. If so, everything after that trip fits. */
function inTheMiddle(
  market: Market,
  fills: readonly FillEntry[],
  { completed, position }: StatedTrips,
  start: Lots,
): PairTrips | undefined {
  const end = firstEnd(fills, start);
  if (end === undefined) {
    // That round trip has not ended, so the P&L of none of these fills is known.
    const last = fills.at(-1)?.fill.time;
    return { trips: [], listedFrom: last === undefined ? undefined : last + 1, unlisted: [] };
  }
  const own = roundTripsOf(market, fills, { start });
  const ids = new Set(own.map(({ closingFill }) => closingFill));
  const later = completed.filter((record) => ids.has(lastFillOf(record)?.id));
  const trips = compare(market, own, { completed: later, position });
  if (trips.some(({ difference }) => difference !== 0n)) return undefined;
  return { trips, listedFrom: end, unlisted: [] };
}

function marksOf(completed: readonly PositionRecord[], position: PositionRecord | undefined): TripMarks {
  const ends = completed
    .flatMap((record) => {
      const last = lastFillOf(record);
      return last === undefined ? [] : [{ record, last }];
    })
    .sort((a, b) => compareTrades(a.last, b.last));
  const openings = new Map<string, { readonly closingFill: string; readonly closedAt: number }>();
  ends.forEach(({ last }, at) => {
    const next = ends[at + 1]?.record ?? position;
    const opening = next === undefined ? undefined : firstFillOf(next);
    if (opening !== undefined) openings.set(opening.id, { closingFill: last.id, closedAt: last.time });
  });
  return { closings: new Set(ends.map(({ last }) => last.id)), openings };
}

/** The position before the first fill, assuming that no fill is missing. */
function startOf(market: Market, fills: readonly FillEntry[], position: PositionRecord | undefined): Lots {
  const moved = fills.reduce((sum, { fill }) => sum + signOf(fill.side) * fill.lots, 0);
  return (lotsOf(market, position) - moved) as Lots;
}

function lotsOf({ quantityGrid }: Market, position: PositionRecord | undefined): Lots {
  if (position === undefined) return NO_LOTS;
  return (Math.sign(position.size) * wholeSteps(quantityGrid, Math.abs(position.size))) as Lots;
}

/** Venue ms of the fill that ended a position from before the list. */
function firstEnd(fills: readonly FillEntry[], start: Lots): number | undefined {
  let lots: number = start;
  for (const { fill } of fills) {
    lots += signOf(fill.side) * fill.lots;
    if (lots === 0 || lots > 0 !== start > 0) return fill.time;
  }
  return undefined;
}

function compare(
  market: Market,
  trips: readonly RoundTrip[],
  { completed, position }: StatedTrips,
): TripStatement[] {
  const ended = new Map(completed.map((record) => [lastFillOf(record)?.id, record] as const));
  const isTold = completed.length > 0 || position?.fills !== undefined;
  const statements = trips.map((trip) => {
    const record = trip.closingFill === undefined ? position : ended.get(trip.closingFill);
    if (trip.closingFill !== undefined) ended.delete(trip.closingFill);
    return statementOf(trip, record === undefined ? undefined : statedOf(market, record), isTold);
  });
  const isOpenKnown = position === undefined || trips.some(({ closingFill }) => closingFill === undefined);
  const others = [
    ...[...ended.values()].map((record) => emptyTrip(record, false)),
    ...(isOpenKnown ? [] : [emptyTrip(position, true)]),
  ];
  return [
    ...statements,
    ...others.map(({ trip, record }) => statementOf(trip, statedOf(market, record), true)),
  ].sort((a, b) => (a.closedAt ?? Number.POSITIVE_INFINITY) - (b.closedAt ?? Number.POSITIVE_INFINITY));
}

function statementOf(trip: RoundTrip, stated: StatedTrip | undefined, isTold: boolean): TripStatement {
  if (stated === undefined && !isTold) return { ...trip, funding: 0n, stated, difference: 0n };
  const { realised = 0n, fees = 0n, funding = 0n } = stated ?? {};
  return { ...trip, funding, stated, difference: realised + fees - (trip.realised - trip.fees) };
}

function statedOf({ quotePrecision }: Market, { realized, fees, funding }: PositionRecord): StatedTrip {
  return {
    realised: unitsOf(realized, quotePrecision),
    fees: unitsOf(fees, quotePrecision),
    funding: unitsOf(funding, quotePrecision),
  };
}

/** A round trip that the venue states without any of its fills. */
function emptyTrip(
  record: PositionRecord,
  isOpen: boolean,
): { readonly trip: RoundTrip; readonly record: PositionRecord } {
  const last = lastFillOf(record);
  const trip: RoundTrip = {
    pair: record.pair,
    side: record.direction ?? 'buy',
    openedAt: firstFillOf(record)?.time ?? 0,
    closedAt: isOpen ? undefined : last?.time,
    closingFill: isOpen ? undefined : last?.id,
    realised: 0n,
    fees: 0n,
    fills: [],
  };
  return { trip, record };
}
