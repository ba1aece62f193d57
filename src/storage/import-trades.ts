import { UsageError } from '../model/errors.js';
import type { MarketSpec } from '../model/market.js';
import type { Trade } from '../model/trade.js';
import type { Files } from '../ports/files.js';
import { MarketGuess } from './infer-market.js';
import { pairDirectory } from './layout.js';
import { type RecordedMarket, readMarket, writeMarket } from './market-file.js';
import { EVERYTHING, findRecording, readChunks } from './recording.js';
import { RecordingWriter, type WriterTotals } from './recording-writer.js';
import { readLines } from './text-file.js';
import { csvParser, type ParseLine, parseJsonLine } from './trade-parser.js';

export interface ImportOptions {
  /** CSV or NDJSON files, plain or gzip. */
  readonly sources: readonly string[];
  /** The folder of recordings to write into; the pair gets a folder inside it. */
  readonly directory: string;
  readonly pair: string;
  /** Absent: the recording's own, else the catalogue's, else inferred from the prints. */
  readonly market?: RecordedMarket | undefined;
}

export interface ImportResult extends WriterTotals {
  readonly pair: string;
  /** Lines of other pairs, passed over. */
  readonly skipped: number;
  readonly market: RecordedMarket['source'];
}

/**
 * Brings trades of one pair into a recording. Lines may come in any order; in order of time they cost no memory.
 *
 * @throws UsageError with `file:line` for a line that is no trade, and when a source has no trade of the pair.
 */
export async function importTrades(files: Files, options: ImportOptions): Promise<ImportResult> {
  const { directory, pair } = options;
  const folder = pairDirectory(directory, pair);
  await mustExist(files, options.sources);
  const known = options.market ?? (await keptMarket(files, folder));
  const writer = await RecordingWriter.open(files, directory, pair);
  const intake = new Intake(writer, pair);
  try {
    for (const source of options.sources) await intake.read(files, source);
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  await writer.close();
  const market: RecordedMarket = known ?? {
    spec: await inferred(files, directory, pair),
    source: 'inferred',
  };
  await writeMarket(files, folder, market);
  return { pair, ...writer.totals, skipped: intake.skipped, market: market.source };
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
  readonly #pair: string;

  constructor(writer: RecordingWriter, pair: string) {
    this.#writer = writer;
    this.#pair = pair;
  }

  async read(files: Files, source: string): Promise<void> {
    let parse: ParseLine | undefined;
    let taken = 0;
    let otherPair: string | undefined;
    for await (const { first, lines } of readLines(files, source)) {
      for (let i = 0; i < lines.length; i++) {
        const line = i === 0 && first === 1 ? withoutMark(lines[i] as string) : (lines[i] as string);
        if (line === '') continue;
        const where = `${source}:${first + i}`;
        if (parse === undefined) {
          parse = line.startsWith('{') ? parseJsonLine : csvParser(where, line);
          if (parse !== parseJsonLine) continue;
        }
        const { trade, pair } = parse(where, line);
        if (pair !== undefined && pair !== this.#pair) {
          this.skipped += 1;
          otherPair ??= pair;
          continue;
        }
        this.#add(where, trade);
        taken += 1;
        if (this.#writer.isFull) await this.#writer.settle();
      }
    }
    if (taken === 0)
      throw dataError(`${source} must hold trades of ${this.#pair}, received ${otherPair ?? 'no trade'}`);
  }

  #add(where: string, trade: Trade): void {
    try {
      this.#writer.add(trade);
    } catch (cause) {
      if (cause instanceof UsageError) throw dataError(`${where}: ${cause.message}`);
      throw cause;
    }
  }
}

/** What is known already stays; what was only inferred is inferred again, from the new prints. */
async function keptMarket(files: Files, folder: string): Promise<RecordedMarket | undefined> {
  const market = await readMarket(files, folder);
  return market?.source === 'inferred' ? undefined : market;
}

async function mustExist(files: Files, sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    const entry = await files.stat(source);
    if (entry?.kind !== 'file') {
      throw dataError(`${source} must be a file, received ${entry?.kind ?? 'nothing there'}`);
    }
  }
}

/** Without the byte order mark that some programs put before UTF-8. */
function withoutMark(line: string): string {
  return line.startsWith('\ufeff') ? line.slice(1) : line;
}

function dataError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_DATA', message);
}
