import type { Random } from '../model/random.js';
import type { Recording } from '../storage/recording.js';
import type { TradeColumns } from '../storage/trade-columns.js';

/** What stands in the place of the future: nothing, or numbers that look like trades and are none. */
export type Future = 'absent' | 'poisoned';

/** A point between two trades. */
export interface Cut {
  /** Trades before it, at least 1. */
  readonly trades: number;
  /** Of the first trade after it, ms. */
  readonly time: number;
}

export interface CutShort extends Cut {
  readonly future: Future;
  /** What the poison is drawn from. */
  readonly random: Random;
}

/** Points at random, each once, ascending; fewer when there are not so many. */
export async function pickCuts(recording: Recording, count: number, random: Random): Promise<readonly Cut[]> {
  let total = 0;
  for await (const chunk of recording.chunks()) total += chunk.count;
  const rows = new Set<number>();
  while (rows.size < Math.min(count, total - 1)) rows.add(random.integer(1, total - 1));
  const cuts: Cut[] = [];
  const wanted = [...rows].sort((a, b) => a - b);
  let before = 0;
  for await (const chunk of recording.chunks()) {
    for (
      let row = wanted[cuts.length];
      row !== undefined && row < before + chunk.count;
      row = wanted[cuts.length]
    ) {
      cuts.push({ trades: row, time: chunk.time[row - before] as number });
    }
    before += chunk.count;
  }
  return cuts;
}

/**
 * The recording as it was when its first `trades` trades had happened. What would come after them is overwritten where
 * it lies while the run lasts, so that whoever reads ahead reads something else than in the whole recording.
 */
export function cutRecording(recording: Recording, { trades, time, future, random }: CutShort): Recording {
  return {
    ...recording,
    gaps: recording.gaps.filter(({ to }) => to <= time),
    async *chunks() {
      let left = trades;
      for await (const chunk of recording.chunks()) {
        if (chunk.count < left) {
          left -= chunk.count;
          yield chunk;
          continue;
        }
        const restore = overwrite(chunk, left, future, random);
        try {
          yield chunk;
        } finally {
          restore();
        }
        return;
      }
    },
    async *facts() {
      for await (const facts of recording.facts()) yield facts.filter((fact) => fact.time < time);
    },
  };
}

/** Ends the chunk at a row; gives what puts the rest back. */
function overwrite(chunk: TradeColumns, from: number, future: Future, random: Random): () => void {
  const { count } = chunk;
  const columns = [chunk.time, chunk.price, chunk.quantity, chunk.isBuyerMaker] as const;
  const saved = columns.map((column) => column.slice(from, count));
  for (let row = from; row < count; row++) {
    if (future === 'absent') for (const column of columns) column[row] = Number.NaN;
    else {
      chunk.price[row] = (chunk.price[row] as number) * (0.5 + 1.5 * random.next());
      chunk.quantity[row] = (chunk.quantity[row] as number) * (0.5 + 1.5 * random.next());
      chunk.isBuyerMaker[row] = random.next() < 0.5 ? 0 : 1;
    }
  }
  chunk.count = from;
  return () => {
    for (const [i, column] of columns.entries()) column.set(saved[i] as never, from);
    chunk.count = count;
  };
}
