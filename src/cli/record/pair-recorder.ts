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

/** The ports of the machine that a recorder uses. */
export type RecorderMachine = Pick<Machine, 'clock' | 'timers' | 'files' | 'log'>;

export interface PairRecorderOptions {
  readonly machine: RecorderMachine;
  readonly connection: {
    readonly api: Pick<PublicClient, 'trades' | 'clock'>;
    readonly profile: Pick<VenueProfile, 'clock' | 'maxLimit' | 'tradeIds' | 'visibilityLagMs'>;
  };
  readonly market: Market;
  /** The folder of recordings. */
  readonly directory: string;
}

/** Trades that were received but not recorded, because the disk stayed full. */
export interface MissingTrades {
  readonly count: number;
  /** Time of the first of these trades, ms. */
  readonly since: number;
  /** The file that they belong to. */
  readonly file: string;
}

/** The venue tells nothing of the pair, or is not asked, for longer than a poll should take. */
export interface Silence {
  /** How long ago it answered last, ms. */
  readonly forMs: number;
  /** Why the newest poll failed; `undefined` while the first one is under way. */
  readonly reason: string | undefined;
  /** It is not asked, because there is no room for its answers. */
  readonly isByDisk: boolean;
}

/** How far back a new recording begins, if the venue has the trades, ms. An existing one is continued from its end. */
const HISTORY_MS = 3_600_000;
/** The most trades of one walk, whatever the page size, because they are in memory at once. */
const MOST_TRADES = 50_000;
/**
 * How far a walk asks back behind the newest known trade, venue ms. Less is enough if ids are contiguous, and so show
 * gaps.
 */
const OVERLAP_MS = 2_000;
const COUNTED_OVERLAP_MS = 100;
/** How long a trade may wait until readers of the growing recording see it; the longer one if there are few trades. */
const FLUSH_MS = 10_000;
const SLOW_FLUSH_MS = 60_000;
/** Rows that make a batch worth its header. Waiting rows are in no file, so they are requested again after a crash. */
const FULL_BATCH_ROWS = 512;

/** Longer than a poll with its retries takes, ms. It begins when a poll is due. */
const SILENT_MS = 10_000;

/** Records the trades of one pair continuously. */
export class PairRecorder {
  readonly pair: string;
  readonly #options: PairRecorderOptions;
  readonly #writer: RecordingWriter;
  readonly #walker: TradeWalker;
  readonly #overlapMs: number;
  /** The end of the recording before this run; `undefined` if there was none. */
  readonly #end: RecordingEnd | undefined;
  /** Number of trades up to that end that were received again. */
  #askedAgain = 0;
  #begun = false;
  #writing: Promise<void> = Promise.resolve();
  #flushedAt: number;
  readonly #openedAt: number;
  #diskIsFull = false;
  #answeredAt: number | undefined;
  /** The beginning of `close`; `undefined` before. */
  #endedAt: number | undefined;
  /** 0 before `run`. */
  #everyMs = 0;
  #failure: string | undefined;
  #missing: MissingTrades | undefined;
  /** The newest trade so far. If ids are contiguous, its id is that of a trade that was not received again. */
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

  /** Opens or begins the recording. */
  static async open(options: PairRecorderOptions): Promise<PairRecorder> {
    const { machine, directory, market } = options;
    const writer = await RecordingWriter.open(machine.files, directory, market.pair, {
      onRepeat: ({ time }) => recorder.#hearOfRepeat(time),
      identity: asTold((first) => recorder.#warnings.otherwise(first)),
    });
    const recorder: PairRecorder = new PairRecorder(options, writer);
    return recorder;
  }

  /** Totals without the trades that were requested again on purpose, which are no duplicates of the feed. */
  get totals(): WriterTotals {
    const { totals } = this.#writer;
    return { ...totals, duplicates: totals.duplicates - this.#askedAgain };
  }

  /** Why nothing is being received; `undefined` while trades come in. */
  get trouble(): string | undefined {
    if (this.#diskIsFull) return 'disk full, waiting for room';
    const { silence } = this;
    return silence === undefined ? undefined : `no answer for ${Math.round(silence.forMs / 1_000)} s`;
  }

  /**
   * `undefined` while the venue answers. A full disk is silence, too, since nothing is requested then. From `close` on it
   * stays what it was, however long the files take.
   */
  get silence(): Silence | undefined {
    const until = this.#endedAt ?? this.#options.machine.clock.monotonic();
    const forMs = until - (this.#answeredAt ?? this.#openedAt);
    if (forMs <= this.#everyMs + SILENT_MS) return undefined;
    return { forMs, reason: this.#failure, isByDisk: this.#diskIsFull };
  }

  /**
   * Emits after each poll that was written. Fails on an error of writing, except for a full disk, which it waits out.
   */
  run(everyMs: number): Observable<void> {
    const { clock, timers, log } = this.#options.machine;
    this.#everyMs = everyMs;
    return poll({
      name: `trades ${this.pair}`,
      everyMs,
      minGapMs: everyMs / 10,
      timers,
      clock,
      log,
      read: () => this.#next(),
    }).pipe(
      concatMap((answer) => {
        this.#failure = answer.kind === 'failed' ? String(answer.error) : undefined;
        return answer.kind === 'answered' ? from(this.#write(answer.value)) : EMPTY;
      }),
    );
  }

  /** Trades that are missing in the files; known after `close`. */
  get missing(): MissingTrades | undefined {
    return this.#missing;
  }

  /** Closes the recording. A disk that is still full is not an error here, see `missing`. */
  async close(): Promise<void> {
    this.#endedAt = this.#options.machine.clock.monotonic();
    // Nobody else handles this write any longer, and the last write will report why it failed.
    await this.#writing.catch(() => undefined);
    try {
      await this.#writer.close();
    } catch (error) {
      // If only gaps are missing, or the sync failed, the newest trade is the best known time.
      const since = this.#writer.waitingSince ?? this.#writer.lastTime;
      if (!isDiskFull(error) || since === undefined) throw error;
      const folder = pairDirectory(this.#options.directory, this.pair);
      this.#missing = { count: this.#writer.waiting, since, file: dayPath(folder, dayOf(since)) };
    }
  }

  /** Size of all recorded data of the pair, bytes. */
  async bytes(): Promise<number> {
    const { machine, directory } = this.#options;
    const entries = await machine.files.list(pairDirectory(directory, this.pair));
    return entries.filter(({ name }) => name.endsWith('.arrow')).reduce((sum, { size }) => sum + size, 0);
  }

  /** Requests nothing while the disk is full: the venue keeps the trades meanwhile. */
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
    const covered = this.#covered();
    if (this.#begun) return this.#walker.walk({ latest, covered });
    const end = this.#end;
    if (end !== undefined) this.#warnings.end(end, Math.floor(api.clock.now()));
    // Reaches back as far as while running, because a trade may appear later than newer ones.
    const begin = end === undefined ? Math.floor(api.clock.now() - HISTORY_MS) : end.time - this.#overlapMs;
    const walk = await this.#walker.warmUp(Math.max(0, begin), { latest, covered });
    const { events, isJoined } =
      end === undefined ? { events: walk.events, isJoined: true } : carryOn(walk.events, end);
    this.#begun = isJoined;
    return { ...walk, events };
  }

  /**
   * Venue ms up to which every trade is visible; `undefined` where it is not known: before the venue told its time, and by
   * a clock that is known only as of its last answer.
   */
  #covered(): number | undefined {
    const { api, profile } = this.#options.connection;
    const reached = api.clock.reached();
    if (profile.clock === 'follow' || reached === 0) return undefined;
    return Math.floor(reached - profile.visibilityLagMs);
  }

  /** Reads one page. Each page of a long walk counts as an answer of the venue, as the walk may take minutes. */
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
