import { UsageError } from '../../model/errors.js';

/** Why a queue ahead is unknown: no depth was recorded and too few runs were seen to estimate it. */
export const UNKNOWN_QUEUE = Number.POSITIVE_INFINITY;

export type FillModelName = 'through' | 'queue' | 'touch';

/**
 * A fill model (`architecture.md`, "What decides a simulated fill"). In every model, a print beyond a resting order's
 * limit fills it. Models differ in the effect of a print exactly at the limit, and in the slippage that belongs to them.
 */
export interface FillModel {
  readonly name: FillModelName;
  /** Factor on the configured slippage. */
  readonly slippageFactor: 0 | 1 | 2;
  /**
   * Effect of a print exactly at the limit of a resting order. `nothing`: none. `eats`: if its aggressor hits the order's
   * side, it takes the street's volume ahead in the queue and then fills. `fills`: it fills, whatever its aggressor.
   */
  readonly atLimit: 'nothing' | 'eats' | 'fills';
}

/** The market has to trade beyond the limit: the least that an order would have got. */
export const THROUGH: FillModel = { name: 'through', slippageFactor: 2, atLimit: 'nothing' };

/** The order queues behind the street's volume, and is first only inside the spread. */
export const QUEUE: FillModel = { name: 'queue', slippageFactor: 1, atLimit: 'eats' };

/** The order is always first in the queue, and takers have no slippage: the most that an order would have got. */
export const TOUCH: FillModel = { name: 'touch', slippageFactor: 0, atLimit: 'fills' };

/** From the least to the most optimistic model. */
export const FILL_MODELS: readonly FillModel[] = [THROUGH, QUEUE, TOUCH];

/** The models that a name stands for: one, or all of them. */
export function fillModels(name: FillModelName | 'all'): readonly FillModel[] {
  return name === 'all' ? FILL_MODELS : FILL_MODELS.filter((model) => model.name === name);
}

/**
 * How much worse takers trade under a model, in whole ticks. @throws UsageError when `ticks` is not a whole number of
 * ticks
 */
export function slippageOf({ slippageFactor }: FillModel, ticks: number): number {
  if (!Number.isSafeInteger(ticks) || ticks < 0) {
    throw new UsageError(
      'TICKWRIGHT_E_SLIPPAGE',
      `slippage must be whole ticks of 0 or above, received ${ticks}`,
    );
  }
  return ticks * slippageFactor;
}
