/** Two documents that differ at one place; `undefined` where one has nothing. */
export interface Difference {
  /** Dotted: `metrics.sharpe`. */
  readonly key: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** Where two JSON documents differ, leaf by leaf, in the order of the left one. */
export function differences(left: unknown, right: unknown, key = ''): Difference[] {
  if (isRecord(left) && isRecord(right)) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names.flatMap((name) =>
      differences(left[name], right[name], key === '' ? name : `${key}.${name}`),
    );
  }
  return JSON.stringify(left) === JSON.stringify(right) ? [] : [{ key, left, right }];
}

const CAUSES = ['strategyHash', 'engine', 'data', 'params', 'options'];

/** Sorts differences of inputs, which are causes, before differences of results. */
export function causesFirst(found: readonly Difference[]): Difference[] {
  const isCause = ({ key }: Difference) => CAUSES.includes(key.split('.')[0] as string);
  return [...found.filter(isCause), ...found.filter((each) => !isCause(each))];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
