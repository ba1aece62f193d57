import { concatMap, EMPTY, from, type Observable } from 'rxjs';
import { poll } from '../../market-data/poller.js';
import { TradeWalker, type Walk } from '../../market-data/trade-walker.js';
import type { Market } from '../../model/market.js';
import { pairDirectory } from '../../storage/layout.js';
import { writeMarket } from '../../storage/market-file.js';
import { marketSpecOf } from '../../storage/market-spec.js';
import { RecordingWriter, type WriterTotals } from '../../storage/recording-writer.js';
import type { Machine } from '../machine.js';
import type { Connection } from './connection.js';

export interface PairRecorderOptions {
  readonly machine: Machine;
  readonly connection: Connection;
  readonly market: Market;
  /** Folder of recordings. */
  readonly directory: string;
}

/** How far back a new recording begins, where the venue has it; one that is there is carried on from its end. */
const HISTORY_MS = 3_600_000;
/** Of one walk: some fifty thousand trades. */
const MOST_PAGES = 50;
const FLUSH_MS = 10_000;

/** Follows the tape of one pair into a recording. */
export class PairRecorder {
  readonly pair: string;
  readonly #options: PairRecorderOptions;
  readonly #writer: RecordingWriter;
  readonly #walker: TradeWalker;
  #begun = false;
  #flushedAt: number;

  private constructor(options: PairRecorderOptions, writer: RecordingWriter) {
    const { connection, market, machine } = options;
    const { api, profile } = connection;
    this.pair = market.pair;
    this.#options = options;
    this.#writer = writer;
    this.#flushedAt = machine.clock.monotonic();
    this.#walker = new TradeWalker({
      pair: market.pair,
      api,
      log: machine.log,
      limit: profile.maxLimit,
      contiguousIds: profile.tradeIds === 'contiguous',
      visibilityLagMs: profile.visibilityLagMs,
      maxPages: MOST_PAGES,
    });
  }

  /** Opens the recording, or begins it, and writes down the market's facts. */
  static async open(options: PairRecorderOptions): Promise<PairRecorder> {
    const { machine, directory, market } = options;
    const writer = await RecordingWriter.open(machine.files, directory, market.pair);
    await writeMarket(machine.files, pairDirectory(directory, market.pair), {
      spec: marketSpecOf(market),
      source: 'given',
    });
    return new PairRecorder(options, writer);
  }

  get totals(): WriterTotals {
    return this.#writer.totals;
  }

  /** Emits after each poll that was written. Errors only when writing does. */
  run(everyMs: number): Observable<void> {
    const { clock, timers, log } = this.#options.machine;
    return poll({
      name: `trades ${this.pair}`,
      everyMs,
      minGapMs: everyMs / 10,
      timers,
      clock,
      log,
      read: () => this.#read(),
    }).pipe(concatMap((answer) => (answer.kind === 'answered' ? from(this.#write(answer.value)) : EMPTY)));
  }

  async close(): Promise<void> {
    await this.#writer.close();
  }

  /** Size of everything that is recorded of the pair. */
  async bytes(): Promise<number> {
    const { machine, directory } = this.#options;
    const entries = await machine.files.list(pairDirectory(directory, this.pair));
    return entries.filter(({ name }) => name.endsWith('.arrow')).reduce((sum, { size }) => sum + size, 0);
  }

  async #read(): Promise<Walk> {
    if (this.#begun) return this.#walker.walk();
    const end = this.#writer.lastTime;
    const begin = end ?? Math.floor(this.#options.connection.api.clock.now() - HISTORY_MS);
    const walk = await this.#walker.warmUp(begin);
    this.#begun = true;
    return end === undefined ? walk : { ...walk, events: [...this.#unreached(end, walk), ...walk.events] };
  }

  /** What lies between the recording's end and the oldest trade that one walk could reach is missing. */
  #unreached(end: number, { events, pages }: Walk): Walk['events'] {
    const oldest = events.find((event) => event.kind === 'trade')?.trade.time;
    if (pages < MOST_PAGES || oldest === undefined || oldest <= end) return [];
    return [{ kind: 'gap', gap: { from: end, to: oldest, missing: undefined } }];
  }

  async #write({ events }: Walk): Promise<void> {
    const { clock } = this.#options.machine;
    for (const event of events) {
      if (event.kind === 'gap') await this.#writer.gap(event.gap);
      else this.#writer.add(event.trade);
      if (this.#writer.isFull) await this.#writer.settle();
    }
    if (clock.monotonic() - this.#flushedAt < FLUSH_MS) return;
    this.#flushedAt = clock.monotonic();
    await this.#writer.flush();
  }
}
