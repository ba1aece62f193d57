import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { shellWord } from '../../model/shell-word.js';
import { readDaemonFile } from '../../daemon/daemon-file.js';
import { startDetached } from '../../platform/detached.js';
import { processId } from '../../platform/processes.js';
import { goOnUnread, processFacts } from '../../platform/process.js';
import { sleep } from '../../ports/clock.js';
import { shortageToStart } from '../../storage/journal/journal-space.js';
import { demandCertificates, noteUncertified } from '../certify/certify.js';
import { daemonWait, isReadyWithoutFile, NOTHING_KNOWN } from '../daemon/daemon-wait.js';
import { type DaemonPlan, runDaemon } from '../daemon/daemon-process.js';
import { runningDaemon } from '../daemon/end-daemon.js';
import { demandLimits } from '../settings/limits.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { demandPairFolders, demandStateFolder, openStateFolder } from '../daemon/state-folder.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { printJson, say } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface StartOptions {
  readonly config?: string | undefined;
  readonly venue?: string | undefined;
  readonly live?: true | undefined;
  readonly detach?: true | undefined;
  readonly sentinel?: true | undefined;
  /** False with `--no-certificate`. */
  readonly certificate?: boolean | undefined;
  readonly allowEnvKey?: true | undefined;
  readonly json?: true | undefined;
}

/** If a daemon is not ready within this time, its log says why; ms. */
const READY_WITHIN_MS = 60_000;
/**
 * Time from the daemon's first attempt on, ms. A problem that lasts longer, such as a venue that is away, may persist.
 */
const TRIES_MS = 10_000;
const LOOK_MS = 50;
const HOW = { paper: ' on paper', live: ' live' } as const;
/** The most lines. */
const MOST_WORDS = 8;
/** Number of looks between two requests for the reason of waiting. */
const ASK_EVERY = 10;

export async function start(options: StartOptions): Promise<ExitCode> {
  const machine = thisMachine('info', { unattended: true });
  try {
    const settings = await readSettings(machine, options.config);
    await demandStateFolder(machine, settings);
    const running = await runningDaemon(machine, settings.state);
    if (running !== undefined) return await runsAlready(settings, running);
    const mode = modeOf(settings, options);
    if (mode === 'paper' && settings.mode === 'live') {
      const { file = 'the configuration' } = settings;
      await say(`warning: ${file} says mode: live, and --live is missing: this daemon trades on paper`);
    }
    const isAllowed = options.certificate === false;
    const found = mode === 'live' ? await demandCertificates(machine, settings, isAllowed) : [];
    await openStateFolder(machine, settings);
    const unusable = await demandPairFolders(machine, settings, mode);
    const noted = found.filter(({ strategy }) => !unusable.has(strategy.pair));
    if (options.detach === true) return await detached(machine, settings, options, mode);
    if (hasSentinel(settings, options, mode)) {
      startSentinel(settings, options);
      await say(`the log of its sentinel is ${sentinelLog(settings)}`);
    }
    // Its orders depend on it, so it must survive the loss of its stdout.
    goOnUnread(({ message }) => {
      machine.log.warn('stdout takes nothing any more: the daemon goes on without', { error: message });
    });
    return await runDaemon(machine, {
      settings,
      mode,
      venue: await venueOf(settings, mode, options),
      venueFlag: options.venue,
      onLocked: () => noteUncertified(machine, settings, noted),
      onReady: (facts) => onReady(settings, facts),
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await say(`error: ${error.message}`);
    // The configuration is unusable, so a supervisor must not restart it.
    return EXIT.unusableConfig;
  }

  async function onReady(
    settings: Settings,
    { pid, url, mode }: Parameters<DaemonPlan['onReady']>[0],
  ): Promise<void> {
    // A failed write is not an error, because the log has the same facts.
    if (options.json === true)
      await printJson({ pid, ...(url === undefined ? {} : { url }), mode }).catch(() => undefined);
    else await say(`ready${HOW[mode]}, process ${pid}${addressText(settings, url)}`);
  }
}

/** `running`: name of the running daemon's process. */
async function runsAlready({ state, file }: Settings, running: string): Promise<ExitCode> {
  const config = file === undefined ? '' : ` --config ${shellWord(file)}`;
  await say(
    `error: ${state} must have one daemon, received a second one: process ${processId(running)} runs there already ` +
      `(tickwright status${config} shows it)`,
  );
  return EXIT.journalHeld;
}

/** What is at the address, in words that follow others. */
function addressText({ control }: Pick<Settings, 'control'>, url: string | undefined): string {
  if (url === undefined) return '';
  return `, ${control.dashboard ? 'dashboard' : 'HTTP'} at ${url}`;
}

/** Live trading needs both `mode: live` in the file and the flag `--live`. */
function modeOf({ mode, file }: Settings, { live }: StartOptions): 'paper' | 'live' {
  if (live === undefined) return 'paper';
  if (mode === 'live') return 'live';
  throw new UsageError(
    'TICKWRIGHT_E_LIVE',
    `--live must go with mode: live in ${file ?? 'a configuration'}, received mode: ${mode}`,
  );
}

async function venueOf(
  settings: Settings,
  mode: 'paper' | 'live',
  options: StartOptions,
): Promise<DaemonPlan['venue']> {
  const venue = settings.venue(options.venue);
  if (mode === 'paper') return venue;
  demandLimits(venue.url, settings.limits);
  return settings.venueWithKeys(options);
}

function hasSentinel({ daemon }: Settings, { sentinel }: StartOptions, mode: 'paper' | 'live'): boolean {
  return mode === 'live' && (sentinel === true || daemon.sentinel);
}

function sentinelLog({ state }: Settings): string {
  return join(state, 'sentinel.log');
}

/**
 * Starts the sentinel as a process of its own, before keys are removed from the environment. It outlives this process
 * until there is nothing left to watch.
 */
function startSentinel(settings: Settings, { venue, allowEnvKey }: StartOptions): void {
  const { file } = settings;
  const args = [
    'sentinel',
    '--once',
    ...(file === undefined ? [] : ['--config', file]),
    ...(venue === undefined ? [] : ['--venue', venue]),
    ...(allowEnvKey === true ? ['--allow-env-key'] : []),
  ];
  startDetached([processFacts().script, ...args], sentinelLog(settings)).letGo();
}

/** Starts the daemon in a session of its own. Returns when it is ready, or reports why it is not. */
async function detached(
  machine: Machine,
  settings: Settings,
  options: StartOptions,
  mode: 'paper' | 'live',
): Promise<ExitCode> {
  const { state, poll } = settings;
  const { files, timers, clock, disk } = machine;
  const shortage = await shortageToStart(disk, state).catch(() => undefined);
  const isFull = shortage !== undefined;
  const logFile = join(state, 'daemon.log');
  const { script, args: given } = processFacts();
  const args = given.filter((arg) => arg !== '--detach' && arg !== '--json');
  const logged = (await files.stat(logFile))?.size ?? 0;
  const child = startDetached([script, ...args], logFile);
  let code: number | undefined;
  void child.ended.then((ended) => {
    code = ended;
  });
  const deadline = clock.monotonic() + READY_WITHIN_MS;
  let wait = NOTHING_KNOWN;
  let upAt: number | undefined;
  let url: string | undefined;
  const { pid } = child;
  for (let look = 1; code === undefined && clock.monotonic() < deadline && !wait.needsPerson; look++) {
    const asks = look % ASK_EVERY === 0;
    const file = upAt === undefined ? await readDaemonFile(files, state) : undefined;
    const isHere = file?.pid === pid;
    const isUp = isHere || (upAt === undefined && asks && isFull && (await isReadyWithoutFile(state, pid)));
    if (isUp) {
      upAt = clock.monotonic();
      url = isHere ? file.url : undefined;
    }
    // A daemon that waits for a person counts as up, whatever else it runs.
    if (isUp || asks) wait = await daemonWait(state);
    // A session requests its first ticker within one interval, which may be long.
    const patienceMs = wait.hasBegun ? TRIES_MS + poll.ticker : TRIES_MS;
    const isLate = upAt !== undefined && clock.monotonic() - upAt >= patienceMs;
    // After that time, a daemon that only warms up on paper is as healthy as its status says.
    const isWell = wait.isReady || (isLate && wait.hasBegun && wait.problems.length === 0);
    if (upAt !== undefined && isWell && wait.runs) {
      child.letGo();
      if (options.json === true) await printJson({ pid, ...(url === undefined ? {} : { url }), mode });
      else {
        const more = hasSentinel(settings, options, mode)
          ? `, that of its sentinel ${sentinelLog(settings)}`
          : '';
        await say(
          `started${HOW[mode]}, process ${pid}${addressText(settings, url)}; its log is ${logFile}${more}`,
        );
      }
      for (const problem of wait.lasting) await say(`warning: ${problemText(problem)}`);
      return EXIT.ok;
    }
    if (isLate || (upAt !== undefined && wait.isReady)) break;
    await sleep(timers, LOOK_MS);
  }
  const standing = wait.needsPerson
    ? 'runs and waits for a person'
    : wait.isReady
      ? 'runs, and none of its strategies does'
      : 'is not ready and goes on trying';
  await say(`error: the daemon ${code === undefined ? standing : `ended with ${code}`}; ${logFile} says why`);
  if (code !== undefined)
    for (const line of await lastWords(machine, logFile, logged)) await say(printable(line));
  // On a full disk not even the log can be written.
  if (isFull) await say(shortage);
  if (code === undefined) for (const problem of wait.problems) await say(problemText(problem));
  child.letGo();
  if (code !== undefined) return code as ExitCode;
  if (options.json === true) {
    await printJson({ pid, ...(url === undefined ? {} : { url }), mode, ready: false });
  }
  // The same exit code as that of `status`.
  return EXIT.checkFailed;
}

/**
 * Text of strategies and the venue must not contain control characters. Further lines, such as code excerpts, are
 * indented.
 */
function problemText(problem: string): string {
  return problem.split('\n').map(printable).join('\n    ');
}

/** The daemon's messages for people since its log had `logged` bytes, without those for programs. */
async function lastWords({ files }: Machine, logFile: string, logged: number): Promise<readonly string[]> {
  const text = await files.readText(logFile).catch(() => '');
  const since = Buffer.from(text).subarray(logged).toString();
  return since
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
    .slice(-MOST_WORDS);
}
