import { type Lots, NO_LOTS } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { divCeil, type Money } from '../model/money.js';
import { execute } from '../model/position.js';
import type { Side } from '../model/side.js';
import type { FillEntry } from './entry.js';

/** The part of a fill that belongs to one round trip; units of the market's money, fees paid are positive. */
export interface TripFill {
  readonly entry: FillEntry;
  readonly realised: Money;
  readonly fee: Money;
}

/** A position from flat to flat, or from flat until the present. */
export interface RoundTrip {
  readonly pair: string;
  /** Of the fill that opened it. */
  readonly side: Side;
  /** Venue ms. */
  readonly openedAt: number;
  /** `undefined` while it is open. */
  readonly closedAt: number | undefined;
  readonly closingFill: string | undefined;
  /** Before fees. */
  readonly realised: Money;
  /** Paid positive. */
  readonly fees: Money;
  readonly fills: readonly TripFill[];
}

/** Where positions ended and began according to the venue. */
export interface TripMarks {
  /** Ids of the fills that ended a position. */
  readonly closings: ReadonlySet<string>;
  /** By the id of a fill that opened a position: how the position before it had ended. */
  readonly openings: ReadonlyMap<string, { readonly closingFill: string; readonly closedAt: number }>;
}

export interface TripOptions {
  /** The position before the first fill. Its cost is unknown, so its fills are left out until it is flat. */
  readonly start?: Lots;
  /**
   * Where our own sum disagrees with these, a fill is missing. Following the venue keeps the difference within one round
   * trip.
   */
  readonly marks?: TripMarks | undefined;
}

/** Round trips of one market, from its fills in ascending order. */
export function roundTripsOf(
  market: Market,
  fills: readonly FillEntry[],
  { start = NO_LOTS, marks }: TripOptions = {},
): RoundTrip[] {
  const trips: RoundTrip[] = [];
  let trip: OpenTrip | undefined;
  let lots: number = start;
  let cost = 0n;
  let isKnown = start === 0;
  for (const entry of fills) {
    const { fill } = entry;
    const ended = marks?.openings.get(fill.id);
    if (ended !== undefined && trip !== undefined && marks?.closings.has(fill.id) === false) {
      trips.push(trip.close(ended.closedAt, ended.closingFill));
      trip = undefined;
      lots = NO_LOTS;
      cost = 0n;
    }
    const before = lots as Lots;
    const moved = execute(market, before, cost, fill);
    lots = moved.lots;
    cost = moved.cost;
    const isFlip = before !== 0 && lots !== 0 && lots > 0 !== before > 0;
    let hasEnded = before !== 0 && (lots === 0 || isFlip);
    if (marks !== undefined && hasEnded !== marks.closings.has(fill.id)) {
      hasEnded = !hasEnded;
      if (hasEnded) {
        lots = NO_LOTS;
        cost = 0n;
      }
    }
    const goesOn = hasEnded && lots !== 0;
    // Of a flip's fee the closing part's share, rounded up, belongs to the trip that ended (`dialect.md` §6).
    const fee = goesOn ? divCeil(fill.fee * BigInt(Math.abs(before)), BigInt(fill.lots)) : fill.fee;
    if (isKnown) {
      trip ??= new OpenTrip(entry);
      trip.add(entry, moved.realised, fee);
    }
    if (!hasEnded) continue;
    if (trip !== undefined) trips.push(trip.close(fill.time, fill.id));
    isKnown = true;
    trip = undefined;
    if (goesOn) {
      trip = new OpenTrip(entry);
      trip.add(entry, 0n, fill.fee - fee);
    }
  }
  if (trip !== undefined) trips.push(trip.close(undefined, undefined));
  return trips;
}

class OpenTrip {
  readonly #opening: FillEntry;
  readonly #fills: TripFill[] = [];
  #realised = 0n;
  #fees = 0n;

  constructor(opening: FillEntry) {
    this.#opening = opening;
  }

  add(entry: FillEntry, realised: Money, fee: Money): void {
    this.#realised += realised;
    this.#fees += fee;
    this.#fills.push({ entry, realised, fee });
  }

  close(closedAt: number | undefined, closingFill: string | undefined): RoundTrip {
    const { pair, fill } = this.#opening;
    return {
      pair,
      side: fill.side,
      openedAt: fill.time,
      closedAt,
      closingFill,
      realised: this.#realised,
      fees: this.#fees,
      fills: this.#fills,
    };
  }
}
