import { type Level, pino, stdTimeFunctions } from 'pino';
import type { Log } from '../ports/log.js';
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

/** NDJSON: `level` as text, `time` as ISO, `msg` constant, then the fields. */
export function pinoLog(options: PinoLogOptions): Log {
  const { scrubber, write = (line: string) => void process.stderr.write(line) } = options;
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(scrubber.scrub(line)) },
  );
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
