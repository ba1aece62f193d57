/** The worst case of a pair by what the venue shows of it. */
import { Exposure } from '../../gate/exposure.js';
import type { PlaceCommand } from '../../model/command.js';
import { type Lots, wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { OrderTerms } from '../../model/order.js';
import type { OrderRecord } from '../../model/venue-records.js';

/** `size`: of the position, base units, negative is short; `working`: the pair's orders in the book. */
export function venueExposure(
  { pair, quantityGrid }: Market,
  size: number,
  working: readonly OrderRecord[],
): Exposure {
  const exposure = new Exposure();
  exposure.adopt((Math.sign(size) * wholeSteps(quantityGrid, Math.abs(size))) as Lots);
  for (const [index, order] of working.entries()) {
    const lots = wholeSteps(quantityGrid, order.leavesQuantity) as Lots;
    const { side, reduceOnly, postOnly } = order;
    const terms: OrderTerms = {
      side,
      type: 'limit',
      ticks: undefined,
      lots,
      timeInForce: 'GTC',
      postOnly,
      reduceOnly,
    };
    exposure.approved(placeCommand(pair, terms, index + 1));
  }
  return exposure;
}

export function placeCommand(pair: string, terms: OrderTerms, intentId: number): PlaceCommand {
  return { kind: 'place', intentId, pair, terms, want: undefined };
}
