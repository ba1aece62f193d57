import type { Trade, TradeGap } from '../model/trade.js';
import type { AppendFile, Files } from '../ports/files.js';
import { DayFile, conflict, mergeRows, readDay, replaceDay } from './day-file.js';
import { DAY_MS, dayOf, parseDayName } from './day.js';
import { appendGap, openGaps } from './gap-file.js';
import { dayPath, pairDirectory } from './layout.js';
import { TradeColumns } from './trade-columns.js';

const BUFFER_ROWS = 131_072;
const MOST_LATE_ROWS = 262_144;

export interface WriterTotals {
  /** Rows that are in the recording because of this writer. */
  readonly trades: number;
  /** Rows that were there already, or came twice. */
  readonly duplicates: number;
  /** Rows that had to be put between others already written. */
  readonly late: number;
  readonly gaps: number;
  /** Time of the first and of the last of `trades`, ms; `undefined` when there are none. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Writes trades of one pair into day files, each sorted by (time, id) whatever the order of arrival: rows wait in a
 * buffer, later ones are appended, and what comes too late for that is merged into its day, which is then replaced.
 *
 * `add` takes a trade, `settle` writes what no longer has to wait, `flush` writes everything. Memory is bounded by the
 * buffer, and by a day's size where a day has to be replaced.
 */
export class RecordingWriter {
  readonly #files: Files;
  readonly #folder: string;
  readonly #pair: string;
  #buffer = new TradeColumns(BUFFER_ROWS);
  /**
   * Rows of the buffer by id, once an id came that is not above all before it. As long as ids ascend, in whatever
   * order, none can be there twice, and looking them up would cost more than all the rest.
   */
  #buffered: Map<string, number> | undefined;
  #highestId = '';
  #late = new TradeColumns(1_024);
  #open: DayFile | undefined;
  /** The newest row that is in a file: what sorts before it is late. */
  #last: TradeColumns | undefined;
  #gapFile: AppendFile | undefined;
  #totals = { trades: 0, duplicates: 0, late: 0, gaps: 0, from: Infinity, to: -Infinity };

  private constructor(files: Files, folder: string, pair: string) {
    this.#files = files;
    this.#folder = folder;
    this.#pair = pair;
  }

  /** Opens the recording of a pair inside `directory`, making it if there is none, and repairs what a crash left. */
  static async open(files: Files, directory: string, pair: string): Promise<RecordingWriter> {
    const folder = pairDirectory(directory, pair);
    await files.makeDirectory(folder);
    const writer = new RecordingWriter(files, folder, pair);
    const days = (await files.list(folder))
      .map(({ name }) => (name.endsWith('.arrow') ? parseDayName(name.slice(0, -6)) : undefined))
      .filter((day) => day !== undefined);
    if (days.length > 0) await writer.#openDay(Math.max(...days));
    return writer;
  }

  get totals(): WriterTotals {
    const { from, to, ...counts } = this.#totals;
    const some = counts.trades > 0;
    return { ...counts, from: some ? from : undefined, to: some ? to : undefined };
  }

  /** Time of the newest trade that is in a file, ms; `undefined` when there is none. */
  get lastTime(): number | undefined {
    return this.#last?.time[0];
  }

  /** The buffer is full: `settle` before more is added. */
  get isFull(): boolean {
    return this.#buffer.count >= BUFFER_ROWS;
  }

  /**
   * Takes a trade; it is not in a file before `settle` or `flush`. An id that is already waiting is a duplicate.
   *
   * @throws UsageError when the two have different facts.
   */
  add(trade: Trade): void {
    const { id } = trade;
    if (this.#buffered === undefined && isAbove(id, this.#highestId)) {
      this.#highestId = id;
    } else {
      this.#buffered ??= rowsById(this.#buffer);
      const twin = this.#buffered.get(id);
      if (twin !== undefined) {
        const first = this.#buffer.trade(twin);
        if (!sameTrade(first, trade)) throw conflict(this.#pair, first, trade);
        this.#totals.duplicates += 1;
        return;
      }
      this.#buffered.set(id, this.#buffer.count);
    }
    this.#buffer.push(trade);
  }

  /** Records a stretch that the feed could not get. */
  async gap(gap: TradeGap): Promise<void> {
    this.#gapFile ??= await openGaps(this.#files, this.#folder);
    await appendGap(this.#gapFile, gap);
    this.#totals.gaps += 1;
  }

  /** Writes the older half of the buffer; the newer half waits for rows that belong between. */
  async settle(): Promise<void> {
    await this.#write(this.#buffer.count >> 1);
    if (this.#late.count >= MOST_LATE_ROWS) await this.#mergeLate();
  }

  /** Writes everything and returns once it survives a power loss. */
  async flush(): Promise<void> {
    await this.#write(0);
    await this.#mergeLate();
    await this.#open?.sync();
    await this.#gapFile?.sync();
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.abandon();
    }
  }

  /** Closes without writing what waits; what was written stays. */
  async abandon(): Promise<void> {
    await this.#open?.close();
    await this.#gapFile?.close();
    this.#open = undefined;
    this.#gapFile = undefined;
  }

  async #write(keep: number): Promise<void> {
    const rows = this.#buffer.sorted();
    const end = rows.count - keep;
    let start = 0;
    while (start < end && this.#isLate(rows, start)) start++;
    this.#late.append(rows, 0, start);
    while (start < end) {
      const day = dayOf(rows.time[start] as number);
      const next = firstAtOrAfter(rows, (day + 1) * DAY_MS, start, end);
      await this.#append(day, rows, start, next);
      start = next;
    }
    const rest = new TradeColumns(BUFFER_ROWS);
    rest.append(rows, end, rows.count);
    this.#buffer = rest;
    if (this.#buffered !== undefined) this.#buffered = rowsById(rest);
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
    this.#open = undefined;
    if (file.isFragmented) {
      await file.close();
      await replaceDay(this.#files, file.path, this.#pair, await readDay(this.#files, file.path), {
        finished: true,
      });
    } else {
      await file.finish();
    }
  }

  async #mergeLate(): Promise<void> {
    const rows = this.#late.sorted();
    this.#late = new TradeColumns(1_024);
    for (let start = 0; start < rows.count; ) {
      const day = dayOf(rows.time[start] as number);
      const end = firstAtOrAfter(rows, (day + 1) * DAY_MS, start, rows.count);
      const ofDay = new TradeColumns(end - start);
      ofDay.append(rows, start, end);
      await this.#mergeDay(day, ofDay);
      start = end;
    }
  }

  async #mergeDay(day: number, rows: TradeColumns): Promise<void> {
    const path = dayPath(this.#folder, day);
    const isOpen = this.#open?.day === day;
    const exists = (await this.#files.stat(path)) !== undefined;
    const old = exists ? await readDay(this.#files, path) : new TradeColumns(0);
    const { rows: merged, fresh } = mergeRows(old, rows, path);
    this.#totals.duplicates += rows.count - fresh.count;
    this.#totals.late += fresh.count;
    if (fresh.count === 0) return;
    if (isOpen) await this.#open?.close();
    await replaceDay(this.#files, path, this.#pair, merged, { finished: !isOpen });
    if (isOpen) await this.#openDay(day);
    this.#count(fresh, 0, fresh.count);
  }

  #isLate(rows: TradeColumns, row: number): boolean {
    return this.#last !== undefined && rows.compare(row, this.#last, 0) <= 0;
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

/** By length, then text: as good as any order for seeing that ids ascend. */
function isAbove(id: string, other: string): boolean {
  return id.length > other.length || (id.length === other.length && id > other);
}

function rowsById(rows: TradeColumns): Map<string, number> {
  const byId = new Map<string, number>();
  for (let row = 0; row < rows.count; row++) byId.set(rows.id(row), row);
  return byId;
}

/** First row in [from, to) whose time is not below `time`; `to` when there is none. Rows are sorted by time. */
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
