import type { Lots } from '../../model/grid.js';
import type { OrderOptions } from '../../model/order.js';
import type { OcoGroup } from './oco-groups.js';

/**
 * The kind of a liquidation's fill (`money.md` §8). A slice pays the liquidation fee; a deleverage and a take-over pay
 * none. A take-over leaves an isolated position's margin in place for `surrender`.
 */
export type ForcedFill = 'slice' | 'deleverage' | 'take-over';

/** The options of an order without any. */
export const NO_OPTIONS: OrderOptions = {};

/**
 * State of orders with options, with an oco tag, or of a liquidation. Plain orders have none, so that they cost one
 * comparison only.
 */
export class SpecialState<O> {
  readonly options: OrderOptions;
  readonly isHidden: boolean;
  /**
   * The order is not the account's own: it is a liquidation, a take-over or a deleverage, or the other side of these two.
   */
  readonly isLiquidation: boolean;
  /** How the fills of the liquidated side are booked. */
  readonly forced: ForcedFill | undefined;
  /** Iceberg: lots of a whole slice; 0 for any other order. */
  readonly slice: number;
  /** Iceberg: lots that are left of the displayed slice. */
  shown: number;
  group: OcoGroup<O> | undefined = undefined;
  /** Of a waiting trigger: whether it fires at or above its price; `undefined` until its event has a price. */
  rises: boolean | undefined = undefined;
  /** The trigger is firing at this moment. If the order is then refused, it stays a trigger. */
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

  /** To be called when an iceberg with `leaves` left comes to rest: it shows one slice. */
  showSlice(leaves: number): void {
    this.shown = Math.min(this.slice, leaves);
  }

  /**
   * `lots` of an iceberg executed, across as many slices as needed, and `leaves` are left. Returns true when the
   * displayed slice is used up and another one must be shown.
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
