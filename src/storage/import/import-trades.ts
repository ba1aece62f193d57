import { basename } from 'node:path';
import { utcText } from '../../model/calendar.js';
import { counted } from '../../model/counted.js';
import { UsageError } from '../../model/errors.js';
import type { MarketSpec } from '../../model/market.js';
import type { Trade } from '../../model/trade.js';
import type { Files } from '../../ports/files.js';
import { checkRecording } from '../certificate/certificate.js';
import { addFaults } from '../certificate/fault-file.js';
import { type BeyondFilters, FilterWatch } from './filter-watch.js';
import { readGaps, writeGaps } from '../rows/gap-file.js';
import { IdSpan } from '../recording/id-span.js';
import { MarketGuess } from '../infer-market.js';
import { pairDirectory } from '../rows/layout.js';
import { type RecordedMarket, readMarket, writeMarket } from '../rows/market-file.js';
import { EVERYTHING, readChunks } from '../rows/day-reader.js';
import { findRecording } from '../recording/recording.js';
import { RecordingWriter, type WriterTotals } from '../rows/recording-writer.js';
import { readLines } from '../text-file.js';
import { SourceWatch } from './source-watch.js';
import { type TradeParser, tradeParser } from './trade-parser.js';
import { beginImport, endImport, unfinishedImports } from '../rows/unfinished-import.js';

export interface ImportOptions {
  /** CSV or NDJSON files, plain or gzip. */
  readonly sources: readonly string[];
  /** The folder of recordings to write into; the pair gets a folder inside it. */
  readonly directory: string;
  readonly pair: string;
  /** Absent: the recording's own, unless that was inferred. */
  readonly market?: RecordedMarket | undefined;
  /** Where neither is there. Absent: inferred from the prints. */
  readonly unlessKnown?: RecordedMarket | undefined;
}

export interface ImportResult extends WriterTotals {
  readonly kind: 'trades';
  readonly pair: string;
  /** Stretches of the sources that stood in a wrong place and were sorted. */
  readonly reordered: number;
  /** Sources that were in another order as a whole; each counts as one stretch. */
  readonly sorted: number;
  /** Trades whose order within their millisecond is that of their ids, which are no numbers, and was another one in the file. */
  readonly unordered: number;
  /** Trades of the recording whose id it has more than once, at other times: `data check` lists them. */
  readonly storedDuplicates: number;
  /** Lines of other pairs, passed over. */
  readonly skipped: number;
  /** Prints above the limits of a market that is known; they are in the recording all the same. */
  readonly beyondFilters: BeyondFilters | undefined;
  readonly market: RecordedMarket['source'];
}

/**
 * Brings trades of one pair into a recording. Lines may come in any order; in order of time they cost no memory.
 *
 * Where one is refused, what was written by then stays, with its gaps and its market; where the process dies before it
 * comes to its end, the recording is not opened before an import has (`unfinished-import.ts`).
 *
 * @throws UsageError with `file:line` for a line that is no trade, and when a source has no trade of the pair; it says
 * what of the sources is in the recording all the same.
 */
export async function importTrades(files: Files, options: ImportOptions): Promise<ImportResult> {
  const { directory, pair } = options;
  const folder = pairDirectory(directory, pair);
  await mustExist(files, options.sources);
  const known = options.market ?? (await keptMarket(files, folder)) ?? options.unlessKnown;
  const span = await IdSpan.of(files, directory, pair);
  const watch = new SourceWatch();
  const writer = await RecordingWriter.open(files, directory, pair, {
    onRepeat: (trade, known) => watch.repeated(trade, known),
  });
  const filters = new FilterWatch(known?.spec);
  const intake = new Intake(writer, watch, { pair, filters, span });
  const finish = async () => {
    await addFaults(files, folder, watch.faults());
    const duplicates = await checkIds(files, directory, pair);
    const market: RecordedMarket = known ?? {
      spec: await inferred(files, directory, pair),
      source: 'inferred',
    };
    await writeMarket(files, folder, market);
    await endImport(files, folder);
    return { storedDuplicates: duplicates, market };
  };
  // What an earlier one left undone is not done by one that is refused at once.
  const isWhole = (await unfinishedImports(files, [folder])).length === 0;
  await beginImport(files, folder, options.sources);
  try {
    for (const source of options.sources) await intake.read(files, source);
    await writer.close();
  } catch (error) {
    await writer.abandon();
    if (writer.totals.trades > 0) throw await afterSome(error, finish, writer.totals);
    if (isWhole) await endImport(files, folder);
    throw error;
  }
  const faults = watch.faults();
  const { storedDuplicates, market } = await finish();
  const gaps = (await readGaps(files, folder)).length;
  const reordered = faults.filter(({ kind }) => kind === 'reordered').length;
  return {
    kind: 'trades',
    pair,
    ...writer.totals,
    gaps,
    reordered,
    sorted: watch.sorted,
    unordered: watch.unordered,
    storedDuplicates,
    skipped: intake.skipped,
    beyondFilters: filters.beyond,
    market: market.source,
  };
}

/**
 * What stood before a line that was refused is kept, and the recording made as good as any: the error says so. Where that
 * cannot be done, or something else went wrong, the recording stays unfinished.
 */
async function afterSome(
  error: unknown,
  finish: () => Promise<unknown>,
  { trades, to = 0 }: WriterTotals,
): Promise<unknown> {
  if (!(error instanceof UsageError)) return error;
  try {
    await finish();
  } catch {
    return error;
  }
  return new UsageError(
    error.code,
    `${error.message} (${counted(trades, 'trade')} from before that, up to ${utcText(to)}, ${trades === 1 ? 'is' : 'are'} in the recording now: ` +
      'imported again they are passed over)',
    { facts: error.facts, cause: error },
  );
}

/**
 * Which trades are missing, where ids tell: whoever reads the recording then knows without looking at every id. Gives how
 * many trades have the id of another one.
 */
async function checkIds(files: Files, directory: string, pair: string): Promise<number> {
  const found = await findRecording(files, [directory], pair);
  const { gaps, contiguousIds, storedDuplicates } = await checkRecording(files, found);
  if (contiguousIds) await writeGaps(files, pairDirectory(directory, pair), gaps);
  return storedDuplicates;
}

/** From all prints of the recording, also those of earlier imports. */
async function inferred(files: Files, directory: string, pair: string): Promise<MarketSpec> {
  const guess = new MarketGuess();
  const { days } = await findRecording(files, [directory], pair);
  for await (const { count, price, quantity } of readChunks(files, days, EVERYTHING)) {
    for (let row = 0; row < count; row++) guess.add(price[row] as number, quantity[row] as number);
  }
  return guess.spec(pair);
}

class Intake {
  skipped = 0;
  readonly #writer: RecordingWriter;
  readonly #watch: SourceWatch;
  readonly #pair: string;
  readonly #filters: FilterWatch;
  readonly #span: IdSpan | undefined;

  constructor(
    writer: RecordingWriter,
    watch: SourceWatch,
    {
      pair,
      filters,
      span,
    }: { readonly pair: string; readonly filters: FilterWatch; readonly span: IdSpan | undefined },
  ) {
    this.#writer = writer;
    this.#watch = watch;
    this.#pair = pair;
    this.#filters = filters;
    this.#span = span;
  }

  async read(files: Files, source: string): Promise<void> {
    let parser: TradeParser | undefined;
    let header: string | undefined;
    let taken = 0;
    let otherPair: string | undefined;
    this.#watch.begin(basename(source));
    for await (const { first, lines } of readLines(files, source)) {
      for (let i = 0; i < lines.length; i++) {
        const line = bareLine(lines[i] as string);
        if (line === '' || line === header) continue;
        const where = `${source}:${first + i}`;
        if (parser === undefined) {
          parser = tradeParser(where, line);
          if (parser.headed) {
            header = line;
            continue;
          }
        }
        const { trade, pair } = parser.parse(where, line);
        if (pair !== undefined && pair !== this.#pair) {
          this.skipped += 1;
          otherPair ??= pair;
          continue;
        }
        this.#add(where, trade);
        this.#filters.next(where, trade.price, trade.quantity);
        taken += 1;
        if (this.#writer.isFull) await this.#writer.settle();
      }
    }
    if (taken === 0)
      throw dataError(`${source} must hold trades of ${this.#pair}, received ${otherPair ?? 'no trade'}`);
  }

  #add(where: string, trade: Trade): void {
    const objection = this.#span?.objection(trade);
    if (objection !== undefined) throw dataError(`${where}: ${this.#pair}: ${objection}`);
    try {
      this.#watch.next(trade, this.#writer.add(trade));
    } catch (cause) {
      if (cause instanceof UsageError) throw dataError(`${where}: ${cause.message}`);
      throw cause;
    }
  }
}

/** What is known already stays; what was only inferred is inferred again, from the new prints. */
export async function keptMarket(files: Files, folder: string): Promise<RecordedMarket | undefined> {
  const market = await readMarket(files, folder);
  return market?.source === 'inferred' ? undefined : market;
}

export async function mustExist(files: Files, sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    const entry = await files.stat(source);
    if (entry?.kind !== 'file') {
      throw dataError(`${source} must be a file, received ${entry?.kind ?? 'nothing there'}`);
    }
  }
}

/**
 * Without blanks around it, and without the byte order mark that some programs put before UTF-8: files that were joined
 * have it in the middle, and the header too.
 */
export function bareLine(line: string): string {
  return line.trim();
}

export function dataError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_DATA', message);
}
