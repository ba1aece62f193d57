import type { Books } from '../execution/books.js';
import type { Cut } from '../execution/cut.js';
import { SKEW_MS } from '../execution/fingerprint.js';
import { decimalOf, type Lots } from '../model/grid.js';
import type { HaltLevel, IntentKey } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import { compareIds, compareTrades } from '../model/trade.js';
import type { Difference } from './attach-difference.js';
import { fillDifferences } from './attach-fills.js';
import { isActive, orderDifferences } from './attach-orders.js';

/** What the venue holds, what the journal says, and what a start does about each difference (`reliability.md` c.1). */
export interface AttachPlan {
  readonly pair: string;
  readonly journal: {
    readonly session: string | undefined;
    /** Lots, signed; `undefined`: the journal says nothing about the pair. */
    readonly position: Lots | undefined;
    readonly halt: HaltLevel | undefined;
    readonly quarantine: string | undefined;
    /** Ids of orders whose end is not booked. */
    readonly openOrders: readonly string[];
    readonly doubts: readonly IntentKey[];
  };
  readonly venue: {
    /** Lots, signed. */
    readonly position: Lots;
    readonly activeOrders: readonly string[];
    /** Ids of fills that are not booked. */
    readonly unbookedFills: readonly string[];
  };
  /** In an order that depends on their content only, so that two plans can be compared. */
  readonly differences: readonly Difference[];
}

/** What a latched halt does at a start. */
const HALTED_ACTIONS: Readonly<Record<HaltLevel, string>> = {
  pause: 'no order adds risk',
  cancel: 'only cancels leave; own orders are canceled',
  flatten: 'only orders that reduce leave; own orders are canceled',
  stop: 'only cancels leave; own orders are canceled',
};

export interface AttachPolicy {
  /** The venue echoes tags. */
  readonly echo: boolean;
  readonly firstStart: 'adopt' | 'flat-only';
  readonly external: 'adopt' | 'quarantine';
}

/** Venue ms from which a cut for a plan must read, to miss nothing that the plan must show; `undefined`: the newest page. */
export interface AttachWindow {
  readonly ordersFrom: number | undefined;
  readonly fillsFrom: number | undefined;
}

const VOUCH = 'no order adds risk until somebody vouches for the position: attach --accept';

/**
 * `venueTime`: venue ms. A booked fill that is dated later was dated by a clock that was ahead, so reads must not begin
 * at its time.
 */
export function attachWindow(books: Books, pair: string, venueTime: number): AttachWindow {
  const fills = books.fills(pair);
  if (fills === undefined) return { ordersFrom: undefined, fillsFrom: undefined };
  const open = new Set(books.openOrders(pair).map(({ intent }) => intent));
  const from = books
    .intents(pair)
    .filter(({ key, stage }) => open.has(key) || stage !== 'done')
    .reduce((time, { sentAt }) => Math.min(time, sentAt), Math.min(fills.newest, venueTime));
  const since = Math.max(0, from - SKEW_MS);
  return { ordersFrom: since, fillsFrom: since };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Makes the plan from a stable cut of all lists. It guesses nothing: an unexplained difference is shown as one. `lost`: ids
 * of own orders that the venue does not know.
 */
export function attachPlan(
  books: Books,
  cut: Cut,
  market: Market,
  policy: AttachPolicy,
  lost: ReadonlySet<string> = NONE,
): AttachPlan {
  const { pair } = market;
  const book = books.fills(pair);
  const unbooked = cut.fills.filter(({ id, time }) => book !== undefined && !book.has(id, time));
  return {
    pair,
    journal: {
      session: books.session,
      position: books.position(pair),
      halt: books.halt,
      quarantine: books.quarantine(pair),
      openOrders: books.openOrders(pair).map(({ orderId }) => orderId),
      doubts: books
        .intents(pair)
        .filter(({ stage }) => stage === 'sent' || stage === 'in-doubt')
        .map(({ key }) => key),
    },
    venue: {
      position: cut.position,
      activeOrders: [...cut.orders.values()]
        .filter(isActive)
        .map(({ id }) => id)
        .sort(compareIds),
      unbookedFills: unbooked.sort(compareTrades).map(({ id }) => id),
    },
    differences: [...pairDifferences(books, cut, market, policy), ...detailed()],
  };

  function detailed(): readonly Difference[] {
    const { differences, owners } = orderDifferences(books, cut, market, { ...policy, lost });
    if (book === undefined) return differences;
    const { differences: ofFills, lots } = fillDifferences(unbooked, owners, market, policy.external);
    return [...differences, ...ofFills, ...positionDifference(book.position, lots)];
  }

  function positionDifference(booked: Lots, missing: number): readonly Difference[] {
    if (booked + missing === cut.position) return [];
    const explained =
      missing === 0 ? '' : ` and the fills that are not booked make it ${text(booked + missing)}`;
    return [
      {
        kind: 'position-differs',
        subject: pair,
        evidence: `the journal says ${text(booked)}${explained}; the venue holds ${text(cut.position)}`,
        action: VOUCH,
        endedBy: 'operator',
      },
    ];
  }

  function text(lots: number): string {
    return quantityText(market, lots);
  }
}

function pairDifferences(
  books: Books,
  cut: Cut,
  market: Market,
  { firstStart }: AttachPolicy,
): readonly Difference[] {
  const { pair } = market;
  const found: Difference[] = [];
  const quarantine = books.quarantine(pair);
  if (books.halt !== undefined) {
    found.push({
      kind: 'halted',
      subject: pair,
      evidence: `the journal says ${books.halt} and nobody resumed`,
      action: HALTED_ACTIONS[books.halt],
      endedBy: 'operator',
    });
  }
  if (quarantine !== undefined) {
    found.push({
      kind: 'quarantined',
      subject: pair,
      evidence: quarantine,
      action: VOUCH,
      endedBy: 'operator',
    });
  }
  if (books.position(pair) === undefined) {
    const isTaken = firstStart === 'adopt' || cut.position === 0;
    found.push({
      kind: 'first-start',
      subject: pair,
      evidence: `the journal says nothing about the pair; the venue holds ${quantityText(market, cut.position)}`,
      action: isTaken ? 'take that position as the beginning' : VOUCH,
      endedBy: isTaken ? 'start' : 'operator',
    });
  }
  if (cut.lack !== undefined) {
    found.push({
      kind: 'list-full',
      subject: pair,
      evidence: `${cut.lack}: what was not read may still exist`,
      action: 'believe no absence',
      endedBy: 'nobody',
    });
  }
  return found;
}

/** Text of a quantity in base units. */
export function quantityText({ quantityGrid, base }: Market, lots: number): string {
  return `${decimalOf(quantityGrid, lots).toFixed()} ${base}`;
}
