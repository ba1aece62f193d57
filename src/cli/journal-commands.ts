/** The commands about a bot's journal. Those that only show it may be used while the bot is running. */
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import { wholeNumber } from './option-values.js';
import { CONFIG_OPTION, writeOptions } from './shared-options.js';

const DEFAULT_LINES = 20;
const MOST_LINES = 1_000_000;
const FOLDER = 'folder of the journal';

export function addJournalCommands(journal: Command, end: (code: ExitCode) => void): void {
  journal
    .command('verify')
    .description('check every byte: checksums, sequence, snapshots')
    .argument('<dir>', FOLDER)
    .option('--json', 'print one JSON document')
    .action(async (dir, options) =>
      end(await (await import('./commands/journal-verify.js')).journalVerify(dir, options)),
    );
  journal
    .command('tail')
    .description('the newest records')
    .argument('<dir>', FOLDER)
    .option('-n, --lines <n>', 'how many', wholeNumber(1, MOST_LINES), DEFAULT_LINES)
    .option('--json', 'print one JSON document')
    .action(async (dir, options) =>
      end(await (await import('./commands/journal-tail.js')).journalTail(dir, options)),
    );
  journal
    .command('explain')
    .description('the story of one order: sent, answered, found, filled, ended')
    .argument('<dir>', FOLDER)
    .argument('<intent>', "its intent, or the venue's id of the order")
    .option('--json', 'print one JSON document')
    .action(async (dir, intent, options) =>
      end(await (await import('./commands/journal-explain.js')).journalExplain(dir, intent, options)),
    );
}

/** Adds the command that shows what a start would find, and with which a person ends a quarantine. */
export function addAttach(
  command: (name: string, description: string) => Command,
  end: (code: ExitCode) => void,
): void {
  writeOptions(
    command(
      'attach',
      'hold the journal of a bot against the venue: each difference, and what a start does about it',
    )
      .option('--plan', 'only show it; the default')
      .option(
        '--journal <dir>',
        "what run --journal was given; default: the pair's journal in the configuration's state folder",
      )
      .option('--pair <pair>', 'market; default: the only one')
      .option(
        '--accept',
        "vouch for the venue's position, which ends a quarantine; the bot must not be running",
      )
      .option('--by <name>', 'who vouches')
      .option('--reason <text>', 'and why'),
  )
    .addHelpText('after', ATTACH_NOTES)
    .action(async (options) => end(await (await import('./commands/attach.js')).attach(options)));
}

/** Adds the command with which a person ends a halt. */
export function addResume(
  command: (name: string, description: string) => Command,
  end: (code: ExitCode) => void,
): void {
  command('resume', 'end a halt: of the daemon, or of a bot at its next start')
    .option(...CONFIG_OPTION)
    .option(
      '--journal <dir>',
      'instead of a daemon: what run --journal was given; the bot must not be running',
    )
    .option('--by <name>', 'who resumes; default: the user of this machine')
    .requiredOption('--reason <text>', 'and why')
    .option('-y, --yes', 'do not ask; needed where nobody can be asked')
    .option('--json', 'print one JSON document')
    .addHelpText('after', RESUME_NOTES)
    .action(async (options) => end(await (await import('./commands/resume.js')).resume(options)));
}

const RESUME_NOTES = `
A HALT file in the folder has to be removed first. Exit code 75: the bot is still running.
A daemon resumes at once. When none runs, the journals of all its pairs are told, and what had ended the daemon may run again.
A pair whose journal cannot be read (exit code 65) stays as it is, and what halts the daemon as a whole stays with it.
  tickwright resume --reason "the venue is in order again"
  tickwright resume --journal var/my-bot --by anna --reason "the venue is in order again"`;

const ATTACH_NOTES = `
Nothing is sent to the venue but reads. Exit code 0: a start ends every difference by itself. 3: a person has to.
--accept writes a checkpoint into the journal: from it on fills are counted anew. It resumes no halt.
  tickwright attach --plan --journal var/my-bot
  tickwright attach --accept --journal var/my-bot --by anna --reason "sold 5 by hand"`;
