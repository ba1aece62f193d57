/** Why a queue ahead is unknown: no depth was recorded and too few runs were seen to estimate it. */
export const UNKNOWN_QUEUE = Number.POSITIVE_INFINITY;

/**
 * What tells one fill model from another (`architecture.md`, "What decides a simulated fill"). A print beyond a
 * resting order's limit fills it in every model; models differ in what a print exactly at the limit does, and in the
 * slippage that comes with them as one bundle.
 */
export interface FillModel {
  readonly name: string;
  /** Times the configured slippage. */
  readonly slippageFactor: number;
  /**
   * The street's volume, in whole lots, that stands before a resting order when it arrives. `meanRun`: mean lots of a
   * finished run of the aggressor that hits it, `undefined` when unknown.
   */
  queueAhead(isInsideSpread: boolean, meanRun: number | undefined): number;
  /** Whether a print exactly at the limit reaches the queue there. `isHit`: its aggressor is the one that hits the order. */
  reaches(isHit: boolean): boolean;
}

/** Behind the street's volume, first in the queue only inside the spread; a part of a lot ahead is a lot ahead. */
export const QUEUE: FillModel = {
  name: 'queue',
  slippageFactor: 1,
  queueAhead: (isInsideSpread, meanRun) =>
    isInsideSpread ? 0 : meanRun === undefined ? UNKNOWN_QUEUE : Math.ceil(meanRun),
  reaches: (isHit) => isHit,
};
