import type { Lots } from '../../model/grid.js';
import type { OrderOptions } from '../../model/order.js';
import type { OcoGroup } from './oco-groups.js';

/**
 * What a fill of a liquidation is (`money.md` §8): a slice pays the liquidation fee; a deleverage and a take-over pay
 * none; a take-over leaves the margin of an isolated position where it is, for `surrender`.
 */
export type ForcedFill = 'slice' | 'deleverage' | 'take-over';

/** An order that asks for nothing special. */
export const NO_OPTIONS: OrderOptions = {};

/**
 * What an order with options, with an oco tag or of a liquidation has besides plain terms. Plain orders have none of
 * it, so that they pay one comparison.
 */
export class SpecialState<O> {
  readonly options: OrderOptions;
  readonly isHidden: boolean;
  /** It is no order of the account's: a liquidation, a take-over or a deleverage, or the other side of these two. */
  readonly isLiquidation: boolean;
  /** How the fills of the liquidated side are booked. */
  readonly forced: ForcedFill | undefined;
  /** Iceberg: lots of a whole slice; 0 for any other order. */
  readonly slice: number;
  /** Iceberg: what is left of the slice that is shown. */
  shown: number;
  group: OcoGroup<O> | undefined = undefined;
  /** A waiting trigger: fires at or above its price; `undefined` until its event has a price. */
  rises: boolean | undefined = undefined;
  /** Its trigger fires just now: if it comes to nothing, it stays a trigger. */
  isFiring = false;
  /** Why a trigger that fired was refused. */
  message: string | undefined = undefined;

  constructor(
    options: OrderOptions,
    slice: number,
    liquidation?: { readonly forced: ForcedFill | undefined },
  ) {
    this.options = options;
    this.isHidden = options.hidden === true;
    this.isLiquidation = liquidation !== undefined;
    this.forced = liquidation?.forced;
    this.slice = slice;
    this.shown = slice;
  }

  /** An iceberg that has `leaves` left comes to rest: it shows one slice. */
  showSlice(leaves: number): void {
    this.shown = Math.min(this.slice, leaves);
  }

  /**
   * `lots` of an iceberg executed, through as many slices as it takes, with `leaves` left then. True when the slice that
   * was shown is used up, and another one is to be shown.
   */
  consume(lots: Lots, leaves: number): boolean {
    if (lots < this.shown) {
      this.shown -= lots;
      return false;
    }
    const beyond = (lots - this.shown) % this.slice;
    this.shown = Math.min(leaves, this.slice - beyond);
    return leaves > 0;
  }
}
