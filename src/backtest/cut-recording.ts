import type { Random } from '../model/random.js';
import type { Recording } from '../storage/recording/recording.js';
import type { TradeColumns } from '../storage/rows/trade-columns.js';
import type { Cut, CutShort, Future } from './cut.js';
import { barCuts, barsUntil } from './cut-bars.js';

/** Number of trades or bars. */
export async function rowsOf(recording: Recording): Promise<number> {
  let total = 0;
  for await (const { count } of recording.kind === 'bars' ? recording.bars() : recording.chunks()) {
    total += count;
  }
  return total;
}

/** Its first `trades` trades or bars, and the facts that its first pass finds, whatever is recorded meanwhile. */
export function firstRows(recording: Recording, trades: number, random: Random): Recording {
  const cut = { trades, time: Number.POSITIVE_INFINITY, future: 'absent', random } as const;
  return { ...cutRecording(recording, cut), facts: asFirstRead(() => recording.facts()) };
}

/** Facts up to the newest one of the first pass that came to their end. */
function asFirstRead(read: Recording['facts']): Recording['facts'] {
  let until: number | undefined;
  return async function* () {
    let newest = Number.NEGATIVE_INFINITY;
    for await (const facts of read()) {
      const end = until ?? Number.POSITIVE_INFINITY;
      const known = facts.filter(({ time }) => time <= end);
      newest = known.at(-1)?.time ?? newest;
      if (known.length > 0) yield known;
    }
    until ??= newest;
  };
}

/** Random points, each once, ascending; fewer than `count` when the recording has too few rows: `total`. */
export async function pickCuts(
  recording: Recording,
  total: number,
  { count, random }: { readonly count: number; readonly random: Random },
): Promise<readonly Cut[]> {
  const rows = new Set<number>();
  while (rows.size < Math.min(count, total - 1)) rows.add(random.integer(1, total - 1));
  const cuts: Cut[] = [];
  const wanted = [...rows].sort((a, b) => a - b);
  if (recording.kind === 'bars') return barCuts(recording, wanted);
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
 * The recording as it was after its first `trades` trades or bars. Later rows are overwritten in the shared buffers
 * during the run, so that a strategy that reads ahead reads other numbers than in the complete recording.
 */
export function cutRecording(recording: Recording, cut: CutShort): Recording {
  const { trades, time, future, random } = cut;
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
    bars: () => barsUntil(recording, cut),
    async *facts() {
      for await (const facts of recording.facts()) yield facts.filter((fact) => fact.time < time);
    },
  };
}

/** Ends the chunk at a row; returns a function that restores the rest. */
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
