import { basename, join } from 'node:path';
import { type DaemonStatus, NO_MARK } from '../../daemon/daemon-api.js';
import { clearBlocked, isBlocked } from '../../daemon/blocked-file.js';
import { keepHalts, readHalts } from '../../daemon/halts-file.js';
import { TickwrightError, UsageError } from '../../model/errors.js';
import { strongestOf } from '../../model/halt-level.js';
import { userName } from '../../platform/process.js';
import { processId } from '../../platform/processes.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { askDaemon, STATUS_MS, tellDaemon } from '../daemon/daemon-call.js';
import { runningDaemon } from '../daemon/end-daemon.js';
import { demandOpenState } from '../daemon/state-access.js';
import { haltFileIn } from '../stop/halt-files.js';
import { openJournalFolder } from '../journal/journal.js';
import { pairFolder } from '../journal/pair-folder.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { addToJournal } from '../journal/write-journal.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { printJson, say } from '../view/output.js';

export interface ResumeOptions {
  /** Folder of a bot; `undefined`: the daemon of the configuration. */
  readonly journal?: string | undefined;
  readonly config?: string | undefined;
  readonly by?: string | undefined;
  readonly reason: string;
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
}

/** Who resumes, why, and whether consent is given already. */
interface Word {
  readonly by: string;
  readonly reason: string;
  readonly yes: true | undefined;
}

/** Ends a halt, so that the bot, or its next start, may add risk again. */
export async function resume(options: ResumeOptions): Promise<ExitCode> {
  const { journal: folder, config, yes, json } = options;
  const [by, reason] = [(options.by ?? userName()).trim(), options.reason.trim()];
  if (by === '' || reason === '') {
    throw new UsageError(
      'TICKWRIGHT_E_RESUME',
      '--by and --reason must say who resumes and why, received nothing',
    );
  }
  requireConsent(yes, personAtTerminal());
  const machine = thisMachine();
  const word = { by, reason, yes };
  if (folder === undefined) return resumeDaemon(machine, await readSettings(machine, config), word, json);
  const { halt, resumed, journal, quarantined } = await resumeJournal(machine, folder, word);
  if (json === true) await printJson({ journal, halt: halt ?? null, resumed });
  else if (resumed) await say(resumedWords(by, quarantined));
  else if (halt === undefined) await say('nothing is halted');
  return resumed || halt === undefined ? EXIT.ok : EXIT.failure;
}

/** Ends the halt of a daemon: at once if it is running, otherwise in all its journals. */
async function resumeDaemon(
  machine: Machine,
  settings: Settings,
  word: Word,
  json: true | undefined,
): Promise<ExitCode> {
  const { state } = settings;
  await demandOpenState(state);
  const folders = await botFolders(machine, settings);
  await demandNoHaltFile(machine, state, ...folders);
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
  const running = answer?.status === 200 ? (answer.document as DaemonStatus) : undefined;
  if (running === undefined || running.state === 'hung') {
    await demandNone(machine, state);
    return resumeStopped(machine, { state, folders }, word, json);
  }
  const { halted } = running;
  const keepsOut = running.pairs.some(({ blocked }) => blocked === true);
  if (halted === undefined && !keepsOut)
    return told({ halt: null, resumed: false }, 'nothing is halted', json);
  const what = [
    ...(halted === undefined ? [] : [`halted (${halted.level}) by ${halted.by}: ${halted.reason}`]),
    ...(keepsOut ? ['whose strategy ended it and does not run'] : []),
  ];
  const question = `the daemon of ${state}, ${what.join(', and ')}, may add risk again`;
  if (!(await hasConsent(word.yes, question, personAtTerminal()))) return EXIT.failure;
  // The HALT file may have been created while the person was asked.
  await demandNoHaltFile(machine, state);
  // Only the halt that the person has seen ends, not one that was latched since.
  const { level = 'none', mark = NO_MARK } = halted ?? {};
  await tellDaemon(state, '/api/resume', { by: word.by, reason: word.reason, level, mark });
  return told({ halt: halted?.level ?? null, resumed: true }, `resumed by ${word.by}`, json);
}

const NOTHING_RESUMED = { halt: undefined, resumed: false, quarantined: [] };

/** The message after a resume. It does not end a quarantine, because it vouches for nothing. */
function resumedWords(by: string, quarantined: readonly string[]): string {
  const words = `resumed by ${by}: the next start may add risk again`;
  if (quarantined.length === 0) return words;
  return `${words}, but not on ${quarantined.join(', ')}: QUARANTINED until tickwright attach --accept`;
}

async function resumeStopped(
  machine: Machine,
  { state, folders }: { readonly state: string; readonly folders: readonly string[] },
  word: Word,
  json: true | undefined,
): Promise<ExitCode> {
  const halts: string[] = [];
  const waiting: string[] = [];
  let isRefused = false;
  let isUnblocked = false;
  for (const mode of ['live', 'paper'] as const) {
    const held = strongestOf(await readHalts(machine.files, state, mode));
    if (held === undefined) continue;
    halts.push(held.level);
    const daemon = `the daemon ${mode === 'live' ? '' : 'on paper '}of ${state}`;
    const question = `${daemon}, halted (${held.level}) by ${held.by}: ${held.reason}, may add risk again at its next start`;
    if (!(await hasConsent(word.yes, question, personAtTerminal()))) return EXIT.failure;
    await demandNoHaltFile(machine, state);
    await keepHalts(machine.files, state, mode, []);
  }
  for (const folder of folders) {
    const hasJournal = (await machine.files.stat(join(folder, 'journal'))) !== undefined;
    const { halt, resumed, quarantined } = hasJournal
      ? await resumeJournal(machine, folder, word)
      : NOTHING_RESUMED;
    waiting.push(...quarantined);
    if (halt !== undefined) halts.push(halt);
    if (halt !== undefined && !resumed) isRefused = true;
    else if (await isBlocked(machine.files, folder)) {
      const question = `the strategy of ${basename(folder)}, which ended the daemon of ${state}, may run again at its next start`;
      if (await hasConsent(word.yes, question, personAtTerminal()))
        isUnblocked = await clearBlocked(machine.files, folder);
      else isRefused = true;
    }
  }
  if (isRefused) return EXIT.failure;
  const resumed = halts.length > 0 || isUnblocked;
  const words = resumed ? resumedWords(word.by, waiting) : 'nothing is halted';
  return told({ halt: halts[0] ?? null, resumed }, words, json);
}

async function resumeJournal(machine: Machine, folder: string, { by, reason, yes }: Word) {
  const journal = join(folder, 'journal');
  await openJournalFolder(machine.files, journal);
  await demandNoHaltFile(machine, folder);
  let halt: string | undefined;
  let quarantined: readonly string[] = [];
  const written = await addToJournal(machine, journal, async (books) => {
    ({ halt } = books);
    quarantined = books.state().quarantines.map(([pair]) => pair);
    if (halt === undefined) return [];
    const question = `write into ${journal} that ${by} resumes what was halted (${halt}): the next start may add risk again`;
    if (!(await hasConsent(yes, question, personAtTerminal()))) return [];
    // The HALT file may have been created while the person was asked.
    await demandNoHaltFile(machine, folder);
    return [{ kind: 'resume', by, reason, wall: machine.clock.wall() }];
  });
  return { journal, halt, resumed: written.length > 0, quarantined };
}

/** The folders of the configuration's pairs, and of pairs from older configurations that the state still has. */
async function botFolders({ files }: Machine, { state, strategies }: Settings): Promise<readonly string[]> {
  const folders = new Set(strategies.map(({ pair }) => pairFolder(state, pair)));
  if ((await files.stat(state)) === undefined) return [];
  for (const { path, kind } of await files.list(state)) {
    if (kind === 'directory' && (await files.stat(join(path, 'journal'))) !== undefined) folders.add(path);
  }
  return [...folders];
}

/** Demands that no daemon is running: only the daemon may write its journal, even while it hangs. */
async function demandNone(machine: Machine, state: string): Promise<void> {
  const running = await runningDaemon(machine, state);
  if (running === undefined) return;
  throw new TickwrightError(
    'TICKWRIGHT_E_DAEMON_SILENT',
    `a halt is ended by a daemon that answers, or when none runs; process ${processId(running)} runs on ${state} and does not answer`,
  );
}

async function told(document: object, words: string, json: true | undefined): Promise<ExitCode> {
  if (json === true) await printJson(document);
  else await say(words);
  return EXIT.ok;
}

/** Demands that there is no HALT file, with which the next start would halt again. */
async function demandNoHaltFile({ files }: Machine, ...folders: readonly string[]): Promise<void> {
  const problem = await haltFileIn(files, folders);
  if (problem !== undefined) throw new TickwrightError('TICKWRIGHT_E_HALT_FILE', problem);
}
