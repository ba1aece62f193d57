/**
 * Of the pair: `first-start` · `halted` · `quarantined` · `list-full` · `position-differs`. Of orders: `own-order-live`,
 * `-ended`, `-missing`: journalled without an end · `doubt-found`, `doubt-open`: an intent in doubt whose order lists
 * show, or do not · `late-order`: of an intent that was given up · `twin`: of an intent that has an order already ·
 * `foreign-order`: of no intent of ours. Of fills that are not booked: `unbooked-fill`: of an order of ours ·
 * `foreign-fill` · `liquidation`.
 */
export type DifferenceKind =
  | 'first-start'
  | 'halted'
  | 'quarantined'
  | 'list-full'
  | 'own-order-live'
  | 'own-order-ended'
  | 'own-order-missing'
  | 'doubt-found'
  | 'doubt-open'
  | 'late-order'
  | 'twin'
  | 'foreign-order'
  | 'unbooked-fill'
  | 'foreign-fill'
  | 'liquidation'
  | 'position-differs';

export interface Difference {
  readonly kind: DifferenceKind;
  /** The pair, the id of an order or a fill, or an intent. */
  readonly subject: string;
  readonly evidence: string;
  /** What a start does about it. */
  readonly action: string;
  /** Who ends it: the next start by itself, a person, or nobody because it may stay. */
  readonly endedBy: 'start' | 'operator' | 'nobody';
}
