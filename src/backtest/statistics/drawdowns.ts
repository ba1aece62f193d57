/** A fall of the equity from a peak until it is reached again. */
export interface DrawdownSpan {
  /** Indexes of the peak and of the lowest point. */
  readonly peak: number;
  readonly valley: number;
  /** Of the first point at the peak's height again; `undefined` while it lasts. */
  readonly recovery: number | undefined;
  /** Below 0, a fraction of the peak. */
  readonly depth: number;
}

/** E / max(E so far) − 1 at each point. */
export function underwater(equity: readonly number[]): number[] {
  let peak = Number.NEGATIVE_INFINITY;
  return equity.map((value) => {
    peak = Math.max(peak, value);
    return value / peak - 1;
  });
}

/** All of them in order of time; `equity` begins with the capital. */
export function drawdownSpans(equity: readonly number[]): DrawdownSpan[] {
  const spans: DrawdownSpan[] = [];
  let peak = 0;
  let valley: number | undefined;
  for (const [i, value] of equity.entries()) {
    const height = equity[peak] as number;
    if (value >= height) {
      if (valley !== undefined) spans.push(span(peak, valley, i));
      peak = i;
      valley = undefined;
    } else if (valley === undefined || value < (equity[valley] as number)) {
      valley = i;
    }
  }
  if (valley !== undefined) spans.push(span(peak, valley, undefined));
  return spans;

  function span(from: number, lowest: number, recovery: number | undefined): DrawdownSpan {
    const depth = (equity[lowest] as number) / (equity[from] as number) - 1;
    return { peak: from, valley: lowest, recovery, depth };
  }
}

/** The deepest first. */
export function worstDrawdowns(equity: readonly number[], most = 10): DrawdownSpan[] {
  return drawdownSpans(equity)
    .toSorted((a, b) => a.depth - b.depth)
    .slice(0, most);
}
