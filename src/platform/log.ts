import { type Level, pino, stdTimeFunctions } from 'pino';
import type { Log } from '../ports/log.js';
import { boundedLine } from './log-line.js';
import { isLogFile, isPipe, type LogSink, queuedSink, rotatingSink } from './log-sink.js';
import type { Scrubber } from './scrubber.js';

export type LogLevel = Extract<Level, 'debug' | 'info' | 'warn' | 'error'> | 'silent';

export interface PinoLogOptions {
  /** Default `info`. */
  readonly level?: LogLevel;
  /** Applied to each finished line, where nothing can be nested out of its sight. */
  readonly scrubber: Scrubber;
  /** Where lines go; default: stderr. */
  readonly write?: (line: string) => void;
}

/** NDJSON: `level` as text, `time` as ISO, `msg` constant, then the fields. No line is longer than 16 KiB. */
export function pinoLog(options: PinoLogOptions): Log {
  const { scrubber, write = (line: string) => void process.stderr.write(line) } = options;
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(boundedLine(scrubber.scrub(line))) },
  );
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}

const STDERR = 2;

/**
 * Standard error as a program that runs for months writes to it: a file that `file` names is started anew when it is
 * full, and the reader of a pipe is not waited for.
 */
export function stderrSink(file: string | undefined): LogSink {
  if (file !== undefined && isLogFile(STDERR, file)) return rotatingSink({ descriptor: STDERR, path: file });
  if (isPipe(STDERR)) return queuedSink({ descriptor: STDERR });
  return (line) => void process.stderr.write(line);
}
