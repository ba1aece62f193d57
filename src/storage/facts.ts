import { basename } from 'node:path';
import { MARK_FRESH_MS } from '../model/ticker.js';
import type { WorldFact } from '../model/world-fact.js';
import type { Files } from '../ports/files.js';
import { DamagedRecording, type StreamRest } from './arrow-stream.js';
import { DAY_MS, dayOf } from './day.js';
import type { ChunkRange } from './day-reader.js';
import { readFactDay } from './fact-file.js';
import { depthTable, type FactTableFormat, tickerTable } from './fact-table.js';
import { type FactTable, factPath, parseDayFile } from './layout.js';
import { type DatedMarket, type DatedRate, rateAt } from './rare-facts.js';

export interface FactSource {
  readonly pair: string;
  readonly folders: readonly string[];
  /** Ascending. The first may be older than `from`: it is what held then. */
  readonly markets: readonly DatedMarket[];
  readonly funding: readonly DatedRate[];
  /** ms, inclusive and exclusive. */
  readonly from: number;
  readonly to: number;
  /** Hears of what of a file cannot be read, once a file. */
  readonly onRest?: ChunkRange['onRest'];
}

const MOST_FACTS = 8_192;
/** At one time: the rules first, then what is paid by them, then what was seen. */
const RANK = { market: 0, funding: 1, ticker: 2, depth: 3 } as const;

/** Days that have a table of this kind in one of the folders, ascending. */
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
 * What was recorded besides trades, ascending by time, a day in memory at a time: everything in [from, to), and before
 * it the newest market that is older, and the newest ticker while its mark counts.
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
    const facts: WorldFact[] = [];
    for (const { ticker: seen } of await rowsOf(ticker, tickerDays, day))
      facts.push({ kind: 'ticker', time: seen.time, ticker: seen });
    facts.push(...(await rowsOf(depth, depthDays, day)));
    for (; (rare[next]?.time ?? Infinity) < (day + 1) * DAY_MS; next++) facts.push(rare[next] as WorldFact);
    yield* inPieces(facts);
  }
  yield* inPieces(rare.slice(next));

  function* inPieces(facts: readonly WorldFact[]): Generator<readonly WorldFact[]> {
    const some = facts.filter(({ time }) => time >= from && time < to).sort(inOrder);
    for (let start = 0; start < some.length; start += MOST_FACTS) yield some.slice(start, start + MOST_FACTS);
  }

  async function rowsOf<Row>(
    format: FactTableFormat<Row>,
    present: readonly number[],
    day: number,
  ): Promise<Row[]> {
    if (!present.includes(day)) return [];
    const rows: Row[] = [];
    for (const folder of folders) {
      const path = factPath(folder, day, format.name);
      if ((await files.stat(path)) === undefined) continue;
      rows.push(...(await readFactDay(files, path, format, { isNewest: day === present.at(-1), onRest })));
    }
    return rows;
  }

  async function newestTickerBefore() {
    if (from === -Infinity) return undefined;
    const oldest = from - MARK_FRESH_MS;
    for (const day of tickerDays.filter((one) => one >= dayOf(oldest) && one <= dayOf(from)).reverse()) {
      const rows = (await rowsOf(ticker, tickerDays, day)).filter(
        (row) => row.ticker.time >= oldest && row.ticker.time < from,
      );
      if (rows.length > 0) return rows.reduce((a, b) => (b.ticker.time > a.ticker.time ? b : a));
    }
    return undefined;
  }
}

/** What of the files of tickers and depth cannot be read. */
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
        await readFactDay(files, file, format, { isNewest: day === days.at(-1), onRest });
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
