import { UsageError } from '../model/errors.js';
import { systemClock } from '../platform/clock.js';
import { nodeDiskSpace } from '../platform/disk-space.js';
import { systemEntropy } from '../platform/entropy.js';
import { nodeFiles } from '../platform/files.js';
import { LOG_FILE_VARIABLE } from '../platform/detached.js';
import { type LogLevel, pinoLog, stderrSink } from '../platform/log.js';
import { limitRepeats } from '../platform/log-repeats.js';
import { processFacts, writeError } from '../platform/process.js';
import { systemProcesses } from '../platform/processes.js';
import { createScrubber, type Scrubber } from '../platform/scrubber.js';
import { terminal, type Terminal } from '../platform/terminal.js';
import { backgroundTimers, systemTimers } from '../platform/timers.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { DiskSpace } from '../ports/disk-space.js';
import type { Entropy } from '../ports/entropy.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Processes } from '../ports/processes.js';
import { LiveArea } from './view/live-area.js';
import { printable } from './view/printable.js';
import { textLog } from './view/text-log.js';

/** The adapters of all ports of this process, created once. */
export interface Machine {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly files: Files;
  readonly disk: DiskSpace;
  readonly processes: Processes;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly scrubber: Scrubber;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The bottom lines of stderr's terminal, with the log above them; `undefined` without a terminal. */
  readonly area: LiveArea | undefined;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** Assumed width of a terminal that reports 0 columns. */
const UNKNOWN_COLUMNS = 80;

export interface MachineOptions {
  /** Set for a process that runs for months: its log file is rotated, and the process never waits for it. */
  readonly unattended?: boolean;
}

/** `logs`: the log level of the program, unless `$TICKWRIGHT_LOG` sets it. */
export function thisMachine(logs: LogLevel = 'warn', { unattended = false }: MachineOptions = {}): Machine {
  const { environment } = processFacts();
  const scrubber = createScrubber();
  const screen = terminal();
  const area = screen.stderrIsTerminal
    ? new LiveArea((text) => void writeError(text), screen.columns || UNKNOWN_COLUMNS)
    : undefined;
  // At a terminal the log is text for a person; otherwise it is NDJSON for programs.
  const log =
    area === undefined
      ? pinoLog({
          level: logLevelIn(environment, logs),
          scrubber,
          ...(unattended ? { write: stderrSink(environment[LOG_FILE_VARIABLE]) } : {}),
        })
      : textLog({ clock: systemClock, write: (line) => area.print(printable(scrubber.scrub(line))) });
  return {
    clock: systemClock,
    timers: systemTimers,
    files: nodeFiles,
    disk: nodeDiskSpace,
    processes: systemProcesses,
    entropy: systemEntropy,
    log: limitRepeats(log, { clock: systemClock, timers: backgroundTimers }),
    scrubber,
    terminal: screen,
    environment,
    area,
  };
}

/**
 * The log level of `$TICKWRIGHT_LOG`.
 *
 * @throws UsageError when it is not a level
 */
function logLevelIn(environment: Machine['environment'], otherwise: LogLevel): LogLevel {
  const given = environment['TICKWRIGHT_LOG'];
  if (given === undefined || given === '') return otherwise;
  const level = LEVELS.find((name) => name === given);
  if (level !== undefined) return level;
  throw new UsageError(
    'TICKWRIGHT_E_LOG',
    `TICKWRIGHT_LOG must be one of ${LEVELS.join(', ')}, received ${JSON.stringify(given)}`,
  );
}
