/**
 * Finds a small part of a list that still fails, by delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input", 2002). The result is 1-minimal unless `mostTries` is used up: without any one of its
 * elements it does not fail.
 *
 * `fails` must be deterministic, and true for the whole list.
 */
export async function ddmin<T>(
  whole: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  mostTries = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  let left = whole;
  let pieces = 2;
  let tries = 0;
  if (left.length > 0 && mostTries > 0) {
    tries++;
    if (await fails([])) return [];
  }
  while (left.length >= 2) {
    const size = Math.ceil(left.length / pieces);
    let smaller: readonly T[] | undefined;
    for (let from = 0; from < left.length && smaller === undefined; from += size) {
      const rest = [...left.slice(0, from), ...left.slice(from + size)];
      if (rest.length === 0) continue;
      if (tries >= mostTries) return left;
      tries++;
      if (await fails(rest)) smaller = rest;
    }
    if (smaller !== undefined) {
      left = smaller;
      pieces = Math.max(2, pieces - 1);
    } else {
      if (pieces >= left.length) break;
      pieces = Math.min(left.length, pieces * 2);
    }
  }
  return left;
}
