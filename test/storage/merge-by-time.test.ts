import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeByTime } from '../../src/storage/facts/merge-by-time.js';

interface Item {
  readonly time: number;
  readonly source: number;
}

const inOrder = (a: Item, b: Item) => a.time - b.time || a.source - b.source;

async function* batches(items: readonly Item[], size: number, onEnd: () => void = () => undefined) {
  try {
    for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
    // A batch may be empty.
    yield [];
  } finally {
    onEnd();
  }
}

const anySource = fc.record({
  times: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 30 }),
  size: fc.integer({ min: 1, max: 7 }),
});

it('holds all of its sources in order, however they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySource, { maxLength: 4 }), async (sources) => {
      const lists = sources.map(({ times }, source) =>
        times.sort((a, b) => a - b).map((time): Item => ({ time, source })),
      );
      const merged: Item[] = [];
      const made = lists.map((items, at) => batches(items, sources[at]?.size ?? 1));
      for await (const some of mergeByTime(made, inOrder)) merged.push(...some);
      expect(merged).toEqual(lists.flat().sort(inOrder));
    }),
  );
});

it('holds a batch of each source, and lets go of all of them where nobody goes on', async () => {
  let taken = 0;
  const ended: number[] = [];
  const source = (at: number) =>
    batches(
      Array.from({ length: 1_000 }, (_, time) => ({ time, source: at })),
      10,
      () => ended.push(at),
    );
  const counted = async function* (items: AsyncIterable<readonly Item[]>) {
    for await (const some of items) {
      taken += some.length;
      yield some;
    }
  };
  for await (const some of mergeByTime([counted(source(0)), counted(source(1))], inOrder)) {
    expect(some).toHaveLength(20);
    break;
  }
  expect(taken).toBe(20);
  expect(ended.toSorted((a, b) => a - b)).toEqual([0, 1]);
});
