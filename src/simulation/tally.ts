/** Counts by name. `addedTallies` returns the names in order. */
export type Tally = Readonly<Record<string, number>>;

export function addedTallies(tallies: readonly Tally[]): Tally {
  const total = new Map<string, number>();
  for (const each of tallies) {
    for (const [key, count] of Object.entries(each)) total.set(key, (total.get(key) ?? 0) + count);
  }
  return Object.fromEntries([...total].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function sumOf(tally: Tally): number {
  return Object.values(tally).reduce((sum, count) => sum + count, 0);
}

/** Adds up tallies that are grouped by name. */
export function addedMatrices(matrices: readonly Readonly<Record<string, Tally>>[]): Record<string, Tally> {
  const names = [...new Set(matrices.flatMap((each) => Object.keys(each)))].sort();
  return Object.fromEntries(
    names.map((name) => [name, addedTallies(matrices.map((each) => each[name] ?? {}))]),
  );
}

/**
 * Quantile of a tally whose names are lengths: the smallest length that at least this share of the counts does not
 * exceed; `undefined` without any count.
 */
export function quantileOf(lengths: Tally, share: number): number | undefined {
  const wanted = share * sumOf(lengths);
  let count = 0;
  for (const [length, times] of Object.entries(lengths).sort(([a], [b]) => Number(a) - Number(b))) {
    count += times;
    if (count >= wanted) return Number(length);
  }
  return undefined;
}

/** Seconds, rounded up to two significant digits, so that few different values occur. */
export function roughSeconds(ms: number): number {
  const seconds = Math.ceil(ms / 1_000);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, seconds))) - 1);
  return Math.ceil(seconds / unit) * unit;
}
