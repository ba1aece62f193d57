import { join } from 'node:path';
import { type DaemonStatus, NO_MARK } from '../../daemon/daemon-api.js';
import { TickwrightError, UsageError } from '../../model/errors.js';
import { userName } from '../../platform/process.js';
import { processId } from '../../platform/processes.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { askDaemon, STATUS_MS, tellDaemon } from '../daemon/daemon-call.js';
import { runningDaemon } from '../daemon/end-daemon.js';
import { demandOpenState } from '../daemon/state-access.js';
import { type ResumedDaemon, resumeStopped, type StoppedDaemon } from '../daemon/resume-stopped.js';
import { demandNoHaltFile } from '../stop/halt-files.js';
import { resumeJournal, type Word } from '../stop/resume-journal.js';
import { pairFolder } from '../journal/pair-folder.js';
import { describeError } from '../report-error.js';
import { readSettings, type Settings } from '../settings/settings.js';
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
  const consents = (what: string) => hasConsent(yes, what, personAtTerminal());
  const word = { by, reason, consents };
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
  await demandNoHaltFile(machine.files, state, ...folders);
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
  const running = answer?.status === 200 ? (answer.document as DaemonStatus) : undefined;
  if (running === undefined || running.state === 'hung') {
    await demandNone(machine, state);
    return resumeWithoutDaemon(machine, { state, folders }, word, json);
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
  if (!(await word.consents(question))) return EXIT.failure;
  // The HALT file may have been created while the person was asked.
  await demandNoHaltFile(machine.files, state);
  // Only the halt that the person has seen ends, not one that was latched since.
  const { level = 'none', mark = NO_MARK } = halted ?? {};
  await tellDaemon(state, '/api/resume', { by: word.by, reason: word.reason, level, mark });
  return told({ halt: halted?.level ?? null, resumed: true }, `resumed by ${word.by}`, json);
}

/** The message after a resume. It does not end a quarantine, because it vouches for nothing. `where`: not everywhere. */
function resumedWords(by: string, quarantined: readonly string[], where?: string): string {
  const words =
    where === undefined
      ? `resumed by ${by}: the next start may add risk again`
      : `resumed by ${by} on ${where}: the next start may add risk again there`;
  if (quarantined.length === 0) return words;
  return `${words}, but not on ${quarantined.join(', ')}: QUARANTINED until tickwright attach --accept`;
}

async function resumeWithoutDaemon(
  machine: Machine,
  stopped: StoppedDaemon,
  word: Word,
  json: true | undefined,
): Promise<ExitCode> {
  const outcome = await resumeStopped(machine, stopped, word);
  if (outcome === undefined) return EXIT.failure;
  const { lifted, levels, quarantined, isRefused, failures } = outcome;
  const resumed = lifted.length > 0;
  const document = { halt: levels[0] ?? null, resumed };
  if (failures.length > 0) return toldInPart(document, outcome, word, json);
  if (isRefused) return EXIT.failure;
  return told(document, resumed ? resumedWords(word.by, quarantined) : 'nothing is halted', json);
}

/** Says what was resumed and what was not; the exit code is that of the first failure. */
async function toldInPart(
  document: object,
  { lifted, quarantined, failures, kept }: ResumedDaemon,
  { by }: Word,
  json: true | undefined,
): Promise<ExitCode> {
  const failed = failures.map(({ what, error }) => ({ what, ...describeError(error) }));
  const back = failed.map(({ what }) => what).join(', ');
  const notResumed = [
    ...failed.map(({ what, text }) => ({ what, reason: text.replace(/^error: /, '') })),
    ...kept.map(({ daemon, held }) => ({
      what: daemon,
      reason: `it stays halted (${held.level}) by ${held.by}: ${held.reason}: that holds back ${back}, too; resume again once this is mended`,
    })),
  ];
  const where = lifted.join(', ');
  // Risk is added only where the daemon as a whole is not halted any more.
  const promise = kept.length === 0 ? resumedWords(by, quarantined, where) : `resumed by ${by} on ${where}`;
  const words = [
    lifted.length === 0 ? 'nothing was resumed' : promise,
    ...notResumed.map(({ what, reason }) => `error: ${what} is not resumed: ${reason}`),
  ];
  await told({ ...document, notResumed }, words.join('\n'), json);
  return failed[0]?.exitCode ?? EXIT.failure;
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
