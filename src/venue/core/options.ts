import type { Market } from '../../model/market.js';
import type { OrderOptions, OrderTerms } from '../../model/order.js';
import { outsideFilter, priceRefusal } from './admission.js';
import { sliceOf } from './icebergs.js';
import { refusalText } from './refusals.js';

/** The two refusals of options, in their order of priority: one comes before and one after those of the plain terms. */
export interface OptionsRefusal {
  readonly malformed: string | undefined;
  readonly filtered: string | undefined;
}

/** Why options cannot be combined with these terms, or violate the filters (`money.md` §4). */
export function optionsRefusal(market: Market, terms: OrderTerms, options: OrderOptions): OptionsRefusal {
  const malformed = combinationRefusal(market, terms, options);
  if (malformed !== undefined) {
    return { malformed: refusalText('malformed', malformed), filtered: undefined };
  }
  const { trigger, icebergs } = options;
  const filtered =
    (trigger === undefined ? undefined : priceRefusal(market, trigger.ticks, 'trigger_price')) ??
    (icebergs === undefined ? undefined : sliceRefusal(market, terms, icebergs));
  return { malformed: undefined, filtered };
}

function combinationRefusal(market: Market, terms: OrderTerms, options: OrderOptions): string | undefined {
  const { hidden = false, icebergs, trigger, closeOnTrigger = false } = options;
  if (icebergs !== undefined) {
    if (!Number.isSafeInteger(icebergs) || icebergs < 2) {
      return `icebergs must be a whole number of at least 2, received ${icebergs}`;
    }
    if (hidden) return 'hidden must not go with icebergs';
    if (terms.type === 'market') return 'icebergs must not go with MARKET';
    if (terms.timeInForce !== 'GTC') return `icebergs must not go with ${terms.timeInForce}`;
  }
  if (closeOnTrigger && trigger === undefined) return 'close_on_trigger must go with trigger_price';
  if (market.contract !== 'spot') return undefined;
  if (closeOnTrigger) return `close_on_trigger must not go with ${market.pair}, which is spot`;
  if (trigger !== undefined && trigger.event !== 'last') {
    return `trigger_event must be LAST_PRICE on ${market.pair}, which is spot`;
  }
  return undefined;
}

function sliceRefusal(market: Market, { lots }: OrderTerms, icebergs: number): string | undefined {
  const { min, max } = market.filters.icebergs;
  const slice = sliceOf(market, lots, icebergs);
  if (slice >= min && slice <= max) return undefined;
  return outsideFilter('iceberg', market.quantityGrid, slice, min, max);
}
