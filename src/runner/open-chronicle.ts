import { Books } from '../execution/books.js';
import type { BooksState } from '../execution/books-state.js';
import { Chronicle } from '../execution/chronicle.js';
import { LossyJournal } from './stop/lossy-journal.js';
import type { JournalRecord } from '../model/journal-record.js';
import { type BotJournal, JournalFailed } from '../ports/bot-journal.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { DiskSpace } from '../ports/disk-space.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Processes } from '../ports/processes.js';
import { PRIVATE_DIRECTORY } from '../storage/journal/journal-layout.js';
import { demandUnheld, JournalHeld, type JournalLock, lockJournal } from '../storage/journal/journal-lock.js';
import { type JournalContents, readJournal } from '../storage/journal/journal-reader.js';
import { shortageToStart } from '../storage/journal/journal-space.js';
import { JournalWriter } from '../storage/journal/journal-writer.js';
import type { JsonValue } from '../storage/json-fields.js';
import { SnapshotPace } from './snapshot-pace.js';

export interface ChronicleOptions {
  readonly files: Files;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** The journal's own folder. */
  readonly directory: string;
  /** The session of this life, unique among all sessions of the account. */
  readonly session: string;
  /** Version of this package. `hashes`: sha-256 of the strategy, the config and the profile. */
  readonly engine: string;
  readonly hashes: Readonly<Record<string, string>>;
  /** Removes secrets from every line. */
  readonly scrub?: (text: string) => string;
  /** Wraps the journal before the chronicle writes to it, e.g. in a recorder. */
  readonly wrap?: ((journal: BotJournal) => BotJournal) | undefined;
  /** Locks the journal, so that this process is the only one that writes it. `undefined`: no lock. */
  readonly processes?: Processes | undefined;
  /** The disk of the journal: with too little room this life only cancels. `undefined`: not checked. */
  readonly disk?: DiskSpace | undefined;
  /** Records between two snapshots, which bounds how many a start has to read; default 20 000. */
  readonly snapshotEvery?: number | undefined;
  /** Called with each new record. */
  readonly onRecord?: (record: JournalRecord) => void;
}

/** So many records take some 100 ms to read at the next start. */
const SNAPSHOT_EVERY = 20_000;

export interface OpenChronicle {
  readonly chronicle: Chronicle;
  /** Why this life only cancels: the disk has too little room to begin one. `undefined`: it has enough. */
  readonly shortage: string | undefined;
  close(): Promise<void>;
}

/**
 * Reads what earlier lives wrote, and continues the journal with the `start` record of this life. On a nearly full disk this
 * life alone begins halted, so that it can cancel orders at the venue; its records are written as long as they fit.
 *
 * @throws JournalHeld when another process writes it; JournalDamaged when it is not whole: nothing may be sent on what
 *   cannot be known.
 */
export async function openChronicle(options: ChronicleOptions): Promise<OpenChronicle> {
  const story = await openAnyway(options, 'no order leaves');
  if (story.shortage !== undefined) cancelOnly(options, story.chronicle.books, story.shortage);
  return story;
}

/**
 * The same for a verified stop. Its closing orders leave even if they cannot be written down, because they only make the
 * position smaller; what fits is written. `onLost`: called with each record that is not in the journal.
 *
 * @throws as `openChronicle`
 */
export function openChronicleOfStop(
  options: Omit<ChronicleOptions, 'wrap'>,
  onLost: (record: JournalRecord) => void,
): Promise<OpenChronicle> {
  const wrap = (journal: BotJournal) => new LossyJournal(journal, onLost);
  return openAnyway({ ...options, wrap }, 'the rest of this stop is not in it');
}

/** `unwritten`: what follows when the journal fails, for the log. */
async function openAnyway(options: ChronicleOptions, unwritten: string): Promise<OpenChronicle> {
  const { files, directory, disk } = options;
  await files.makeDirectory(directory, PRIVATE_DIRECTORY);
  const shortage = disk && (await shortageOf(disk, directory));
  const lock = await lockOf(options, shortage);
  try {
    const story = await (lock === 'none' ? readOnly(options) : openLocked(options, shortage, unwritten));
    return {
      chronicle: story.chronicle,
      shortage,
      async close() {
        try {
          await story.close();
        } finally {
          await release(lock);
        }
      },
    };
  } catch (error) {
    await release(lock);
    throw error;
  }
}

type Story = Pick<OpenChronicle, 'chronicle' | 'close'>;

/** `none`: the disk has no room for a lock. `undefined`: no lock was asked for. */
type Lock = JournalLock | 'none' | undefined;

async function shortageOf(disk: DiskSpace, directory: string): Promise<string | undefined> {
  const reason = await shortageToStart(disk, directory);
  return reason === undefined ? undefined : `disk full: ${reason}`;
}

async function lockOf(
  { files, processes, directory }: ChronicleOptions,
  shortage: string | undefined,
): Promise<Lock> {
  if (processes === undefined) return undefined;
  try {
    return await lockJournal(files, processes, directory);
  } catch (error) {
    if (shortage === undefined || error instanceof JournalHeld) throw error;
    await demandUnheld(files, processes, directory);
    return 'none';
  }
}

async function release(lock: Lock): Promise<void> {
  if (lock !== 'none') await lock?.release();
}

/** The `by` of the halt of a life whose journal has too little room. It is in no journal, so `resume` does not end it. */
export const BY_DISK = 'disk';

/** Halts in the books only, not in the journal: the next life finds room, or halts itself the same way. */
function cancelOnly({ log }: ChronicleOptions, books: Books, reason: string): void {
  log.error('the disk of the journal is full: this life cancels orders and places none', { reason });
  books.haltForGood({ level: 'cancel', reason, by: BY_DISK });
}

/** The books of earlier lives, with a journal that refuses every record of this one. */
async function readOnly({ files, directory, wrap, onRecord }: ChronicleOptions): Promise<Story> {
  const books = booksIn(await readJournal(files, directory));
  const failure = new JournalFailed(`there is no room for the lock of ${directory}`);
  const journal: BotJournal = {
    failure,
    append() {
      throw failure;
    },
  };
  return {
    chronicle: new Chronicle(wrap?.(journal) ?? journal, books, onRecord),
    close: () => Promise.resolve(),
  };
}

async function openLocked(
  options: ChronicleOptions,
  shortage: string | undefined,
  unwritten: string,
): Promise<Story> {
  const { log, clock, timers, session, engine, hashes, snapshotEvery: every = SNAPSHOT_EVERY } = options;
  const { journal, contents } = await JournalWriter.open({
    ...options,
    onFailure: (failure) =>
      log.error(`the journal cannot be written: ${unwritten}`, { error: failure.message }),
  });
  const { tornTail, records } = contents;
  const books = booksIn(contents);
  if (tornTail !== undefined) log.warn('the end of the journal was torn and is cut off', { ...tornTail });
  const chronicle = new Chronicle(options.wrap?.(journal) ?? journal, books, options.onRecord);
  const snapshots = new SnapshotPace({ every, behind: records.length, timers, clock, take });
  // No snapshots on a full disk: the room is for records, and a snapshot would pass the halt of this life on to the next.
  if (shortage === undefined) chronicle.hear(() => snapshots.count());
  chronicle.note({ kind: 'start', session, wall: clock.wall(), engine, hashes }, 'durable');
  return {
    chronicle,
    async close() {
      snapshots.stop();
      const isBehind = snapshots.behind > 0 && shortage === undefined;
      if (isBehind && journal.failure === undefined) await take();
      await journal.close();
    },
  };

  /** Takes a snapshot. Never rejects: without it the next start reads the records. */
  async function take(): Promise<void> {
    try {
      await journal.snapshot(chronicle.books.state() as unknown as JsonValue);
    } catch (error) {
      log.warn('no snapshot of the journal: the next start takes longer', { error: String(error) });
    }
  }
}

/** The books that a journal's snapshot and records add up to. */
export function booksIn({ snapshot, records }: JournalContents): Books {
  const books = snapshot === undefined ? new Books() : Books.restore(snapshot.state as unknown as BooksState);
  for (const { record } of records) books.apply(record);
  return books;
}
