/** A verified stop of everything that a daemon has at its venue, run in a separate process. */
import { join } from 'node:path';
import { Chronicle } from '../../execution/chronicle.js';
import type { JournalRecord } from '../../model/journal-record.js';
import { JournalFailed } from '../../ports/bot-journal.js';
import { LossyJournal } from '../../runner/stop/lossy-journal.js';
import { quantise } from '../../model/quantise.js';
import type { Lots } from '../../model/grid.js';
import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { PairProof, StopProof } from '../../runner/stop/stop-proof.js';
import { STOP_HASTE, verifiedStop } from '../../runner/stop/verified-stop.js';
import { noteGrid, onGridOfBooks } from '../../runner/journal-grid.js';
import { heldText, isHolding, type JournaledPair } from '../../runner/journaled-pair.js';
import { legibleBooks } from '../../runner/legible-books.js';
import { openChronicleOfStop } from '../../runner/open-chronicle.js';
import { sleep } from '../../ports/clock.js';
import { JournalHeld } from '../../storage/journal/journal-lock.js';
import type { Machine } from '../machine.js';
import { fileStamp } from '../view/moment.js';
import { AnotherAccount, demandSameAccount } from '../connection/account-of-key.js';
import { connect, type KeyedConnection, type KeyedConnectionOptions } from '../connection/connection.js';
import { demandKey } from '../connection/key-check.js';
import { packageVersion } from '../package.js';
import { chooseMarket } from '../settings/pair.js';
import { pairFolder } from '../journal/pair-folder.js';
import type { Settings } from '../settings/settings.js';
import { journaledPair, journaledPairs, journalOf, notedGrid } from '../journal/journaled.js';

export interface StopTerms {
  readonly level: 'cancel' | 'flat';
  readonly latches: boolean;
  readonly all: boolean;
  readonly deadlineMs: number;
  readonly by: string;
  readonly reason: string;
  /** Orders of a pair that the daemon's own end has canceled before. */
  readonly canceled?: ((pair: string) => readonly string[]) | undefined;
}

export interface StoppedBot {
  readonly proof: StopProof;
  /** Path of the written proof; `undefined` when it could not be written. */
  readonly file: string | undefined;
}

/** @throws JournalHeld while a bot still writes to one of the journals */
export async function stopBot(
  machine: Machine,
  { settings, venue }: { readonly settings: Settings; readonly venue: KeyedConnectionOptions },
  terms: StopTerms,
): Promise<StoppedBot> {
  const { clock, files, entropy } = machine;
  const { state } = settings;
  const scrub = (text: string) => machine.scrubber.scrub(text);
  const startedAt = clock.wall();
  const session = `stop-${Buffer.from(entropy.bytes(6)).toString('hex')}`;
  const pairs = await pairsOf(machine, settings);
  const proofs = await Promise.all(
    pairs.map((pair, index) =>
      stopPair(machine, { settings, venue, terms, pair, session: `${session}${index}` }),
    ),
  );
  const found = proofs.map((proof) => ({
    ...proof,
    canceled: [...new Set([...(terms.canceled?.(proof.pair) ?? []), ...proof.canceled])],
    // Texts of the venue may contain the key.
    unproven: proof.unproven.map(scrub),
    closes: proof.closes.map((close) => ({ ...close, outcome: scrub(close.outcome) })),
  }));
  const { level, by, reason } = terms;
  const proven = found.every((pair) => pair.proven);
  const proof = {
    schemaVersion: 1,
    level,
    by,
    reason,
    startedAt,
    endedAt: clock.wall(),
    proven,
    pairs: found,
  } as const;
  const file = join(state, 'proofs', `${fileStamp(startedAt)}-${level}.json`);
  try {
    await files.makeDirectory(join(state, 'proofs'));
    await files.writeAtomic(file, `${JSON.stringify(proof)}\n`);
    return { proof, file };
  } catch {
    return { proof, file: undefined };
  }
}

/** The pairs of the configuration, and those that have a journal from earlier. */
async function pairsOf({ files }: Machine, { strategies, state }: Settings): Promise<readonly string[]> {
  return [...new Set([...strategies.map(({ pair }) => pair), ...(await journaledPairs(files, state))])];
}

interface One {
  readonly settings: Settings;
  readonly venue: KeyedConnectionOptions;
  readonly terms: StopTerms;
  readonly pair: string;
  readonly session: string;
}

async function stopPair(
  machine: Machine,
  { settings, venue, terms, pair, session }: One,
): Promise<PairProof> {
  const { clock } = machine;
  const deadline = clock.monotonic() + terms.deadlineMs;
  const connection = connect(machine, { ...venue, haste: { ...STOP_HASTE, until: deadline } });
  const wall = clock.wall();
  try {
    const story = await storyOf(machine, journalOf(settings.state, pair), session);
    const { level, by, reason } = terms;
    const text = `stop (${level}) by ${by}: ${reason}`;
    story.chronicle.note({ kind: 'note', text, wall }, 'durable');
    try {
      const listed = await marketOf(machine, connection, pair, deadline);
      const noted = await notedGrid(machine.files, pairFolder(settings.state, pair));
      const market = onGridOfBooks(listed, story.chronicle.books, noted);
      noteGrid(story.chronicle, market, noted);
      // A panic skips this request, since it needs no answer to it in order to cancel.
      if (!terms.latches) await demandKey(machine, venue, () => connection.api.balances());
      await demandOwn(machine, connection, pairFolder(settings.state, pair), terms);
      const proof = await verifiedStop({
        ...terms,
        ...machine,
        api: connection.api,
        profile: connection.profile,
        market,
        chronicle: story.chronicle,
        session,
        canceledBefore: terms.canceled?.(pair),
        slice: sliceOf(market, settings),
        deadlineMs: Math.max(0, deadline - clock.monotonic()),
      });
      const told = story.hasUnwritten() ? { ...proof, unwritten: true } : proof;
      return story.problem === undefined ? told : withProblem(told, story.problem);
    } finally {
      await story.close();
    }
  } catch (error) {
    if (error instanceof JournalHeld) throw error;
    const problem = `anything about ${pair}: ${error instanceof Error ? error.message : String(error)}`;
    const read = await journaledPair(machine.files, settings.state, pair).then(
      (journaled) => ({ journaled, isKnown: true }),
      () => ({ journaled: undefined, isKnown: false }),
    );
    const { journaled } = read;
    const left = (of: 'cancel' | 'flat') => (journaled === undefined ? [] : mayBeThere(journaled, of));
    // The venue has no such market, e.g. because the name was mistyped, and the journal knows of nothing on it.
    const proven = isUnknownMarket(error) && read.isKnown && left('flat').length === 0;
    return {
      pair,
      proven,
      unproven: proven ? [] : [problem, ...left(terms.level)],
      state: 'BOOT',
      canceled: [],
      foreign: [],
      emptyScans: 0,
      position: { before: undefined, after: undefined },
      closes: [],
      unattributed: [],
      ...(journaled === undefined ? {} : { journaled }),
    };
  } finally {
    await connection.close();
  }
}

function isUnknownMarket(error: unknown): boolean {
  return error instanceof UsageError && error.code === 'TICKWRIGHT_E_PAIR';
}

/** What the journal says may be left: a person who checks the venue must know what to look for. */
function mayBeThere(journaled: JournaledPair, level: 'cancel' | 'flat'): readonly string[] {
  const { orders, inDoubt } = journaled;
  return [
    ...orders.map((id) => `that order ${id} is gone, which its journal has open`),
    ...inDoubt.map((intent) => `what became of ${intent}, which its journal has in doubt`),
    ...(level === 'flat' && isHolding(journaled)
      ? [`that the position is flat: by its journal ${heldText(journaled)} is held`]
      : []),
  ];
}

/**
 * Checks that the key belongs to the account that the pair was traded on: another account that is flat proves nothing,
 * and its positions are not ours to close. A file that cannot be read must not prevent canceling.
 *
 * @throws AnotherAccount
 */
async function demandOwn(
  machine: Machine,
  connection: KeyedConnection,
  folder: string,
  { latches }: StopTerms,
): Promise<void> {
  try {
    await demandSameAccount(machine, connection, folder, latches ? PANIC_WHOSE_MS : WHOSE_MS);
  } catch (error) {
    if (error instanceof AnotherAccount) throw error;
    machine.log.warn('nobody can say whether the key is of the account of the journal', {
      folder,
      error: String(error),
    });
  }
}

const RETRY_MS = 250;
/** How long the account is asked for before the stop goes on without it, ms; a panic waits less. */
const WHOSE_MS = 3_000;
const PANIC_WHOSE_MS = 1_000;

/** Asks until the venue answers or the deadline has passed: without the market no order can be canceled. */
async function marketOf(
  { clock, timers }: Machine,
  { api }: KeyedConnection,
  pair: string,
  deadline: number,
): Promise<Market> {
  for (;;) {
    try {
      return await chooseMarket(api, pair, 'its name');
    } catch (error) {
      if (error instanceof UsageError || clock.monotonic() + RETRY_MS >= deadline) throw error;
      await sleep(timers, RETRY_MS);
    }
  }
}

interface Story {
  readonly chronicle: Chronicle;
  /** Why the journal does not tell everything of ours; `undefined`: it does. */
  readonly problem: string | undefined;
  /** A closing order has left that is not in the journal. */
  readonly hasUnwritten: () => boolean;
  close(): Promise<void>;
}

/**
 * Opens the journal. A journal that cannot be written or read must not prevent canceling, or closing, which only makes a
 * position smaller. What cannot be written leaves without a record; from a journal that cannot be read completely, as much
 * is used as can be.
 */
async function storyOf(machine: Machine, directory: string, session: string): Promise<Story> {
  const scrub = (text: string) => machine.scrubber.scrub(text);
  let isUnwritten = false;
  const hasUnwritten = () => isUnwritten;
  const onLost = ({ kind }: JournalRecord) => {
    isUnwritten ||= kind === 'prep';
  };
  try {
    const engine = await packageVersion(machine.files);
    const options = { ...machine, directory, session, engine, hashes: {}, scrub };
    const story = await openChronicleOfStop(options, onLost);
    const close = () =>
      story.close().catch((error: unknown) => {
        // The venue has proven what it has; the next start finds out what the newest records would have told.
        if (!(error instanceof JournalFailed)) throw error;
      });
    return { chronicle: story.chronicle, problem: undefined, hasUnwritten, close };
  } catch (error) {
    if (error instanceof JournalHeld) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const { books, lack } = await legibleBooks(machine.files, directory);
    machine.log.warn('the journal cannot be written: this stop is not in it', { directory, reason });
    return {
      chronicle: new Chronicle(new LossyJournal(undefined, onLost), books),
      problem:
        lack && `whether these are all orders of ours: ${lack} (--all cancels every order on the pair)`,
      hasUnwritten,
      close: () => Promise.resolve(),
    };
  }
}

function withProblem(proof: PairProof, problem: string): PairProof {
  return { ...proof, proven: false, unproven: [...proof.unproven, problem] };
}

function sliceOf({ quantityGrid }: Market, { limits }: Settings): Lots | undefined {
  const { maxOrderQuantity } = limits ?? {};
  return maxOrderQuantity === undefined
    ? undefined
    : (quantise(quantityGrid, 1, maxOrderQuantity, 'down') as Lots);
}
