import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ListRow, readWhole, type WholeListOptions } from '../../src/execution/whole-list.js';

interface Asked {
  readonly from?: number;
  readonly to?: number;
}

/** A venue's list: the newest `limit` rows inside the bounds, newest first; `before` is what happens before each answer. */
function listOf(
  rows: readonly ListRow[],
  before: (request: number, rows: Map<string, ListRow>) => void = () => {},
) {
  const held = new Map(rows.map((row) => [row.id, row]));
  const asked: Asked[] = [];
  const read = async ({
    from = 0,
    to = Number.POSITIVE_INFINITY,
    limit = 0,
    ...rest
  }: Asked & { limit?: number }) => {
    before(asked.length, held);
    asked.push({
      ...(from === 0 ? {} : { from }),
      ...(to === Number.POSITIVE_INFINITY ? {} : { to }),
      ...rest,
    });
    return [...held.values()]
      .filter(({ time }) => time >= from && time <= to)
      .sort((a, b) => b.time - a.time || Number(b.id) - Number(a.id))
      .slice(0, limit);
  };
  return { read, asked, held };
}

const options = <R extends ListRow>(
  more: Pick<WholeListOptions<R>, 'read'> & Partial<WholeListOptions<R>>,
) => ({
  name: 'orders',
  limit: 3,
  from: undefined,
  budget: { left: 100 },
  signal: new AbortController().signal,
  ...more,
});

const rowsAt = (...times: readonly number[]) => times.map((time, index) => ({ id: String(index + 1), time }));
const ids = (rows: readonly ListRow[]) => rows.map(({ id }) => Number(id)).sort((a, b) => a - b);

describe('a list', () => {
  test('that fits into one answer is read by one request', async () => {
    const { read, asked } = listOf(rowsAt(10, 20));
    expect(await readWhole(options({ read, from: 9.9 }))).toEqual({
      rows: rowsAt(10, 20).reverse(),
      lack: undefined,
    });
    expect(asked).toEqual([{ from: 9 }]);
  });

  test('of any rows is read whole, unless one millisecond fills an answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }),
        fc.integer({ min: 2, max: 7 }),
        async (times, limit) => {
          const { read } = listOf(rowsAt(...times));
          const { rows, lack } = await readWhole(options({ read, limit }));
          const crowded = times.some((time) => times.filter((other) => other === time).length >= limit);
          if (lack === undefined) expect(ids(rows)).toEqual(times.map((_, index) => index + 1));
          else expect(crowded).toBe(true);
        },
      ),
    );
  });

  test('names the millisecond that it cannot be read past', async () => {
    const { read } = listOf(rowsAt(5, 10, 10, 10, 20));
    const { lack } = await readWhole(options({ read }));
    expect(lack).toBe('orders of one millisecond are 3 or more: 10');
  });

  test('asks for no more than its budget, which the lists of a look share', async () => {
    const budget = { left: 2 };
    const many = listOf(rowsAt(1, 2, 3, 4, 5, 6, 7, 8, 9));
    const { lack } = await readWhole(options({ read: many.read, budget }));
    expect(lack).toBe('orders need more requests than one look may take');
    expect(many.asked).toHaveLength(3);
    const few = listOf(rowsAt(1, 2));
    expect((await readWhole(options({ read: few.read, budget }))).lack).toBeUndefined();
    const next = listOf(rowsAt(1, 2, 3, 4));
    expect((await readWhole(options({ read: next.read, budget }))).lack).toBeDefined();
    expect(next.asked).toHaveLength(1);
  });

  test('still has a row that changes while it is read, as it is afterwards', async () => {
    // Row 1 moves from the oldest place to the newest right before the answer that would have shown it.
    const { read } = listOf(rowsAt(1, 2, 3, 4, 5, 6), (request, held) => {
      if (request === 1) held.set('1', { id: '1', time: 9 });
    });
    const { rows, lack } = await readWhole(options({ read }));
    expect(lack).toBeUndefined();
    expect(ids(rows)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows.find(({ id }) => id === '1')).toEqual({ id: '1', time: 9 });
  });

  test('does not lose the row of a seam that changes', async () => {
    const { read } = listOf(rowsAt(1, 2, 3, 4, 5), (request, held) => {
      if (request === 1) held.set('3', { id: '3', time: 9 });
    });
    const { rows, lack } = await readWhole(options({ read }));
    expect(lack).toBeUndefined();
    expect(rows.find(({ id }) => id === '3')).toEqual({ id: '3', time: 9 });
  });

  test('is not believed when a row of a seam is shown by neither answer', async () => {
    const { read } = listOf(rowsAt(1, 2, 3, 4, 5), (request, held) => {
      if (request === 1) held.delete('3');
    });
    expect((await readWhole(options({ read }))).lack).toBe('orders do not join where two answers meet: 3');
  });

  test('that changes faster than it can be read is not believed', async () => {
    let time = 100;
    const { read } = listOf(rowsAt(1, 2, 3, 4, 5, 6), (_, held) => {
      for (const id of ['4', '5', '6']) held.set(id, { id, time: time++ });
    });
    const { lack } = await readWhole(options({ read }));
    expect(lack).toBe('orders change faster than they can be read');
  });

  test('is not read on once it is stopped', async () => {
    const stop = new AbortController();
    const { read, asked } = listOf(rowsAt(1, 2, 3, 4, 5), () => stop.abort(new Error('stopped')));
    await expect(readWhole(options({ read, signal: stop.signal }))).rejects.toThrow('stopped');
    expect(asked).toHaveLength(1);
  });
});
