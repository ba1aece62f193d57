import { UsageError } from '../../model/errors.js';
import type { JournalRecord } from '../../model/journal-record.js';
import { intentStory } from '../../storage/journal/journal-story.js';
import { refusalLine, type RefusalRecord, refusalStory } from '../../storage/journal/journal-refusal.js';
import { type BotFolder, botFolders } from '../journal/bot-folders.js';
import { searchIntent } from '../journal/intent-search.js';
import { openJournalFolder, readableParts } from '../journal/journal.js';
import { type Step, storySteps } from '../replay/why.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { standingText } from '../view/journal-text.js';
import { momentText } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface WhyOptions {
  readonly last?: true | undefined;
  readonly refusals?: true | undefined;
  readonly config?: string | undefined;
  readonly journal?: string | undefined;
  readonly json?: true | undefined;
}

type Prep = Extract<JournalRecord, { readonly kind: 'prep' }>;

interface FoundRefusal {
  readonly sequence: number;
  /**
   * Its time, but not before that of earlier records of its journal, so that a clock that was set back does not reorder
   * records.
   */
  readonly place: number;
  readonly record: RefusalRecord;
}

const REFUSAL = /^#?(\d{1,15})$/;
/** The most refusals that are shown, the newest ones. */
const MOST_REFUSALS = 50;

/** Tells the story of an order, or lists refusals. */
export async function why(name: string | undefined, options: WhyOptions): Promise<ExitCode> {
  const machine = thisMachine('error');
  const folders = await botFolders(machine, options);
  if (options.refusals === true) return tellRefusals(machine, folders, options, undefined);
  if (name?.startsWith('#') === true) {
    const sequence = Number(REFUSAL.exec(name)?.[1]);
    return tellRefusals(machine, folders, options, sequence);
  }
  if (name !== undefined && options.last === true) {
    throw new UsageError(
      'TICKWRIGHT_E_INTENT',
      `--last must be left out where an order is named, received ${name}`,
    );
  }
  return tellOrder(machine, folders, name, options);
}

async function tellOrder(
  machine: Machine,
  folders: readonly BotFolder[],
  name: string | undefined,
  options: WhyOptions,
): Promise<ExitCode> {
  const newest: string[] = [];
  const problems: string[] = [];
  for (const folder of folders) {
    const journal = await openJournalFolder(machine.files, folder.journal);
    const wanted = name ?? (await newestOrder(machine, folders))?.intent;
    if (wanted === undefined) break;
    const search = await searchIntent(machine.files, journal, wanted);
    newest.push(...search.newest);
    problems.push(...search.problems);
    const story = intentStory(search.entries, search.intent, search.grid);
    if (story === undefined) continue;
    const code = await damagedBy(search.problems);
    const { steps } = await storySteps(machine, folder, story);
    const standing = standingText(story.standing);
    if (options.json === true) {
      const { intent, pair, orders } = story;
      await printJson({ intent, pair, standing: story.standing, orders, chain: steps });
    } else {
      const lines = steps.map((step) => printable(`  ${stepText(step)}`));
      await printText([printable(`${story.intent} ${story.pair ?? ''}: ${standing}`), ...lines].join('\n'));
    }
    return code;
  }
  // The intent may be in a damaged part.
  if (problems.length > 0) return damagedBy(problems);
  throw new UsageError(
    'TICKWRIGHT_E_INTENT',
    name === undefined
      ? 'the journal must hold an order, received none'
      : `the order must be an intent or an order id of the journal (the newest: ${newest.join(', ') || 'none'}), received ${JSON.stringify(name)}`,
  );
}

/** Reports the unreadable parts of journals. Returns the exit code of a command that showed the rest. */
async function damagedBy(problems: readonly string[]): Promise<ExitCode> {
  for (const problem of problems) await say(`damaged: ${problem}`);
  return problems.length === 0 ? EXIT.ok : EXIT.journalDamaged;
}

/**
 * The newest order of all pairs. Within a journal, the order of records counts, whatever our clock did; between
 * journals, the venue's time counts.
 */
export async function newestOrder(
  { files }: Pick<Machine, 'files'>,
  folders: readonly Pick<BotFolder, 'journal'>[],
): Promise<Pick<Prep, 'intent' | 'sentAt'> | undefined> {
  let newest: Prep | undefined;
  for (const { journal } of folders) {
    let last: Prep | undefined;
    for await (const { entries } of readableParts(files, await openJournalFolder(files, journal))) {
      for (const { record } of entries) if (record.kind === 'prep') last = record;
    }
    if (last !== undefined && last.sentAt >= (newest?.sentAt ?? Number.NEGATIVE_INFINITY)) newest = last;
  }
  return newest;
}

async function tellRefusals(
  machine: Machine,
  folders: readonly BotFolder[],
  { json }: WhyOptions,
  sequence: number | undefined,
): Promise<ExitCode> {
  const found: FoundRefusal[] = [];
  const problems: string[] = [];
  for (const { journal } of folders) {
    let place = Number.NEGATIVE_INFINITY;
    for await (const part of readableParts(machine.files, await openJournalFolder(machine.files, journal))) {
      problems.push(...part.problems);
      for (const { sequence: number, record } of part.entries) {
        if (record.kind === 'refusal' && (sequence === undefined || number === sequence)) {
          place = Math.max(place, record.time);
          found.push({ sequence: number, place, record });
        }
      }
    }
  }
  // The damaged part may contain a refusal, so a count without it could be wrong.
  const code = await damagedBy(problems);
  if (sequence !== undefined && found.length === 0) {
    if (code !== EXIT.ok) return code;
    throw new UsageError(
      'TICKWRIGHT_E_REFUSAL',
      `#${sequence} must be a refusal of the journal, received none`,
    );
  }
  const counts = new Map<string, number>();
  for (const { record } of found) counts.set(record.rule, (counts.get(record.rule) ?? 0) + 1);
  const shown = found.toSorted((a, b) => a.place - b.place).slice(-MOST_REFUSALS);
  if (json === true) {
    await printJson({
      refusals: found.length,
      rules: Object.fromEntries(counts),
      chain: shown.map((each) => ({
        sequence: each.sequence,
        time: each.record.time,
        ...refusalStory(each.record),
      })),
    });
    return code;
  }
  const lines = shown.map(({ sequence: number, record }) =>
    printable(`#${number}  ${momentText(record.time)}  ${refusalLine(record)}`),
  );
  const tally = [...counts].map(([rule, count]) => `${rule} ${count}`).join(', ');
  const head = `${found.length} refusals${tally === '' ? '' : `: ${tally}`}`;
  const more = found.length > shown.length ? [`(the newest ${shown.length})`] : [];
  await printText([head, ...more, ...lines].join('\n'));
  return code;
}

function stepText({ step, time, text }: Step): string {
  return `${time === undefined ? ''.padEnd(24) : momentText(time)}  ${step.padEnd(8)}  ${text}`;
}
