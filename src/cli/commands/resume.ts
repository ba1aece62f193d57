import { join } from 'node:path';
import { TickwrightError, UsageError } from '../../model/errors.js';
import { hasConsent, personAtTerminal, requireConsent } from '../compose/consent.js';
import { openJournalFolder } from '../compose/journal.js';
import { addToJournal } from '../compose/write-journal.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { printJson, say } from '../view/output.js';

export interface ResumeOptions {
  /** The bot's folder. */
  readonly journal: string;
  readonly by: string;
  readonly reason: string;
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
}

/** Ends a halt: the next start of the bot may add risk again. */
export async function resume(options: ResumeOptions): Promise<ExitCode> {
  const { journal: folder, yes, json } = options;
  const [by, reason] = [options.by.trim(), options.reason.trim()];
  if (by === '' || reason === '') {
    throw new UsageError(
      'TICKWRIGHT_E_RESUME',
      '--by and --reason must say who resumes and why, received nothing',
    );
  }
  const person = personAtTerminal();
  requireConsent(yes, person);
  const machine = thisMachine();
  const directory = join(folder, 'journal');
  await openJournalFolder(machine.files, directory);
  await demandNoHaltFile(machine, join(folder, 'HALT'));
  let halt: string | undefined;
  const written = await addToJournal(machine, directory, async (books) => {
    ({ halt } = books);
    if (halt === undefined) return undefined;
    const question = `write into ${directory} that ${by} resumes what was halted (${halt}): the next start may add risk again`;
    if (!(await hasConsent(yes, question, person))) return undefined;
    // It may have been put there while the person was thinking.
    await demandNoHaltFile(machine, join(folder, 'HALT'));
    return { kind: 'resume', by, reason, wall: machine.clock.wall() };
  });
  const resumed = written !== undefined;
  if (json === true) await printJson({ journal: directory, halt: halt ?? null, resumed });
  else if (resumed) await say(`resumed by ${by}: the next start may add risk again`);
  else if (halt === undefined) await say('nothing is halted');
  return resumed || halt === undefined ? EXIT.ok : EXIT.failure;
}

/** While it is there the next start would halt again. */
async function demandNoHaltFile({ files }: Machine, path: string): Promise<void> {
  if ((await files.stat(path)) === undefined) return;
  throw new TickwrightError(
    'TICKWRIGHT_E_HALT_FILE',
    `${path} must be gone before a halt can end, received one that is there: remove it first`,
  );
}
