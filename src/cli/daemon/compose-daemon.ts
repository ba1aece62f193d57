/** Puts a daemon and its control thread together from the settings. */
import { clearBlocked } from '../../daemon/blocked-file.js';
import type { Heartbeat } from '../../daemon/control/heartbeat.js';
import { type RunningControl, startControl } from '../../daemon/control/start-control.js';
import { Daemon } from '../../daemon/daemon.js';
import { keepHalts, readHalts } from '../../daemon/halts-file.js';
import { memoryGauge, processFacts } from '../../platform/process.js';
import { pairFolder } from '../journal/pair-folder.js';
import { DASHBOARD_FOLDER } from '../package.js';
import { haltFileIn } from '../stop/halt-files.js';
import { endsAtUncaught } from '../uncaught.js';
import { changeEntry } from './change-entry.js';
import type { ConfiguredEntry, EntryParts } from './daemon-entries.js';
import { uncaughtEnd } from './uncaught-end.js';
import { isUnfinished } from './what-ran.js';

export interface DaemonParts extends EntryParts {
  readonly heartbeat: Heartbeat;
  /** The value of `--venue`; `undefined` when it was not given. */
  readonly venueFlag: string | undefined;
  readonly version: string;
}

export interface DaemonHooks {
  /** Further problems from outside of the daemon, as texts for people. */
  readonly moreProblems: () => readonly string[];
  /** Called when `entry` takes the place of another one. */
  readonly onReplaced: (entry: ConfiguredEntry) => void;
}

export interface ComposedDaemon {
  readonly daemon: Daemon;
  /** To be called when it has ended: an error that nobody catches ends it no more. */
  readonly release: () => void;
}

export async function composeDaemon(
  parts: DaemonParts,
  entries: readonly ConfiguredEntry[],
  { moreProblems, onReplaced }: DaemonHooks,
): Promise<ComposedDaemon> {
  const { machine, settings, mode, venue, version } = parts;
  const { files, processes, scrubber, clock, timers, log } = machine;
  const { state } = settings;
  const present = [...entries];
  const daemon = new Daemon({
    clock,
    timers,
    log,
    scrub: (text) => scrubber.scrub(text),
    mode,
    venue: venue.url,
    version,
    pid: processFacts().pid,
    process: processes.self,
    startedWith: { config: settings.file, venue: parts.venueFlag },
    entries,
    keptHalted: () => haltFileIn(files, [state, ...entries.map(({ folder }) => folder)]),
    // Also on paper, where sessions begin anew: a halt lasts until somebody resumes.
    halts: await readHalts(files, state, mode),
    keepHalts: (halts) => keepHalts(files, state, mode, halts),
    moreProblems,
    gauge: memoryGauge,
    memoryCeilingBytes: settings.daemon.memory,
    change: (entry, change, request) => changeEntry(parts, entry as ConfiguredEntry, change, request),
    unblock: (pair) => clearBlocked(files, pairFolder(state, pair)),
    onReplaced(entry) {
      const replaced = entry as ConfiguredEntry;
      present[replaced.index] = replaced;
      onReplaced(replaced);
    },
  });
  return { daemon, release: endsAtUncaught(uncaughtEnd(machine, present, daemon)) };
}

/**
 * What an earlier life left at the venue must not stay unattended because of a dashboard: then its address may be missing
 * at first. Otherwise that is an error of the configuration, which a person should see at once.
 */
export async function openControl(
  { machine, settings, heartbeat }: DaemonParts,
  entries: readonly ConfiguredEntry[],
  { daemon, socket }: { readonly daemon: Daemon; readonly socket: string },
): Promise<RunningControl> {
  const { files, clock, timers, log, scrubber } = machine;
  const { state, control, daemon: bounds, sentinel } = settings;
  const waits = await isUnfinished(files, state);
  return startControl({
    daemon,
    heartbeat,
    timers,
    log,
    scrub: (text) => scrubber.scrub(text),
    onShut: (text) => daemon.tell({ kind: 'problem', time: clock.wall(), severity: 'warning', text }),
    socket,
    http: control.http && { ...control.http, waits },
    state,
    dashboard: control.dashboard ? DASHBOARD_FOLDER : undefined,
    runs: 'backtest/runs',
    hangMs: bounds.hang,
    // A sentinel, which may be quicker than the daemon itself, leaves no time to say whose code hung.
    noteMs: Math.min(bounds.hang, sentinel.hung) / 2,
    strategies: entries.map(({ strategy, sha256, folder }) => ({ name: strategy, sha256, folder })),
  });
}
