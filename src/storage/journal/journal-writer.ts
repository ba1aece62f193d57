import { dayOf } from '../../model/calendar.js';
import type { JournalRecord } from '../../model/journal-record.js';
import { type BotJournal, type Durability, JournalFailed } from '../../ports/bot-journal.js';
import type { CancelTimer } from '../../ports/clock.js';
import type { SyncAppendFile } from '../../ports/files.js';
import { Ballast } from './journal-ballast.js';
import { encodeJournalRecord } from './journal-encoder.js';
import {
  BALLAST_BYTES,
  KEEP_MS,
  RESERVE_BYTES,
  PRIVATE_DIRECTORY,
  SEGMENT_BYTES,
  journalFolder,
  segmentPath,
} from './journal-layout.js';
import { LineSealer } from './journal-line.js';
import type { JournalOptions } from './journal-options.js';
import { type JournalContents, readJournal } from './journal-reader.js';
import { saveSnapshot } from './journal-retention.js';
import { writeAnew } from './journal-segment-file.js';
import { RoomAhead } from './journal-room.js';
import { tornTailText } from './journal-segment.js';
import { snapshotBytes } from './journal-snapshot.js';
import type { JsonValue } from '../json-fields.js';

/** Half of what the durability `soon` promises, because a timer may fire late; ms. */
const GROUP_SYNC_MS = 50;

export interface OpenJournal {
  readonly journal: JournalWriter;
  /** The contents of the journal when it was opened. */
  readonly contents: JournalContents;
}

/**
 * The journal of one bot, in a folder of its own. Fail-stop: after a failed write or sync it accepts no further record,
 * so that no order leaves without one. The only exception is the record of a halt, as long as the end of the file is
 * known to be intact.
 */
export class JournalWriter implements BotJournal {
  readonly #options: JournalOptions;
  readonly #sealer = new LineSealer();
  readonly #ballast: Ballast;
  readonly #room: RoomAhead;
  #file: SyncAppendFile;
  #day: number;
  #next: number;
  /** Records were appended since the last sync. */
  #dirty = false;
  /** The file ends with a complete record, and no sync has failed. */
  #endIsWhole = true;
  #failure: JournalFailed | undefined;
  #closed = false;
  #cancelSync: CancelTimer | undefined;
  #snapshots: Promise<unknown> = Promise.resolve();

  private constructor(options: JournalOptions, file: SyncAppendFile, day: number, next: number) {
    this.#options = options;
    this.#ballast = new Ballast(options.files, options.directory, options.ballastBytes ?? BALLAST_BYTES);
    this.#room = new RoomAhead(options.timers, options.reserveBytes ?? RESERVE_BYTES, () => this.#makeRoom());
    this.#file = file;
    this.#day = day;
    this.#next = next;
  }

  /**
   * Reads the journal, cuts a torn tail, and makes sure that all records are on the disk. Does not throw if the disk
   * cannot take more: the journal is then in the failed state from the start.
   *
   * @throws JournalDamaged, JournalUnreadable as `readJournal` does; the system's error when no segment can be opened.
   */
  static async open(options: JournalOptions): Promise<OpenJournal> {
    const { files, directory, clock } = options;
    await files.makeDirectory(directory, PRIVATE_DIRECTORY);
    const contents = await readJournal(files, directory);
    const { segments, leftovers } = await journalFolder(files, directory);
    for (const path of leftovers) await files.remove(path);
    const last = segments.at(-1);
    const trouble = last === undefined ? undefined : await writeAnew(files, last.path, contents.end);
    const file = files.openAppendSync(last?.path ?? segmentPath(directory, contents.nextSequence));
    const day = dayOf(last === undefined ? clock.wall() : last.modifiedMs);
    const journal = new JournalWriter(options, file, day, contents.nextSequence);
    await journal.#begin(contents, trouble);
    return { journal, contents };
  }

  get failure(): JournalFailed | undefined {
    return this.#failure;
  }

  /** Sequence of the newest record; 0 when there is none. */
  get sequence(): number {
    return this.#next - 1;
  }

  append(record: JournalRecord, durability: Durability): void {
    this.#mustBeOpen();
    if (this.#failure !== undefined) {
      if (record.kind !== 'halt' || !this.#endIsWhole) throw this.#failure;
      this.#appendHalt(record);
      return;
    }
    const line = this.#sealed(record);
    try {
      this.#turnSegment(line.length);
      this.#write(line);
    } catch (cause) {
      const failure = this.#fail(`record ${this.#next} cannot be written`, cause);
      if (record.kind !== 'halt' || !this.#endIsWhole) throw failure;
      this.#appendHalt(record);
      return;
    }
    if (durability === 'durable') this.sync();
    else if (durability === 'soon') this.#syncSoon();
  }

  /** Returns when all records so far would survive a power loss. @throws JournalFailed */
  sync(): void {
    this.#mustBeOpen();
    if (this.#failure !== undefined) throw this.#failure;
    this.#sync();
  }

  /**
   * Writes a summary of all records so far, so that the next start need not read them. The state is copied at once. A
   * failure does no harm, since all records still exist.
   */
  async snapshot(state: JsonValue): Promise<void> {
    this.sync();
    const { files, directory, clock } = this.#options;
    const { sequence } = this;
    const wall = clock.wall();
    const bytes = snapshotBytes({ sequence, wall, state });
    const before = wall - (this.#options.keepMs ?? KEEP_MS);
    const written = this.#snapshots.then(() => saveSnapshot(files, directory, { sequence, bytes, before }));
    this.#snapshots = written.catch(() => undefined);
    await written;
  }

  /**
   * Syncs and closes; no record is accepted afterwards. @throws JournalFailed when the last records may not be on the
   * disk.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#snapshots;
    this.#cancelSync?.();
    this.#room.cancel();
    try {
      if (this.#endIsWhole) this.#finishSegment();
      else if (this.#dirty) throw this.#failure as JournalFailed;
    } catch (cause) {
      throw this.#fail('it cannot be closed', cause);
    } finally {
      this.#file.close();
    }
  }

  async #begin({ tornTail, end }: JournalContents, trouble: Error | undefined): Promise<void> {
    try {
      if (this.#file.size() > end) this.#file.truncate(end);
      this.#file.sync();
    } catch (cause) {
      this.#endIsWhole = false;
      this.#fail('what is there cannot be made safe', cause);
      return;
    }
    try {
      if (trouble !== undefined) throw trouble;
      await this.#ballast.fill();
    } catch (cause) {
      this.#fail('there must be room for its newest segment and its ballast', cause);
      return;
    }
    this.#makeRoom();
    if (tornTail === undefined) return;
    try {
      this.append(
        { kind: 'note', text: `cut ${tornTailText(tornTail)}`, wall: this.#options.clock.wall() },
        'durable',
      );
    } catch (error) {
      // The error is kept in `#failure`.
      if (!(error instanceof JournalFailed)) throw error;
    }
  }

  #mustBeOpen(): void {
    if (this.#closed)
      throw new JournalFailed(`the journal ${this.#options.directory} must be open, it was closed`);
  }

  #sealed(record: JournalRecord): Uint8Array {
    const json = encodeJournalRecord(record);
    return this.#sealer.seal(this.#next, this.#options.scrub?.(json) ?? json);
  }

  #write(line: Uint8Array): void {
    const good = this.#file.size();
    try {
      this.#file.append(line);
    } catch (cause) {
      try {
        this.#file.truncate(good);
      } catch {
        this.#endIsWhole = false;
      }
      throw cause;
    }
    this.#next += 1;
    this.#dirty = true;
    this.#room.use(line.length);
  }

  /** After a failed append, usually on a full disk, the ballast is freed to make room for this one record. */
  #appendHalt(record: JournalRecord): void {
    const failure = this.#failure as JournalFailed;
    this.#ballast.release();
    try {
      const line = this.#sealed(record);
      // The failed step may have been the begin of a new segment: then the record belongs into the new one.
      this.#turnSegment(line.length);
      this.#write(line);
    } catch {
      throw failure;
    }
    this.#sync();
  }

  #turnSegment(bytes: number): void {
    const today = dayOf(this.#options.clock.wall());
    const size = this.#file.size();
    const full = size + bytes > (this.#options.segmentBytes ?? SEGMENT_BYTES);
    if (size === 0 || (!full && today <= this.#day)) return;
    // The old segment must be completely on the disk before a new one exists; readers rely on that.
    this.#finishSegment();
    const file = this.#options.files.openAppendSync(segmentPath(this.#options.directory, this.#next));
    this.#file.close();
    this.#file = file;
    this.#day = today;
    this.#room.reset();
  }

  /** Frees the allocated room that was not used. */
  #finishSegment(): void {
    if (this.#file.reserve !== undefined) {
      this.#file.truncate(this.#file.size());
      this.#dirty = true;
    }
    this.#sync();
  }

  #makeRoom(): void {
    if (this.#failure !== undefined || !this.#room.make(this.#file)) return;
    this.#dirty = true;
    try {
      this.#sync();
    } catch {
      // The error is kept in `#failure`.
    }
  }

  #syncSoon(): void {
    this.#cancelSync ??= this.#options.timers.after(GROUP_SYNC_MS, () => {
      this.#cancelSync = undefined;
      if (!this.#dirty || !this.#endIsWhole) return;
      try {
        this.#sync();
      } catch {
        // `#failure` is set, and the next append reports it.
      }
    });
  }

  #sync(): void {
    if (!this.#dirty) return;
    try {
      this.#file.sync();
    } catch (cause) {
      // After a failed sync the kernel may have dropped the pages. A second sync would then succeed without writing them.
      this.#endIsWhole = false;
      throw this.#fail(`records up to ${this.sequence} cannot be synced`, cause);
    }
    this.#dirty = false;
    this.#cancelSync?.();
    this.#cancelSync = undefined;
  }

  #fail(what: string, cause: unknown): JournalFailed {
    if (this.#failure !== undefined) return this.#failure;
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#failure = new JournalFailed(
      `the journal ${this.#options.directory} has failed: ${what}: ${why}`,
      cause,
    );
    this.#options.onFailure?.(this.#failure);
    return this.#failure;
  }
}
