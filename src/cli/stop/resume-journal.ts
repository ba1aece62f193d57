/** Ends the halt that a journal has, of a bot that is not running. */
import { join } from 'node:path';
import { openJournalFolder } from '../journal/journal.js';
import { addToJournal } from '../journal/write-journal.js';
import type { Machine } from '../machine.js';
import { demandNoHaltFile } from './halt-files.js';

/** Who resumes, and why. */
export interface Word {
  readonly by: string;
  readonly reason: string;
  /** Whether an action, in words, may be done. */
  readonly consents: (what: string) => Promise<boolean>;
}

export interface ResumedJournal {
  readonly journal: string;
  /** The level that was latched; `undefined`: nothing was. */
  readonly halt: string | undefined;
  /** It is latched no more. False where nothing was, or where the person said no. */
  readonly resumed: boolean;
  /** Pairs on which no risk is added all the same. */
  readonly quarantined: readonly string[];
}

/** @throws UsageError when there is no journal; what reading and writing one throws */
export async function resumeJournal(
  machine: Machine,
  folder: string,
  { by, reason, consents }: Word,
): Promise<ResumedJournal> {
  const journal = join(folder, 'journal');
  await openJournalFolder(machine.files, journal);
  await demandNoHaltFile(machine.files, folder);
  let halt: string | undefined;
  let quarantined: readonly string[] = [];
  const written = await addToJournal(machine, journal, async (books) => {
    ({ halt } = books);
    quarantined = books.state().quarantines.map(([pair]) => pair);
    if (halt === undefined) return [];
    const question = `write into ${journal} that ${by} resumes what was halted (${halt}): the next start may add risk again`;
    if (!(await consents(question))) return [];
    // The HALT file may have been created while the person was asked.
    await demandNoHaltFile(machine.files, folder);
    return [{ kind: 'resume', by, reason, wall: machine.clock.wall() }];
  });
  return { journal, halt, resumed: written.length > 0, quarantined };
}
