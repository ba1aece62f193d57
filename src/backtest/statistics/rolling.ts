/** A figure of the last `window` values at each point; NaN for the first points, which have fewer values. */
export function rolling(
  values: readonly number[],
  window: number,
  figure: (values: readonly number[]) => number,
): number[] {
  return values.map((_, i) => (i + 1 < window ? Number.NaN : figure(values.slice(i + 1 - window, i + 1))));
}
