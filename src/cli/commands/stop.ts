import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { removeDaemonFile } from '../../daemon/daemon-file.js';
import { endAlert } from '../../daemon/alerts/life-alerts.js';
import { tellReceivers } from '../compose/alerts.js';
import { endDaemon } from '../compose/end-daemon.js';
import { readSettings } from '../compose/settings.js';
import { stopBot } from '../compose/stop-bot.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { printJson, printText, say } from '../view/output.js';
import { proofText } from '../view/proof-text.js';

export interface StopOptions {
  readonly config?: string | undefined;
  readonly venue?: string | undefined;
  readonly leave?: true | undefined;
  readonly cancel?: true | undefined;
  readonly flat?: true | undefined;
  readonly all?: true | undefined;
  readonly within: number;
  readonly reason: string;
  readonly allowEnvKey?: true | undefined;
  readonly json?: true | undefined;
}

/** How long a daemon may take over its own end, before another process does it. */
const PATIENCE_MS = 15_000;

/** How long whoever waits for this command waits for its alert, too. */
const ALERT_GRACE_MS = 5_000;

/** Ends the daemon in order, then proves what is left at the venue from this process. */
export async function stop(options: StopOptions): Promise<ExitCode> {
  const level = levelOf(options, ['leave', 'cancel', 'flat'], 'cancel');
  return end(options, { level, patienceMs: PATIENCE_MS, latches: false, machine: thisMachine() });
}

/** Kills the daemon, whatever it does, and cancels at once: the halt is latched until somebody resumes. */
export async function panic(options: StopOptions): Promise<ExitCode> {
  const level = levelOf(options, ['cancel', 'flat'], 'cancel');
  return end(options, { level, patienceMs: 0, latches: true, machine: thisMachine() });
}

interface How {
  readonly level: 'leave' | 'cancel' | 'flat';
  readonly patienceMs: number;
  readonly latches: boolean;
  readonly machine: Machine;
}

async function end(options: StopOptions, { level, patienceMs, latches, machine }: How): Promise<ExitCode> {
  const settings = await readSettings(machine, options.config);
  const { state, mode } = settings;
  if (latches) await leaveHaltFile(machine, state, options.reason);
  const ended = await endDaemon(machine, state, {
    patienceMs,
    leaves: level === 'leave' ? { reason: options.reason } : undefined,
  });
  if (ended === 'killed') await say('the daemon did not end by itself and was killed');
  if (ended === 'none') await say(`no daemon runs on ${state}`);
  if (level === 'leave' || mode === 'paper') {
    const said =
      mode === 'paper' ? 'stopped; nothing was at a venue' : 'stopped; orders and position stay at the venue';
    await removeDaemonFile(machine.files, state);
    if (options.json === true) await printJson({ ended, proven: level !== 'leave' });
    else await say(said);
    if (latches) await tell([]);
    return EXIT.ok;
  }
  const venue = await settings.venueWithKeys(options);
  const { proof, file } = await stopBot(
    machine,
    { settings, venue },
    {
      level,
      latches,
      all: options.all === true,
      deadlineMs: options.within,
      by: latches ? 'panic' : 'stop',
      reason: options.reason,
    },
  );
  // Nothing is left for a sentinel to do.
  if (proof.proven) await removeDaemonFile(machine.files, state);
  if (options.json === true) await printJson({ ...proof, ended, file });
  else await printText(proofText(proof, file));
  // Who asks for an orderly end sees it; a panic may be a supervisor's.
  if (latches || !proof.proven) {
    await tell(proof.pairs.flatMap(({ pair, unproven }) => unproven.map((what) => `${pair}: ${what}`)));
  }
  return proof.proven ? EXIT.ok : EXIT.stopNotProven;

  async function tell(unproven: readonly string[]): Promise<void> {
    const { reason } = options;
    const alert = endAlert({ isPanic: latches, level, reason, unproven }, machine.clock.wall());
    await tellReceivers(machine, { settings, mode, alert }, ALERT_GRACE_MS).catch((error: unknown) => {
      machine.log.warn('nobody can be told', { error: String(error) });
    });
  }
}

/** For a supervisor that starts the daemon again meanwhile. On a full disk there is none, and nobody waits for it. */
async function leaveHaltFile({ files, log }: Machine, state: string, reason: string): Promise<void> {
  try {
    await files.makeDirectory(state);
    await files.writeAtomic(join(state, 'HALT'), `cancel ${reason}\n`);
  } catch (error) {
    log.warn('the HALT file could not be written', { error: String(error) });
  }
}

function levelOf<Level extends 'leave' | 'cancel' | 'flat'>(
  options: StopOptions,
  levels: readonly Level[],
  otherwise: Level,
): Level {
  const asked = levels.filter((level) => options[level] === true);
  if (asked.length <= 1) return asked[0] ?? otherwise;
  throw new UsageError(
    'TICKWRIGHT_E_STOP',
    `one of ${levels.map((level) => `--${level}`).join(', ')} must be given, received ${asked.map((level) => `--${level}`).join(' and ')}`,
  );
}
