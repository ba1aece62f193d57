/** A drawdown: the time from a peak of the equity until it is reached again. */
export interface DrawdownSpan {
  /** Indexes of the peak and of the lowest point. */
  readonly peak: number;
  readonly valley: number;
  /** Index of the first point at the height of the peak or above; `undefined` if it was not reached again. */
  readonly recovery: number | undefined;
  /** The deepest fall, below 0, as a fraction of the peak. */
  readonly depth: number;
}

/** The drawdown at each point: equity / highest equity so far − 1. */
export function underwater(equity: readonly number[]): number[] {
  let peak = Number.NEGATIVE_INFINITY;
  return equity.map((value) => {
    peak = Math.max(peak, value);
    return value / peak - 1;
  });
}

/** All drawdowns in order of time. `equity` must begin with the capital. */
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

/** The deepest drawdowns, the deepest first. */
export function worstDrawdowns(equity: readonly number[], most = 10): DrawdownSpan[] {
  return drawdownSpans(equity)
    .toSorted((a, b) => a.depth - b.depth)
    .slice(0, most);
}
