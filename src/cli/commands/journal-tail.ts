import { newestEntries, openJournalFolder } from '../journal/journal.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { entryJson } from '../view/journal-json.js';
import { entryText } from '../view/journal-text.js';
import { printJson, printText, say } from '../view/output.js';

export interface JournalTailOptions {
  /** Number of records. */
  readonly lines: number;
  readonly json?: true | undefined;
}

export async function journalTail(directory: string, options: JournalTailOptions): Promise<ExitCode> {
  const { files } = thisMachine();
  const { entries, problems } = await newestEntries(
    files,
    await openJournalFolder(files, directory),
    options.lines,
  );
  if (options.json === true) await printJson({ records: entries.map(entryJson), problems });
  else if (entries.length > 0) await printText(entries.map(entryText).join('\n'));
  for (const problem of problems) await say(`damaged: ${problem}`);
  return problems.length === 0 ? EXIT.ok : EXIT.journalDamaged;
}
