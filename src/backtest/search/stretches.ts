import { UsageError } from '../../model/errors.js';
import { DAY_MS } from '../../model/calendar.js';

/** A part of a recording, ms: `from` inclusive, `to` exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Parameters are chosen on `inside` and tried on `outside`, which follows it and was not used for the choice. */
export interface Fold {
  readonly inside: Stretch;
  readonly outside: Stretch;
}

const HOUR_MS = 3_600_000;
/** If every part has at least this many days, parts begin at the start of a UTC day. */
const DAYS_OF_PARTS = 2;

/** Splits a stretch into the part to search and a holdout: the last `share` of its time, above 0 and below 1. */
export function withHoldout(
  whole: Stretch,
  share: number,
): { readonly search: Stretch; readonly holdout: Stretch } {
  const cut = cutAt(whole, 1 - share, Math.min(share, 1 - share));
  return { search: { from: whole.from, to: cut }, holdout: { from: cut, to: whole.to } };
}

/**
 * Folds of a walk-forward analysis: splits the stretch into equal parts, one more than folds. Each fold chooses on all
 * parts up to one and is tried on the next, like a trader who re-optimizes regularly with all data known so far.
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

/** @throws UsageError when a part would have no time */
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
