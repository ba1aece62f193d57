interface Timed {
  readonly time: number;
}

interface Open<Item> {
  readonly batches: AsyncIterator<readonly Item[]>;
  /** Items of the newest batch that were not yielded yet. */
  items: readonly Item[];
  isOver: boolean;
}

/**
 * Merges several sources, each ascending by time, into one that ascends. `inOrder` sorts items of the same time. Keeps
 * one batch of each source in memory at a time.
 */
export async function* mergeByTime<Item extends Timed>(
  sources: readonly AsyncIterable<readonly Item[]>[],
  inOrder: (a: Item, b: Item) => number,
): AsyncGenerator<readonly Item[], void, undefined> {
  const open = sources.map(
    (source): Open<Item> => ({ batches: source[Symbol.asyncIterator](), items: [], isOver: false }),
  );
  try {
    for (;;) {
      for (const one of open) await refill(one);
      const ready = open.filter(({ items }) => items.length > 0);
      if (ready.length === 0) return;
      // Beyond this time, a source may still bring an item that belongs first.
      const until = Math.min(...ready.map(({ items }) => (items.at(-1) as Item).time));
      yield ready.flatMap((one) => takeUntil(one, until)).sort(inOrder);
    }
  } finally {
    for (const { batches } of open) await batches.return?.();
  }
}

async function refill<Item>(one: Open<Item>): Promise<void> {
  while (one.items.length === 0 && !one.isOver) {
    const next = await one.batches.next();
    if (next.done === true) one.isOver = true;
    else one.items = next.value;
  }
}

/** Takes and removes the items up to and including a time. */
function takeUntil<Item extends Timed>(one: Open<Item>, until: number): readonly Item[] {
  const later = one.items.findIndex(({ time }) => time > until);
  const due = later < 0 ? one.items : one.items.slice(0, later);
  one.items = one.items.slice(due.length);
  return due;
}
