/** Runs a daemon in this process: from its lock to its orderly end. */
import type { AlertDesk } from '../../daemon/alerts/alert-desk.js';
import { crashAlert, startAlert, stopAlert } from '../../daemon/alerts/life-alerts.js';
import { Heartbeat } from '../../daemon/control/heartbeat.js';
import type { RunningControl } from '../../daemon/control/start-control.js';
import type { Daemon } from '../../daemon/daemon.js';
import type { StopLevel } from '../../daemon/daemon-api.js';
import {
  readDaemonFile,
  removeDaemonFile,
  writeDaemonFile,
  type DaemonFile,
} from '../../daemon/daemon-file.js';
import type { MarketWatch } from '../../daemon/market-watch.js';
import { tellingLog } from '../../daemon/telling-log.js';
import type { NameLock } from '../../platform/name-lock.js';
import { processFacts } from '../../platform/process.js';
import { backgroundTimers } from '../../platform/timers.js';
import { sharedMonotonic } from '../../platform/worker-thread.js';
import { JournalHeld } from '../../storage/journal/journal-lock.js';
import { holdingReader } from './account-holding.js';
import { openAlerts } from './alerts.js';
import { supervise } from './supervision.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';
import type { ConnectionOptions, KeyedConnectionOptions } from '../connection/connection.js';
import { composeDaemon, openControl } from './compose-daemon.js';
import { type Crash, finishDaemon } from './daemon-end.js';
import { watchHaltFile } from './daemon-halt-file.js';
import { daemonEntries } from './daemon-entries.js';
import { daemonSocket } from './daemon-call.js';
import { type DaemonLock, lockDaemon } from './daemon-lock.js';
import { DaemonSignals } from './daemon-signals.js';
import { demandKey } from '../connection/key-check.js';
import { lockKey } from '../connection/key-lock.js';
import { endAll } from './end-all.js';
import { LateWriting, type Unwritten } from './late-writing.js';
import { packageVersion } from '../package.js';
import type { Settings } from '../settings/settings.js';
import { watchUnattended } from './unattended.js';
import { watchMarkets } from './watch-markets.js';
import { journaledLeft } from './what-ran.js';

export interface DaemonPlan {
  readonly settings: Settings;
  readonly mode: 'paper' | 'live';
  readonly venue: ConnectionOptions | KeyedConnectionOptions;
  /** The value of `--venue`; `undefined` when it was not given. */
  readonly venueFlag: string | undefined;
  /** Called once this process holds the lock of the state folder, before anything runs. */
  readonly onLocked?: (() => Promise<void>) | undefined;
  /** Called once every session was tried. */
  readonly onReady: (file: DaemonFile) => Promise<void>;
}

/** How long the last alerts may take to be delivered, ms. */
const ALERT_GRACE_MS = 3_000;

/**
 * Runs a daemon until somebody stops it.
 *
 * @throws JournalHeld when another daemon has this state folder; KeyHeld when another one trades with the key;
 * VenueUnavailable when the venue refuses the key and no earlier life left anything there; UsageError for other errors
 * that trying again cannot cure
 */
export async function runDaemon(given: Machine, plan: DaemonPlan): Promise<ExitCode> {
  const { settings, mode, venue } = plan;
  const { files, processes, scrubber, clock } = given;
  const { state } = settings;
  const keyed = mode === 'live' && 'credentials' in venue ? venue : undefined;
  const signals = new DaemonSignals(given);
  const lock = await lockDaemon(given, state).catch((error: unknown) => {
    signals.release();
    throw error;
  });
  let daemon: Daemon | undefined;
  let alerts: AlertDesk | undefined;
  let markets: MarketWatch | undefined;
  let control: RunningControl | undefined;
  const log = tellingLog(given.log, {
    scrub: (text) => scrubber.scrub(text),
    tell: (level, text) => daemon?.tell({ kind: 'log', time: clock.wall(), level, text }),
  });
  const machine: Machine = { ...given, log };
  const releases: (() => void)[] = [];
  const closes: (() => Promise<void>)[] = [];
  const late = new LateWriting(machine);
  let keyLock: NameLock | undefined;
  try {
    if (keyed !== undefined) {
      keyLock = await lockKey(keyed);
      await demandKeyUnlessLeft(machine, settings, keyed);
    }
    await unlessFull(machine, lock, 'the start is not noted in the journal', async () => plan.onLocked?.());
    const version = await packageVersion(files);
    const heartbeat = new Heartbeat(sharedMonotonic);
    const held = keyed && holdingReader({ machine, settings, venue: keyed, idle: backgroundTimers });
    const { venueFlag } = plan;
    const parts = {
      machine,
      settings,
      mode,
      venue,
      venueFlag,
      version,
      heartbeat,
      held,
      paperDays: new Map(),
    };
    // On paper nothing shows whether the earlier life used the same venue.
    const unattended = mode === 'live' ? await watchUnattended(machine, settings) : undefined;
    if (unattended !== undefined) releases.push(() => unattended.stop());
    const entries = await daemonEntries(parts);
    const { daemon: running, release } = await composeDaemon(parts, entries, {
      moreProblems: () => [
        ...(unattended?.problems ?? []),
        ...(markets?.problems ?? []),
        ...(alerts?.problems ?? []),
        ...(control?.problems ?? []),
      ],
      onReplaced({ index, strategy, sha256, folder }) {
        control?.replaced(index, { name: strategy, sha256, folder });
      },
    });
    daemon = running;
    releases.push(release);
    markets = watchMarkets(machine, { venue, mode, daemon: running });
    releases.push(() => markets?.stop());
    if (!lock.isHeld) late.add(lockLater(lock, running));
    signals.attach(running);
    releases.push(await watchHaltFile(machine, state, running));
    const desk = await openAlerts(machine, { settings, mode, daemon: running });
    alerts = desk;
    closes.push(() => desk.close(ALERT_GRACE_MS));
    for (const text of unattended?.problems ?? [])
      running.tell({ kind: 'problem', time: clock.wall(), severity: 'critical', text });
    // The control thread starts before the sessions, so that a hang during their start is noticed too.
    const socket = await daemonSocket(state);
    const opened = await openControl(parts, entries, { daemon: running, socket });
    control = opened;
    closes.push(() => opened.close());
    const supervision = supervise(machine, running, entries);
    releases.push(() => supervision.stop());
    // A pair may wait for a person for days. The daemon must be able to end meanwhile.
    const isReady = await Promise.race([running.start().then(() => true), running.ending.then(() => false)]);
    if (isReady) {
      const file: DaemonFile = {
        formatVersion: 1,
        pid: processFacts().pid,
        process: processes.self,
        version,
        mode,
        venue: venue.url,
        startedAt: clock.wall(),
        socket,
        url: opened.url,
      };
      const before = await readDaemonFile(files, state).catch(() => undefined);
      await tellWhere({ machine, state, lock, late }, file);
      const pairs = entries.map(({ pair }) => pair);
      const wasUnclean = before !== undefined;
      desk.tell(startAlert({ pairs, venue: venue.url, time: clock.wall(), wasUnclean }));
      supervision.ready(`${mode} on ${venue.url}: ${pairs.join(', ')}`);
      log.info('ready', { mode, venue: venue.url, pairs });
      await plan.onReady(file);
    }
    const end = await running.ending;
    await late.stop();
    log.info('ending', { ...end });
    supervision.stopping();
    const left = await finishDaemon(machine, { settings, venue, daemon: running }, end);
    // At any other end they are among what is left.
    const kept = end.kind === 'recycle' ? running.keptStops : [];
    const level = end.kind === 'stop' ? end.level : 'cancel';
    // A flat end has closed them, or says that it could not.
    const bare = level === 'cancel' ? running.barePositions : [];
    // Whoever ends the daemon in order to close them says at that terminal what became of them.
    if (end.kind !== 'stop' || end.thenFlat !== true) for (const text of bare) await say(`warning: ${text}`);
    await tellKept(kept);
    await tellLeft(level, left);
    desk.tell(stopAlert(end, { left, kept, bare }, clock.wall()));
    const isProven = left.length === 0 || level === 'leave';
    // While orders or positions may be left, the file stays: to a sentinel the end then was not orderly, and it acts.
    if (isProven) await removeDaemonFile(files, state);
    // The next start looks for what was left, and a supervisor starts nothing after an end that is not proven.
    if (end.kind === 'recycle') return EXIT.recycle;
    return isProven ? EXIT.ok : EXIT.stopNotProven;
  } catch (error) {
    await late.stop();
    const crash: Crash = { kind: 'crash', reason: String(error) };
    const left = daemon && (await finishDaemon(machine, { settings, venue, daemon }, crash));
    const kept = daemon?.keptStops ?? [];
    alerts?.tell(crashAlert(error, { left: left ?? [], kept }, clock.wall()));
    await tellKept(kept);
    await tellLeft('cancel', left ?? []);
    if (left?.length === 0) await removeDaemonFile(files, state);
    throw error;
  } finally {
    await endAll(given.log, [
      ...closes,
      ...releases,
      () => signals.release(),
      () => keyLock?.release(),
      () => lock.release(),
    ]);
  }
}

/**
 * Orders of an earlier life must be canceled, so then the daemon waits until the venue accepts the key. Otherwise a refused
 * key ends the start.
 */
async function demandKeyUnlessLeft(
  machine: Machine,
  { state, strategies }: Settings,
  venue: KeyedConnectionOptions,
): Promise<void> {
  const isConfigured = (pair: string) => strategies.some((each) => each.pair === pair);
  const left = await journaledLeft(machine.files, state, 'cancel', isConfigured);
  if (left.length === 0) await demandKey(machine, venue);
}

/** Writes the file that tells commands where the daemon is; on a full disk, as soon as there is room. */
async function tellWhere(
  { machine, state, lock, late }: { machine: Machine; state: string; lock: DaemonLock; late: LateWriting },
  file: DaemonFile,
): Promise<void> {
  const { files } = machine;
  const write = () => writeDaemonFile(files, state, file);
  const words = 'daemon.json does not say where this daemon is found';
  const isWritten = await unlessFull(machine, lock, words, () =>
    write().catch(async (error: unknown) => {
      if (lock.shortage === undefined) throw error;
      // The file of an earlier daemon that died takes up the room.
      await removeDaemonFile(files, state);
      await write();
    }),
  );
  if (!isWritten) late.add({ what: 'daemon.json', write });
}

/**
 * Writes the missing lock later. If another daemon has taken the state folder meanwhile, it may trade there; this daemon,
 * which without a lock can only cancel, ends.
 */
function lockLater(lock: DaemonLock, daemon: Daemon): Unwritten {
  return {
    what: 'the lock',
    write: () => lock.take(),
    isOver(error) {
      if (!(error instanceof JournalHeld)) return false;
      daemon.stop('cancel', { by: 'the daemon', reason: error.message });
      return true;
    },
  };
}

/** A failed write on a full disk must not keep the daemon from canceling orders. Resolves to whether it was written. */
async function unlessFull(
  { log }: Machine,
  { shortage }: DaemonLock,
  words: string,
  write: () => Promise<void>,
): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (shortage === undefined) throw error;
    log.error(`the disk is full: ${words}`, { error: String(error) });
    return false;
  }
}

async function tellKept(kept: readonly string[]): Promise<void> {
  if (kept.length > 0) await say(`kept at the venue: ${kept.join(', ')}`);
}

async function tellLeft(level: StopLevel, left: readonly string[]): Promise<void> {
  if (left.length === 0) return;
  const words = {
    leave: 'left at the venue, as asked: ',
    cancel: 'warning: the stop is not proven; orders that may still be at the venue: ',
    flat: 'warning: the stop is not proven; not known is ',
  };
  await say(`${words[level]}${left.join(', ')}`);
}
