import type { LimitsConfig } from '../../config/load-config.js';
import { type Limits, NO_LIMITS } from '../../gate/limits.js';
import type { Decimal } from '../../model/decimal.js';
import type { Lots } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { quantise } from '../../model/quantise.js';
import { say } from '../view/output.js';

/** The limits of the configuration in lots of a market; what is between two lots counts as the lower one. */
export function limitsOf({ quantityGrid }: Market, config: LimitsConfig | undefined): Limits {
  if (config === undefined) return NO_LIMITS;
  const lots = (quantity: Decimal | undefined) =>
    quantity === undefined ? undefined : (quantise(quantityGrid, 1, quantity, 'down') as Lots);
  return {
    maxPosition: lots(config.maxPosition),
    maxOrderQuantity: lots(config.maxOrderQuantity),
    maxOpenOrders: config.maxOpenOrders,
  };
}

const CHECKED: readonly string[] = ['maxPosition', 'maxOrderQuantity', 'maxOpenOrders'];

/** A bound that the configuration sets and nobody checks must be said. */
export async function sayUncheckedLimits(config: LimitsConfig | undefined): Promise<void> {
  const names = Object.entries(config ?? {})
    .filter(([name, value]) => value !== undefined && !CHECKED.includes(name))
    .map(([name]) => `limits.${name}`);
  if (names.length > 0) await say(`warning: this version does not check ${names.join(', ')}`);
}
