import { UsageError } from '../../model/errors.js';

/** Why a queue ahead is unknown: no depth was recorded and too few runs were seen to estimate it. */
export const UNKNOWN_QUEUE = Number.POSITIVE_INFINITY;

export type FillModelName = 'through' | 'queue' | 'touch';

/**
 * What tells one fill model from another (`architecture.md`, "What decides a simulated fill"). A print beyond a
 * resting order's limit fills it in every model; models differ in what a print exactly at the limit does, and in the
 * slippage that comes with them as one bundle.
 */
export interface FillModel {
  readonly name: FillModelName;
  /** Times the configured slippage. */
  readonly slippageFactor: 0 | 1 | 2;
  /**
   * What a print exactly at the limit of a resting order does: `nothing`; if its aggressor is the one that hits the
   * order, it `eats` the street's volume ahead and then fills; or it `fills`, whatever its aggressor.
   */
  readonly atLimit: 'nothing' | 'eats' | 'fills';
}

/** The market has to trade through a limit. The least that an order would have got. */
export const THROUGH: FillModel = { name: 'through', slippageFactor: 2, atLimit: 'nothing' };

/** Behind the street's volume, first in the queue only inside the spread. */
export const QUEUE: FillModel = { name: 'queue', slippageFactor: 1, atLimit: 'eats' };

/** Always first in the queue, and never a tick of slippage. The most that an order would have got. */
export const TOUCH: FillModel = { name: 'touch', slippageFactor: 0, atLimit: 'fills' };

/** From the least to the most optimistic. */
export const FILL_MODELS: readonly FillModel[] = [THROUGH, QUEUE, TOUCH];

/** The models that a name stands for: one, or all of them. */
export function fillModels(name: FillModelName | 'all'): readonly FillModel[] {
  return name === 'all' ? FILL_MODELS : FILL_MODELS.filter((model) => model.name === name);
}

/** How much worse takers trade under a model, in whole ticks. @throws UsageError for what is no number of ticks */
export function slippageOf({ slippageFactor }: FillModel, ticks: number): number {
  if (!Number.isSafeInteger(ticks) || ticks < 0) {
    throw new UsageError(
      'TICKWRIGHT_E_SLIPPAGE',
      `slippage must be whole ticks of 0 or above, received ${ticks}`,
    );
  }
  return ticks * slippageFactor;
}
