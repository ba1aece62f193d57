import type { VenueClock } from '../ports/venue-api.js';

/** No print is this far ahead of the venue's clock, venue ms: where its time was just asked for and runs as ours does. */
const AHEAD_MS = 60_000;
/** The same where it may run at any rate, or is not told. */
const UNSURE_AHEAD_MS = 86_400_000;

/**
 * Venue ms that no print can lie beyond, as a walk asks for it. Before one that seems to is called a misprint the venue
 * is asked for its time: what we think of its clock may be old. `ask` resolves to whether the venue told it; there is
 * none where it is asked before each walk.
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
