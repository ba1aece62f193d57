import { dirname, join } from 'node:path';
import type { Books } from '../../execution/books.js';
import { TickwrightError, UsageError } from '../../model/errors.js';
import type { JournalRecord } from '../../model/journal-record.js';
import type { GridDigits, Market } from '../../model/market.js';
import { quantityText } from '../../runner/attach-plan.js';
import { gridRecordsOf, onGridOfBooks } from '../../runner/journal-grid.js';
import { booksIn } from '../../runner/open-chronicle.js';
import { type AttachReading, readAttachPlan } from '../../runner/read-attach-plan.js';
import { endsOf, vouchFor } from '../../runner/vouch.js';
import { processId } from '../../platform/processes.js';
import { lockOwners } from '../../storage/journal/journal-lock.js';
import { readJournal } from '../../storage/journal/journal-reader.js';
import { demandSameAccount } from '../connection/account-of-key.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { openJournalFolder } from '../journal/journal.js';
import { notedGrid } from '../journal/journaled.js';
import { chooseConfigured } from '../settings/pair.js';
import { pairFolder } from '../journal/pair-folder.js';
import { START_POLICY } from '../session/session-plan.js';
import { withAccount, type WriteOptions } from '../settings/venue-access.js';
import { addToJournal } from '../journal/write-journal.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Machine } from '../machine.js';
import { attachJson, attachText } from '../view/attach-view.js';
import { printJson, printText, say } from '../view/output.js';

export interface AttachOptions extends WriteOptions {
  readonly plan?: true | undefined;
  readonly journal?: string | undefined;
  readonly pair?: string | undefined;
  readonly accept?: true | undefined;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
}

/** The person who vouches for a position, and the reason. */
interface Voucher {
  readonly by: string;
  readonly reason: string;
}

/** Shows what the venue has, what the journal says, and what a start would do about differences. */
export async function attach(options: AttachOptions): Promise<ExitCode> {
  const voucher = voucherIn(options);
  const person = personAtTerminal();
  if (voucher !== undefined) requireConsent(options.yes, person);
  return withAccount(options, async ({ machine, settings, api, profile, url }) => {
    const listed = await chooseConfigured(api, settings, options.pair);
    const directory = await journalOf(machine, options.journal, settings.state, listed.pair);
    await demandSameAccount(machine, { api, profile }, dirname(directory));
    // A missing journal is not created here: a bot that found it would take it for its own.
    if (voucher !== undefined) await openJournalFolder(machine.files, directory);
    const { books, nextSequence } = await journalAt(machine, directory);
    const noted = await notedGrid(machine.files, dirname(directory));
    const market = onGridOfBooks(listed, books, noted);
    gridIn(books, market, noted);
    const reading = await readAttachPlan({
      ...machine,
      api,
      books,
      market,
      policy: { echo: profile.echo !== undefined, ...START_POLICY },
      lists: profile.orderLists,
      limit: profile.maxLimit,
      visibilityMs: profile.visibilityLagMs,
    });
    const { plan } = reading;
    const needsPerson = plan.differences.some(({ endedBy }) => endedBy === 'operator');
    if (voucher === undefined) {
      const { holder } = await lockOwners(machine.files, machine.processes, directory);
      if (holder !== undefined) {
        await say(
          `a bot writes this journal (process ${processId(holder)}): what it does between the two looks shows as a difference, and it is no start that ends one`,
        );
      }
      await show(reading, market, options, false);
      return needsPerson ? EXIT.checkFailed : EXIT.ok;
    }
    if (options.json !== true) await printText(attachText(plan, market));
    const question =
      `write into ${directory} that ${voucher.by} vouches for ${quantityText(market, plan.venue.position)} ` +
      `on ${market.pair}\nat ${url}; the bot must not be running`;
    if (!(await hasConsent(options.yes, question, person))) return EXIT.failure;
    await write(machine, directory, nextSequence, { reading, market, noted }, voucher);
    if (options.json === true) await show(reading, market, options, true);
    else
      await say(`written: ${quantityText(market, plan.venue.position)} on ${market.pair} by ${voucher.by}`);
    const stays = plan.journal.halt !== undefined;
    if (stays) await say(`the halt (${plan.journal.halt}) stays: a checkpoint resumes nothing`);
    return stays ? EXIT.checkFailed : EXIT.ok;
  });
}

/** The journal folder: the given one, else that of the pair in a daemon's state, else the one directly in the state. */
async function journalOf(
  { files }: Machine,
  given: string | undefined,
  state: string,
  pair: string,
): Promise<string> {
  if (given !== undefined) return join(given, 'journal');
  const own = join(pairFolder(state, pair), 'journal');
  return (await files.stat(own))?.kind === 'directory' ? own : join(state, 'journal');
}

/** @throws UsageError when only a part of the options of a voucher is given. */
function voucherIn({ accept, plan, by, reason }: AttachOptions): Voucher | undefined {
  const problem =
    accept === true && plan === true
      ? 'either --plan or --accept must be given, received both'
      : accept === true &&
          (by === undefined || by.trim() === '' || reason === undefined || reason.trim() === '')
        ? '--accept must say who vouches and why: --by NAME --reason TEXT, received one or none of them'
        : accept !== true && (by !== undefined || reason !== undefined)
          ? '--by and --reason must go with --accept, received no --accept'
          : undefined;
  if (problem !== undefined) throw new UsageError('TICKWRIGHT_E_ATTACH', problem);
  return accept === true && by !== undefined && reason !== undefined ? { by, reason } : undefined;
}

/** Reads a journal; a missing one gives empty books. */
async function journalAt(
  { files }: Machine,
  directory: string,
): Promise<{ readonly books: Books; readonly nextSequence: number }> {
  const contents = await readJournal(files, directory);
  return { books: booksIn(contents), nextSequence: contents.nextSequence };
}

/** Converts the books to the market's grids. Returns the journal records that state the change. */
function gridIn(books: Books, market: Market, noted: GridDigits | undefined): readonly JournalRecord[] {
  const records = gridRecordsOf(market, books, noted);
  for (const record of records) books.apply(record);
  return records;
}

async function show(
  { plan }: AttachReading,
  market: Market,
  { json }: AttachOptions,
  accepted: boolean,
): Promise<void> {
  if (json === true) await printJson({ ...attachJson(plan, market), accepted });
  else await printText(attachText(plan, market));
}

async function write(
  machine: Machine,
  directory: string,
  expected: number,
  {
    reading,
    market,
    noted,
  }: {
    readonly reading: AttachReading;
    readonly market: Market;
    readonly noted: GridDigits | undefined;
  },
  voucher: Voucher,
): Promise<void> {
  await addToJournal(machine, directory, (books, nextSequence) => {
    if (nextSequence === expected) {
      const grid = gridIn(books, market, noted);
      const ends = endsOf(books, market.pair, reading.lost, machine.clock.wall());
      return [...grid, ...ends, vouchFor(books, reading, market, voucher)];
    }
    throw new TickwrightError(
      'TICKWRIGHT_E_JOURNAL_BUSY',
      `${directory} must not be written to while somebody vouches, received ${nextSequence - expected} new records: is the bot running?`,
    );
  });
}
