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

/** Half of what `soon` promises: a timer may come late. */
const GROUP_SYNC_MS = 50;

export interface OpenJournal {
  readonly journal: JournalWriter;
  /** What it held when it was opened. */
  readonly contents: JournalContents;
}

/**
 * The journal of a bot in a folder that is its own. Fail-stop: after a write or a sync that did not succeed it takes
 * no record any more, but for that of a halt while the end of the file is still known to be whole.
 */
export class JournalWriter implements BotJournal {
  readonly #options: JournalOptions;
  readonly #sealer = new LineSealer();
  readonly #ballast: Ballast;
  readonly #room: RoomAhead;
  #file: SyncAppendFile;
  #day: number;
  #next: number;
  /** Something was appended that no sync has covered. */
  #dirty = false;
  /** The file ends with a whole record and no sync has failed. */
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
   * Reads what is there, cuts a torn tail, and makes sure that all of it is on the disk. A disk that cannot take more
   * is no reason to throw: the journal is then one that has failed.
   *
   * @throws JournalDamaged, JournalUnreadable as `readJournal` does; what the system says when no segment can be opened.
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

  /** Of the newest record; 0 when there is none. */
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

  /** Returns when everything so far survives a power loss. @throws JournalFailed */
  sync(): void {
    this.#mustBeOpen();
    if (this.#failure !== undefined) throw this.#failure;
    this.#sync();
  }

  /**
   * Writes down what all records so far come to, so that a start need not read them. The state is copied at once.
   * When it fails the journal goes on: the records are all there.
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

  /** Syncs and closes; no record is taken any more. @throws JournalFailed when the last records may not be on the disk. */
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
      // `failure` has it.
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

  /** The disk is full, or the last append failed otherwise: the ballast makes room for this one record. */
  #appendHalt(record: JournalRecord): void {
    const failure = this.#failure as JournalFailed;
    this.#ballast.release();
    try {
      const line = this.#sealed(record);
      // It may have been the turn to a new segment that failed: then the old one is over.
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
    // First the old one whole on the disk, then a new one: a reader relies on it.
    this.#finishSegment();
    const file = this.#options.files.openAppendSync(segmentPath(this.#options.directory, this.#next));
    this.#file.close();
    this.#file = file;
    this.#day = today;
    this.#room.reset();
  }

  /** Gives back what is reserved and not used. */
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
      // `failure` has it.
    }
  }

  #syncSoon(): void {
    this.#cancelSync ??= this.#options.timers.after(GROUP_SYNC_MS, () => {
      this.#cancelSync = undefined;
      if (!this.#dirty || !this.#endIsWhole) return;
      try {
        this.#sync();
      } catch {
        // It is known by now: `failure` says it to the next append.
      }
    });
  }

  #sync(): void {
    if (!this.#dirty) return;
    try {
      this.#file.sync();
    } catch (cause) {
      // The kernel may have dropped the pages: a second sync would succeed and prove nothing.
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
