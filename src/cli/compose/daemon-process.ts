/** A daemon in this process: from its lock to its orderly end. */
import { join } from 'node:path';
import { startControl } from '../../daemon/control/start-control.js';
import { Daemon, type DaemonEnd } from '../../daemon/daemon.js';
import {
  controlSocketPath,
  removeDaemonFile,
  writeDaemonFile,
  type DaemonFile,
} from '../../daemon/daemon-file.js';
import { tellingLog } from '../../daemon/telling-log.js';
import { memoryGauge, processFacts } from '../../platform/process.js';
import { onPauseSignal, processSignals } from '../../platform/signals.js';
import { HaltFile } from '../../runner/halt-file.js';
import { lockJournal } from '../../storage/journal-lock.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';
import type { ConnectionOptions, KeyedConnectionOptions } from './connection.js';
import { daemonEntries } from './daemon-entries.js';
import { DASHBOARD_FOLDER, packageVersion } from './package.js';
import type { Settings } from './settings.js';

export interface DaemonPlan {
  readonly settings: Settings;
  readonly mode: 'paper' | 'live';
  readonly venue: ConnectionOptions | KeyedConnectionOptions;
  /** Called once every session was tried. */
  readonly onReady: (file: DaemonFile) => Promise<void>;
}

/** A hung engine is killed after this long: a supervisor starts it anew, and its journal says where it was. */
const HANG_MS = 30_000;
const MEMORY_CEILING_BYTES = 512 * 1024 * 1024;

/**
 * Runs until somebody stops it.
 *
 * @throws JournalHeld when another daemon has this state; UsageError for what waiting does not mend
 */
export async function runDaemon(given: Machine, plan: DaemonPlan): Promise<ExitCode> {
  const { settings, mode, venue } = plan;
  const { files, processes, scrubber, clock, timers } = given;
  const { state } = settings;
  const lock = await lockJournal(files, processes, join(state, 'lock'));
  let daemon: Daemon | undefined;
  const log = tellingLog(given.log, {
    scrub: (text) => scrubber.scrub(text),
    tell: (level, text) => daemon?.tell({ kind: 'log', time: clock.wall(), level, text }),
  });
  const machine: Machine = { ...given, log };
  const releases: (() => void)[] = [];
  const closes: (() => Promise<void>)[] = [];
  try {
    const version = await packageVersion(files);
    const { pid } = processFacts();
    const entries = await daemonEntries({ machine, settings, mode, venue });
    const running = new Daemon({
      clock,
      timers,
      log,
      mode,
      venue: venue.url,
      version,
      pid,
      entries,
      gauge: memoryGauge,
      memoryCeilingBytes: MEMORY_CEILING_BYTES,
    });
    daemon = running;
    releases.push(...listen(running, given));
    releases.push(await watchHaltFile(machine, state, running));
    await running.start();
    const control = await startControl({
      daemon: running,
      timers,
      log,
      socket: controlSocketPath(state),
      http: settings.control.http,
      state,
      dashboard: settings.control.dashboard ? DASHBOARD_FOLDER : undefined,
      runs: 'backtest/runs',
      hangMs: HANG_MS,
    });
    closes.push(() => control.close());
    const file: DaemonFile = {
      formatVersion: 1,
      pid,
      process: processes.self,
      version,
      mode,
      startedAt: clock.wall(),
      socket: controlSocketPath(state),
      url: control.port === undefined ? undefined : `http://127.0.0.1:${control.port}`,
    };
    await writeDaemonFile(files, state, file);
    log.info('ready', { mode, venue: venue.url, pairs: entries.map(({ pair }) => pair) });
    await plan.onReady(file);
    const end = await running.ending;
    log.info('ending', { ...end });
    const leftOpen = await running.finish(end.kind === 'stop' && end.level === 'leave' ? 'leave' : 'cancel');
    return await exitOf(end, leftOpen);
  } catch (error) {
    await daemon?.finish();
    throw error;
  } finally {
    for (const close of closes) await close();
    for (const release of releases) release();
    await removeDaemonFile(files, state);
    await lock.release();
  }
}

/** SIGINT and SIGTERM end it in order; SIGUSR2 pauses. */
function listen(daemon: Daemon, { log }: Machine): readonly (() => void)[] {
  return [
    processSignals.onStop((signal) =>
      daemon.stop('cancel', { by: `signal ${signal}`, reason: 'asked by the operating system' }),
    ),
    onPauseSignal(() => {
      daemon
        .pause({ by: 'signal SIGUSR2', reason: 'asked by the operating system' })
        .catch((error: unknown) => log.error('cannot pause', { error: String(error) }));
    }),
  ];
}

/** Beside each session's own: one for all of them. */
async function watchHaltFile(machine: Machine, state: string, daemon: Daemon): Promise<() => void> {
  const file = new HaltFile({
    ...machine,
    path: join(state, 'HALT'),
    halted: () => daemon.halted?.level,
    halt: (level, reason, by) => daemon.halt(level, { reason, by }),
  });
  await file.watch();
  return () => file.stop();
}

async function exitOf(end: DaemonEnd, leftOpen: readonly string[]): Promise<ExitCode> {
  const isLeft = end.kind === 'stop' && end.level === 'leave';
  if (leftOpen.length > 0) {
    await say(
      isLeft
        ? `left at the venue, as asked: ${leftOpen.join(', ')}`
        : `warning: the stop is not proven; orders that may still be at the venue: ${leftOpen.join(', ')}`,
    );
  }
  if (leftOpen.length > 0 && !isLeft) return EXIT.stopNotProven;
  return end.kind === 'recycle' ? EXIT.recycle : EXIT.ok;
}
