import type { Desk } from './desk.js';
import type { Need } from './need.js';

/** One numbered claim about the wire, in plain words, and how to find out whether it holds. */
export interface Card {
  readonly id: `TC-${string}`;
  readonly claim: string;
  /** As in the specification: `GET /trades`. */
  readonly endpoints: readonly string[];
  /** Whose values it checks: `Order.qty_orig`. */
  readonly fields?: readonly string[];
  readonly needs: readonly Need[];
  /** Throws when the claim does not hold. */
  readonly run: (desk: Desk) => Promise<void>;
}
