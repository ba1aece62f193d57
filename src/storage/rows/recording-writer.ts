import { UsageError } from '../../model/errors.js';
import type { Trade, TradeGap } from '../../model/trade.js';
import type { AppendFile, Files } from '../../ports/files.js';
import { BATCH_ROWS } from './arrow-batch.js';
import { DayFile, mergeRows, readDay, replaceDay } from './day-file.js';
import { DAY_MS, dayOf } from './day.js';
import { appendGap, openGaps } from './gap-file.js';
import { dayPath, pairDirectory, parseDayFile, parseLeftover } from './layout.js';
import { TradeColumns } from './trade-columns.js';
import { BY_ID, type TradeIdentity } from './trade-identity.js';

const BUFFER_ROWS = 131_072;
const MOST_LATE_ROWS = 262_144;

export interface WriterOptions {
  /**
   * Called for each trade that arrived again. `known`: a file of its day existed before this writer began, and so perhaps
   * the trade.
   */
  readonly onRepeat?: (trade: { readonly id: string; readonly time: number }, known: boolean) => void;
  /** What makes two rows the same trade. Default: the id. */
  readonly identity?: TradeIdentity;
}

export interface WriterTotals {
  /** Rows that this writer has added to the recording. */
  readonly trades: number;
  /** Rows that the recording already had, or that arrived twice. */
  readonly duplicates: number;
  /** Rows that had to be inserted between rows that were already written. */
  readonly late: number;
  readonly gaps: number;
  /** Times of the first and the last of `trades`, ms; `undefined` when there are none. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Writes trades of one pair into day files that are sorted by (time, id), whatever the order of arrival. Rows wait in a
 * buffer and are appended in order. A row that comes too late for that is merged into its day, which is then replaced.
 *
 * `add` takes a trade, `settle` writes the rows that need not wait longer, `flush` writes everything. Writes are queued,
 * and trades may be added meanwhile. Rows of a failed write (full disk) keep waiting and can be written later. Memory is
 * bounded by the buffer, and by the size of a day when a day has to be replaced.
 */
export class RecordingWriter {
  readonly #files: Files;
  readonly #folder: string;
  readonly #pair: string;
  #buffer = new TradeColumns(BUFFER_ROWS);
  /**
   * Rows of the buffer by identity, built once an id arrives that is not the highest so far. While ids ascend none can
   * occur twice, and a lookup for each would cost more than all the rest.
   */
  #buffered: Map<string, number> | undefined;
  #highestId = '';
  #late = new TradeColumns(1_024);
  #open: DayFile | undefined;
  /** The newest row in a file. A row that sorts before it is late. */
  #last: TradeColumns | undefined;
  #gapFile: AppendFile | undefined;
  #gaps: TradeGap[] = [];
  /**
   * Queue of all writes. Rows that are being written are still in the buffer, so a second write at the same time would
   * write them again.
   */
  #writing: Promise<void> = Promise.resolve();
  readonly #options: WriterOptions;
  readonly #identity: TradeIdentity;
  #daysBefore: ReadonlySet<number> = new Set();
  #totals = { trades: 0, duplicates: 0, late: 0, gaps: 0, from: Infinity, to: -Infinity };

  private constructor(files: Files, folder: string, pair: string, options: WriterOptions) {
    this.#files = files;
    this.#options = options;
    this.#identity = options.identity ?? BY_ID;
    this.#folder = folder;
    this.#pair = pair;
  }

  /** Opens the recording of a pair inside `directory`, creates it if needed, and repairs what a crash left. */
  static async open(
    files: Files,
    directory: string,
    pair: string,
    options: WriterOptions = {},
  ): Promise<RecordingWriter> {
    const folder = pairDirectory(directory, pair);
    await files.makeDirectory(folder);
    const writer = new RecordingWriter(files, folder, pair, options);
    const entries = await files.list(folder);
    // Of facts and bars they are others' own.
    const leftovers = entries.filter(({ name }) => parseLeftover(name)?.kind === 'trades');
    for (const { path } of leftovers) await files.remove(path);
    const found = entries.map(({ name }) => parseDayFile(name));
    if (found.some((file) => file?.kind === 'bars')) {
      throw new UsageError(
        'TICKWRIGHT_E_RECORDING',
        `${folder} must be a recording of trades, received one of bars (--out names another folder)`,
      );
    }
    const days = found.flatMap((file) => (file?.kind === 'trades' ? [file.day] : []));
    writer.#daysBefore = new Set(days);
    // A day without rows, as a crash may leave it, does not tell where the recording ends: an earlier day does.
    for (const day of days.sort((a, b) => b - a)) {
      await writer.#open?.close();
      await writer.#openDay(day);
      if (writer.#last !== undefined) break;
    }
    return writer;
  }

  get totals(): WriterTotals {
    const { from, to, ...counts } = this.#totals;
    const some = counts.trades > 0;
    return { ...counts, from: some ? from : undefined, to: some ? to : undefined };
  }

  /** Time of the newest trade in a file, ms; `undefined` when there is none. */
  get lastTime(): number | undefined {
    return this.#last?.time[0];
  }

  /** Id of that trade; `undefined` when there is none. */
  get lastId(): string | undefined {
    return this.#last?.id(0);
  }

  /** Number of trades that are in no file yet. */
  get waiting(): number {
    return this.#buffer.count + this.#late.count;
  }

  /** Time of the oldest trade that is in no file yet, ms; `undefined` when there is none. */
  get waitingSince(): number | undefined {
    let oldest = Infinity;
    for (const { count, time } of [this.#buffer, this.#late]) {
      for (let row = 0; row < count; row++) oldest = Math.min(oldest, time[row] as number);
    }
    return oldest === Infinity ? undefined : oldest;
  }

  /** The buffer is full: call `settle` before adding more. */
  get isFull(): boolean {
    return this.#buffer.count >= BUFFER_ROWS;
  }

  /**
   * Takes a trade, which `settle` or `flush` writes to a file. Returns false for a trade that already waits: it is a
   * duplicate and is not taken.
   *
   * @throws an error of the trades' identity when the two have different facts.
   */
  add(trade: Trade): boolean {
    const { id } = trade;
    if (this.#buffered === undefined && isAbove(id, this.#highestId)) {
      this.#highestId = id;
    } else {
      this.#buffered ??= this.#rowsByKey(this.#buffer);
      const key = this.#identity.keyOf(id, trade.time);
      const twin = this.#buffered.get(key);
      if (twin !== undefined) {
        const first = this.#buffer.trade(twin);
        if (!sameTrade(first, trade)) this.#identity.differ(this.#pair, first, trade);
        this.#totals.duplicates += 1;
        this.#options.onRepeat?.(trade, false);
        return false;
      }
      this.#buffered.set(key, this.#buffer.count);
    }
    this.#buffer.push(trade);
    return true;
  }

  /** Notes a stretch that the feed could not get. It is written before the trades around it. */
  gap(gap: TradeGap): void {
    this.#gaps.push(gap);
    this.#totals.gaps += 1;
  }

  /** Writes the older half of the buffer. The newer half waits for rows that may belong between. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#writeGaps();
      await this.#write(this.#buffer.count >> 1);
      if (this.#late.count >= MOST_LATE_ROWS) await this.#mergeLate();
    });
  }

  /** Writes everything, and resolves once it would survive a power loss. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#flush();
      } finally {
        await this.#release();
      }
    });
  }

  /** Closes without writing the waiting rows. What was written stays, and a write under way is completed. */
  abandon(): Promise<void> {
    return this.#inTurn(() => this.#release());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }

  async #flush(): Promise<void> {
    await this.#writeGaps();
    await this.#write(0, 'late-first');
    await this.#open?.sync();
    await this.#gapFile?.sync();
  }

  async #release(): Promise<void> {
    await this.#open?.close();
    await this.#gapFile?.close();
    this.#open = undefined;
    this.#gapFile = undefined;
  }

  async #writeGaps(): Promise<void> {
    if (this.#gaps.length === 0) return;
    this.#gapFile ??= await openGaps(this.#files, this.#folder);
    while (this.#gaps[0] !== undefined) {
      await appendGap(this.#gapFile, this.#gaps[0]);
      this.#gaps.shift();
    }
  }

  /**
   * `late-first`: late rows are merged before newer ones are appended. Whoever goes on after a crash asks for what is newer
   * than the end of the files, so that the end must not move before the rows behind it are there.
   */
  async #write(keep: number, how?: 'late-first'): Promise<void> {
    const rows = this.#buffer.sorted();
    // If the buffer is sorted already, `rows` is the buffer itself, which grows during this write: so its length is fixed
    // here.
    const { count } = rows;
    const end = count - keep;
    let start = 0;
    while (start < end && this.#isLate(rows, start)) start++;
    this.#late.append(rows, 0, start);
    try {
      if (how === 'late-first') await this.#mergeLate();
      while (start < end) {
        const day = dayOf(rows.time[start] as number);
        const ofDay = firstAtOrAfter(rows, (day + 1) * DAY_MS, start, end);
        const next = Math.min(ofDay, start + BATCH_ROWS);
        await this.#append(day, rows, start, next);
        start = next;
      }
    } finally {
      const rest = new TradeColumns(BUFFER_ROWS);
      rest.append(rows, start, count);
      rest.append(this.#buffer, count, this.#buffer.count);
      this.#buffer = rest;
      if (this.#buffered !== undefined) this.#buffered = this.#rowsByKey(rest);
    }
  }

  async #append(day: number, rows: TradeColumns, from: number, to: number): Promise<void> {
    if (this.#open?.day !== day) {
      await this.#finishDay();
      await this.#openDay(day);
    }
    await (this.#open as DayFile).append(rows, from, to);
    this.#setLast(rows, to - 1);
    this.#count(rows, from, to);
  }

  async #openDay(day: number): Promise<void> {
    const [file, last] = await DayFile.open(this.#files, dayPath(this.#folder, day), this.#pair, day);
    this.#open = file;
    if (last !== undefined) this.#last = last;
  }

  async #finishDay(): Promise<void> {
    const file = this.#open;
    if (file === undefined) return;
    if (file.isFragmented) {
      const rows = await readDay(this.#files, file.path);
      await replaceDay(this.#files, file.path, this.#pair, rows, { finished: true });
    } else {
      await file.finish();
    }
    this.#open = undefined;
    await file.close();
  }

  async #mergeLate(): Promise<void> {
    const rows = this.#late.sorted();
    let start = 0;
    try {
      while (start < rows.count) {
        const day = dayOf(rows.time[start] as number);
        const end = firstAtOrAfter(rows, (day + 1) * DAY_MS, start, rows.count);
        const ofDay = new TradeColumns(end - start);
        ofDay.append(rows, start, end);
        await this.#mergeDay(day, ofDay);
        start = end;
      }
    } finally {
      this.#late = new TradeColumns(1_024);
      this.#late.append(rows, start, rows.count);
    }
  }

  async #mergeDay(day: number, rows: TradeColumns): Promise<void> {
    const path = dayPath(this.#folder, day);
    const open = this.#open?.day === day ? this.#open : undefined;
    const exists = (await this.#files.stat(path)) !== undefined;
    const old = exists ? await readDay(this.#files, path) : new TradeColumns(0);
    const { rows: merged, fresh, repeated } = mergeRows(old, rows, path, this.#identity);
    if (fresh.count > 0) {
      await replaceDay(this.#files, path, this.#pair, merged, { finished: open === undefined });
      if (open !== undefined) {
        this.#open = undefined;
        await open.close();
        await this.#openDay(day);
      }
      this.#count(fresh, 0, fresh.count);
    }
    this.#totals.duplicates += repeated.length;
    this.#totals.late += fresh.count;
    for (const row of repeated) {
      this.#options.onRepeat?.(
        { id: rows.id(row), time: rows.time[row] as number },
        this.#daysBefore.has(day),
      );
    }
  }

  #isLate(rows: TradeColumns, row: number): boolean {
    return this.#last !== undefined && rows.compare(row, this.#last, 0) <= 0;
  }

  #rowsByKey(rows: TradeColumns): Map<string, number> {
    const byKey = new Map<string, number>();
    for (let row = 0; row < rows.count; row++)
      byKey.set(this.#identity.keyOf(rows.id(row), rows.time[row] as number), row);
    return byKey;
  }

  #setLast(rows: TradeColumns, row: number): void {
    this.#last = new TradeColumns(1);
    this.#last.append(rows, row, row + 1);
  }

  #count(rows: TradeColumns, from: number, to: number): void {
    this.#totals.trades += to - from;
    this.#totals.from = Math.min(this.#totals.from, rows.time[from] as number);
    this.#totals.to = Math.max(this.#totals.to, rows.time[to - 1] as number);
  }
}

/** Compares by length, then as text. It need not be the order of trades: it only serves to see that ids ascend. */
function isAbove(id: string, other: string): boolean {
  return id.length > other.length || (id.length === other.length && id > other);
}

/** The first row in [from, to) with a time of at least `time`; `to` when there is none. Rows must be sorted by time. */
export function firstAtOrAfter(
  rows: { readonly time: Float64Array },
  time: number,
  from: number,
  to: number,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows.time[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sameTrade(a: Trade, b: Trade): boolean {
  return (
    a.time === b.time && a.price === b.price && a.quantity === b.quantity && a.isBuyerMaker === b.isBuyerMaker
  );
}
