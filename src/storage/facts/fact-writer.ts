import { defineMarket, type MarketSpec } from '../../model/market.js';
import type { AppendFile, Files } from '../../ports/files.js';
import { FactAppender } from './fact-appender.js';
import { type DepthRow, depthTable, type TickerRow, tickerTable } from './fact-table.js';
import { factDays } from './facts.js';
import { marketSpecOf } from '../market-spec.js';
import { fundingPath, marketHistoryPath, pairDirectory } from '../rows/layout.js';
import { appendLine, openLines } from '../rows/line-file.js';
import { writeMarket } from '../rows/market-file.js';
import { type DatedRate, readFundingHistory, readMarketHistory } from './rare-facts.js';

/** Number of rows of each kind. */
export interface FactCounts {
  readonly markets: number;
  readonly tickers: number;
  readonly funding: number;
  readonly depths: number;
}

/**
 * Writes what the recorder sees of one pair besides trades. Rows wait in memory until `flush` writes them to the files;
 * rows that cannot be written wait for the next flush.
 */
export class FactWriter {
  readonly #files: Files;
  readonly #folder: string;
  readonly #ticker: FactAppender<TickerRow>;
  readonly #depth: FactAppender<DepthRow>;
  #markets: { readonly time: number; readonly spec: MarketSpec }[] = [];
  #funding: DatedRate[] = [];
  /** `textOf` the market that was recorded last. */
  #marketText: string | undefined;
  #fundedUntil: number;
  #marketFile: AppendFile | undefined;
  #fundingFile: AppendFile | undefined;

  private constructor(
    files: Files,
    folder: string,
    found: {
      readonly ticker: FactAppender<TickerRow>;
      readonly depth: FactAppender<DepthRow>;
      readonly spec: MarketSpec | undefined;
      readonly fundedUntil: number;
    },
  ) {
    this.#files = files;
    this.#folder = folder;
    this.#ticker = found.ticker;
    this.#depth = found.depth;
    this.#marketText = found.spec === undefined ? undefined : textOf(found.spec);
    this.#fundedUntil = found.fundedUntil;
  }

  /** Opens the recording of a pair inside `directory`; creates it if it does not exist. */
  static async open(files: Files, directory: string, pair: string): Promise<FactWriter> {
    const folder = pairDirectory(directory, pair);
    await files.makeDirectory(folder);
    const days = (table: 'ticker' | 'depth') => factDays(files, [folder], table);
    return new FactWriter(files, folder, {
      ticker: await FactAppender.open(files, folder, tickerTable(pair), await days('ticker')),
      depth: await FactAppender.open(files, folder, depthTable(pair), await days('depth')),
      spec: (await readMarketHistory(files, [folder])).at(-1)?.spec,
      fundedUntil: (await readFundingHistory(files, [folder])).at(-1)?.time ?? -Infinity,
    });
  }

  /** Takes the market as of `time`, venue ms. Returns false and drops it if it equals the one before. */
  market(time: number, spec: MarketSpec): boolean {
    const text = textOf(spec);
    if (text === this.#marketText) return false;
    this.#marketText = text;
    this.#markets.push({ time, spec });
    return true;
  }

  /** Takes a ticker. Returns false and drops it if it is not newer than the one before. */
  ticker(row: TickerRow): boolean {
    return this.#ticker.add(row);
  }

  /** The newest ticker, of this run or an earlier one; `undefined` without any. */
  get newestTicker(): TickerRow | undefined {
    return this.#ticker.newest;
  }

  depth(row: DepthRow): boolean {
    return this.#depth.add(row);
  }

  /**
   * Takes the rate, as plain decimal text, that was paid at `time`. Returns false and drops it if it is not newer than
   * the last.
   */
  funding(paid: DatedRate): boolean {
    if (paid.time <= this.#fundedUntil) return false;
    this.#fundedUntil = paid.time;
    this.#funding.push(paid);
    return true;
  }

  /** Number of rows of each kind that are not in the files yet. */
  get waiting(): FactCounts {
    return {
      markets: this.#markets.length,
      tickers: this.#ticker.waiting,
      funding: this.#funding.length,
      depths: this.#depth.waiting,
    };
  }

  async flush(): Promise<void> {
    await this.#flushMarkets();
    await this.#flushFunding();
    await this.#ticker.flush();
    await this.#depth.flush();
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.abandon();
    }
  }

  /** Closes the files without writing the waiting rows. */
  async abandon(): Promise<void> {
    await this.#ticker.abandon();
    await this.#depth.abandon();
    await this.#marketFile?.close();
    await this.#fundingFile?.close();
    this.#marketFile = undefined;
    this.#fundingFile = undefined;
  }

  async #flushMarkets(): Promise<void> {
    const newest = this.#markets.at(-1);
    if (newest === undefined) return;
    // First: the history decides whether a later run writes the market again, so what a crash leaves out is made good.
    await writeMarket(this.#files, this.#folder, { spec: newest.spec, source: 'given' });
    this.#marketFile ??= await openLines(this.#files, marketHistoryPath(this.#folder));
    while (this.#markets[0] !== undefined) {
      await appendLine(this.#marketFile, this.#markets[0]);
      this.#markets.shift();
    }
    await this.#marketFile.sync();
  }

  async #flushFunding(): Promise<void> {
    if (this.#funding.length === 0) return;
    this.#fundingFile ??= await openLines(this.#files, fundingPath(this.#folder));
    while (this.#funding[0] !== undefined) {
      await appendLine(this.#fundingFile, this.#funding[0]);
      this.#funding.shift();
    }
    await this.#fundingFile.sync();
  }
}

/** The same text for the same market, in whatever order and with whatever defaults its specification was written. */
function textOf(spec: MarketSpec): string {
  return JSON.stringify(marketSpecOf(defineMarket(spec)));
}
