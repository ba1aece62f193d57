import type { Random } from '../model/random.js';
import type { BarColumns } from '../storage/rows/bar-columns.js';
import type { Recording } from '../storage/recording/recording.js';
import type { Cut, CutShort, Future } from './cut.js';

/** Points between two bars at these rows, ascending. */
export async function barCuts(recording: Recording, rows: readonly number[]): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  let before = 0;
  let knownUntil = Number.NaN;
  for await (const { count, time, end } of recording.bars()) {
    for (let row = 0; row < count; row++) {
      if (rows[cuts.length] === before + row) {
        cuts.push({ trades: before + row, time: time[row] as number, knownUntil });
      }
      knownUntil = end[row] as number;
    }
    before += count;
  }
  return cuts;
}

/** The bars before the cut. Later bars are overwritten in the shared buffers during the run. */
export async function* barsUntil(
  recording: Recording,
  { trades, future, random }: CutShort,
): AsyncGenerator<BarColumns, void, undefined> {
  let left = trades;
  for await (const bars of recording.bars()) {
    if (bars.count < left) {
      left -= bars.count;
      yield bars;
      continue;
    }
    const restore = overwrite(bars, left, future, random);
    try {
      yield { ...bars, count: left };
    } finally {
      restore();
    }
    return;
  }
}

/** Returns a function that restores the bars. */
function overwrite(bars: BarColumns, from: number, future: Future, random: Random): () => void {
  const columns = [bars.time, bars.open, bars.high, bars.low, bars.close, bars.volume, bars.end] as const;
  const saved = columns.map((column) => column.slice(from, bars.count));
  for (let row = from; row < bars.count; row++) {
    if (future === 'absent') for (const column of columns) column[row] = Number.NaN;
    else {
      const factor = 0.5 + 1.5 * random.next();
      for (const column of [bars.open, bars.high, bars.low, bars.close]) {
        column[row] = (column[row] as number) * factor;
      }
      bars.volume[row] = (bars.volume[row] as number) * (0.5 + 1.5 * random.next());
    }
  }
  return () => {
    for (const [i, column] of columns.entries()) column.set(saved[i] as Float64Array, from);
  };
}
