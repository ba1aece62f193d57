/** Length from which the array is grown in place: copying a list of thousands for each new item would be quadratic. */
const LONG = 16;

/**
 * Returns the list with `item` at its end. A long list is changed in place, so the caller must own it: nobody else may
 * keep a reference to it. Short lists are copied, because most hold one or two items and a literal allocates room for
 * just these.
 */
export function appended<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  if (list.length === 1) return [list[0] as T, item];
  if (list.length < LONG) return [...list, item];
  (list as T[]).push(item);
  return list;
}
