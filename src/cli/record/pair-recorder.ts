import type { PublicClient } from '../../client/client.js';
import type { VenueProfile } from '../../client/profile.js';
import { concatMap, EMPTY, from, type Observable } from 'rxjs';
import { poll } from '../../market-data/poller.js';
import { printBound } from '../../market-data/print-bound.js';
import { TradeWalker, type Walk } from '../../market-data/trade-walker.js';
import type { Market } from '../../model/market.js';
import type { Trade } from '../../model/trade.js';
import { isDiskFull } from '../../storage/disk-full.js';
import { dayOf } from '../../storage/rows/day.js';
import { dayPath, pairDirectory } from '../../storage/rows/layout.js';
import { RecordingWriter, type WriterTotals } from '../../storage/rows/recording-writer.js';
import { asTold } from '../../storage/rows/trade-identity.js';
import type { Machine } from '../machine.js';
import { carryOn, type RecordingEnd } from './carry-on.js';
import { TapeWarnings } from './tape-warnings.js';

/** What a recorder needs of the machine. */
export type RecorderMachine = Pick<Machine, 'clock' | 'timers' | 'files' | 'log'>;

export interface PairRecorderOptions {
  readonly machine: RecorderMachine;
  readonly connection: {
    readonly api: Pick<PublicClient, 'trades' | 'clock'>;
    readonly profile: Pick<VenueProfile, 'clock' | 'maxLimit' | 'tradeIds' | 'visibilityLagMs'>;
  };
  readonly market: Market;
  /** Folder of recordings. */
  readonly directory: string;
}

/** What came and did not get into the recording: the disk was full to the end. */
export interface MissingTrades {
  readonly count: number;
  /** Time of the first of them, ms. */
  readonly since: number;
  /** That they would be in. */
  readonly file: string;
}

/** How far back a new recording begins, where the venue has it; one that is there is carried on from its end. */
const HISTORY_MS = 3_600_000;
/** Of one walk, however few a page has: they are in memory at once. */
const MOST_TRADES = 50_000;
/** How far a walk asks behind the newest trade it has, venue ms: less where ids count, and tell what is missing. */
const OVERLAP_MS = 2_000;
const COUNTED_OVERLAP_MS = 100;
/** A reader of a recording that grows sees a trade so much later, or this much where few come. */
const FLUSH_MS = 10_000;
const SLOW_FLUSH_MS = 60_000;
/** So that a batch is worth its header. What waits is in nobody's files, and is asked for again after a crash. */
const FULL_BATCH_ROWS = 512;

/** Longer than a poll and its retries take. */
const SILENT_MS = 10_000;

/** Follows the tape of one pair into a recording. */
export class PairRecorder {
  readonly pair: string;
  readonly #options: PairRecorderOptions;
  readonly #writer: RecordingWriter;
  readonly #walker: TradeWalker;
  readonly #overlapMs: number;
  /** What was there before; `undefined`: nothing. */
  readonly #end: RecordingEnd | undefined;
  /** Trades up to that end that came again. */
  #askedAgain = 0;
  #begun = false;
  #writing: Promise<void> = Promise.resolve();
  #flushedAt: number;
  readonly #openedAt: number;
  #diskIsFull = false;
  #answeredAt: number | undefined;
  #missing: MissingTrades | undefined;
  /** The newest trade so far; its id is none that comes again where ids count. */
  #newest: RecordingEnd | undefined;
  readonly #warnings: TapeWarnings;

  private constructor(options: PairRecorderOptions, writer: RecordingWriter) {
    const { connection, market, machine } = options;
    const { profile } = connection;
    this.pair = market.pair;
    this.#warnings = new TapeWarnings(machine.log, market.pair);
    this.#options = options;
    this.#writer = writer;
    const { lastId: id, lastTime: time } = writer;
    this.#end = id === undefined || time === undefined ? undefined : { id, time };
    this.#newest = this.#end;
    const isCounted = profile.tradeIds === 'contiguous' && profile.visibilityLagMs === 0;
    this.#overlapMs = Math.max(isCounted ? COUNTED_OVERLAP_MS : OVERLAP_MS, profile.visibilityLagMs);
    this.#openedAt = machine.clock.monotonic();
    this.#flushedAt = this.#openedAt;
    this.#walker = new TradeWalker({
      pair: market.pair,
      api: { trades: (query) => this.#page(query) },
      log: machine.log,
      limit: profile.maxLimit,
      contiguousIds: profile.tradeIds === 'contiguous',
      visibilityLagMs: profile.visibilityLagMs,
      maxPages: Math.ceil(MOST_TRADES / profile.maxLimit),
      overlapMs: this.#overlapMs,
    });
  }

  /** Opens the recording, or begins it. */
  static async open(options: PairRecorderOptions): Promise<PairRecorder> {
    const { machine, directory, market } = options;
    const writer = await RecordingWriter.open(machine.files, directory, market.pair, {
      onRepeat: ({ time }) => recorder.#hearOfRepeat(time),
      identity: asTold((first) => recorder.#warnings.otherwise(first)),
    });
    const recorder: PairRecorder = new PairRecorder(options, writer);
    return recorder;
  }

  /** What was asked for again, to see that nothing is missing, is no duplicate. */
  get totals(): WriterTotals {
    const { totals } = this.#writer;
    return { ...totals, duplicates: totals.duplicates - this.#askedAgain };
  }

  /** Why nothing comes in at the moment; `undefined` while it does. */
  get trouble(): string | undefined {
    if (this.#diskIsFull) return 'disk full, waiting for room';
    const { clock } = this.#options.machine;
    const silentMs = clock.monotonic() - (this.#answeredAt ?? this.#openedAt);
    return silentMs > SILENT_MS ? `no answer for ${Math.round(silentMs / 1_000)} s` : undefined;
  }

  /** Emits after each poll that was written. Errors when writing does, but for a full disk: then it waits. */
  run(everyMs: number): Observable<void> {
    const { clock, timers, log } = this.#options.machine;
    return poll({
      name: `trades ${this.pair}`,
      everyMs,
      minGapMs: everyMs / 10,
      timers,
      clock,
      log,
      read: () => this.#next(),
    }).pipe(concatMap((answer) => (answer.kind === 'answered' ? from(this.#write(answer.value)) : EMPTY)));
  }

  /** Known after `close`. */
  get missing(): MissingTrades | undefined {
    return this.#missing;
  }

  /** A disk that is still full is no error here: `missing` has what is not in the files. */
  async close(): Promise<void> {
    // Nobody listens to it any more; why it failed, the last write will say.
    await this.#writing.catch(() => undefined);
    try {
      await this.#writer.close();
    } catch (error) {
      // Of gaps alone, or of a sync that failed, the newest trade is all that is known.
      const since = this.#writer.waitingSince ?? this.#writer.lastTime;
      if (!isDiskFull(error) || since === undefined) throw error;
      const folder = pairDirectory(this.#options.directory, this.pair);
      this.#missing = { count: this.#writer.waiting, since, file: dayPath(folder, dayOf(since)) };
    }
  }

  /** Size of everything that is recorded of the pair. */
  async bytes(): Promise<number> {
    const { machine, directory } = this.#options;
    const entries = await machine.files.list(pairDirectory(directory, this.pair));
    return entries.filter(({ name }) => name.endsWith('.arrow')).reduce((sum, { size }) => sum + size, 0);
  }

  /** Nothing more is asked for while the disk has no room for what is there: the venue keeps it. */
  async #next(): Promise<Walk> {
    if (this.#diskIsFull) await this.#flush();
    if (this.#diskIsFull) throw new Error('the disk is full');
    return this.#read();
  }

  async #read(): Promise<Walk> {
    const { api, profile } = this.#options.connection;
    const latest = printBound(api.clock, {
      followed: profile.clock === 'follow',
      ask: () => this.#askTime(),
    });
    if (this.#begun) return this.#walker.walk({ latest });
    const end = this.#end;
    if (end !== undefined) this.#warnings.end(end, Math.floor(api.clock.now()));
    // As while it runs: a trade may show later than newer ones.
    const begin = end === undefined ? Math.floor(api.clock.now() - HISTORY_MS) : end.time - this.#overlapMs;
    const walk = await this.#walker.warmUp(Math.max(0, begin), { latest });
    const { events, isJoined } =
      end === undefined ? { events: walk.events, isJoined: true } : carryOn(walk.events, end);
    this.#begun = isJoined;
    return { ...walk, events };
  }

  /** A walk of many pages may take minutes: each tells that the venue answers. */
  async #page(query: Parameters<PublicClient['trades']>[0]) {
    const { api } = this.#options.connection;
    const page = await api.trades(query);
    this.#answeredAt = this.#options.machine.clock.monotonic();
    return page;
  }

  async #askTime(): Promise<boolean> {
    try {
      await this.#options.connection.api.clock.sync();
      return true;
    } catch {
      return false;
    }
  }

  #hearOfRepeat(time: number): void {
    if (this.#end !== undefined && time <= this.#end.time) this.#askedAgain += 1;
  }

  #write(walk: Walk): Promise<void> {
    this.#writing = this.#take(walk);
    return this.#writing;
  }

  async #take({ events }: Walk): Promise<void> {
    const { clock } = this.#options.machine;
    for (const event of events) {
      if (event.kind === 'gap') this.#writer.gap(event.gap);
      else this.#add(event.trade);
      if (this.#writer.isFull && !this.#diskIsFull) await this.#unlessFull(() => this.#writer.settle());
    }
    const waitedMs = clock.monotonic() - this.#flushedAt;
    if (waitedMs < FLUSH_MS || (waitedMs < SLOW_FLUSH_MS && this.#writer.waiting < FULL_BATCH_ROWS)) return;
    await this.#flush();
  }

  #add(trade: Trade): void {
    const newest = this.#newest;
    if (newest !== undefined && this.#options.connection.profile.tradeIds === 'contiguous') {
      this.#warnings.next(trade, newest);
    }
    if (newest === undefined || trade.time >= newest.time) this.#newest = trade;
    this.#writer.add(trade);
  }

  async #flush(): Promise<void> {
    this.#flushedAt = this.#options.machine.clock.monotonic();
    await this.#unlessFull(() => this.#writer.flush());
  }

  async #unlessFull(write: () => Promise<void>): Promise<void> {
    const { log } = this.#options.machine;
    try {
      await write();
      if (this.#diskIsFull) log.info('the disk has room again', { pair: this.pair });
      this.#diskIsFull = false;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      if (!this.#diskIsFull) {
        log.warn('the disk is full: what came waits in memory, and nothing more is asked for', {
          pair: this.pair,
          trades: this.#writer.waiting,
        });
      }
      this.#diskIsFull = true;
    }
  }
}
