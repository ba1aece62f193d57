import { stepsNear } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { signOf } from '../model/side.js';
import { compareTrades } from '../model/trade.js';
import type { FillRecord } from '../model/venue-records.js';
import type { FillOwner } from './attach-orders.js';
import type { Difference } from './attach-difference.js';

export interface FillDifferences {
  readonly differences: readonly Difference[];
  /** The sum of the readable fills, lots, signed. */
  readonly lots: number;
}

/** The differences of fills that the journal does not have. */
export function fillDifferences(
  fills: readonly FillRecord[],
  owners: ReadonlyMap<string, FillOwner>,
  market: Market,
  external: 'adopt' | 'quarantine',
): FillDifferences {
  let lots = 0;
  const differences = [...fills].sort(compareTrades).map((fill) => {
    const owner = owners.get(fill.id);
    const signed = signedLots(fill, owner, market);
    lots += signed ?? 0;
    if (owner !== undefined && signed !== undefined) return ownFill(fill, owner);
    return otherFill(fill, signed === undefined, external);
  });
  return { differences, lots };
}

function ownFill(fill: FillRecord, { order, intent, isOver }: FillOwner): Difference {
  return {
    kind: 'unbooked-fill',
    subject: fill.id,
    evidence: `${shown(fill)}; order ${order.id} shows it${isOver ? ', whose end is booked without it' : ''}`,
    action: isOver ? STOP : `book it to ${intent}`,
    endedBy: isOver ? 'operator' : 'start',
  };
}

function otherFill(fill: FillRecord, isUnreadable: boolean, external: 'adopt' | 'quarantine'): Difference {
  const { id: subject, liquidation } = fill;
  const isTaken = external === 'adopt' && !isUnreadable;
  const booked = isTaken ? 'take it into the position' : STOP;
  const doubt = isUnreadable ? ', and it cannot be read' : '';
  return {
    kind: liquidation ? 'liquidation' : 'foreign-fill',
    subject,
    evidence: `${shown(fill)}; no order of ours shows it${doubt}`,
    action: liquidation ? `halt; ${booked}` : booked,
    endedBy: isTaken && !liquidation ? 'start' : 'operator',
  };
}

const STOP = 'book it once; no order adds risk until somebody vouches for the position: attach --accept';

/** Lots, signed; `undefined`: off the grid, or of unknown side. */
function signedLots(
  { side, quantity }: FillRecord,
  owner: FillOwner | undefined,
  { quantityGrid }: Market,
): number | undefined {
  const known = side ?? owner?.order.side;
  const lots = stepsNear(quantityGrid, quantity);
  return known === undefined || !(lots > 0) ? undefined : signOf(known) * lots;
}

function shown({ side, quantity, price, liquidation }: FillRecord): string {
  return `${side ?? 'unknown side'} ${quantity} at ${price}${liquidation ? ', a liquidation' : ''}`;
}
