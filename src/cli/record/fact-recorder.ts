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
  /** The folder of recordings. */
  readonly directory: string;
  /** Interval between the starts of two polls, ms. */
  readonly tickerMs: number;
  /** Number of order book levels per side; 0: the book is not recorded. */
  readonly depthLevels: number;
}

/** Filters, fees and funding rules change a few times a year. */
const MARKETS_MS = 60_000;
/** Books are stamped with an estimate of the venue's clock, which this interval keeps accurate. */
const TIME_MS = 60_000;
const FLUSH_MS = 30_000;
/** A ticker's own time is used if it differs from the venue's clock by no more than this. */
const MOST_CLOCK_ERROR_MS = 60_000;

interface PairFacts {
  readonly writer: FactWriter;
  readonly funding: FundingWatch;
  /** Number of rows that this run has taken. */
  totals: FactCounts;
  /** Number of these rows that a full disk kept out of the files. */
  missing: FactCounts;
}

const NONE: FactCounts = { markets: 0, tickers: 0, funding: 0, depths: 0 };

/**
 * Records what the venue publishes besides trades, for all pairs: markets when they change, tickers, funding that was
 * paid, and the book. None of it can be requested later, so what an outage hides stays unknown.
 */
export class FactRecorder {
  readonly #options: FactRecorderOptions;
  readonly #pairs: ReadonlyMap<string, PairFacts>;
  #flushedAt: number;
  #flushing: Promise<void> | undefined;
  #diskIsFull = false;
  /** An answer that comes after `close` is in no file, and counts nowhere. */
  #isClosed = false;
  #saidAhead = false;

  private constructor(options: FactRecorderOptions, pairs: ReadonlyMap<string, PairFacts>) {
    this.#options = options;
    this.#pairs = pairs;
    this.#flushedAt = options.machine.clock.monotonic();
  }

  /** Opens the recordings, and reads the markets once, because a recording is of little use without them. */
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

  /** Rows that are missing in the files; known after `close`. */
  missing(pair: string): FactCounts {
    return this.#of(pair).missing;
  }

  /** Emits after each poll. Fails on an error of writing, except for a full disk, which it waits out. */
  run(): Observable<void> {
    const { pairs, tickerMs, depthLevels } = this.#options;
    const depths = depthLevels === 0 ? [] : pairs;
    return merge(
      this.#poll('time', TIME_MS, TIME_MS, () => this.#askTime()),
      this.#poll('pairs', MARKETS_MS, MARKETS_MS, () => this.#readMarkets()),
      this.#poll('ticker', tickerMs, 0, () => this.#readTickers()),
      // Spread over the interval, so that not all books are requested at the same time.
      ...depths.map((pair, index) =>
        this.#poll(`depth ${pair}`, tickerMs, (tickerMs * (index + 0.5)) / pairs.length, () =>
          this.#readDepth(pair),
        ),
      ),
    );
  }

  /**
   * Closes the recordings of all pairs, even if one of them fails. A disk that is still full is not an error here, see
   * `missing`.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#flushing?.catch(() => undefined);
    const ends = await Promise.allSettled([...this.#pairs.values()].map((facts) => closeOne(facts)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #poll(name: string, everyMs: number, firstAfterMs: number, read: () => Promise<void>): Observable<void> {
    const { clock, timers, log } = this.#options.machine;
    const question = async () => {
      // Reads nothing while there is no room to write it, so that memory stays bounded.
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

  /**
   * Synchronises the estimate of the venue's clock, so that a change of our clock does not enter the rows. A venue
   * without a time endpoint is assumed to have our time.
   */
  async #askTime(): Promise<void> {
    await this.#options.connection.api.clock.sync().catch(() => undefined);
  }

  async #readMarkets(): Promise<void> {
    const { connection } = this.#options;
    const markets = await connection.api.markets();
    if (this.#isClosed) return;
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
    if (this.#isClosed) return;
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
    if (this.#isClosed) return;
    const facts = this.#of(pair);
    const levels = (side: typeof bids) =>
      side.slice(0, depthLevels).map(({ price, quantity }) => [price, quantity] as const);
    // Stamped with the time of its receipt: with an earlier time, a backtest would know about trades that were still to
    // come.
    const row = { kind: 'depth', time: this.#venueNow(), bids: levels(bids), asks: levels(asks) } as const;
    if (facts.writer.depth(row)) this.#count(facts, 'depths');
  }

  /**
   * Warns once about a ticker from the future, left by a clock that was ahead: rows until then are not newer, and so
   * are dropped.
   */
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

  /** Writes once at a time; concurrent callers share the write. */
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
  // 0 means that this side of the book is empty.
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
