import { UsageError } from '../../model/errors.js';
import { DAY_MS } from '../../model/calendar.js';

/** A part of a recording: ms, inclusive and exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What is chosen on one stretch is tried on the one behind it, which it knows nothing of. */
export interface Fold {
  readonly inside: Stretch;
  readonly outside: Stretch;
}

const HOUR_MS = 3_600_000;
/** Where every part has so many days, it begins with one. */
const DAYS_OF_PARTS = 2;

/** The last part of a stretch, a share above 0 and below 1 of its time, and what is before it. */
export function withHoldout(
  whole: Stretch,
  share: number,
): { readonly search: Stretch; readonly holdout: Stretch } {
  const cut = cutAt(whole, 1 - share, Math.min(share, 1 - share));
  return { search: { from: whole.from, to: cut }, holdout: { from: cut, to: whole.to } };
}

/**
 * A walk forward: the stretch in equal parts, one more than folds. Each fold chooses on all parts up to one and is tried
 * on the next, as somebody would who chooses anew from time to time with all that is known by then.
 */
export function foldsOf(whole: Stretch, count: number): readonly Fold[] {
  const cuts = Array.from({ length: count + 2 }, (_, at) =>
    at === 0 ? whole.from : at === count + 1 ? whole.to : cutAt(whole, at / (count + 1), 1 / (count + 1)),
  );
  return Array.from({ length: count }, (_, at) => ({
    inside: { from: whole.from, to: cuts[at + 1] as number },
    outside: { from: cuts[at + 1] as number, to: cuts[at + 2] as number },
  }));
}

/** @throws UsageError where a part would have no time */
function cutAt({ from, to }: Stretch, share: number, part: number): number {
  const length = to - from;
  if (length * part < 2) {
    throw new UsageError(
      'TICKWRIGHT_E_SEARCH',
      `the recording must be long enough to be cut, received ${length} ms of it`,
    );
  }
  const cut = from + Math.round(length * share);
  return length * part < DAYS_OF_PARTS * DAY_MS - HOUR_MS ? cut : Math.round(cut / DAY_MS) * DAY_MS;
}
