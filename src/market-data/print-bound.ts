import type { VenueClock } from '../ports/venue-api.js';

/** No print is dated further ahead of the venue's clock, venue ms, where that clock runs as ours does and was just read. */
const AHEAD_MS = 60_000;
/** The same bound where the venue's clock may run at any rate, or the venue does not tell its time; venue ms. */
const UNSURE_AHEAD_MS = 86_400_000;

/**
 * Makes the `latest` of a walk: the latest venue ms that a print can have. Before a print beyond it counts as a misprint the
 * venue is asked for its time, since our estimate may be outdated. `ask` resolves to whether the venue told it; `undefined`
 * where the time is asked for before each walk anyway.
 */
export function printBound(
  clock: Pick<VenueClock, 'now'>,
  { followed, ask }: { readonly followed: boolean; readonly ask: (() => Promise<boolean>) | undefined },
): (newest: number) => number | Promise<number> {
  return (newest) => {
    const latest = clock.now() + AHEAD_MS;
    if (newest <= latest) return latest;
    if (ask === undefined) return clock.now() + UNSURE_AHEAD_MS;
    return ask().then((told) => clock.now() + (told && !followed ? AHEAD_MS : UNSURE_AHEAD_MS));
  };
}
