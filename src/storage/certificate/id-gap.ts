/** Ranges of ids that never came, and how several of them are merged into one. */

/** A range of missing ids, between two trades. Ids and times (ms) are inclusive. */
export interface IdGap {
  readonly firstId: number;
  readonly lastId: number;
  /** Times of the trades before and after the range; `from` is the later one if the clock went back. */
  readonly from: number;
  readonly to: number;
  /** Number of missing ids. Less than the length of the range if several gaps were merged. */
  readonly missing: number;
  /**
   * First and last id of each merged gap; `undefined` for a single one. Takes 16 bytes per gap, a third of a separate
   * object.
   */
  readonly parts?: Float64Array | undefined;
}

export function idGap(firstId: number, lastId: number, { from, to }: Pick<IdGap, 'from' | 'to'>): IdGap {
  return { firstId, lastId, from, to, missing: lastId - firstId + 1 };
}

/** Whether the clock that stamped the trades went back over the gap. This is not known for merged gaps. */
export function isBackward({ from, to }: IdGap): boolean {
  return from > to;
}

/**
 * Reduces the number of gaps, but not the number of missing ids. Merges two neighbours if the result is no longer than
 * the median of such results: gaps that lie close together are merged, and no gap grows over all the others.
 *
 * `gaps`: ascending. `onJoin` gets each single gap that is merged.
 */
export function joinGaps(gaps: readonly IdGap[], onJoin: (gap: IdGap) => void): IdGap[] {
  const lengths = gaps.slice(1).map((gap, index) => lengthOf(gaps[index] as IdGap, gap));
  const median = Float64Array.from(lengths).sort()[lengths.length >> 1] ?? 0;
  const joined: IdGap[] = [];
  for (let index = 0; index < gaps.length; index++) {
    const [gap, next] = [gaps[index] as IdGap, gaps[index + 1]];
    if (next === undefined || (lengths[index] as number) > median) {
      joined.push(gap);
      continue;
    }
    for (const one of [gap, next]) if (one.parts === undefined) onJoin(one);
    joined.push(join(gap, next));
    index += 1;
  }
  return joined;
}

/** Whether an id lies in one of the merged gaps, and so was missing when they were merged. */
export function isInPart(parts: Float64Array, id: number): boolean {
  let low = 0;
  let high = parts.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle * 2] as number) <= id) low = middle + 1;
    else high = middle;
  }
  return low > 0 && id <= (parts[low * 2 - 1] as number);
}

function join(a: IdGap, b: IdGap): IdGap {
  const [first, second] = [partsOf(a), partsOf(b)];
  const parts = new Float64Array(first.length + second.length);
  parts.set(first);
  parts.set(second, first.length);
  const times = [a.from, a.to, b.from, b.to];
  return {
    firstId: a.firstId,
    lastId: b.lastId,
    from: Math.min(...times),
    to: Math.max(...times),
    missing: a.missing + b.missing,
    parts,
  };
}

function partsOf({ firstId, lastId, parts }: IdGap): ArrayLike<number> {
  return parts ?? [firstId, lastId];
}

/** The length of two gaps merged into one, ms. */
function lengthOf(a: IdGap, b: IdGap): number {
  return Math.max(a.from, a.to, b.from, b.to) - Math.min(a.from, a.to, b.from, b.to);
}
