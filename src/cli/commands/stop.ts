import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { bareTexts } from '../../runner/stop/bare-position.js';
import { endAlert } from '../../daemon/alerts/life-alerts.js';
import { tellReceivers } from '../daemon/alerts.js';
import type { KeyedConnectionOptions } from '../connection/connection.js';
import { haltFilesIn } from '../stop/halt-files.js';
import { areHalted, keepHalt } from '../stop/panic-latch.js';
import { shellWord } from '../../model/shell-word.js';
import { endDaemon, type EndOfDaemon, forgetDeadDaemon } from '../daemon/end-daemon.js';
import { readSettings, sameAddress, type Settings } from '../settings/settings.js';
import { tellingWhenInterrupted } from '../stop/interrupted-stop.js';
import { stopBot } from '../stop/stop-bot.js';
import { canceledBy, journaledPairs } from '../journal/journaled.js';
import { PRIVATE_DIRECTORY } from '../../storage/journal/journal-layout.js';
import { demandOpenState } from '../daemon/state-access.js';
import { journaledLeft, whatRan, type WhatRan } from '../daemon/what-ran.js';
import { whileSaying } from '../stop/while-saying.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { reasonText, reportError } from '../report-error.js';
import { endedUnwritten, unwritten } from '../unwritten.js';
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

/** How long a daemon may take to end itself, before this process ends it; ms. */
const PATIENCE_MS = 15_000;

/** Least time for the proof, ms: it needs two looks, however long the daemon's end took. */
const LEAST_PROOF_MS = 5_000;

/** How much longer the command waits for its alert, ms. */
const ALERT_GRACE_MS = 5_000;

/** Ends the daemon in order, and then proves from this process what is left at the venue. */
export async function stop(options: StopOptions): Promise<ExitCode> {
  const level = levelOf(options, ['leave', 'cancel', 'flat'], 'cancel');
  // The other half of the time is for orders that must be canceled after it.
  const patienceMs = Math.min(PATIENCE_MS, options.within / 2);
  return end(options, { level, patienceMs, latches: false, machine: thisMachine() });
}

/** Kills the daemon in any state, and cancels at once. The halt stays latched until somebody resumes. */
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

async function end(options: StopOptions, how: How): Promise<ExitCode> {
  const { level, latches, machine } = how;
  const settings = await readSettings(machine, options.config);
  const { state } = settings;
  // To another user no daemon seems to run, and nothing to be left.
  await demandOpenState(state);
  if (settings.file === undefined) await demandBot(machine, state);
  const halted = latches ? await leaveHaltFile(machine, state, options.reason) : undefined;
  const ran = await whatRan(machine, state);
  const parts = { options, how, settings, ran, halted };
  if (level === 'leave') return left(parts);
  return (await mayHaveTraded(parts, level)) ? proved(parts, level) : untraded(parts, level);
}

/** Demands a bot in the state. In a folder without one, nothing may be called proven. */
async function demandBot(machine: Machine, state: string): Promise<void> {
  const { isAlive, mode } = await whatRan(machine, state);
  if (isAlive || mode !== undefined || (await journaledPairs(machine.files, state)).length > 0) return;
  throw new UsageError(
    'TICKWRIGHT_E_STOP',
    `a configuration must be named by --config or $TICKWRIGHT_CONFIG, or be tickwright.yaml here, received none, and ${state} is the state of no bot: nothing was ended`,
  );
}

interface Parts {
  readonly options: StopOptions;
  readonly how: How;
  readonly settings: Settings;
  readonly ran: WhatRan;
  /** For a panic: whether its HALT file exists; `undefined` for a stop. */
  readonly halted: boolean | undefined;
}

/**
 * Whether the bot may have orders at a venue. What actually ran counts, not the configuration; if that is unknown,
 * anything that may be at a venue counts.
 */
async function mayHaveTraded({ how, settings, ran }: Parts, level: 'cancel' | 'flat'): Promise<boolean> {
  const { files } = how.machine;
  const { state, mode } = settings;
  if (ran.mode === 'live' || (ran.mode === undefined && mode === 'live')) return true;
  // A daemon that hangs during its start may already be sending.
  if (ran.mode === undefined && ran.isAlive) return (await journaledPairs(files, state)).length > 0;
  if (ran.mode === 'paper' && mode === 'paper') return false;
  return (await journaledLeft(files, state, level)).length > 0;
}

async function left(parts: Parts): Promise<ExitCode> {
  const { options, how, settings } = parts;
  const { machine } = how;
  const ended = await endNow(parts);
  await forgetDeadDaemon(machine, settings.state);
  if (options.json === true) await printJson({ ended, proven: false });
  else {
    await say(
      modeOf(parts) === 'paper'
        ? 'stopped; nothing was at a venue'
        : 'stopped; orders and position stay at the venue',
    );
  }
  return EXIT.ok;
}

/** The end of a bot that had nothing at a venue, unless an earlier live session left something there. */
async function untraded(parts: Parts, level: 'cancel' | 'flat'): Promise<ExitCode> {
  const { options, how, settings } = parts;
  const { files } = how.machine;
  if (how.latches) await latch(parts, settings.mode);
  const ended = await endNow(parts);
  const unproven = await journaledLeft(files, settings.state, level);
  const proven = unproven.length === 0;
  if (proven) await forgetDeadDaemon(how.machine, settings.state);
  const after = await haltedAfter(parts, settings.mode);
  let error: Error | undefined;
  if (options.json === true) {
    error = await unwritten(printJson({ ended, proven, ...(proven ? {} : { unproven }), ...haltOf(after) }));
  } else if (proven) await say('stopped; nothing was at a venue');
  if (!proven) {
    await say(
      `NOT PROVEN: by its journals ${settings.state} has at a venue ${unproven.join(', ')}; ` +
        'give the configuration that it was traded with, and its key',
    );
  }
  await sayHalt(after);
  if (how.latches || !proven) await tell(after, unproven);
  return endedUnwritten(proven ? EXIT.ok : EXIT.stopNotProven, error);
}

async function proved(parts: Parts, level: 'cancel' | 'flat'): Promise<ExitCode> {
  const { options, how, settings, ran } = parts;
  const { machine, latches } = how;
  const begun = machine.clock.monotonic();
  // Checked before anything is ended, because the daemon may be the only process that can cancel its orders.
  let venue: KeyedConnectionOptions;
  try {
    venue = await settings.venueWithKeys({ ...options, venue: options.venue ?? ran.venue });
  } catch (error) {
    return refused(parts, error);
  }
  if (ran.venue !== undefined && !sameAddress(ran.venue, venue.url)) {
    await say(`the daemon traded at ${ran.venue}; what follows is about ${venue.url}, as --venue says`);
  }
  const { files } = machine;
  // Latched first, because the panic itself may be ended, or fail, before any journal has the halt.
  const forget = latches ? await latch(parts, 'live') : undefined;
  const { ended, proof, file } = await tellingWhenInterrupted(
    // Also what is held: its stop may be among what was canceled.
    () => journaledLeft(files, settings.state, 'flat'),
    async () => {
      // A panic does not wait until journals were read.
      const { result, canceled } = latches
        ? { result: await endNow(parts), canceled: undefined }
        : await canceledBy(files, settings.state, () => endNow(parts));
      const deadlineMs = Math.max(LEAST_PROOF_MS, options.within - (machine.clock.monotonic() - begun));
      const terms = {
        level,
        latches,
        all: options.all === true,
        deadlineMs,
        by: latches ? 'panic' : 'stop',
        reason: options.reason,
        canceled,
      };
      const stopped = whileSaying(
        machine,
        { what: 'what is left at the venue is not proven yet', mostMs: deadlineMs },
        () => stopBot(machine, { settings, venue }, terms),
      ).catch(async (error: unknown) => {
        if (latches) await tellUnproven(parts, result, error);
        // The daemon has said of its position no more than that somebody closes it.
        else if (level === 'flat') await tell(parts, [reasonText(error)]);
        throw error;
      });
      return { ended: result, ...(await stopped) };
    },
    // An ended session may have taken the terminal along, and the daemon has said no more than that somebody closes it.
    async (found) => {
      if ((latches || level === 'flat') && found.length > 0) await tell(parts, found);
    },
  );
  if (forget !== undefined && proof.proven && (await areHalted(files, settings.state, proof.pairs)))
    await forget();
  // After a proof the sentinel has nothing left to do.
  if (proof.proven) await forgetDeadDaemon(machine, settings.state);
  const after = await haltedAfter(parts, 'live');
  const error = await unwritten(
    options.json === true
      ? printJson({ ...proof, ended, file, ...haltOf(after) })
      : printText(proofText(proof, file)),
  );
  await sayHalt(after);
  // Who stops a bot in order sees the result, but a panic may come from a supervisor, so it sends an alert.
  if (latches || !proof.proven) {
    await tell(
      after,
      proof.pairs.flatMap(({ pair, unproven }) => unproven.map((what) => `${pair}: ${what}`)),
      bareTexts(proof.pairs),
    );
  }
  return endedUnwritten(proof.proven ? EXIT.ok : EXIT.stopNotProven, error);
}

/**
 * Handles missing access to the venue. A bot whose orders this process could not cancel is not ended. After a panic, a
 * working bot cancels them itself because of the HALT file. For a panic this is a failure that can be retried; a stop
 * has done nothing.
 */
async function refused(parts: Parts, error: unknown): Promise<ExitCode> {
  const { how, settings, ran } = parts;
  const { latches } = how;
  const unkilled = latches
    ? '; the daemon was not killed: while it works it cancels them by itself, since a HALT file tells it to'
    : '; the daemon was not ended';
  await say(
    `what ran on ${settings.state} may have orders at ${ran.venue ?? 'a venue'}, and it takes a key to cancel them` +
      (ran.isAlive ? unkilled : ''),
  );
  if (!latches) throw error;
  await latch(parts, 'live');
  await say(`error: ${reasonText(error)}`);
  await tellUnproven(parts, 'none', error);
  return EXIT.stopNotProven;
}

/** For a panic that could not even try to prove anything. Its halt stands all the same, and somebody must learn of it. */
async function tellUnproven(parts: Parts, ended: EndOfDaemon, error: unknown): Promise<void> {
  const reason = reasonText(error);
  const lost =
    parts.options.json === true
      ? await unwritten(printJson({ ended, proven: false, unproven: [reason], ...haltOf(parts) }))
      : undefined;
  await sayHalt(parts);
  await tell(parts, [reason]);
  if (lost !== undefined) await reportError(lost);
}

async function endNow({ options, how, settings }: Parts): Promise<EndOfDaemon> {
  const { level, patienceMs, machine, latches } = how;
  const ended = await endDaemon(machine, settings.state, {
    patienceMs,
    asks: { level, reason: options.reason },
  });
  if (ended === 'killed') {
    await say(
      latches
        ? 'the daemon was killed: a panic waits for nobody'
        : 'the daemon did not end by itself and was killed',
    );
  }
  if (ended === 'none') await say(`no daemon runs on ${settings.state}`);
  return ended;
}

function haltOf({ halted }: Parts): { readonly halted?: boolean } {
  return halted === undefined ? {} : { halted };
}

/** Whoever looks after a panic must learn why nothing trades, and how to trade again. */
async function sayHalt({ options, settings, halted }: Parts): Promise<void> {
  if (halted === undefined) return;
  const path = join(settings.state, 'HALT');
  const resume = `tickwright resume${options.config === undefined ? '' : ` --config ${shellWord(options.config)}`}`;
  await say(
    halted
      ? `halted: ${path} is there, and nothing adds risk (rm ${shellWord(path)}, then ${resume}, when you know why it was)`
      : `${path} could not be written: what is started now may trade`,
  );
}

function modeOf({ settings, ran }: Pick<Parts, 'settings' | 'ran'>): 'paper' | 'live' {
  return ran.mode ?? settings.mode;
}

/** `bare`: positions that are left without the stop that guarded them. */
async function tell(
  { options, how, settings, ran, halted }: Parts,
  unproven: readonly string[],
  bare: readonly string[] = [],
): Promise<void> {
  const { machine, latches, level } = how;
  const { reason } = options;
  const alert = endAlert({ isPanic: latches, level, reason, unproven, bare, halted }, machine.clock.wall());
  const mode = modeOf({ settings, ran });
  await tellReceivers(machine, { settings, mode, alert }, ALERT_GRACE_MS).catch((error: unknown) => {
    machine.log.warn('nobody can be told', { error: String(error) });
  });
}

/**
 * Leaves a HALT file for a daemon that a supervisor restarts meanwhile. On a full disk it cannot be written, which
 * delays nothing. Returns whether there is a HALT file, possibly an older one.
 */
async function leaveHaltFile({ files, log }: Machine, state: string, reason: string): Promise<boolean> {
  try {
    await files.makeDirectory(state, PRIVATE_DIRECTORY);
    await files.writeAtomic(join(state, 'HALT'), `cancel ${reason}\n`);
    return true;
  } catch (error) {
    log.warn('the HALT file could not be written', { error: String(error) });
    return (await haltFilesIn(files, [state]).catch(() => [])).length > 0;
  }
}

/**
 * Tries a HALT file that had no room once more: a dead daemon leaves the room of its own files, and whatever starts next
 * must find the halt.
 */
async function haltedAfter(parts: Parts, besides: 'paper' | 'live'): Promise<Parts> {
  const { options, how, settings, halted } = parts;
  if (halted !== false || !(await leaveHaltFile(how.machine, settings.state, options.reason))) return parts;
  await latch(parts, besides);
  return { ...parts, halted: true };
}

/**
 * Latches the halt for the mode that ran and the one that a start would use. Resolves to a function that takes it back.
 */
function latch(parts: Parts, besides: 'paper' | 'live'): Promise<() => Promise<void>> {
  const { options, how, settings } = parts;
  return keepHalt(how.machine, settings.state, { modes: [modeOf(parts), besides], reason: options.reason });
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
