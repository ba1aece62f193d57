/** Stretches of ids that never came, and how several of them become one. */

/** Ids and ms, all inclusive. */
export interface IdGap {
  readonly firstId: number;
  readonly lastId: number;
  /** Times of the trades before and after it. */
  readonly from: number;
  readonly to: number;
  /** How many never came: fewer than there are from the first to the last where several gaps are told as one. */
  readonly missing: number;
  /** First and last id of each of the gaps that are told as one: 16 bytes each, a third of what such a gap takes alone. */
  readonly parts?: Float64Array | undefined;
}

export function idGap(firstId: number, lastId: number, { from, to }: Pick<IdGap, 'from' | 'to'>): IdGap {
  return { firstId, lastId, from, to, missing: lastId - firstId + 1 };
}

/** The clock that stamped the trades went back over it. Of several that are told as one this is not known any more. */
export function isBackward({ from, to }: IdGap): boolean {
  return from > to;
}

/**
 * Fewer gaps that tell of as many missing ids: of each two neighbours, those that make one of less than the median length
 * become one. So the new ones meet as the old ones did, and none grows over all the others.
 *
 * `gaps`: ascending. `onJoin` gets each that is told alone no more, when it was till now.
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

/** The id is one that was missing when the gaps became one. */
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

/** Of the two as one, ms. */
function lengthOf(a: IdGap, b: IdGap): number {
  return Math.max(a.from, a.to, b.from, b.to) - Math.min(a.from, a.to, b.from, b.to);
}
