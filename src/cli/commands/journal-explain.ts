import { UsageError } from '../../model/errors.js';
import { intentStory } from '../../storage/journal/journal-story.js';
import { type IntentSearch, searchIntent } from '../journal/intent-search.js';
import { openJournalFolder } from '../journal/journal.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { entryJson } from '../view/journal-json.js';
import { storyText } from '../view/journal-text.js';
import { printJson, printText, say } from '../view/output.js';

export interface JournalExplainOptions {
  readonly json?: true | undefined;
}

/** Shows the whole story of one order. `name`: the key of its intent, or the venue's id of the order. */
export async function journalExplain(
  directory: string,
  name: string,
  options: JournalExplainOptions,
): Promise<ExitCode> {
  const { files } = thisMachine();
  const search = await searchIntent(files, await openJournalFolder(files, directory), name);
  const story = intentStory(search.entries, search.intent, search.grid);
  for (const problem of search.problems) await say(`damaged: ${problem}`);
  if (story === undefined) throw unknownIntent(search, name);
  if (options.json === true) {
    const { entries, ...facts } = story;
    await printJson({ ...facts, records: entries.map(entryJson), problems: search.problems });
  } else {
    await printText(storyText(story));
  }
  return search.problems.length === 0 ? EXIT.ok : EXIT.journalDamaged;
}

function unknownIntent({ intents, newest }: IntentSearch, name: string): UsageError {
  const some = newest.length === 0 ? '' : ` (the newest: ${newest.join(', ')})`;
  return new UsageError(
    'TICKWRIGHT_E_INTENT',
    `the intent must be one of the ${intents} in the journal${some} or the id of an order, received ${JSON.stringify(name)}`,
  );
}
