import type { WorldFact } from '../model/world-fact.js';
import type { Recording } from '../storage/recording/recording.js';
import type { TradeColumns } from '../storage/rows/trade-columns.js';
import { FactReader } from './fact-reader.js';

/** The next trades, at least one, with the other facts up to the last of them. */
export interface KnownTrades {
  readonly trades: TradeColumns;
  /** Ascending by time. */
  readonly facts: readonly WorldFact[];
}

/**
 * Most facts that wait at once. A day of order books takes as much memory as millions of trades. During a long time
 * without trades, more may wait for the next one.
 */
const MOST_FACTS = 1_024;

/**
 * The trades of a recording by chunks. Chunks are cut where too many facts would wait. A chunk is overwritten when the
 * next one is requested.
 */
export async function* knownTrades(
  recording: Pick<Recording, 'chunks' | 'facts'>,
  most = MOST_FACTS,
): AsyncGenerator<KnownTrades, void, undefined> {
  const facts = new FactReader(recording.facts());
  try {
    for await (const chunk of recording.chunks()) yield* partsOf(chunk, facts, most);
  } finally {
    await facts.close();
  }
}

async function* partsOf(chunk: TradeColumns, facts: FactReader, most: number): AsyncGenerator<KnownTrades> {
  let room = most;
  for (let row = 0; row < chunk.count; ) {
    const before = await facts.reach(chunk.time[chunk.count - 1] as number, room);
    const end = firstRowFrom(chunk, before, row);
    // Not even the next trade was reached, so more facts have to be read.
    room = end === row ? room * 2 : most;
    if (end === row) continue;
    const trades = row === 0 && end === chunk.count ? chunk : chunk.part(row, end);
    yield { trades, facts: facts.take(chunk.time[end - 1] as number) };
    row = end;
  }
}

/** The first row from `row` on with a time of at least `time`; the number of rows when there is none. */
function firstRowFrom({ time: times, count }: TradeColumns, time: number, row: number): number {
  let [low, high] = [row, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
