import { systemClock } from '../platform/clock.js';
import { systemEntropy } from '../platform/entropy.js';
import { nodeFiles } from '../platform/files.js';
import { pinoLog } from '../platform/log.js';
import { processFacts, writeError } from '../platform/process.js';
import { createScrubber, type Scrubber } from '../platform/scrubber.js';
import { terminal, type Terminal } from '../platform/terminal.js';
import { systemTimers } from '../platform/timers.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import { LiveArea } from './view/live-area.js';
import { textLog } from './view/text-log.js';

/** This process's adapters of every port, made once. */
export interface Machine {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly files: Files;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly scrubber: Scrubber;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The bottom of stderr's terminal, where there is one; the log goes above it. */
  readonly area: LiveArea | undefined;
}

/** A terminal that does not tell its width says 0. */
const UNKNOWN_COLUMNS = 80;

export function thisMachine(): Machine {
  const { environment } = processFacts();
  const scrubber = createScrubber();
  const screen = terminal();
  const area = screen.stderrIsTerminal
    ? new LiveArea((text) => void writeError(text), screen.columns || UNKNOWN_COLUMNS)
    : undefined;
  // A person reads lines, a program reads NDJSON.
  const log =
    area === undefined
      ? pinoLog({ level: 'warn', scrubber })
      : textLog({ clock: systemClock, write: (line) => area.print(scrubber.scrub(line)) });
  return {
    clock: systemClock,
    timers: systemTimers,
    files: nodeFiles,
    entropy: systemEntropy,
    log,
    scrubber,
    terminal: screen,
    environment,
    area,
  };
}
