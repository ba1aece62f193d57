import { basename } from 'node:path';
import { utcText } from '../../model/calendar.js';
import { counted } from '../../model/counted.js';
import { UsageError } from '../../model/errors.js';
import type { Trade } from '../../model/trade.js';
import type { Files } from '../../ports/files.js';
import { checkRecording } from '../certificate/certificate.js';
import { addFaults } from '../certificate/fault-file.js';
import { type BeyondFilters, FilterWatch } from './filter-watch.js';
import { readGaps, writeGaps } from '../rows/gap-file.js';
import { IdSpan } from '../recording/id-span.js';
import { type FinerThanGrid, MarketGuess } from '../infer-market.js';
import { pairDirectory } from '../rows/layout.js';
import { type RecordedMarket, writeMarket } from '../rows/market-file.js';
import { EVERYTHING, readChunks } from '../rows/day-reader.js';
import { findRecording } from '../recording/recording.js';
import { RecordingWriter, type WriterTotals } from '../rows/recording-writer.js';
import { readLines } from '../text-file.js';
import { type ChosenMarket, inferredMarket } from './chosen-market.js';
import { knownMarket, type MarketChoice } from './known-market.js';
import { mayBeCutOff } from './csv-line.js';
import { OtherPair } from './other-pair.js';
import { SourceWatch } from './source-watch.js';
import { type TradeParser, tradeParser } from './trade-parser.js';
import { beginImport, endImport, type ImportEnd, type ImportSource } from '../rows/unfinished-import.js';

export interface ImportOptions extends MarketChoice {
  /** CSV or NDJSON files, plain or gzip. */
  readonly sources: readonly string[];
  /** The folder of recordings to write to; the pair has its own folder inside. */
  readonly directory: string;
  readonly pair: string;
}

export interface ImportResult extends WriterTotals {
  readonly kind: 'trades';
  readonly pair: string;
  /** Number of stretches in the sources that were out of order, and were sorted. */
  readonly reordered: number;
  /** Number of sources that were out of order as a whole; `reordered` counts each as one stretch. */
  readonly sorted: number;
  /**
   * Number of trades that were reordered within their millisecond. Their ids are not numbers, so sorting by id may have
   * replaced the true order.
   */
  readonly unordered: number;
  /** Trades of the recording whose id occurs more than once, at different times; `data check` lists them. */
  readonly storedDuplicates: number;
  /** Number of lines that belong to other pairs, and were ignored. */
  readonly skipped: number;
  /** Prints that exceed the limits of a known market; `undefined` without any. They are imported all the same. */
  readonly beyondFilters: BeyondFilters | undefined;
  /** Steps of an inferred market whose prints show none; `undefined` without any. */
  readonly finerThanGrid: FinerThanGrid | undefined;
  /** Files of earlier imports that were broken off: until they are imported again, nobody opens the recording. */
  readonly owed: readonly ImportSource[];
  /** The last lines, as `file:line`, that have no line end and may have lost digits. They are imported all the same. */
  readonly withoutLineEnd: readonly string[];
  readonly market: RecordedMarket['source'];
}

/**
 * Imports trades of one pair into a recording. Lines may come in any order; lines in order of time need no extra
 * memory.
 *
 * A refused line stops the import. The trades before it stay in the recording, with their gaps and market. After a
 * crash the recording cannot be opened until an import succeeds (`unfinished-import.ts`).
 *
 * @throws UsageError with `file:line` for a line that is not a trade, and for a source without any trade of the pair.
 * The message states which trades were imported nevertheless.
 */
export async function importTrades(files: Files, options: ImportOptions): Promise<ImportResult> {
  const { directory, pair } = options;
  const folder = pairDirectory(directory, pair);
  await mustExist(files, options.sources);
  const known = await knownMarket(files, folder, options);
  const span = await IdSpan.of(files, directory, pair);
  const watch = new SourceWatch();
  const writer = await RecordingWriter.open(files, directory, pair, {
    onRepeat: (trade, known) => watch.repeated(trade, known),
  });
  const filters = new FilterWatch(known?.spec);
  const intake = new Intake(writer, watch, { pair, filters, span });
  const finish = async (end: ImportEnd) => {
    await addFaults(files, folder, watch.faults());
    const duplicates = await checkIds(files, directory, pair);
    const { market, finerThanGrid }: ChosenMarket =
      known === undefined ? await inferred(files, directory, pair) : { market: known };
    await writeMarket(files, folder, market);
    await endImport(files, folder, mark, end);
    return { storedDuplicates: duplicates, market, finerThanGrid };
  };
  const mark = await beginImport(files, folder, options.sources);
  try {
    for (const source of options.sources) await intake.read(files, source);
    await writer.close();
  } catch (error) {
    await writer.abandon();
    if (writer.totals.trades > 0) throw await afterSome(error, () => finish('part'), writer.totals);
    // An earlier import that died must stay marked as unfinished if this import fails before it writes anything.
    await endImport(files, folder, mark, 'nothing');
    throw error;
  }
  const faults = watch.faults();
  const { storedDuplicates, market, finerThanGrid } = await finish('all');
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
    finerThanGrid,
    owed: mark.owed,
    withoutLineEnd: intake.withoutLineEnd,
    market: market.source,
  };
}

/**
 * Completes the recording with the trades before a refused line, and adds to the error what was imported. Returns the
 * error unchanged, and leaves the recording marked as unfinished, when completing fails or when the error is not the
 * user's.
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
 * Writes the gaps that the ids prove, so that readers of the recording need not check every id, and not those that its
 * files show: a reader sees these for itself, and no longer once their days are there. Returns the number of trades whose
 * id also belongs to another trade.
 */
async function checkIds(files: Files, directory: string, pair: string): Promise<number> {
  const found = await findRecording(files, [directory], pair);
  const { gaps, contiguousIds, storedDuplicates } = await checkRecording(files, found);
  const lasting = gaps.filter(({ evidence }) => evidence !== 'files');
  if (contiguousIds) await writeGaps(files, pairDirectory(directory, pair), lasting);
  return storedDuplicates;
}

/** Infers a market from all prints of the recording, including those of earlier imports. */
async function inferred(files: Files, directory: string, pair: string): Promise<ChosenMarket> {
  const guess = new MarketGuess();
  const { days } = await findRecording(files, [directory], pair);
  for await (const { count, price, quantity } of readChunks(files, days, EVERYTHING)) {
    for (let row = 0; row < count; row++) guess.add(price[row] as number, quantity[row] as number);
  }
  return inferredMarket(guess, pair);
}

class Intake {
  skipped = 0;
  readonly withoutLineEnd: string[] = [];
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
    for await (const { first, lines, torn } of readLines(files, source)) {
      for (let i = 0; i < lines.length; i++) {
        const line = bareLine(lines[i] as string);
        if (line === '' || line === header) continue;
        const where = `${source}:${first + i}`;
        if (parser === undefined) {
          parser = tradeParser(where, line, this.#pair);
          if (parser.headed) {
            header = line;
            continue;
          }
        }
        const trade = parser.parse(where, line);
        if (trade instanceof OtherPair) {
          this.skipped += 1;
          otherPair ??= trade.pair;
          continue;
        }
        this.#add(where, trade);
        this.#filters.next(where, trade.price, trade.quantity);
        taken += 1;
        if (torn && mayBeCutOff(line)) this.withoutLineEnd.push(where);
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

export async function mustExist(files: Files, sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    const entry = await files.stat(source);
    if (entry?.kind !== 'file') {
      throw dataError(`${source} must be a file, received ${entry?.kind ?? 'nothing there'}`);
    }
  }
}

/**
 * A line without surrounding blanks and without a byte order mark, which `trim` also removes. Concatenated files have
 * byte order marks, and headers, in the middle.
 */
export function bareLine(line: string): string {
  return line.trim();
}

export function dataError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_DATA', message);
}
