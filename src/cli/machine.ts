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

/** This process's adapters of every port, made once. */
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
  /** The bottom of stderr's terminal, where there is one; the log goes above it. */
  readonly area: LiveArea | undefined;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** A terminal that does not tell its width says 0. */
const UNKNOWN_COLUMNS = 80;

export interface MachineOptions {
  /** It runs for months: its log is rotated where it is a file, and never waited for. */
  readonly unattended?: boolean;
}

/** `logs`: how much a program's log says where `$TICKWRIGHT_LOG` does not. */
export function thisMachine(logs: LogLevel = 'warn', { unattended = false }: MachineOptions = {}): Machine {
  const { environment } = processFacts();
  const scrubber = createScrubber();
  const screen = terminal();
  const area = screen.stderrIsTerminal
    ? new LiveArea((text) => void writeError(text), screen.columns || UNKNOWN_COLUMNS)
    : undefined;
  // A person reads lines, a program reads NDJSON.
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

/** `$TICKWRIGHT_LOG`: how much a program's log says. @throws UsageError when it is no level */
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
