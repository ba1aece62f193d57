/** A list of the venue that may be longer than what one answer holds, read until it is whole (`reliability.md` c.8, A4). */
import type { ListQuery } from '../ports/venue-api.js';

/** A row, as far as paging goes. */
export interface ListRow {
  readonly id: string;
  /** Of its last change, venue ms. */
  readonly time: number;
}

/** How many pages may be read beyond the first of each list; all lists of one look share a budget. */
export interface PageBudget {
  left: number;
}

export interface WholeListOptions<R extends ListRow> {
  /** The newest `limit` rows with `from` ≤ time ≤ `to`, in any order. */
  readonly read: (query: Pick<ListQuery, 'from' | 'to' | 'limit'>) => Promise<readonly R[]>;
  /** The list's name in messages. */
  readonly name: string;
  /** Rows that one answer holds at most. */
  readonly limit: number;
  /** Venue ms; `undefined`: from the first row on. */
  readonly from: number | undefined;
  readonly budget: PageBudget;
  readonly signal?: AbortSignal | undefined;
}

export interface WholeList<R> {
  /** Each row once, as of its newest change. */
  readonly rows: readonly R[];
  /** Why the list may have more rows; `undefined`: these are all. */
  readonly lack: string | undefined;
}

/**
 * Reads pages from the newest row towards the past until one is not full. Each page ends in the millisecond in which the
 * page before began (the seam), so that both show the rows of that millisecond. A row that changes meanwhile moves from
 * the part still to be read to the newest end, so the newest end is read once more at last. A row of a seam that neither
 * the next page nor that last read shows proves that the list is incomplete.
 */
export async function readWhole<R extends ListRow>(options: WholeListOptions<R>): Promise<WholeList<R>> {
  const { read, name, limit, from, budget, signal } = options;
  const rows = new Map<string, R>();
  const since = from === undefined ? {} : { from: Math.floor(from) };
  const ask = async (bounds: Pick<ListQuery, 'from' | 'to'>): Promise<readonly R[]> => {
    signal?.throwIfAborted();
    const page = await read({ limit, ...since, ...bounds });
    for (const row of page) if (!(row.time < (rows.get(row.id)?.time ?? row.time))) rows.set(row.id, row);
    return page;
  };
  const done = (lack?: string): WholeList<R> => ({ rows: [...rows.values()], lack });
  const spent = () => `${name} need more requests than one look may take`;

  let page = await ask({});
  if (page.length < limit) return done();
  const newest = Math.max(...page.map(({ time }) => time));
  const unseen = new Set<string>();
  let to = Number.POSITIVE_INFINITY;
  while (page.length >= limit) {
    const oldest = Math.min(...page.map(({ time }) => time));
    if (oldest >= to) return done(`${name} of one millisecond are ${limit} or more: ${to}`);
    if (budget.left-- <= 0) return done(spent());
    const seam = page.filter(({ time }) => time === oldest);
    to = oldest;
    page = await ask({ to });
    const shown = new Set(page.map(({ id }) => id));
    for (const { id } of seam) if (!shown.has(id)) unseen.add(id);
  }
  if (budget.left-- <= 0) return done(spent());
  const end = await ask({ from: newest });
  for (const { id } of end) unseen.delete(id);
  if (end.length >= limit) return done(`${name} change faster than they can be read`);
  const [lost] = unseen;
  return done(lost === undefined ? undefined : `${name} do not join where two answers meet: ${lost}`);
}
