import type { PublicClient } from '../../client/client.js';
import { concatMap, EMPTY, from, merge, type Observable } from 'rxjs';
import { poll } from '../../market-data/poller.js';
import type { TickerRecord } from '../../model/venue-records.js';
import { isDiskFull } from '../../storage/disk-full.js';
import type { TickerRow } from '../../storage/facts/fact-table.js';
import { type FactCounts, FactWriter } from '../../storage/facts/fact-writer.js';
import { FundingWatch } from '../../storage/facts/funding-watch.js';
import { marketSpecOf } from '../../storage/market-spec.js';
import type { RecorderMachine } from './pair-recorder.js';

export interface FactRecorderOptions {
  readonly machine: RecorderMachine;
  readonly connection: {
    readonly api: Pick<PublicClient, 'markets' | 'tickers' | 'depth' | 'clock'>;
  };
  readonly pairs: readonly string[];
  /** Folder of recordings. */
  readonly directory: string;
  /** Start to start, ms. */
  readonly tickerMs: number;
  /** Levels of the book on each side; 0: the book is not recorded. */
  readonly depthLevels: number;
}

/** Filters, fees and funding rules change on some days of a year. */
const MARKETS_MS = 60_000;
/** Books are stamped by what is thought of the venue's clock: by then neither has run far from the other. */
const TIME_MS = 60_000;
const FLUSH_MS = 30_000;
/** A ticker's own time is believed when it is no further from the venue's clock. */
const MOST_CLOCK_ERROR_MS = 60_000;

interface PairFacts {
  readonly writer: FactWriter;
  readonly funding: FundingWatch;
  /** Rows that were taken in this run. */
  totals: FactCounts;
  /** Of these, those that a disk that was full to the end kept out of the files. */
  missing: FactCounts;
}

const NONE: FactCounts = { markets: 0, tickers: 0, funding: 0, depths: 0 };

/**
 * Records what the venue says besides trades, of all pairs: markets when they change, tickers, the funding that was
 * paid, and the book. Nobody can ask for it later: what an outage hides stays unknown.
 */
export class FactRecorder {
  readonly #options: FactRecorderOptions;
  readonly #pairs: ReadonlyMap<string, PairFacts>;
  #flushedAt: number;
  #flushing: Promise<void> | undefined;
  #diskIsFull = false;
  #saidAhead = false;

  private constructor(options: FactRecorderOptions, pairs: ReadonlyMap<string, PairFacts>) {
    this.#options = options;
    this.#pairs = pairs;
    this.#flushedAt = options.machine.clock.monotonic();
  }

  /** Opens the recordings, and asks for the markets once: without them a recording is worth little. */
  static async open(options: FactRecorderOptions): Promise<FactRecorder> {
    const { machine, directory } = options;
    const pairs = new Map<string, PairFacts>();
    for (const pair of options.pairs) {
      const writer = await FactWriter.open(machine.files, directory, pair);
      const funding = new FundingWatch(writer.newestTicker);
      pairs.set(pair, { writer, funding, totals: NONE, missing: NONE });
    }
    const recorder = new FactRecorder(options, pairs);
    await recorder.#askTime();
    await recorder.#readMarkets();
    await Promise.all([...pairs.values()].map(({ writer }) => writer.flush()));
    return recorder;
  }

  totals(pair: string): FactCounts {
    return this.#of(pair).totals;
  }

  /** Known after `close`. */
  missing(pair: string): FactCounts {
    return this.#of(pair).missing;
  }

  /** Emits after each poll. Errors when writing does, but for a full disk: then it waits. */
  run(): Observable<void> {
    const { pairs, tickerMs, depthLevels } = this.#options;
    const depths = depthLevels === 0 ? [] : pairs;
    return merge(
      this.#poll('time', TIME_MS, TIME_MS, () => this.#askTime()),
      this.#poll('pairs', MARKETS_MS, MARKETS_MS, () => this.#readMarkets()),
      this.#poll('ticker', tickerMs, 0, () => this.#readTickers()),
      // Spread over the interval, so that the answers of one second are not asked for all at once.
      ...depths.map((pair, index) =>
        this.#poll(`depth ${pair}`, tickerMs, (tickerMs * (index + 0.5)) / pairs.length, () =>
          this.#readDepth(pair),
        ),
      ),
    );
  }

  /** Each pair, whatever becomes of the others. A disk that is still full is no error here: `missing` counts. */
  async close(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
    const ends = await Promise.allSettled([...this.#pairs.values()].map((facts) => closeOne(facts)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #poll(name: string, everyMs: number, firstAfterMs: number, read: () => Promise<void>): Observable<void> {
    const { clock, timers, log } = this.#options.machine;
    const question = async () => {
      // Nothing more is taken into memory while there is no room to write it.
      if (this.#diskIsFull) await this.#flush();
      if (this.#diskIsFull) throw new Error('the disk is full');
      await read();
    };
    return poll({
      name,
      everyMs,
      minGapMs: everyMs / 10,
      firstAfterMs,
      timers,
      clock,
      log,
      read: question,
    }).pipe(concatMap((answer) => (answer.kind === 'answered' ? from(this.#flushWhenDue()) : EMPTY)));
  }

  /** A clock of ours that is set, or is wrong, must not be in the rows. A venue that does not tell its time is believed to have ours. */
  async #askTime(): Promise<void> {
    await this.#options.connection.api.clock.sync().catch(() => undefined);
  }

  async #readMarkets(): Promise<void> {
    const { connection } = this.#options;
    const markets = await connection.api.markets();
    const now = this.#venueNow();
    for (const [pair, facts] of this.#pairs) {
      const market = markets.get(pair);
      if (market !== undefined && facts.writer.market(now, marketSpecOf(market)))
        this.#count(facts, 'markets');
    }
  }

  async #readTickers(): Promise<void> {
    const { connection, pairs } = this.#options;
    const [only, ...others] = pairs;
    const tickers = await connection.api.tickers(others.length === 0 ? only : undefined);
    const now = this.#venueNow();
    for (const [pair, facts] of this.#pairs) {
      const record = tickers.get(pair);
      if (record === undefined) continue;
      const row = tickerRow(record, now);
      const { newestTicker } = facts.writer;
      if (!facts.writer.ticker(row)) {
        this.#sayAhead(pair, newestTicker, row.ticker.time);
        continue;
      }
      this.#count(facts, 'tickers');
      const paid = facts.funding.next(row);
      if (paid !== undefined && facts.writer.funding(paid)) this.#count(facts, 'funding');
    }
  }

  async #readDepth(pair: string): Promise<void> {
    const { connection, depthLevels } = this.#options;
    const { bids, asks } = await connection.api.depth(pair, depthLevels);
    const facts = this.#of(pair);
    const levels = (side: typeof bids) =>
      side.slice(0, depthLevels).map(({ price, quantity }) => [price, quantity] as const);
    // Stamped when it was here: a book that is known too early would tell of trades to come.
    const row = { kind: 'depth', time: this.#venueNow(), bids: levels(bids), asks: levels(asks) } as const;
    if (facts.writer.depth(row)) this.#count(facts, 'depths');
  }

  /** Left by a clock that was ahead: what is seen until then would stand below it. */
  #sayAhead(pair: string, newest: TickerRow | undefined, now: number): void {
    const until = newest?.ticker.time ?? now;
    if (this.#saidAhead || until - now <= MOST_CLOCK_ERROR_MS) return;
    this.#saidAhead = true;
    const { log } = this.#options.machine;
    log.warn('the recording has a ticker of a time to come: none is taken before that', { pair, until, now });
  }

  async #flushWhenDue(): Promise<void> {
    const { clock } = this.#options.machine;
    if (clock.monotonic() - this.#flushedAt < FLUSH_MS) return;
    this.#flushedAt = clock.monotonic();
    await this.#flush();
  }

  /** One at a time, whoever asks. */
  #flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const { log } = this.#options.machine;
    try {
      for (const { writer } of this.#pairs.values()) await writer.flush();
      if (this.#diskIsFull) log.info('the disk has room again for market facts');
      this.#diskIsFull = false;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      if (!this.#diskIsFull) log.warn('the disk is full: no market facts are taken until there is room');
      this.#diskIsFull = true;
    }
  }

  #venueNow(): number {
    return Math.floor(this.#options.connection.api.clock.now());
  }

  #count(facts: PairFacts, name: keyof FactCounts): void {
    facts.totals = { ...facts.totals, [name]: facts.totals[name] + 1 };
  }

  #of(pair: string): PairFacts {
    return this.#pairs.get(pair) as PairFacts;
  }
}

async function closeOne(facts: PairFacts): Promise<void> {
  try {
    await facts.writer.close();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    facts.missing = facts.writer.waiting;
  }
}

function tickerRow(record: TickerRecord, now: number): TickerRow {
  // An empty side of the book shows as 0.
  const positive = (value: number | undefined) => (value !== undefined && value > 0 ? value : undefined);
  const { closeTime } = record;
  const isPlausible = closeTime !== undefined && Math.abs(closeTime - now) <= MOST_CLOCK_ERROR_MS;
  return {
    ticker: {
      time: isPlausible ? Math.floor(closeTime) : now,
      lastPrice: positive(record.lastPrice),
      markPrice: positive(record.markPrice),
      indexPrice: positive(record.indexPrice),
      bidPrice: positive(record.bidPrice),
      bidQuantity: positive(record.bidQuantity),
      askPrice: positive(record.askPrice),
      askQuantity: positive(record.askQuantity),
    },
    fundingRate: record.fundingRate,
    nextFundingTime: record.nextFundingTime,
  };
}
