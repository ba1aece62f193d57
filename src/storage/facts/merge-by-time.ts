interface Timed {
  readonly time: number;
}

interface Open<Item> {
  readonly batches: AsyncIterator<readonly Item[]>;
  /** Of its newest batch, what was not handed out yet. */
  items: readonly Item[];
  isOver: boolean;
}

/**
 * What several sources hold, each ascending by time, as one that ascends; at one time by `inOrder`. A batch of each source
 * is in memory at a time.
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
      // Later than that, a source may still have something that comes first.
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

/** Those up to and including a time. */
function takeUntil<Item extends Timed>(one: Open<Item>, until: number): readonly Item[] {
  const later = one.items.findIndex(({ time }) => time > until);
  const due = later < 0 ? one.items : one.items.slice(0, later);
  one.items = one.items.slice(due.length);
  return due;
}
