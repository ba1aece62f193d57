import { Books, type BooksState } from '../execution/books.js';
import { Chronicle } from '../execution/chronicle.js';
import { TickwrightError } from '../model/errors.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { BotJournal } from '../ports/bot-journal.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { DiskSpace } from '../ports/disk-space.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Processes } from '../ports/processes.js';
import { PRIVATE_DIRECTORY } from '../storage/journal-layout.js';
import { lockJournal } from '../storage/journal-lock.js';
import type { JournalContents } from '../storage/journal-reader.js';
import { journalSpace } from '../storage/journal-space.js';
import { JournalWriter } from '../storage/journal-writer.js';
import type { JsonValue } from '../storage/json-fields.js';
import { SnapshotPace } from './snapshot-pace.js';

export interface ChronicleOptions {
  readonly files: Files;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** The journal's own folder. */
  readonly directory: string;
  /** This life, unique among all of the account. */
  readonly session: string;
  /** Version of this package, and sha-256 of what decides: strategy, config, profile. */
  readonly engine: string;
  readonly hashes: Readonly<Record<string, string>>;
  /** Takes secrets out of every line. */
  readonly scrub?: (text: string) => string;
  /** What stands between the books and the journal from then on, e.g. a recorder. */
  readonly wrap?: ((journal: BotJournal) => BotJournal) | undefined;
  /** Makes this process the only one that writes the journal. */
  readonly processes?: Processes | undefined;
  /** Nothing starts without room on it. */
  readonly disk?: DiskSpace | undefined;
  /** A start reads no more records than about so many; default 20 000. */
  readonly snapshotEvery?: number | undefined;
  /** Hears each new record. */
  readonly onRecord?: (record: JournalRecord) => void;
}

/** Some 100 ms of reading at the next start. */
const SNAPSHOT_EVERY = 20_000;

export interface OpenChronicle {
  readonly chronicle: Chronicle;
  close(): Promise<void>;
}

/**
 * What earlier lives wrote, and a journal that goes on from there with the start of this one.
 *
 * @throws JournalHeld when another process writes it; JournalDamaged when it is not whole: nothing may be sent on what
 *   cannot be known; TickwrightError when its disk is nearly full.
 */
export async function openChronicle(options: ChronicleOptions): Promise<OpenChronicle> {
  const { files, processes, directory, disk } = options;
  const lock = processes && (await lockJournal(files, processes, directory));
  try {
    if (disk !== undefined) await demandRoom(options, disk);
    const story = await openLocked(options);
    return {
      chronicle: story.chronicle,
      async close() {
        try {
          await story.close();
        } finally {
          await lock?.release();
        }
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

async function demandRoom({ files, directory }: ChronicleOptions, disk: DiskSpace): Promise<void> {
  await files.makeDirectory(directory, PRIVATE_DIRECTORY);
  const { verdict, reason } = await journalSpace(disk, directory);
  if (verdict !== 'enough') throw new TickwrightError('TICKWRIGHT_E_DISK_SPACE', `${reason}: no bot starts`);
}

async function openLocked(options: ChronicleOptions): Promise<OpenChronicle> {
  const { log, clock, timers, session, engine, hashes, snapshotEvery: every = SNAPSHOT_EVERY } = options;
  const { journal, contents } = await JournalWriter.open({
    ...options,
    onFailure: (failure) =>
      log.error('the journal cannot be written: no order leaves', { error: failure.message }),
  });
  const { tornTail, records } = contents;
  const books = booksIn(contents);
  if (tornTail !== undefined) log.warn('the end of the journal was torn and is cut off', { ...tornTail });
  const chronicle = new Chronicle(options.wrap?.(journal) ?? journal, books, options.onRecord);
  const snapshots = new SnapshotPace({ every, behind: records.length, timers, clock, take });
  chronicle.hear(() => snapshots.count());
  chronicle.note({ kind: 'start', session, wall: clock.wall(), engine, hashes }, 'durable');
  return {
    chronicle,
    async close() {
      snapshots.stop();
      if (snapshots.behind > 0 && journal.failure === undefined) await take();
      await journal.close();
    },
  };

  /** Never rejects: the records are all there. */
  async function take(): Promise<void> {
    try {
      await journal.snapshot(chronicle.books.state() as unknown as JsonValue);
    } catch (error) {
      log.warn('no snapshot of the journal: the next start takes longer', { error: String(error) });
    }
  }
}

/** What a journal says. */
export function booksIn({ snapshot, records }: JournalContents): Books {
  const books = snapshot === undefined ? new Books() : Books.restore(snapshot.state as unknown as BooksState);
  for (const { record } of records) books.apply(record);
  return books;
}
