import { basename } from 'node:path';
import { MARK_FRESH_MS } from '../../model/ticker.js';
import type { WorldFact } from '../../model/world-fact.js';
import type { Files } from '../../ports/files.js';
import { DamagedRecording, type StreamRest } from '../rows/arrow-stream.js';
import { DAY_MS, dayOf } from '../rows/day.js';
import type { ChunkRange } from '../rows/day-reader.js';
import { inOrderOfTime } from './fact-day.js';
import { depthTable, type FactTableFormat, type TickerRow, tickerTable } from './fact-table.js';
import { type FactTable, factPath, parseDayFile } from '../rows/layout.js';
import { mergeByTime } from './merge-by-time.js';
import { type DatedMarket, type DatedRate, rateAt } from './rare-facts.js';

export interface FactSource {
  readonly pair: string;
  readonly folders: readonly string[];
  /** Ascending by time. The first market may be older than `from`: it is the one in force at `from`. */
  readonly markets: readonly DatedMarket[];
  readonly funding: readonly DatedRate[];
  /** The stretch to read, venue ms: `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Called for the part of a file that cannot be read, once per file. */
  readonly onRest?: ChunkRange['onRest'];
}

/** Order of facts at the same time: the market's rules, then the funding that is paid under them, then observations. */
const RANK = { market: 0, funding: 1, ticker: 2, depth: 3 } as const;

/** The days for which at least one of the folders has a table of this kind, ascending. */
export async function factDays(
  files: Files,
  folders: readonly string[],
  table: FactTable,
): Promise<readonly number[]> {
  const days = new Set<number>();
  for (const folder of folders) {
    for (const { name } of await files.list(folder)) {
      const found = parseDayFile(basename(name));
      if (found?.kind === table) days.add(found.day);
    }
  }
  return [...days].sort((a, b) => a - b);
}

/**
 * Reads recorded facts other than trades, ascending by time, with a few batches in memory at a time. Yields all facts
 * in [from, to). Yields before them the newest market and the newest ticker from before `from`; the ticker only while
 * its mark is still fresh.
 */
export async function* readFacts(
  files: Files,
  source: FactSource,
): AsyncGenerator<readonly WorldFact[], void, undefined> {
  const { pair, folders, from, to } = source;
  const told = new Set<string>();
  const onRest: ChunkRange['onRest'] = (path, rest) => {
    if (!told.has(path)) source.onRest?.(path, rest);
    told.add(path);
  };
  const rare = rareFacts(source);
  const ticker = tickerTable(pair);
  const depth = depthTable(pair);
  const tickerDays = await factDays(files, folders, 'ticker');
  const depthDays = await factDays(files, folders, 'depth');
  const before = await newestTickerBefore();
  const firsts = rare.filter(({ time }) => time < from);
  if (before !== undefined) firsts.push({ kind: 'ticker', time: before.ticker.time, ticker: before.ticker });
  if (firsts.length > 0) yield firsts.sort(inOrder);

  let next = firsts.filter(({ kind }) => kind === 'market').length;
  const days = [...new Set([...tickerDays, ...depthDays])].sort((a, b) => a - b);
  for (const day of days) {
    if ((day + 1) * DAY_MS <= from || day * DAY_MS >= to) continue;
    const later = rare.findIndex(({ time }, at) => at >= next && time >= (day + 1) * DAY_MS);
    const ofDay = rare.slice(next, later < 0 ? rare.length : later);
    next += ofDay.length;
    const tickers = (await rowsOf(ticker, tickerDays, day)).map((rows) => mapped(rows, tickerFact));
    const depths = await rowsOf(depth, depthDays, day);
    yield* clipped(mergeByTime<WorldFact>([batchOf(ofDay), ...tickers, ...depths], inOrder));
  }
  yield* clipped(batchOf(rare.slice(next)));

  async function* clipped(facts: AsyncIterable<readonly WorldFact[]>) {
    for await (const some of facts) {
      const asked = some.filter(({ time }) => time >= from && time < to);
      if (asked.length > 0) yield asked;
    }
  }

  /** Opens one source per folder that has a file of the day. */
  async function rowsOf<Row>(
    format: FactTableFormat<Row>,
    present: readonly number[],
    day: number,
  ): Promise<AsyncIterable<readonly Row[]>[]> {
    if (!present.includes(day)) return [];
    const sources: AsyncIterable<readonly Row[]>[] = [];
    for (const folder of folders) {
      const path = factPath(folder, day, format.name);
      if ((await files.stat(path)) === undefined) continue;
      sources.push(inOrderOfTime(files, path, format, { isNewest: day === present.at(-1), onRest }));
    }
    return sources;
  }

  async function newestTickerBefore() {
    if (from === -Infinity) return undefined;
    const oldest = from - MARK_FRESH_MS;
    for (const day of tickerDays.filter((one) => one >= dayOf(oldest) && one <= dayOf(from)).reverse()) {
      let newest: TickerRow | undefined;
      for (const source of await rowsOf(ticker, tickerDays, day)) {
        for await (const rows of source) {
          const last = rows.findLast(({ ticker: { time } }) => time >= oldest && time < from);
          if (last !== undefined && !((newest?.ticker.time ?? -Infinity) >= last.ticker.time)) newest = last;
        }
      }
      if (newest !== undefined) return newest;
    }
    return undefined;
  }
}

const tickerFact = ({ ticker }: TickerRow): WorldFact => ({ kind: 'ticker', time: ticker.time, ticker });

async function* batchOf(facts: readonly WorldFact[]): AsyncGenerator<readonly WorldFact[]> {
  if (facts.length > 0) yield facts;
}

async function* mapped<Row>(batches: AsyncIterable<readonly Row[]>, factOf: (row: Row) => WorldFact) {
  for await (const rows of batches) yield rows.map(factOf);
}

/** Lists the parts of the ticker and depth files that cannot be read. */
export async function unreadFacts(
  files: Files,
  { pair, folders }: Pick<FactSource, 'pair' | 'folders'>,
): Promise<readonly (StreamRest & { readonly file: string })[]> {
  const unread: (StreamRest & { readonly file: string })[] = [];
  const onRest = (file: string, rest: StreamRest) => void unread.push({ file, ...rest });
  await unreadOf(tickerTable(pair));
  await unreadOf(depthTable(pair));
  return unread;

  async function unreadOf<Row>(format: FactTableFormat<Row>): Promise<void> {
    const days = await factDays(files, folders, format.name);
    for (const [folder, day] of folders.flatMap((each) => days.map((one) => [each, one] as const))) {
      const file = factPath(folder, day, format.name);
      if ((await files.stat(file)) === undefined) continue;
      try {
        const isNewest = day === days.at(-1);
        for await (const _ of inOrderOfTime(files, file, format, { isNewest, onRest }));
      } catch (error) {
        if (!(error instanceof DamagedRecording)) throw error;
        onRest(file, error.rest);
      }
    }
  }
}

function rareFacts({ markets, funding, from }: FactSource): WorldFact[] {
  const facts: WorldFact[] = [
    ...markets.map(({ time, market }): WorldFact => ({ kind: 'market', time, market })),
    ...funding
      .filter(({ time }) => time >= from)
      .map((paid): WorldFact => ({ kind: 'funding', time: paid.time, rate: rateAt(paid) })),
  ];
  return facts.sort(inOrder);
}

function inOrder(a: WorldFact, b: WorldFact): number {
  return a.time - b.time || RANK[a.kind] - RANK[b.kind];
}
