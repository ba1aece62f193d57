import type { Log, LogFields } from '../../ports/log.js';

export interface LogLine {
  /** Virtual ms. */
  readonly time: number;
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

export interface KeptLogOptions {
  /** Number of lines to keep; default 200. */
  readonly logLines?: number | undefined;
  /** Called with every line. */
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /** Virtual time, ms; `undefined` after the death of the process, as nothing is logged then. */
  readonly now: () => number | undefined;
}

const LOG_LINES = 200;

/** The log of one process, in memory. */
export class KeptLog {
  readonly log: Log;
  /** The newest lines, oldest first. */
  readonly lines: readonly LogLine[];

  constructor({ logLines = LOG_LINES, onLog, now }: KeptLogOptions) {
    const lines: LogLine[] = [];
    this.lines = lines;
    const write = (level: LogLine['level']) => (message: string, fields?: LogFields) => {
      const time = now();
      if (time === undefined) return;
      const line = { time, level, message, fields };
      lines.push(line);
      if (lines.length > logLines) lines.shift();
      onLog?.(line);
    };
    this.log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  }
}
