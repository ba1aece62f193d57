/** From here on room for more is worth having: a copy for each item would make a list of thousands quadratic. */
const LONG = 16;

/**
 * The list with one more item, which belongs to whoever appends: nobody else keeps it while it grows. Lists that mostly
 * hold one or two have just the room that they need, as list literals have.
 */
export function appended<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  if (list.length === 1) return [list[0] as T, item];
  if (list.length < LONG) return [...list, item];
  (list as T[]).push(item);
  return list;
}
